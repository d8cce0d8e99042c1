// The form session behind a form: opened when it is needed, and again, unseen, when it gets old or the form has changed.
import { type Control, controlsOf, define, type Definition } from './controls.ts'
import type { Moves } from './person.ts'
import { call, type Caller, type Opened } from './service.ts'

/** What every form of a page shares. */
export interface Page extends Caller {
  readonly moves: Moves
  /** Tells the owner of an error of ours. */
  readonly report: (error: unknown) => void
}

export interface FormSession {
  /** The form as it is now. */
  read(): readonly [Control[], Definition]
  /** One for the form as it is now; null: the service is away, or will not have it. */
  get(): Promise<Opened | null>
  /** It is used up, or the service does not know it any more. */
  forget(): void
}

/** Whoever is still at a form that is as old as that gets another session: the 600 seconds of this one are over soon. */
const RENEW_MS = 420_000

/** @param given the form session with which a managed form was drawn. @param arrived is told of each one. */
export function keepSession(
  page: Page,
  form: HTMLFormElement,
  key: string,
  arrived: (opened: Opened) => void,
  given: Opened | undefined,
): FormSession {
  let withPatterns = true
  let openedMs = given ? Date.now() : 0
  let frozen = ''
  let opening: Promise<Opened | null> = Promise.resolve(given || null)

  const read = (): [Control[], Definition] => {
    const controls = controlsOf(form)
    return [controls, define(controls, withPatterns)]
  }
  const init = async ({ fields, validation }: Definition): Promise<Opened | null> => {
    const { source, success } = form.dataset
    const opened = await call<Opened>(page, key, 'init', {
      fields,
      validation,
      // Where the form stands, without what the rest of the address may say of the visitor.
      source: (source || location.host + location.pathname).slice(0, 255),
      successContent: success,
    })
    // Browsers know patterns that the service does not: those are left to them.
    if (opened && opened.error_type && withPatterns) {
      withPatterns = false
      openedMs = 0
      return get()
    }
    if (opened) arrived(opened)
    openedMs = opened ? Date.now() : 0
    return opened && !opened.error_type ? opened : null
  }
  const get = (): Promise<Opened | null> => {
    const [, definition] = read()
    // What the service has frozen: of managed forms what their owner says.
    const text = given ? '' : JSON.stringify(definition)
    if (text === frozen && Date.now() - openedMs < RENEW_MS) return opening
    frozen = text
    openedMs = Date.now()
    return (opening = init(definition))
  }
  if (given) arrived(given)
  return { read, get, forget: () => (openedMs = 0) }
}
