// The form session behind a form: opened when it is needed, and again, unseen, when it gets old or the form has changed.
import type { openFilling } from '../filling.ts'
import { type Definition, PATTERN } from './controls.ts'
import type { Moves } from './person.ts'
import { call, type Caller, type Opened } from './service.ts'

/** What every form of a page shares. */
export interface Page extends Caller {
  readonly moves: Moves
  /** Tells the owner of an error of ours. */
  readonly report: (error: unknown) => void
  /** What is needed once somebody begins with a form; undefined when it cannot be had. */
  readonly filling: () => Promise<typeof openFilling | undefined>
}

/** Null: the service is away. It may also be too busy, or not have the form: that is in what it answers. */
type Opening = Promise<Opened | null> | Opened | undefined

/** Gets a session for the form as it is; forgets it: it is used up, or the service does not know it any more. */
export type FormSession = readonly [get: (now: Definition) => Opening, forget: () => void]

/** @param given the form session with which a managed form was drawn. @param arrived is told of whatever the service answers. */
export function keepSession(
  page: Page,
  { dataset }: HTMLFormElement,
  key: string,
  arrived: (opened: Opened) => void,
  given: Opened | undefined,
): FormSession {
  // Whoever is still at a form that is as old as that gets another session: the 600 seconds of this one are over soon.
  const renewMs = 420_000
  let withPatterns = true
  let openedMs = Date.now()
  let frozen: string | undefined
  let opening: Opening = given

  const get = (now: Definition): Opening => {
    const { fields, validation } = now
    if (!withPatterns)
      for (const rules of Object.values(validation))
        for (const rule in rules) if (rule.startsWith(PATTERN)) delete rules[rule]
    const body = {
      fields,
      validation,
      // Where the form stands, without what the rest of the address may say of the visitor.
      source: (dataset['source'] || location.host + location.pathname).slice(0, 255),
      successContent: dataset['success'],
    }
    // What the service has frozen: of managed forms what their owner says.
    const text = given ? frozen : JSON.stringify(body)
    if (text === frozen && Date.now() - openedMs < renewMs) return opening
    frozen = text
    openedMs = Date.now()
    return (opening = call<Opened>(page, key, 'init', body).then((opened) => {
      if (!opened || opened.code) openedMs = 0
      // Browsers know patterns that the service does not: those are left to them.
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
