// Who is here: sessions with a load in the last five minutes, what they look at and where they come from.
import type { Facts } from '../stores/facts.ts'
import type { Bucket } from '../kernel/buckets.ts'
import { endOfNow } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import { readDocuments } from '../analytics/analytics.ts'
import type { AnalyticsDeps, AnalyticsInput } from '../analytics/question.ts'
import { parseClauses } from '../analytics/clauses.ts'
import type { Scope, TopRow } from '../analytics/facts.ts'
import { countLive, readLive } from '../analytics/live-facts.ts'
import { liveBuckets } from '../analytics/graph.ts'
import { listRow } from './rows.ts'
import { listLiveKeys, type ListName, SHOWN_ROWS, lists, readLiveList } from './live-facts.ts'
import type { Figures } from '../analytics/metrics.ts'
import type { Shared } from '../shared-figures/shared.ts'
import { mayBeShown, shownParts } from '../shared-figures/cells.ts'
import { readLiveCells, readLiveParts, readSharedLive } from '../shared-figures/facts.ts'

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
async function readSharedHere(facts: Facts, scope: Scope, buckets: readonly Bucket[]): Promise<Here> {
  const here = await readLiveCells(facts, scope)
  if (!mayBeShown(here.cells)) return nobody
  const [parts, pages, countries, sources] = await Promise.all([
    readLiveParts(facts, scope, buckets, ['sessions']),
    readSharedLive(facts, scope, lists.pages.id, SHOWN_ROWS),
    readSharedLive(facts, scope, lists.countries.id, SHOWN_ROWS),
    readSharedLive(facts, scope, lists.sources.id, SHOWN_ROWS),
  ])
  const figures = shownParts(parts).parts
  return { count: here.figures.sessions, figures, keys: [], rows: { pages, countries, sources } }
}

/** @throws Problem('validation_failed') for a clause that cannot be used. */
export async function answerLiveView(
  deps: AnalyticsDeps,
  property: Property,
  ask: Pick<AnalyticsInput, 'clauses' | 'goals'>,
  { isShared }: Shared,
) {
  const clauses = parseClauses(ask.clauses ?? [], ask.goals)
  const buckets = liveBuckets(deps.now())
  const toMs = endOfNow(deps.now())
  const scope = { propertyId: property.id, clauses, span: { fromMs: buckets[0]?.fromMs ?? toMs, toMs } }
  const { count, figures, keys, rows } = await (isShared ? readSharedHere : readHere)(deps.facts, scope, buckets)
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
