// One form from the first look at it to its end: opened, checked while it is filled in, sent. Whatever fails, what was typed stays where it is
// or goes where the form would have gone without us.
import { answersOf, type Control, type Submitter } from './controls.ts'
import { make, makeTrap, succeed, tell } from './end.ts'
import { browserFaults, openNotes } from './notes.ts'
import { countPerson } from './person.ts'
import { call, type Checked, type Errors, type Opened } from './service.ts'
import { keepSession, type Page } from './session.ts'

export interface Flow {
  /** An event of one of the form's controls: by these visitors begin, write and leave fields. */
  hear(event: Event, control: Control): void
  /** The form has come into view. */
  open(): unknown
}

/** @param given the form session with which a managed form was drawn. */
export function openFlow(page: Page, form: HTMLFormElement, key: string, given?: Opened): Flow {
  // Whoever goes from field to field asks once; and no note moves a button away between the press and the release of a finger.
  const settleMs = 300
  // Where the page says novalidate, as managed forms do, all words are the service's.
  const isQuiet = form.noValidate
  const trap = makeTrap()
  const alert = make('p', { class: 'footfall-alert', role: 'alert' })
  const [count, signals] = countPerson(page.moves)
  const show = openNotes()
  const left = new Set<string>()
  let settling: ReturnType<typeof setTimeout>
  let turn = 0
  let isBusy = false
  let isNative = false
  let serviceFaults: Errors | null | undefined

  const arrived = (opened: Opened): Opened | undefined => {
    const { error_type, message, hp, branding, branding_link } = opened
    if (error_type) {
      // From here on it is a form like any other.
      isNative = true
      form.noValidate = isQuiet
      console.warn(`Footfall: ${message}`)
      tell(form, 'error', { message })
      return undefined
    }
    // No name: a browser that brings back what was typed (history) tells forms by the names in them, and this one changes.
    trap.id = hp
    if (!trap.form) {
      form.append(trap)
      if (branding) {
        const link = make('a', { href: branding_link, target: '_blank' }, branding)
        form.append(make('small', { class: 'footfall-branding' }, link))
      }
      tell(form, 'ready')
    }
    return opened
  }
  const [read, get, forget] = keepSession(page, form, key, arrived, given)

  /** Says the answers to the service, in another form session if this one is over. */
  const say = async (step: string, submitter?: Submitter, isAgain?: boolean): Promise<Checked | null> => {
    const opened = await get()
    if (!opened) return null
    const definition = read()
    const data = { ...answersOf(form, definition, submitter), [opened.hp]: trap.value }
    const answer = await call<Checked>(page, opened.token, step, { map: definition.fields, data, _sig: signals() })
    if (!answer || isAgain || answer.code !== 419) return answer
    forget()
    return say(step, submitter, true)
  }

  const find = (): Errors => browserFaults(isQuiet ? [] : read().controls)

  /** Of what has been left: what the browser says, and what the service says once the browser is content. */
  const check = async (): Promise<void> => {
    const asked = ++turn
    const faults = find()
    if (![...left].some((name) => faults[name])) {
      const checked = await say('validate')
      if (asked !== turn || !checked || checked.code) return
      serviceFaults = checked.errors
    }
    if (!isBusy) show(read().controls, left, { ...serviceFaults, ...faults })
  }

  /** @returns the first control with a fault, which has the focus then. */
  const refuse = (errors: Errors): Control | undefined => {
    const { controls } = read()
    for (const { name } of controls) left.add(name)
    const first = show(controls, left, errors)
    if (first) {
      first.focus()
      tell(form, 'invalid', { errors })
    }
    return first
  }

  const giveUp = (answer: Checked | null | void, submitter: Submitter): void => {
    trap.value = ''
    if (!tell(form, 'error', { message: answer ? answer.message : null })) return
    if (answer || !form.getAttribute('action') || !navigator.onLine) {
      // Its values stay, and it can be sent again.
      alert.textContent = form.dataset['failed'] || 'Not sent. Please try again.'
      form.append(alert)
    } else
      // Not at once: while a submit event is under way, a form takes no other.
      setTimeout(() => {
        isNative = true
        if (submitter) submitter.click()
        else HTMLFormElement.prototype.submit.call(form)
        isNative = false
      })
  }

  const setBusy = (now: boolean): void => {
    isBusy = now
    form.setAttribute('aria-busy', `${now}`)
  }

  form.noValidate = true
  form.addEventListener('submit', (event) => {
    if (isNative || event.defaultPrevented) return
    event.preventDefault()
    if (isBusy) return
    // What is sent is checked anyway, and the form session is over afterwards.
    clearTimeout(settling)
    alert.remove()
    if (refuse(find())) return
    const submitter = event.submitter as Submitter
    setBusy(true)
    void say('process', submitter)
      .catch(page.report)
      .then((answer) => {
        setBusy(false)
        if (answer && answer.validated) {
          forget()
          succeed(form, answer)
        } else if (!refuse((answer && answer.errors) || {})) giveUp(answer, submitter)
      })
  })

  return {
    open: get,
    hear({ type, isTrusted }, { name }) {
      if (!name) return
      count(type, isTrusted, name)
      if (type === 'focusin') void get()
      // Of the five types focusout and change leave a field; these and input change what can be said of it.
      if (/out|ch/.test(type)) left.add(name)
      if (/[tg]/.test(type) && left.has(name)) {
        clearTimeout(settling)
        settling = setTimeout(check, settleMs)
      }
    },
  }
}
