// Which session belongs to which contact. A session has one contact for good: the primary key is the judge.
// Each link is noted in the facts too, where session documents and clauses find it; a link that a crash left
// unnoted is noted later.
import { dayFromText, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { gatherOf } from '../queues/gather.ts'
import type { Records, Tx } from '../stores/records.ts'
import { keyText, type SessionKey } from '../sessions/sessions.ts'
import { identifyRow, readStored } from './facts.ts'
import { isOneOf, type PropertySession } from './moment-records.ts'
import { takeInMark } from '../contacts/marks.ts'

export interface SessionLink {
  readonly property_id: string
  readonly key: SessionKey
  readonly contact_id: string
  /** How often a merge has given it to another contact. */
  readonly moves: number
  /** Whether the facts have its row. */
  readonly is_noted: boolean
}

const dayOf = (key: SessionKey) => dayFromText(key.day)

export async function findLink(
  records: Records,
  propertyId: string,
  key: SessionKey,
): Promise<SessionLink | undefined> {
  const row = await records
    .selectFrom('contact_sessions')
    .select(['contact_id', 'moves', 'is_noted'])
    .where('property_id', '=', propertyId)
    .where('day', '=', dayOf(key))
    .where('session', '=', key.session)
    .executeTakeFirst()
  return row && { property_id: propertyId, key, ...row, is_noted: row.is_noted === 1 }
}

const placeText = ({ propertyId, key }: PropertySession): string => `${propertyId} ${keyText(key)}`

async function listLinks(records: Records, sessions: readonly PropertySession[]): Promise<Map<string, SessionLink>> {
  const rows = await records
    .selectFrom('contact_sessions')
    .select(['property_id', 'day', 'session', 'contact_id', 'moves', 'is_noted'])
    .where(isOneOf(records, sessions))
    .execute()
  return new Map(
    rows.map(({ day, session, is_noted, ...row }) => {
      const key = { day: dayText(day), session }
      return [placeText({ propertyId: row.property_id, key }), { ...row, key, is_noted: is_noted === 1 }]
    }),
  )
}

const askLink = gatherOf<Records, PropertySession, SessionLink>((records) => ({
  groupOf: () => '',
  keyOf: placeText,
  load: (sessions) => listLinks(records, sessions),
}))

/** The same as findLink, with one statement for all who ask in one moment. */
export async function findLinkTogether(
  records: Records,
  propertyId: string,
  key: SessionKey,
): Promise<SessionLink | undefined> {
  return askLink(records, { propertyId, key })
}

/** One that is not stored yet. */
interface NewLink extends Omit<SessionLink, 'is_noted' | 'moves'> {
  /** When the session began. */
  readonly entry_ts: number
}

/** False when the session has a contact already, this one or another. */
export async function insertLink(tx: Tx, { key, ...link }: NewLink): Promise<boolean> {
  const inserted = await tx
    .insertInto('contact_sessions')
    .values({ ...link, day: dayOf(key), session: key.session, is_noted: 0 })
    .onConflict((conflict) => conflict.columns(['property_id', 'day', 'session']).doNothing())
    .returning('day')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function markNoted(
  records: Records | Tx,
  links: readonly Pick<SessionLink, 'property_id' | 'key' | 'moves'>[],
): Promise<void> {
  // One that was moved meanwhile is noted again.
  for (const [moves, some] of Map.groupBy(links, (link) => link.moves)) {
    const sessions = some.map(({ property_id: propertyId, key }) => ({ propertyId, key }))
    const noted = records.updateTable('contact_sessions').set({ is_noted: 1 }).where('moves', '=', moves)
    await noted.where(isOneOf(records, sessions)).execute()
  }
}

/** The marks of one moment go together; each lost one costs the same row in the facts once more. */
const askMark = gatherOf<Records, SessionLink, never>((records) => ({
  groupOf: () => '',
  keyOf: ({ property_id: propertyId, key }) => placeText({ propertyId, key }),
  load: async (links) => {
    await markNoted(records, links)
    return new Map<string, never>()
  },
}))

type NoteDeps = Pick<Deps, 'records' | 'facts' | 'now'>

/**
 * First the facts, then the mark: noted twice is noted once, marked too early would be lost by a crash.
 * @returns by how much the contact's count of sessions has changed: a session that is invalid by now is not
 *   counted.
 */
export async function noteLink(deps: NoteDeps, link: SessionLink): Promise<number> {
  if (link.is_noted) return 0
  await deps.facts.append('events', identifyRow(link, deps.now()))
  const change = await takeInMark(deps, link.property_id, link.key)
  await askMark(deps.records, link)
  return change
}

/** Links noted in one go: one insert into the facts. */
const BATCH = 500
/** More than one run has to do after any crash; the next one goes on. */
const MAX_BATCHES = 200

async function listUnnoted(records: Records): Promise<SessionLink[]> {
  const rows = await records
    .selectFrom('contact_sessions')
    .select(['property_id', 'day', 'session', 'contact_id', 'moves'])
    .where('is_noted', '=', 0)
    .limit(BATCH)
    .execute()
  return rows.map(({ day, session, ...link }) => ({ ...link, key: { day: dayText(day), session }, is_noted: false }))
}

/**
 * Of a session that is long gone from the facts nothing is written there again because its contact was
 * merged.
 */
async function withoutOutlived({ facts }: NoteDeps, links: readonly SessionLink[]): Promise<SessionLink[]> {
  const moved = Map.groupBy(
    links.filter(({ moves }) => moves > 0),
    (link) => link.property_id,
  )
  const gone = new Set<SessionLink>()
  for (const [propertyId, some] of moved) {
    const keys = some.map(({ key }) => key)
    const stored = await readStored(facts, propertyId, keys)
    for (const link of some) if (!stored.has(keyText(link.key))) gone.add(link)
  }
  return links.filter((link) => !gone.has(link))
}

/** Notes in the facts what a crash or an absent store left unnoted. @returns how many links that were. */
export async function noteLinks(deps: NoteDeps): Promise<number> {
  let noted = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const links = await listUnnoted(deps.records)
    if (links.length === 0) break
    const rows = (await withoutOutlived(deps, links)).map((link) => identifyRow(link, deps.now()))
    if (rows.length > 0) await deps.facts.appendAll('events', rows)
    for (const { property_id, key } of links) await takeInMark(deps, property_id, key)
    await markNoted(deps.records, links)
    noted += links.length
  }
  return noted
}

/** The latest sessions of a contact: days since 1970-01-01, and hashes in decimal. */
export async function listSessionsOf(
  records: Records,
  propertyId: string,
  contactId: string,
  limit: number,
): Promise<{ day: number; session: string }[]> {
  return records
    .selectFrom('contact_sessions')
    .select(['day', 'session'])
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .orderBy('entry_ts', 'desc')
    .limit(limit)
    .execute()
}
