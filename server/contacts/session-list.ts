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
import { type Link, type Place, readFrom } from './session-records.ts'

export type SessionListDeps = Pick<Context, 'records' | 'facts' | 'keys' | 'now' | 'randomBytes' | 'log'>

export interface CursorAsk {
  readonly perPage: number
  /** As the page before gave it; left out for the first page. */
  readonly cursor?: number | undefined
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
