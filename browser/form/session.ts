// The form session of a form: opened on demand, and opened again, unnoticed, when it gets old or the form has
// changed.
import type { openFilling } from '../filling.ts'
import { type Definition, PATTERN } from './controls.ts'
import type { Moves } from './person.ts'
import { call, type Caller, type Opened } from './service.ts'

/** Shared by all forms of a page. */
export interface Page extends Caller {
  readonly moves: Moves
  /** Reports an error of the library to the owner. */
  readonly report: (error: unknown) => void
  /** Loads what is needed once somebody begins with a form; undefined when it cannot be loaded. */
  readonly filling: () => Promise<typeof openFilling | undefined>
}

/** Null: the service is away. Its answer may also say that it is too busy, or does not have the form. */
type Opening = Promise<Opened | null> | Opened | undefined

/** Gets a session for the form as it is; forgets it when it is used up or unknown to the service. */
export type FormSession = readonly [get: (now: Definition) => Opening, forget: () => void]

/**
 * @param given the form session with which a managed form was drawn. @param arrived is called with every
 * answer of the service.
 */
export function keepSession(
  page: Page,
  { dataset }: HTMLFormElement,
  key: string,
  arrived: (opened: Opened) => void,
  given: Opened | undefined,
): FormSession {
  // After this long another session is opened: the 600 seconds of this one end soon.
  const renewMs = 420_000
  let withPatterns = true
  let openedMs = Date.now()
  let frozen: string | undefined
  let opening: Opening = given

  const get = (now: Definition): Opening => {
    const { fields, validation, tried } = now
    if (!withPatterns)
      for (const rules of Object.values(validation))
        for (const rule in rules) if (rule.startsWith(PATTERN)) delete rules[rule]
    const body = {
      fields,
      validation,
      // The location of the form, without the query, which may contain personal data.
      source: (dataset['source'] || location.host + location.pathname).slice(0, 255),
      successContent: dataset['success'],
      tried,
    }
    // What the service has frozen; for managed forms the owner's definition.
    const text = given ? frozen : JSON.stringify(body)
    if (text === frozen && Date.now() - openedMs < renewMs) return opening
    frozen = text
    openedMs = Date.now()
    return (opening = call<Opened>(page, key, 'init', body).then((opened) => {
      if (!opened || opened.code) openedMs = 0
      // Browsers support patterns that the service does not: only the browser checks those.
      else if (opened.error_type && withPatterns) {
        withPatterns = false
        openedMs = 0
        return get(now) as Promise<Opened | null>
      }
      if (opened) arrived(opened)
      return opened
    }))
  }
  if (given) arrived(given)
  return [get, () => (openedMs = 0)]
}
