// The sessions of a contact, newest first, page by page. Which they are and when they began is in the
// records; the facts are asked about the sessions of one page alone. No session is on two pages and none is
// left out, also of those that began in the same second.
import type { Context } from '../context.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import { sessionId } from '../kernel/ids.ts'
import { keyText } from '../sessions/sessions.ts'
import type { Records } from '../stores/records.ts'
import { getContact } from './contacts.ts'
import type { SessionJson, SessionsJson } from './schema.ts'
import { readSessionFacts, type SessionFacts } from './session-facts.ts'

export type SessionListDeps = Pick<Context, 'records' | 'facts' | 'keys' | 'now' | 'randomBytes' | 'log'>

export interface CursorAsk {
  readonly perPage: number
  /** As the page before gave it; left out for the first page. */
  readonly cursor?: number | undefined
}

interface Link {
  readonly day: number
  /** The session hash in decimal. */
  readonly session: string
  readonly entry_ts: number
}

/**
 * Where a page begins: behind so many of the sessions that began in that second, or, with none, before the
 * second.
 */
interface Place {
  readonly entryTs: number
  readonly passed: number
}

/**
 * Ten digits, which is any time there is; what stands before them says how many sessions of the second were
 * on earlier pages.
 */
const SECONDS = 10_000_000_000

/** 900,719 sessions of one second are told apart. A person has a handful. */
export const MAX_CURSOR = Number.MAX_SAFE_INTEGER

const readPlace = (cursor: number): Place => ({ entryTs: cursor % SECONDS, passed: Math.floor(cursor / SECONDS) })
const cursorOf = ({ entryTs, passed }: Place): number => passed * SECONDS + entryTs

/**
 * In the order of the ids within a second: the text of an id sorts as the day and the hash in it, and that of
 * a number by its length first.
 */
const linksOf = (records: Records, contactId: string) =>
  records
    .selectFrom('contact_sessions')
    .select(['day', 'session', 'entry_ts'])
    .where('contact_id', '=', contactId)
    .where((of) => of(of('mark', '%', 2), '=', 0))
    .orderBy('entry_ts', 'desc')
    .orderBy('day')
    .orderBy((of) => of.fn('length', ['session']))
    .orderBy('session')

/**
 * At most so many from there on. What is left of a second is asked for by itself: fewer than were passed may
 * be there by now.
 */
async function readFrom(records: Records, contactId: string, place: Place | undefined, most: number): Promise<Link[]> {
  const of = linksOf(records, contactId)
  if (!place) return of.limit(most).execute()
  const rest =
    place.passed === 0 ? [] : await of.where('entry_ts', '=', place.entryTs).limit(most).offset(place.passed).execute()
  if (rest.length === most) return rest
  const earlier = of.where('entry_ts', '<', place.entryTs).limit(most - rest.length)
  return [...rest, ...(await earlier.execute())]
}

interface LinkPage {
  readonly links: readonly Link[]
  /** Undefined on the last page. */
  readonly next: number | undefined
}

/**
 * Between two seconds the next page begins before the last one of these; within a second it begins behind as
 * many as were shown.
 */
function nextPlace(links: readonly Link[], following: Link, place: Place | undefined): Place {
  const entryTs = links.at(-1)!.entry_ts
  if (following.entry_ts < entryTs) return { entryTs, passed: 0 }
  const before = place?.entryTs === entryTs ? place.passed : 0
  return { entryTs, passed: before + links.filter((link) => link.entry_ts === entryTs).length }
}

/**
 * @param contactId of the property that asks: ids are unique, and with the property SQLite would read all of
 * its links.
 */
async function readLinks(records: Records, contactId: string, { perPage, cursor }: CursorAsk): Promise<LinkPage> {
  const place = cursor === undefined ? undefined : readPlace(cursor)
  const found = await readFrom(records, contactId, place, perPage + 1)
  const following = found[perPage]
  const links = found.slice(0, perPage)
  return { links, next: following && cursorOf(nextPlace(links, following, place)) }
}

const known = (text: string | undefined): string | null => text || null

/** As docs/api/contacts.md shows it. What is not known is null. */
function shownSession(id: string, entryTs: number, row: SessionFacts | undefined): SessionJson {
  return {
    id,
    sid: id,
    entry_ts: entryTs,
    last_ts: row ? Math.floor(Number(row.last_ms) / 1000) : null,
    entry_url: known(row?.entry_url),
    exit_url: known(row?.exit_url),
    bounced: row ? row.bounced === 1 : null,
    views: row ? Number(row.views) : null,
    channel: {
      category: known(row?.channel),
      name: row?.channel ? channelLabel(row.channel) : null,
      source: known(row?.source),
    },
    geo: { country: known(row?.country), city: known(row?.city) },
    device: known(row?.device),
  }
}

/**
 * Also those of a deleted contact: it has lost its name, not its past. One that was marked as invalid a
 * moment ago is left out of its page, which is shorter then.
 * @throws Problem('not_found') for a contact that is not of the property.
 */
export async function listContactSessions(
  deps: SessionListDeps,
  propertyId: string,
  contactId: string,
  ask: CursorAsk,
): Promise<SessionsJson> {
  const contact = await getContact(deps, propertyId, contactId)
  const { links, next } = await readLinks(deps.records, contact.id, ask)
  const keys = links.map(({ day, session }) => ({ day: dayText(day), session }))
  const facts = await readSessionFacts(deps.facts, propertyId, keys)
  const sessions = links.flatMap(({ day, session, entry_ts }) => {
    const row = facts.get(keyText({ day: dayText(day), session }))
    if (row?.is_invalid === 1) return []
    return shownSession(sessionId(deps.keys, propertyId, { day, hash: BigInt(session) }), entry_ts, row)
  })
  return {
    sessions,
    paging: { per_page: ask.perPage, has_more: next !== undefined, next_cursor: next ?? null },
  }
}
