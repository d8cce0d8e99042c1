// What bodies of deliveries need of the facts: where sessions came from, where they were, what they were
// worth, and which conversions they have met. Deliveries set out in bursts, so those of one property are read
// together.
import type { Context } from '../context.ts'
import {
  bindSessions,
  keyText,
  ofSessions,
  readMoney,
  sessionKey,
  type SessionKey,
  type SessionMoney,
} from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { Conversion } from '../conversions/conversion-model.ts'
import { findConverted } from '../conversions/facts.ts'
import { openGather } from '../queues/gather.ts'
import { renamedColumns } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'

interface SessionRow {
  readonly of_day: string
  readonly of_session: string
  readonly entry_ms: string
  readonly entry_path: string
  readonly channel: string
  readonly contact_id: string
  readonly country: string
  readonly currency: string
  readonly is_invalid: number
}

/** Texts are empty where nothing is known. */
export interface FoundSession {
  /** Undefined when no view of it is stored. */
  readonly entry: { readonly atMs: number; readonly path: string } | undefined
  readonly channel: string
  readonly contactId: string
  readonly country: string
  readonly money: SessionMoney | undefined
  /** Its owner marked it: nothing is sent about it. */
  readonly isInvalid: boolean
}

const keyOf = ({ of_day, of_session }: Pick<SessionRow, 'of_day' | 'of_session'>): SessionKey => ({
  day: of_day,
  session: of_session,
})

function foundOf(row: SessionRow, money: SessionMoney | undefined): FoundSession {
  const { entry_ms, entry_path, channel, contact_id, country, is_invalid } = row
  const atMs = Number(entry_ms)
  const entry = atMs < NEVER_MS ? { atMs, path: entry_path } : undefined
  return { entry, channel, contactId: contact_id, country, money, isInvalid: is_invalid === 1 }
}

/** Those of which anything is stored, by keyText. */
async function findSessions(
  deps: Pick<Context, 'facts' | 'rates'>,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, FoundSession>> {
  const rows = await deps.facts.query<SessionRow>(
    'automations.findSessions',
    `SELECT toString(day) AS of_day, toString(session) AS of_session, toUnixTimestamp64Milli(entry_at) AS entry_ms,
  ${renamedColumns({ entry_path: 'entry_path', channel: 'entry_channel', contact_id: 'contact_id', country: 'country', currency: 'currency', is_invalid: 'is_invalid' })}
FROM sessions FINAL WHERE ${ofSessions}`,
    bindSessions(propertyId, keys),
  )
  // Hardly any session brings money.
  const paid = rows.filter(({ currency }) => currency !== '').map(keyOf)
  const money = await readMoney(deps, propertyId, paid)
  return new Map(
    rows.map((row) => {
      const key = keyText(keyOf(row))
      return [key, foundOf(row, money.get(key))]
    }),
  )
}

interface Page {
  readonly path: string
  readonly url: string
}

interface Moment extends SessionKey {
  readonly atMs: number
}

const pageKey = (moment: Moment): string => `${keyText(moment)} ${moment.atMs}`

/** A page view that comes in the same moment over another connection is the one on which it happened. */
const SKEW_MS = 1000

type PageRow = Pick<SessionRow, 'of_day' | 'of_session'> & { readonly until: string; readonly page: [string, string] }

/** The page of the last view until each moment, by pageKey. */
async function findPages(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  moments: readonly Moment[],
): Promise<Map<string, Page>> {
  const rows = await facts.query<PageRow>(
    'automations.findPages',
    `SELECT toString(v.day) AS of_day, toString(v.session) AS of_session, toString(m.until) AS until,
  argMax((v.path, v.url), (v.at, v.view)) AS page
FROM (SELECT day, session, view, at, path, url FROM views FINAL WHERE ${ofSessions}) AS v
INNER JOIN (
  SELECT tupleElement(moment, 1) AS day, tupleElement(moment, 2) AS session, tupleElement(moment, 3) AS until
  FROM (SELECT arrayJoin(arrayZip({moment_days:Array(Date)}, {moment_sessions:Array(UInt64)}, {moment_untils:Array(Int64)})) AS moment)
) AS m ON v.day = m.day AND v.session = m.session
WHERE v.at <= fromUnixTimestamp64Milli(m.until, 'UTC')
GROUP BY v.day, v.session, m.until`,
    {
      ...bindSessions(propertyId, moments),
      moment_days: moments.map(({ day }) => day),
      moment_sessions: moments.map(({ session }) => BigInt(session)),
      moment_untils: moments.map(({ atMs }) => atMs + SKEW_MS),
    },
  )
  return new Map(
    rows.map((row) => {
      const [path, url] = row.page
      return [pageKey({ ...keyOf(row), atMs: Number(row.until) - SKEW_MS }), { path, url }]
    }),
  )
}

// ---------------------------------------------------------------- read together

/** All of them throw Problem('unavailable') while the facts are away. */
export interface RunFacts {
  /** Undefined when nothing of it is stored, as after RETENTION_DAYS. */
  session(propertyId: string, session: SessionRef): Promise<FoundSession | undefined>
  /** Where the visitor was at that time: the page of the last view until then. */
  page(propertyId: string, session: SessionRef, atMs: number): Promise<Page | undefined>
  /** Whether the session has met it by now. */
  hasConverted(propertyId: string, session: SessionRef, conversion: Conversion): Promise<boolean>
}

type RunFactsDeps = Pick<Context, 'facts' | 'rates'>

interface OfSession {
  readonly propertyId: string
  readonly session: SessionRef
}

const textOf = ({ session }: OfSession): string => keyText(sessionKey(session))
const ofOne = ([first]: readonly OfSession[]): string => first?.propertyId ?? ''

const openSessions = (deps: RunFactsDeps) =>
  openGather<OfSession, FoundSession>({
    groupOf: ({ propertyId }) => propertyId,
    keyOf: textOf,
    load: (asks) =>
      findSessions(
        deps,
        ofOne(asks),
        asks.map(({ session }) => sessionKey(session)),
      ),
  })

const openPages = ({ facts }: RunFactsDeps) =>
  openGather<OfSession & { readonly atMs: number }, Page>({
    groupOf: ({ propertyId }) => propertyId,
    keyOf: ({ session, atMs }) => pageKey({ ...sessionKey(session), atMs }),
    load: (asks) =>
      findPages(
        facts,
        ofOne(asks),
        asks.map(({ session, atMs }) => ({ ...sessionKey(session), atMs })),
      ),
  })

const openConverted = ({ facts }: RunFactsDeps) =>
  openGather<OfSession & { readonly conversion: Conversion }, true>({
    // As it is now: it may have been changed under its id.
    groupOf: ({ propertyId, conversion: { event_type, event_value } }) =>
      JSON.stringify([propertyId, event_type, event_value]),
    keyOf: textOf,
    load: async (asks) => {
      const keys = asks.map(({ session }) => sessionKey(session))
      const found = await findConverted(facts, ofOne(asks), keys, asks[0]!.conversion)
      return new Map([...found].map((key) => [key, true]))
    },
  })

export function openRunFacts(deps: RunFactsDeps): RunFacts {
  const [sessions, pages, converted] = [openSessions(deps), openPages(deps), openConverted(deps)]
  return {
    session: (propertyId, session) => sessions({ propertyId, session }),
    page: (propertyId, session, atMs) => pages({ propertyId, session, atMs }),
    hasConverted: async (propertyId, session, conversion) =>
      (await converted({ propertyId, session, conversion })) === true,
  }
}
