// One form from the first look at it to its end: opened, checked while it is filled in, sent. Whatever fails, what was typed stays where it is
// or goes where the form would have gone without us.
import { answersOf, type Control, type Submitter } from './controls.ts'
import { furnish, sayFailed, succeed, tell } from './end.ts'
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

/** Whoever goes from field to field asks once; and no note moves a button away between the press and the release of a finger. */
const SETTLE_MS = 300

/** @param given the form session with which a managed form was drawn. */
export function openFlow(page: Page, form: HTMLFormElement, key: string, given?: Opened): Flow {
  // Where the page says novalidate, as managed forms do, all words are the service's.
  const isQuiet = form.noValidate
  const trap = document.createElement('input')
  const person = countPerson(page.moves)
  const show = openNotes()
  const left = new Set<string>()
  let settling: ReturnType<typeof setTimeout>
  let turn = 0
  let isBusy = false
  let isNative = false
  let serviceFaults: Errors | null | undefined
  let alert: HTMLElement | undefined

  const arrived = (opened: Opened): void => {
    const { error_type, message, hp } = opened
    if (error_type) {
      // From here on it is a form like any other.
      isNative = true
      form.noValidate = isQuiet
      console.warn(`Footfall: ${message}`)
      tell(form, 'error', { message })
      return
    }
    // No name: a browser that brings back what was typed (history) tells forms by the names in them, and this one changes.
    trap.id = hp
    if (trap.parentNode) return
    furnish(form, trap, opened)
    tell(form, 'ready', {})
  }
  const session = keepSession(page, form, key, arrived, given)

  const find = (controls: readonly Control[]): Errors => (isQuiet ? {} : browserFaults(controls))

  /** Of what has been left: what the browser says, and what the service says once the browser is content. */
  const check = async (): Promise<void> => {
    const asked = ++turn
    const [controls, definition] = session.read()
    const faults = find(controls)
    if (!controls.some(({ name }) => left.has(name) && faults[name])) {
      const opened = await session.get()
      if (!opened) return
      const body = { map: definition.fields, data: answersOf(form, definition) }
      const checked = await call<Checked>(page, opened.token, 'validate', body)
      if (asked !== turn || !checked || checked.error_code) return
      serviceFaults = checked.errors
    }
    if (!isBusy) show(controls, left, { ...serviceFaults, ...faults })
  }

  const refuse = (errors: Errors): void => {
    const [controls] = session.read()
    for (const { name } of controls) left.add(name)
    const first = show(controls, left, errors)
    if (first) first.focus()
    tell(form, 'invalid', { errors })
  }

  const send = async (submitter: Submitter, isAgain?: boolean): Promise<Checked | null> => {
    const opened = await session.get()
    if (!opened) return null
    const [, definition] = session.read()
    const data = { ...answersOf(form, definition, submitter), [opened.hp]: trap.value }
    const body = { map: definition.fields, data, _sig: person.signals() }
    const answer = await call<Checked>(page, opened.token, 'process', body)
    if (!answer || isAgain || !/^(session_e|data_d)/.test(answer.error_code as string)) return answer
    session.forget()
    return send(submitter, true)
  }

  const giveUp = (answer: Checked | null, submitter: Submitter): void => {
    trap.value = ''
    if (!tell(form, 'error', { message: answer && answer.message })) return
    if (answer || !form.hasAttribute('action') || !navigator.onLine) {
      alert = sayFailed(form)
      return
    }
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

  const submit = async (submitter: Submitter): Promise<void> => {
    setBusy(true)
    const answer = await send(submitter).catch((error: unknown) => (page.report(error), null))
    setBusy(false)
    if (answer && answer.validated) {
      session.forget()
      succeed(form, answer)
    } else if (answer && answer.validated === false) refuse(answer.errors || {})
    else giveUp(answer, submitter)
  }

  form.noValidate = true
  form.addEventListener('submit', (event) => {
    if (isNative || event.defaultPrevented) return
    event.preventDefault()
    if (isBusy) return
    // What is sent is checked anyway, and the form session is over afterwards.
    clearTimeout(settling)
    if (alert) alert.remove()
    const submitter = event.submitter as Submitter
    const faults = find(session.read()[0])
    if (Object.keys(faults)[0]) refuse(faults)
    else void submit(submitter)
  })

  return {
    open: () => session.get(),
    hear(event, { name }) {
      if (!name) return
      const { type } = event
      person.hear(event, name)
      if (type === 'focusin') void session.get()
      if (/out|ch/.test(type)) left.add(name)
      if (!/out|ch|inp/.test(type) || !left.has(name)) return
      clearTimeout(settling)
      settling = setTimeout(() => void check(), SETTLE_MS)
    },
  }
}
