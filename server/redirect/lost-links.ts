// Whose link it was that a code leads to no more. Memory knows links in use alone: what is gone is looked up
// in the records, and only when somebody follows it.
import { codeKey, type CodeKey, ownersOfGone } from '../links/code-records.ts'
import { openLoader } from '../queues/loader.ts'
import type { Records } from '../stores/records.ts'

/** From one look-up to the next, each of many codes: a flood of made-up ones costs ten of them a second. */
const PACE_MS = 100

export type FindLost = (key: CodeKey) => Promise<string | undefined>

/** @returns the id of the property. */
export function openLostLinks(records: Records): FindLost {
  const loader = openLoader<string>({
    load: (keys) => ownersOfGone(records, keys.map(readKey)),
    begin: () => 0,
    loaded: () => undefined,
    failed: () => undefined,
    paceMs: PACE_MS,
  })
  return (key) => loader.ask(codeKey(key))
}

/** Neither a short domain nor a host has a slash. */
function readKey(text: string): CodeKey {
  const end = text.indexOf('/')
  return { place: text.slice(0, end), code: text.slice(end + 1) }
}
