// Who is here: sessions with a load in the last five minutes, what they look at and where they come from.
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, type SessionColumn } from '../stores/session-columns.ts'
import { type Bucket, endOfNow } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import { readDocuments } from '../analytics/analytics.ts'
import type { AnalyticsDeps, AnalyticsInput } from '../analytics/question.ts'
import { parseClauses } from '../analytics/clauses.ts'
import type { DimensionId } from '../analytics/dimensions.ts'
import { countLive, liveSessionsOf, readLive, type Scope, type TopRow } from '../analytics/facts.ts'
import { liveBuckets } from '../analytics/graph.ts'
import { listRow } from './rows.ts'
import type { Figures } from '../analytics/metrics.ts'
import type { Shared } from '../shared-figures/shared.ts'
import { mayBeTold, shownParts } from '../shared-figures/cells.ts'
import { readLiveCells, readLiveParts, readToldLive } from '../shared-figures/facts.ts'

/** Sessions shown one by one. */
const SHOWN_SESSIONS = 20
const SHOWN_ROWS = 10

/** The lists of the view: what they are called, the list whose ids they share, and their column. */
const lists = {
  pages: { id: 'exit_path_full', column: 'exit_path' },
  countries: { id: 'country', column: 'country' },
  sources: { id: 'source', column: 'entry_source' },
} as const satisfies Record<string, { readonly id: DimensionId; readonly column: SessionColumn }>

type ListName = keyof typeof lists

/** The latest activity first. */
async function listLiveKeys(facts: Pick<Facts, 'query' | 'hasMarks'>, scope: Scope): Promise<SessionKey[]> {
  const where = await liveSessionsOf(facts, scope)
  return facts.query<SessionKey>(
    'analytics.listLiveKeys',
    `SELECT day, session FROM sessions FINAL WHERE ${where.sql} ORDER BY last_at DESC, day, session LIMIT ${SHOWN_SESSIONS}`,
    where.params,
  )
}

async function readLiveList(facts: Pick<Facts, 'query' | 'hasMarks'>, scope: Scope, name: ListName): Promise<TopRow[]> {
  const where = await liveSessionsOf(facts, scope)
  const code = name === 'countries' ? 'country_code' : "''"
  const rows = await facts.query<{ listed: string; code: string; sessions: string }>(
    'analytics.readLiveList',
    `SELECT toString(${foldedColumn(lists[name].column)}) AS listed, toString(${code}) AS code, count() AS sessions FROM sessions FINAL
WHERE ${where.sql} AND listed != '' GROUP BY listed, code ORDER BY sessions DESC, listed, code LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
  return rows.map((row) => ({ value: row.listed, countryCode: row.code, sessions: Number(row.sessions) }))
}

interface Here {
  readonly count: number
  /** By bucket. */
  readonly figures: readonly Figures[]
  readonly keys: readonly SessionKey[]
  readonly rows: Readonly<Record<ListName, readonly TopRow[]>>
}

async function readHere(facts: Facts, scope: Scope, buckets: readonly Bucket[]): Promise<Here> {
  const [count, figures, keys, pages, countries, sources] = await Promise.all([
    countLive(facts, scope),
    readLive(facts, scope, buckets, ['sessions']),
    listLiveKeys(facts, scope),
    readLiveList(facts, scope, 'pages'),
    readLiveList(facts, scope, 'countries'),
    readLiveList(facts, scope, 'sources'),
  ])
  return { count, figures, keys, rows: { pages, countries, sources } }
}

const nobody: Here = { count: 0, figures: [], keys: [], rows: { pages: [], countries: [], sources: [] } }

/** For a share link. Visits one by one tell of people, which it does not. */
async function readToldHere(facts: Facts, scope: Scope, buckets: readonly Bucket[]): Promise<Here> {
  const here = await readLiveCells(facts, scope)
  if (!mayBeTold(here.cells)) return nobody
  const [parts, pages, countries, sources] = await Promise.all([
    readLiveParts(facts, scope, buckets, ['sessions']),
    readToldLive(facts, scope, lists.pages.id, SHOWN_ROWS),
    readToldLive(facts, scope, lists.countries.id, SHOWN_ROWS),
    readToldLive(facts, scope, lists.sources.id, SHOWN_ROWS),
  ])
  const figures = shownParts(parts).parts
  return { count: here.figures.sessions, figures, keys: [], rows: { pages, countries, sources } }
}

/** @throws Problem('validation_failed') for a clause that cannot be used. */
export async function answerLiveView(
  deps: AnalyticsDeps,
  property: Property,
  ask: Pick<AnalyticsInput, 'clauses'>,
  { isShared }: Shared,
) {
  const clauses = parseClauses(ask.clauses ?? [])
  const buckets = liveBuckets(deps.now())
  const toMs = endOfNow(deps.now())
  const scope = { propertyId: property.id, clauses, span: { fromMs: buckets[0]?.fromMs ?? toMs, toMs } }
  const { count, figures, keys, rows } = await (isShared ? readToldHere : readHere)(deps.facts, scope, buckets)
  const rowsOf = (name: ListName) => rows[name].map((row) => listRow(lists[name].id, row, count, deps.config.baseUrl))
  return {
    count,
    series: buckets.map(({ label, fromMs }, index) => ({
      label,
      from_ts: fromMs / 1000,
      value: figures[index]?.sessions ?? 0,
    })),
    sessions: await readDocuments(deps, property.id, keys),
    pages: rowsOf('pages'),
    countries: rowsOf('countries'),
    sources: rowsOf('sources'),
  }
}
