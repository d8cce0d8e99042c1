// The form session behind a form: opened when it is needed, and again, unseen, when it gets old or the form has changed.
import { define, type Definition } from './controls.ts'
import type { Moves } from './person.ts'
import { call, type Caller, type Opened } from './service.ts'

/** What every form of a page shares. */
export interface Page extends Caller {
  readonly moves: Moves
  /** Tells the owner of an error of ours. */
  readonly report: (error: unknown) => void
}

/** Null: the service is away, or will not have the form. */
type Opening = Promise<Opened | null | undefined> | Opened | undefined

/** Reads the form as it is now; gets a session for that; forgets it: it is used up, or the service does not know it any more. */
export type FormSession = readonly [read: () => Definition, get: () => Opening, forget: () => void]

/** @param given the form session with which a managed form was drawn. @param arrived is told of each one, and says whether it is good. */
export function keepSession(
  page: Page,
  form: HTMLFormElement,
  key: string,
  arrived: (opened: Opened) => Opened | undefined,
  given: Opened | undefined,
): FormSession {
  // Whoever is still at a form that is as old as that gets another session: the 600 seconds of this one are over soon.
  const renewMs = 420_000
  let withPatterns = true
  let openedMs = Date.now()
  let frozen: string | undefined
  let opening: Opening = given

  const read = (): Definition => define(form, withPatterns)
  const get = (): Opening => {
    const { fields, validation } = read()
    const { source, success } = form.dataset
    const body = {
      fields,
      validation,
      // Where the form stands, without what the rest of the address may say of the visitor.
      source: (source || location.host + location.pathname).slice(0, 255),
      successContent: success,
    }
    // What the service has frozen: of managed forms what their owner says.
    const text = given ? frozen : JSON.stringify(body)
    if (text === frozen && Date.now() - openedMs < renewMs) return opening
    frozen = text
    openedMs = Date.now()
    return (opening = call<Opened>(page, key, 'init', body).then((opened) => {
      if (!opened) openedMs = 0
      // Browsers know patterns that the service does not: those are left to them.
      else if (opened.error_type && withPatterns) {
        withPatterns = false
        openedMs = 0
        return get()
      }
      return opened && arrived(opened)
    }))
  }
  if (given) arrived(given)
  return [read, get, () => (openedMs = 0)]
}
