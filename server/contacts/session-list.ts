// The sessions of a contact, newest first, page by page. Which they are and when they began is in the records; the facts are asked about
// the sessions of one page alone. No session is on two pages and none is left out, also of those that began in the same second.
import type { Context } from '../context.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import { sessionId } from '../kernel/ids.ts'
import { keyText } from '../sessions/facts.ts'
import type { Records } from '../stores/records.ts'
import { getContact } from './contacts.ts'
import { readSessionFacts, type SessionFacts } from './session-facts.ts'

export type SessionListDeps = Pick<Context, 'records' | 'facts' | 'keys' | 'now' | 'randomBytes' | 'log'>

export interface CursorAsk {
  readonly perPage: number
  /** Unix seconds: sessions that began before. */
  readonly cursor?: number | undefined
}

export interface CursorPaging {
  readonly per_page: number
  readonly has_more: boolean
  readonly next_cursor: number | null
}

/** SPEC.md 4.3. What is not known is null. */
export interface ContactSession {
  readonly id: string
  readonly sid: string
  readonly entry_ts: number
  readonly last_ts: number | null
  readonly entry_url: string | null
  readonly exit_url: string | null
  readonly bounced: boolean | null
  readonly views: number | null
  readonly channel: { readonly category: string | null; readonly name: string | null; readonly source: string | null }
  readonly geo: { readonly country: string | null; readonly city: string | null }
  readonly device: string | null
}

interface Link {
  readonly day: number
  /** The session hash in decimal. */
  readonly session: string
  readonly entry_ts: number
}

/** Sessions that began in one second share a page, however small it was meant to be. No person has as many; a page has to end somewhere. */
const MOST_OF_A_SECOND = 1000

const linksOf = (records: Records, propertyId: string, contactId: string) =>
  records
    .selectFrom('contact_sessions')
    .select(['day', 'session', 'entry_ts'])
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .orderBy('entry_ts', 'desc')

interface LinkPage {
  readonly links: readonly Link[]
  /** Undefined on the last page. */
  readonly next: number | undefined
}

/** A page that would cut through the sessions of one second ends before them; when it holds no others, it holds all of these. */
async function readLinks(
  records: Records,
  propertyId: string,
  contactId: string,
  { perPage, cursor }: CursorAsk,
): Promise<LinkPage> {
  const of = linksOf(records, propertyId, contactId)
  const before = cursor === undefined ? of : of.where('entry_ts', '<', cursor)
  const found = await before.limit(perPage + 1).execute()
  const last = found[perPage - 1]
  if (!last || found.length <= perPage) return { links: found, next: undefined }
  if (found[perPage]!.entry_ts < last.entry_ts) return { links: found.slice(0, perPage), next: last.entry_ts }
  const earlier = found.filter((link) => link.entry_ts > last.entry_ts)
  if (earlier.length > 0) return { links: earlier, next: last.entry_ts + 1 }
  const second = await of.where('entry_ts', '=', last.entry_ts).limit(MOST_OF_A_SECOND).execute()
  const older = await of.where('entry_ts', '<', last.entry_ts).limit(1).execute()
  return { links: second, next: older.length > 0 ? last.entry_ts : undefined }
}

const known = (text: string | undefined): string | null => text || null

function shownSession(id: string, entryTs: number, row: SessionFacts | undefined): ContactSession {
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

/** By second of entry, then by id, as in the list of all sessions. */
const inOrder = (a: ContactSession, b: ContactSession): number =>
  b.entry_ts - a.entry_ts || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Also those of a deleted contact: it has lost its name, not its past.
 * @throws Problem('not_found') for a contact that is not of the property.
 */
export async function listContactSessions(
  deps: SessionListDeps,
  propertyId: string,
  contactId: string,
  ask: CursorAsk,
): Promise<{ sessions: ContactSession[]; paging: CursorPaging }> {
  const contact = await getContact(deps, propertyId, contactId)
  const { links, next } = await readLinks(deps.records, propertyId, contact.id, ask)
  const keys = links.map(({ day, session }) => ({ day: dayText(day), session }))
  const facts = await readSessionFacts(deps.facts, propertyId, keys)
  const sessions = links.map(({ day, session, entry_ts }) => {
    const id = sessionId(deps.keys, propertyId, { day, hash: BigInt(session) })
    return shownSession(id, entry_ts, facts.get(keyText({ day: dayText(day), session })))
  })
  return {
    sessions: sessions.toSorted(inOrder),
    paging: { per_page: ask.perPage, has_more: next !== undefined, next_cursor: next ?? null },
  }
}
