// Marks of sessions in the facts: which sessions are meant, and the rows that say so
// (docs/decisions/0031-invalid-sessions.md).
import type { Span } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, isCounted, renamedColumns } from '../stores/session-columns.ts'
import { type MarkRow, NEVER_MS } from '../stores/tables.ts'
import { bindSessions, keyText, ofSessions, type SessionKey, boundsOf } from '../sessions/sessions.ts'
import type { TrialJson } from './schema.ts'

type Query = Pick<Facts, 'query'>

const hostname = foldedColumn('entry_hostname')

/** Sessions of people that are not marked. */
export interface Chosen {
  /** In which they began. */
  readonly span: Span
  /** '' for any. */
  readonly network: string
  /** Of the page on which they began; '' for any. */
  readonly host: string
}

/** With its last mark; 0 without any. */
export interface Markable extends SessionKey {
  readonly mark: number
}

const toMarkable = ({ day, session, mark }: SessionKey & { readonly mark: string }): Markable => ({
  day,
  session,
  mark: Number(mark),
})

/** Undefined when there is no such session of a person. */
export async function findMarkable(facts: Query, propertyId: string, key: SessionKey): Promise<Markable | undefined> {
  const rows = await facts.query<SessionKey & { mark: string }>(
    'sessions.findMark',
    `SELECT day, session, mark FROM sessions FINAL
WHERE ${ofSessions} AND is_bot = 0 AND entry_at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') LIMIT 1`,
    bindSessions(propertyId, [key]),
  )
  return rows[0] && toMarkable(rows[0])
}

export const isInvalid = ({ mark }: Pick<Markable, 'mark'>): boolean => mark % 2 === 1

/** Later than any word before it, whatever the clocks of nodes say. */
const nextMark = (before: number, nowMs: number, invalid: boolean): number =>
  2 * Math.max(nowMs, Math.floor(before / 2) + 1) + Number(invalid)

interface Word {
  readonly isInvalid: boolean
  /** The marking that says so; '' for one session alone. */
  readonly batch: string
  readonly nowMs: number
}

/** Returns once the figures know of it. @param some at least one. */
export async function appendMarks(
  facts: Pick<Facts, 'appendAll'>,
  propertyId: string,
  some: readonly Markable[],
  { isInvalid: invalid, batch, nowMs }: Word,
): Promise<void> {
  const rows = some.map(({ day, session, mark }): MarkRow => ({
    property: propertyId,
    day,
    session,
    mark: nextMark(mark, nowMs, invalid),
    batch,
  }))
  await facts.appendAll('marks', rows)
}

function chosenSql(propertyId: string, { span, network, host }: Chosen) {
  return {
    sql: `property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND entry_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND entry_at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
  AND ${isCounted(true)}${network === '' ? '' : ' AND network = {network:String}'}${host === '' ? '' : ` AND ${hostname} = {host:String}`}`,
    params: { ...boundsOf(propertyId, span), ...(network !== '' && { network }), ...(host !== '' && { host }) },
  }
}

/** In the order of the table: so many, and no more is read than is needed for them. */
export async function listChosen(
  facts: Query,
  propertyId: string,
  chosen: Chosen,
  { fromDay, limit }: { readonly fromDay: string; readonly limit: number },
): Promise<Markable[]> {
  const { sql, params } = chosenSql(propertyId, chosen)
  const rows = await facts.query<SessionKey & { mark: string }>(
    'sessions.listChosen',
    `SELECT day, session, mark FROM sessions FINAL WHERE ${sql} AND day >= {cursor:Date} ORDER BY day, session LIMIT {limit:UInt32}`,
    { ...params, cursor: fromDay, limit },
  )
  return rows.map(toMarkable)
}

/** Rows of each list. */
const SHOWN = 20

async function countBy(
  facts: Query,
  propertyId: string,
  chosen: Chosen,
  column: string,
): Promise<TrialJson['networks']> {
  const { sql, params } = chosenSql(propertyId, chosen)
  const rows = await facts.query<{ id: string; number: string }>(
    'sessions.countChosenBy',
    `SELECT toString(${column}) AS id, count() AS number FROM sessions FINAL WHERE ${sql}
GROUP BY id ORDER BY number DESC, id LIMIT ${SHOWN}`,
    params,
  )
  return rows.map(({ id, number }) => ({ id, sessions: Number(number) }))
}

/** How many they are, and where they come from. */
export async function countChosen(facts: Query, propertyId: string, chosen: Chosen): Promise<TrialJson> {
  const { sql, params } = chosenSql(propertyId, chosen)
  const [[row], networks, hosts] = await Promise.all([
    facts.query<{ number: string }>(
      'sessions.countChosen',
      `SELECT count() AS number FROM sessions FINAL WHERE ${sql}`,
      params,
    ),
    countBy(facts, propertyId, chosen, 'network'),
    countBy(facts, propertyId, chosen, hostname),
  ])
  return { sessions: Number(row?.number ?? 0), networks, hosts }
}

/** Those that a marking has marked, without another word about them since. */
const batchSql = `SELECT day, session, max(mark) AS latest FROM marks
WHERE property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
GROUP BY day, session HAVING latest % 2 = 1 AND argMax(batch, mark) = {batch:String}`

/** The first of them, in the order of the table. */
export async function listOfBatch(
  facts: Query,
  propertyId: string,
  batch: string,
  { span, limit }: { readonly span: Span; readonly limit: number },
): Promise<Markable[]> {
  const rows = await facts.query<SessionKey & { latest: string }>(
    'sessions.listOfBatch',
    `${batchSql} ORDER BY day, session LIMIT {limit:UInt32}`,
    { ...boundsOf(propertyId, span), batch, limit },
  )
  return rows.map(({ latest, ...row }) => toMarkable({ ...row, mark: latest }))
}

export async function countOfBatch(facts: Query, propertyId: string, batch: string, span: Span): Promise<number> {
  const [row] = await facts.query<{ number: string }>(
    'sessions.countOfBatch',
    `SELECT count() AS number FROM (${batchSql})`,
    { ...boundsOf(propertyId, span), batch },
  )
  return Number(row?.number ?? 0)
}

/** A session of which was said by itself that it is invalid. Texts are '' where nothing is known. */
export interface MarkedAlone extends SessionKey {
  readonly markedMs: number
  readonly entryMs: number
  readonly network: string
  /** Of the page on which it began, and its path. */
  readonly host: string
  readonly path: string
  readonly country_code: string
}

type AloneRow = SessionKey &
  Pick<MarkedAlone, 'network' | 'host' | 'path' | 'country_code'> & { readonly entry_ms: string }

const aloneColumns = renamedColumns({
  day: 'day',
  session: 'session',
  entry_ms: 'entry_ms',
  network: 'network',
  host: 'entry_hostname',
  path: 'entry_path',
  country_code: 'country_code',
})

async function readAlone(
  facts: Query,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, AloneRow>> {
  if (keys.length === 0) return new Map()
  const rows = await facts.query<AloneRow>(
    'sessions.readMarkedAlone',
    `SELECT ${aloneColumns} FROM sessions FINAL WHERE ${ofSessions}`,
    bindSessions(propertyId, keys),
  )
  return new Map(rows.map((row) => [keyText(row), row]))
}

/** The latest word first. */
export async function listMarkedAlone(facts: Query, propertyId: string, limit: number): Promise<MarkedAlone[]> {
  const marked = await facts.query<SessionKey & { latest: string }>(
    'sessions.listMarkedAlone',
    `SELECT day, session, max(mark) AS latest FROM marks WHERE property = {property:String}
GROUP BY day, session HAVING latest % 2 = 1 AND argMax(batch, mark) = '' ORDER BY latest DESC, day, session LIMIT {limit:UInt32}`,
    { property: propertyId, limit },
  )
  const known = await readAlone(facts, propertyId, marked)
  return marked.flatMap(({ latest, ...key }) => {
    const row = known.get(keyText(key))
    if (!row) return []
    const { entry_ms, ...shown } = row
    return [{ ...shown, markedMs: Math.floor(Number(latest) / 2), entryMs: Number(entry_ms) }]
  })
}
