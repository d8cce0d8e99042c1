// The answers to `metrics` and `sessions`: a window's summary beside the preceding one, its top lists, and
// its sessions page by page.
import { byName } from '../kernel/by-name.ts'
import { sessionId } from '../kernel/ids.ts'
import { dayFromText } from '../kernel/days.ts'
import { allPeriods, periods } from '../kernel/periods.ts'
import { daysOfPage, offsetOf, type PageAddress, paginate, readInteger, readPageNumber } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { precedingSpan } from '../kernel/window.ts'
import { keyText, readMoney, type SessionKey, withBeginning } from '../sessions/sessions.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  type AskedProperty,
  echoedInput,
  inputsOf,
  metaOf,
  parseInput,
  type Question,
  scopeOf,
  stopwatch,
  timed,
} from './question.ts'
import { dimensionEntry } from './dimension-entries.ts'
import { dimensionIds } from './dimensions.ts'
import { sessionDocument } from './documents.ts'
import type { TopLists, TopRow } from './facts.ts'
import { metricCatalog, metricIds, noFigures, summaryEntry } from './metrics.ts'
import { bothWindows, type MetricsFacts, readMetricsFacts, summaryFigures } from './metrics-facts.ts'
import type { CachedDeps } from './window-parts.ts'
import type { SessionsJson } from './answer-schema.ts'
import { notShared, type Shared } from '../shared-figures/shared.ts'
import { shownWhole } from '../shared-figures/cells.ts'
import { readCellParts, readSharedTops } from '../shared-figures/facts.ts'
import type { SessionJson } from './session-schema.ts'
import { type BothCosts, costEntry, noCosts, readBothCosts, type SpendDeps } from './spend.ts'
import { countDays, listKeys, readEvents, readForms, readPages, readSessions } from './session-facts.ts'

export { columnOf, dimensionOf, type SessionDimensionId, sessionDimensionIds } from './dimensions.ts'
export type { AnalyticsDeps } from './question.ts'

const SHOWN_LANGUAGES = 12
const DEFAULT_SESSIONS_PER_PAGE = 20
export const MAX_SESSIONS_PER_PAGE = 1000
/**
 * Documents that are put together at a time: with all that they list, tens of megabytes at the very worst.
 */
const READ_AT_ONCE = 100
/**
 * Of a page that takes more than one reading. Some two megabytes are usual; one of scripts alone could
 * otherwise have hundreds.
 */
const MAX_PAGE_CHARACTERS = 32 * 1024 * 1024

// ---------------------------------------------------------------- metrics

export interface MetricsInput extends AnalyticsInput {
  readonly filter?: unknown
  readonly show_devices?: unknown
}

export async function answerMetrics(
  deps: AnalyticsDeps & CachedDeps & SpendDeps,
  property: AskedProperty,
  ask: MetricsInput,
  { isShared }: Shared = notShared,
) {
  const elapsed = stopwatch()
  const question = parseInput(deps, property, ask)
  const filter = echoedInput('filter', ask.filter, null)
  const show_devices = echoedInput('show_devices', ask.show_devices, false)
  const read = isShared ? readToldMetrics : readMetricsFacts
  const { result, query_ms } = await timed(read(deps, question))
  // What a team spends is not for share links.
  const costs = isShared ? noCosts : await readBothCosts(deps, question, precedingSpan(question.window))
  return {
    inputs: { ...inputsOf(question, ask), filter, show_devices },
    analytics: {
      period_metrics: { ...periodMetrics(result, costs), query_ms },
      period_top_dimensions: { ...topDimensions(result, deps.config.baseUrl), query_ms },
      period_country_lang: { ...countriesAndLanguages(result.top), query_ms },
    },
    meta: metaOf(question.window.showing, question.clauses, elapsed),
    options: { periods },
  }
}

/** For a share link. */
async function readToldMetrics({ facts }: AnalyticsDeps, question: Question): Promise<MetricsFacts> {
  const span = bothWindows(question)
  const ask = { name: 'analytics.summary', edges: [span.fromMs, question.window.fromMs], figures: summaryFigures }
  const [parts, top] = await Promise.all([
    readCellParts(facts, scopeOf(question, span), ask),
    readSharedTops(facts, scopeOf(question)),
  ])
  const [previous = noFigures, current = noFigures] = parts.map(shownWhole)
  return { previous, current, top }
}

function periodMetrics({ current, previous }: MetricsFacts, costs: BothCosts) {
  const can_compare = previous.sessions > 0
  const summary = byName(metricIds, (id) => summaryEntry(id, current, can_compare ? previous : undefined))
  const cost = costEntry(costs, can_compare)
  return { summary: { ...summary, cost }, can_compare, metrics: metricCatalog }
}

function topDimensions({ top, current: { sessions: count } }: MetricsFacts, baseUrl: string) {
  const dimensions = byName(dimensionIds, (id) => dimensionEntry(id, top[id], baseUrl))
  return { count, dimensions, deviceSizes: countsOf(top.device) }
}

function countriesAndLanguages(top: TopLists) {
  return { countries: countsOf(top.country_code), languages: countsOf(top.primary_language.slice(0, SHOWN_LANGUAGES)) }
}

/** Collected values become keys here: one that is called like a property of every object must stay a key. */
function countsOf(rows: readonly TopRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.value, row.sessions]))
}

// ---------------------------------------------------------------- sessions

export interface SessionsInput extends AnalyticsInput {
  readonly limit?: number | null | undefined
}

/**
 * @param address its query has `page`, and whatever else it held, kept in the addresses of the neighbouring
 * pages.
 */
export async function answerSessions(
  deps: AnalyticsDeps,
  property: AskedProperty,
  ask: SessionsInput,
  address: PageAddress,
): Promise<SessionsJson> {
  const elapsed = stopwatch()
  const question = parseInput(deps, await withBeginning(deps.facts, property, ask), ask)
  const limit = readInteger('limit', ask.limit, {
    min: 1,
    max: MAX_SESSIONS_PER_PAGE,
    default: DEFAULT_SESSIONS_PER_PAGE,
  })
  const page = { page: readPageNumber(address.query['page']), perPage: limit }
  const { result: listed, query_ms } = await timed(listSessions(deps, question, offsetOf(page), limit))
  return {
    ...paginate(listed.documents, page, listed.total, address),
    query_ms,
    inputs: { ...inputsOf(question, ask), limit },
    meta: metaOf(question.window.showing, question.clauses, elapsed),
    options: { periods: property.isPublic ? periods : allPeriods },
  }
}

async function listSessions(deps: AnalyticsDeps, question: Question, offset: number, limit: number) {
  const scope = scopeOf(question)
  const counted = await countDays(deps.facts, scope)
  const total = counted.reduce((sum, day) => sum + day.count, 0)
  const page = daysOfPage(counted, offset, limit)
  const keys = page.days.length > 0 ? await listKeys(deps.facts, scope, { ...page, limit }) : []
  return { total, documents: await readPageOfDocuments(deps, question.propertyId, keys) }
}

/**
 * @throws Problem('validation_failed') when more sessions than are read at once take too much room together.
 */
async function readPageOfDocuments(
  deps: AnalyticsDeps,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<SessionJson[]> {
  if (keys.length <= READ_AT_ONCE) return readDocuments(deps, propertyId, keys)
  const documents: SessionJson[] = []
  let characters = 0
  for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
    const read = await readDocuments(deps, propertyId, keys.slice(at, at + READ_AT_ONCE))
    characters += JSON.stringify(read).length
    if (characters > MAX_PAGE_CHARACTERS)
      throw invalid('limit', 'limit is too large for these sessions, which hold too much: ask for fewer a page.')
    documents.push(...read)
  }
  return documents
}

/** In the order of the keys. */
export async function readDocuments(
  deps: AnalyticsDeps,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<SessionJson[]> {
  if (keys.length === 0) return []
  const [sessions, pages, events, forms, money] = await Promise.all([
    readSessions(deps.facts, propertyId, keys),
    readPages(deps.facts, propertyId, keys),
    readEvents(deps.facts, propertyId, keys),
    readForms(deps.facts, propertyId, keys),
    readMoney(deps, propertyId, keys),
  ])
  return keys.flatMap((key) => {
    const of = keyText(key)
    const row = sessions.get(of)
    const id = sessionId(deps.keys, propertyId, { day: dayFromText(key.day), hash: BigInt(key.session) })
    return row
      ? [
          sessionDocument({
            id,
            row,
            pages: pages.get(of) ?? [],
            events: events.get(of) ?? [],
            forms: forms.get(of) ?? [],
            money: money.get(of),
          }),
        ]
      : []
  })
}
