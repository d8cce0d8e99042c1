// The life of one form: opened, checked while it is filled in, sent. On any failure what was typed stays, or
// is submitted as if this script were not there.
import type { Errors, Filling } from '../filling.ts'
import { type Control, define, type Definition, type Submitter } from './controls.ts'
import { make, makeTrap, tell } from './end.ts'
import { ownOf } from './own.ts'
import { call, type Checked, type Opened, type Texts } from './service.ts'
import { keepSession, type Page } from './session.ts'

export interface Flow {
  /** An event of one of the form's controls: visitors begin, write and leave fields. */
  hear(event: Event, control: Control): void
  /** The form is in view, or somebody begins with it. */
  open(): void
  /** Must be called last of all listeners: the page may have cancelled the event. */
  submit(event: SubmitEvent): void
}

/** @param given the form session with which a managed form was drawn. */
export function openFlow(page: Page, form: HTMLFormElement, key: string, given?: Opened): Flow {
  const own = ownOf(form)
  // Where the page has novalidate, as managed forms do, only the service's messages are shown. A copied form
  // (Turbo makes one when going back) has the attribute from us, with this value.
  const isQuiet = own.getAttribute('novalidate') !== '1' && own.noValidate
  const trap = makeTrap()
  const alert = make('p', { role: 'alert', class: 'footfall-alert' })
  let isBusy = false
  let isNative = false
  let refusal: 1 | undefined
  let texts: Texts = { sent: 'Sent.', failed: 'Not sent. Please try again.', too_long: 'Too long to be sent.' }
  let filling: Promise<Filling | void> | undefined

  /** Whether the form has a real action; without one its values would end up in the page's URL. */
  const canLeave = (): boolean => own.method !== 'dialog' && /^[^#]/.test(own.getAttribute('action') || '')

  const arrived = ({ error_type, hp, branding_link, branding, message, texts: said }: Opened): void => {
    texts = said || texts
    if (error_type) {
      refusal = 1
      console.warn(`Footfall: ${message}`)
      if (canLeave()) {
        // From here on the browser handles the form.
        isNative = true
        own.toggleAttribute('novalidate', isQuiet)
      }
      tell(own, 'error', { message })
    } else if (error_type === false) {
      // Without a name: a browser that restores typed values (history) identifies forms by their names, and
      // this one changes.
      trap.id = hp
      if (trap.form) return
      own.append(trap)
      if (branding && /^https?:/.test(branding_link) && !own.querySelector('.footfall-branding')) {
        own.append(make('a', { target: '_blank', class: 'footfall-branding', href: branding_link }, branding))
      }
      tell(own, 'ready')
    }
  }
  const [get, forget] = keepSession(page, own, key, arrived, given)

  /**
   * Sends the answers to the service, with a new form session if this one has ended. @returns the answer of
   * init where there is none.
   */
  const say = async (
    now: Definition,
    patience?: AbortController,
    step = 'validate',
    isAgain?: boolean,
  ): Promise<Checked | null | undefined> => {
    const opened = await get(now)
    if (!opened || opened.error_type !== false) return opened
    const { token, hp } = opened
    const known = await getFilling()
    const body = { map: now.fields, data: { ...now.data, [hp]: trap.value } }
    const ask = (to: string, said: object) => call<Checked>(page, token, to, said, patience)
    const answer = await (known ? known.send : ask)(step, body, ask)
    if (!answer || isAgain || answer.code !== 419) return answer
    forget()
    return say(now, patience, step, true)
  }

  /** The browser's own messages, in the visitor's language. */
  const find = ({ controls }: Definition): Errors => {
    const errors: Record<string, string[]> = Object.create(null)
    if (!isQuiet)
      for (const { name, dataset, validationMessage, validity } of controls)
        if (!validity.valid) errors[name] = [dataset['message'] || validationMessage]
    return errors
  }

  /** Loaded on demand: most forms are never begun. */
  const getFilling = (): Promise<Filling | void> =>
    (filling =
      filling ||
      page.filling().then(
        (open) =>
          open &&
          open({
            own,
            ask: say,
            read: () => define(form),
            moves: page.moves,
            report: page.report,
            find,
          }),
      ))

  /** Submits as if there were no script, including controls that the page has disabled since. */
  const leave = ({ controls }: Definition, submitter: Submitter): void => {
    for (const control of [submitter, ...controls]) {
      let off: Element | null
      while (control && (off = control.closest('[disabled]'))) off.removeAttribute('disabled')
    }
    isNative = true
    if (submitter) submitter.click()
    else own.submit()
    isNative = false
  }

  const put = (text: string): void => {
    alert.textContent = text
    own.append(alert)
  }

  const giveUp = (answer: Checked | null | undefined | void, now: Definition, submitter: Submitter): void => {
    trap.value = ''
    if (!tell(own, 'error', { message: answer && answer.message })) return
    // Delayed: a form cannot be submitted again while its submit event is being dispatched.
    if ((!answer || answer.error_type) && canLeave() && navigator.onLine) setTimeout(leave, 0, now, submitter)
    else {
      // Its values stay, and it can be sent again.
      put(answer && answer.code === 413 ? texts.too_long : own.dataset['failed'] || texts.failed)
    }
  }

  /** Checks in the browser, then with the service. @param errors of the browser. */
  const send = async (errors: Errors, now: Definition, submitter: Submitter): Promise<void> => {
    const known = await getFilling()
    if (known) known.rest()
    const refuse = (found: Errors | null | undefined): unknown => {
      // A field may be called constructor.
      const first = found && now.controls.find(({ name }) => Array.isArray(found[name]))
      return first && (known ? known.refuse(found, now.controls, first) : !first.reportValidity())
    }
    if (refuse(errors)) return
    // The service is asked again: the form may be published by now, and tries are counted.
    if ((now.tried = refusal)) forget()
    const answer = await say(now, undefined, 'process').catch(page.report)
    if (answer && answer.validated) {
      forget()
      if (known) known.succeed(answer)
      else put(texts.sent)
    } else if (!answer || !refuse(answer.errors)) giveUp(answer, now, submitter)
  }

  own.setAttribute('novalidate', '1')

  const flow: Flow = {
    open() {
      ;(async () => get(define(form)))().catch(page.report)
    },
    submit(event) {
      if (isNative || event.defaultPrevented) return
      const submitter = event.submitter as Submitter
      const isUnchecked = submitter && submitter.formNoValidate
      // The button has an action of its own, which is not handled here.
      if (submitter && submitter.matches('[formaction],[formmethod=dialog]')) {
        if (isQuiet || isUnchecked || own.reportValidity()) return
      }
      event.preventDefault()
      if (isBusy) return
      alert.remove()
      const now = define(form, submitter)
      own.setAttribute('aria-busy', `${(isBusy = true)}`)
      void send(isUnchecked ? {} : find(now), now, submitter)
        .catch(page.report)
        .then(() => own.setAttribute('aria-busy', `${(isBusy = false)}`))
    },
    hear(event, control) {
      if (!control.name || isBusy) return
      if (event.type === 'focusin') flow.open()
      void getFilling().then((known) => known && known.hear(event, control))
    },
  }
  return flow
}
