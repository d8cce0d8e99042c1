// What the facts tell of the session behind a run: where it came from, where it is, what it was worth.
import type { Context } from '../context.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import { sessionId, type SessionRef } from '../kernel/ids.ts'
import { bindSessions, keyText, ofSessions, readMoney, sessionKey, type SessionKey } from '../sessions/facts.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { dashboardUrl } from '../config.ts'
import type { EnvelopeSession } from './envelope.ts'

type SessionDeps = Pick<Context, 'config' | 'facts' | 'keys' | 'rates'>

interface SessionRow {
  readonly entry_ms: string
  readonly entry_path: string
  readonly channel: string
  readonly contact_id: string
  readonly country: string
}

async function findSession(facts: Facts, propertyId: string, key: SessionKey): Promise<SessionRow | undefined> {
  const [row] = await facts.query<SessionRow>(
    'automations.findSession',
    `SELECT toUnixTimestamp64Milli(entry_at) AS entry_ms, entry.path AS entry_path, entry.channel AS channel, contact_id, country
FROM sessions FINAL WHERE ${ofSessions}`,
    bindSessions(propertyId, [key]),
  )
  return row && Number(row.entry_ms) < NEVER_MS ? row : undefined
}

const known = (text: string | undefined) => (text === undefined || text === '' ? null : text)

/** Only id and url when nothing else of the session is stored, as after RETENTION_DAYS. */
export async function readEnvelopeSession(
  deps: SessionDeps,
  propertyId: string,
  session: SessionRef,
): Promise<EnvelopeSession> {
  const key = sessionKey(session)
  const id = sessionId(deps.keys, propertyId, session)
  const [row, moneyBySession] = await Promise.all([
    findSession(deps.facts, propertyId, key),
    readMoney(deps, propertyId, [key]),
  ])
  const money = moneyBySession.get(keyText(key))
  return {
    id,
    url: `${dashboardUrl(deps.config)}/properties/${propertyId}/sessions/${id}`,
    entry_ts: row ? Math.floor(Number(row.entry_ms) / 1000) : null,
    entry_path: row ? row.entry_path : null,
    channel_category: known(row?.channel),
    channel_name: row && row.channel !== '' ? channelLabel(row.channel) : null,
    contact_id: known(row?.contact_id),
    country: known(row?.country),
    acquisition_value_cents: money?.money?.amount ?? null,
    acquisition_currency_code: money?.currency ?? null,
  }
}

export interface Page {
  readonly path: string
  readonly url: string
}

/** A page view that comes in the same moment, from another connection, is the one that it happened on. */
const SKEW_MS = 1000

/** Where the visitor was at that time: the page of the last view until then. */
export async function findPage(
  { facts }: Pick<Context, 'facts'>,
  propertyId: string,
  session: SessionRef,
  atMs: number,
): Promise<Page | undefined> {
  const [page] = await facts.query<Page>(
    'automations.findPage',
    `SELECT path, url FROM views AS v FINAL
WHERE property = {property:String} AND v.day = {day:Date} AND v.session = {session:UInt64}
  AND v.at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
ORDER BY v.at DESC, view DESC LIMIT 1`,
    {
      property: propertyId,
      day: dayText(session.day),
      session: session.hash,
      until: atMs + SKEW_MS,
    },
  )
  return page
}
