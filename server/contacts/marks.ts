// What contacts tell of sessions follows what owners say of these: one that is marked as invalid is not
// counted (docs/definitions.md, "Contacts"). The facts hold the word; here is only what was taken in of it,
// so that whoever breaks off can begin again.
import { dayFromText, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { keyText, type SessionKey } from '../sessions/sessions.ts'
import { readMarks } from '../identify/facts.ts'
import { listLinksFrom, listLinksOf, type MarkedLink, noteMarks } from './mark-records.ts'

type MarkDeps = Pick<Deps, 'records' | 'facts'>

/** Links of one step: a question and a few commits. */
const STEP = 500

async function takeIn({ records, facts }: MarkDeps, propertyId: string, links: readonly MarkedLink[]): Promise<number> {
  const keys = links.map(({ day, session }) => ({ day: dayText(day), session }))
  const words = await readMarks(facts, propertyId, keys)
  const newer = links.flatMap((link) => {
    const mark = words.get(keyText({ day: dayText(link.day), session: link.session })) ?? 0
    return mark > link.mark ? [{ ...link, mark }] : []
  })
  return noteMarks(records, propertyId, newer)
}

/**
 * To be called once the facts have the word, and every node knows that the property has marks.
 * @param keys a few.
 * @returns by how much the counts of their contacts have changed.
 */
export async function takeInMarks(deps: MarkDeps, propertyId: string, keys: readonly SessionKey[]): Promise<number> {
  return takeIn(deps, propertyId, await listLinksOf(deps.records, propertyId, keys))
}

/** For a session that has just got its contact. @returns as takeInMarks does. */
export async function takeInMark(deps: MarkDeps, propertyId: string, key: SessionKey): Promise<number> {
  return (await deps.facts.hasMarks(propertyId)) ? takeInMarks(deps, propertyId, [key]) : 0
}

/**
 * One step of the same for all sessions of contacts.
 * @param cursor YYYY-MM-DD, or `YYYY-MM-DD/<hash>`: behind it.
 * @param lastDay YYYY-MM-DD, included.
 * @returns where the next step begins; undefined when there is none.
 */
export async function takeInMarksFrom(
  deps: MarkDeps,
  propertyId: string,
  { cursor, lastDay }: { readonly cursor: string; readonly lastDay: string },
): Promise<string | undefined> {
  const [day = '', session = ''] = cursor.split('/')
  const place = { day: dayFromText(day), session, lastDay: dayFromText(lastDay) }
  const links = await listLinksFrom(deps.records, propertyId, place, STEP)
  await takeIn(deps, propertyId, links)
  const last = links.length === STEP ? links.at(-1) : undefined
  return last && `${dayText(last.day)}/${last.session}`
}
