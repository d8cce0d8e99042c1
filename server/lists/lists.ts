// The full lists behind the top ten: searched, page by page, and as a CSV file.
import { hash } from 'node:crypto'
import { safeCell, toCsv } from '../csv/cells.ts'
import { offsetOf, type PageQuery, readInteger, MAX_PER_PAGE } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { type Answers, versionOf } from '../analytics/answers.ts'
import { currencyOf, toldIn } from '../rates/rates.ts'
import { type GoalInput, parseCredit } from '../analytics/goals.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  openFrom,
  parseInput,
  type Question,
  scopeOf,
} from '../analytics/question.ts'
import type { ListJson, ListRowJson } from './schema.ts'
import { countSessions, type CountedRow, type ListPage, type ListScope, readListPage, readWholeList } from './facts.ts'
import {
  fileMetricIds,
  isCostMetric,
  isGoalMetric,
  needsGoal,
  rowMetric,
  type RowMetricId,
  rowMetricIds,
} from './row-metrics.ts'
import { isOfGoal } from './cost-rows.ts'
import { readSpend, type SpendDeps, spendByValue } from '../analytics/spend.ts'
import { listRow } from './rows.ts'
import { type ListId, listIds } from '../analytics/dimensions.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { checkSharedList, type Shared } from '../shared-figures/shared.ts'
import { mayBeShown } from '../shared-figures/cells.ts'
import { cellsOf, readCells } from '../shared-figures/facts.ts'

export interface ListInput extends AnalyticsInput, GoalInput, Partial<Shared> {
  readonly metrics?: readonly string[] | null | undefined
  readonly sort?: string | null | undefined
  readonly order?: string | null | undefined
  readonly search?: string | null | undefined
  readonly page?: number | null | undefined
  readonly per_page?: number | null | undefined
}

type ListDeps = Pick<AnalyticsDeps, 'facts' | 'now' | 'config' | 'rates'> & SpendDeps
type AnswerDeps = ListDeps & { readonly answers: Answers }

/** No collected value is found by a longer text. */
export const MAX_SEARCH = 255
const MAX_PAGE = 1_000_000
const DEFAULT_PER_PAGE = 25
/** A window that ends now moves on; what was written since is another version anyway. */
const MOVING_MS = 5_000

/** @throws Problem('not_found') */
export function parseListId(id: string): ListId {
  const found = listIds.find((known) => known === id)
  if (!found) throw new Problem('not_found', 'There is no such list.')
  return found
}

export function parseSearch(search: string | null | undefined): string {
  const text = search?.trim() ?? ''
  if ([...text].length > MAX_SEARCH) throw invalid('search', `search may have at most ${MAX_SEARCH} characters.`)
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid('search', 'search must be well-formed text without NUL characters.')
  return text
}

/** @throws Problem('validation_failed') for one that there is not. */
function parseMetric(field: string, given: string): RowMetricId {
  const found = rowMetricIds.find((known) => known === given)
  if (!found) throw invalid(field, `${field} must be one of ${rowMetricIds.join(', ')}.`)
  return found
}

const orders = ['desc', 'asc'] as const

/** @throws Problem('validation_failed') */
export function parseOrder(given: string | null | undefined): (typeof orders)[number] {
  const order = orders.find((known) => known === (given ?? 'desc'))
  if (!order) throw invalid('order', `order must be one of ${orders.join(', ')}.`)
  return order
}

type Counted = Pick<ListScope, 'metrics' | 'sort' | 'credit'>

/** What is counted of each value, and what it is sorted by: that is counted in any case. */
function parseCounted(ask: ListInput): Counted {
  const by = parseMetric('sort', ask.sort ?? 'sessions')
  const order = parseOrder(ask.order)
  const asked = (ask.metrics ?? []).map((id, index) => parseMetric(`metrics.${index}`, id))
  const metrics = [...new Set([...asked, ...(by === 'sessions' ? [] : [by])])]
  const credit = parseCredit(ask, ask.goals)
  if (!credit && metrics.some(needsGoal)) throw invalid('goal', 'goal is required to request its metrics.')
  // What came of advertising is what the goal brought, where one is asked for.
  const isCounted = metrics.some((id) => isGoalMetric(id) || id === 'cost_per_conversion' || id === 'return')
  return { metrics, sort: { by, isAscending: order === 'asc' }, credit: isCounted ? credit : undefined }
}

interface ListQuestion {
  readonly question: Question
  readonly scope: ListScope
}

async function parseList(deps: ListDeps, property: Property, id: string, ask: ListInput): Promise<ListQuestion> {
  const [known, money] = await Promise.all([withBeginning(deps.facts, property, ask), currencyOf(deps, property)])
  const question = parseInput(deps, { ...known, money }, ask)
  const listId = parseListId(id)
  const counted = parseCounted(ask)
  if (ask.isShared) checkSharedList(listId, counted.metrics.length > 0)
  const openFromMs = openFrom(deps.now())
  const spend = counted.metrics.some(isCostMetric) ? await readSpend(deps, question, question.window) : undefined
  const costs = spendByValue(spend, listId)
  const scope = { ...scopeOf(question), openFromMs, ...counted, costs, id: listId, search: parseSearch(ask.search) }
  return { question, scope }
}

/** The list as a share link shows it; undefined where it may show nothing of the window. */
async function sharedScope({ facts }: ListDeps, scope: ListScope): Promise<ListScope | undefined> {
  const cell = await cellsOf(facts, scope)
  const { cells } = await readCells(facts, scope, cell)
  return mayBeShown(cells) ? { ...scope, ofShare: { cell, cells } } : undefined
}

const noRows: ListPage = { rows: [], total: 0, sessions: 0 }

export function parsePage(ask: Pick<ListInput, 'page' | 'per_page'>): PageQuery {
  return {
    page: readInteger('page', ask.page, { min: 1, max: MAX_PAGE, default: 1 }),
    perPage: readInteger('per_page', ask.per_page, { min: 1, max: MAX_PER_PAGE, default: DEFAULT_PER_PAGE }),
  }
}

/** What a contact does later may be credited to a session of a window that is over. */
const versionOfList = ({ facts }: ListDeps, { propertyId, credit }: ListScope, { window }: Question) =>
  credit?.attribution === 'first' ? facts.version(propertyId) : versionOf(facts, propertyId, window)

/** Costs are of the records: an answer that is kept is one of these. */
const costsMark = ({ costs }: ListScope): string => (costs ? hash('sha256', JSON.stringify([...costs])) : '')

/** @throws Problem: not_found for a list that there is not; validation_failed. */
export async function answerList(deps: AnswerDeps, property: Property, id: string, ask: ListInput): Promise<ListJson> {
  const { question, scope } = await parseList(deps, property, id, ask)
  const { page, perPage } = parsePage(ask)
  const { window, clauses } = question
  const at = window.endsNow ? 'now' : window.toMs
  const key = [
    'list',
    scope.id,
    window.period,
    window.fromMs,
    at,
    clauses,
    scope.search,
    [scope.metrics, scope.sort, scope.credit, scope.money?.mark, costsMark(scope)],
    ask.isShared ?? false,
    page,
    perPage,
  ]
  const maxAgeMs = window.endsNow ? MOVING_MS : Infinity
  const version = await versionOfList(deps, scope, question)
  const { answer } = await deps.answers.get<ListPage>(version, { propertyId: property.id, key, maxAgeMs }, async () => {
    const shown = ask.isShared ? await sharedScope(deps, scope) : scope
    return shown ? readListPage(deps.facts, shown, { offset: offsetOf({ page, perPage }), limit: perPage }) : noRows
  })
  return {
    rows: answer.rows.map((row) => ({
      ...listRow(scope.id, row, answer.sessions, deps.config.baseUrl),
      ...(scope.metrics.length > 0 && { metrics: metricsOf(scope, row) }),
    })),
    total: answer.total,
    page,
    per_page: perPage,
    last_page: Math.max(1, Math.ceil(answer.total / perPage)),
    currency: toldIn(scope.money),
  }
}

type Metrics = Partial<Record<RowMetricId, number | null>>

const metricsOf = (scope: Pick<ListScope, 'metrics' | 'credit'>, row: CountedRow): Metrics =>
  Object.fromEntries(scope.metrics.map((id) => [id, rowMetric(id, row, isOfGoal(scope))]))

const csvColumns = ['id', 'label', 'sessions', 'percent', 'country_code'] as const

/** Of a file all that there are, or none: its columns are then one of five sets (schema.ts). */
async function ofFile(deps: ListDeps, { question, scope }: ListQuestion): Promise<ListScope> {
  if (scope.metrics.length === 0) return scope
  const costs = spendByValue(await readSpend(deps, question, question.window), scope.id)
  const hasCosts = costs !== undefined && costs.size > 0
  const isThere = (id: RowMetricId): boolean => (scope.credit || !needsGoal(id)) && (hasCosts || !isCostMetric(id))
  return { ...scope, costs, metrics: fileMetricIds.filter(isThere) }
}

/** @param figures what stands behind the columns of every list. */
function csvRow({ id, label, value, percent, country_code = '' }: ListRowJson, figures: readonly string[]): string[] {
  return [safeCell(id), safeCell(label), String(value), String(percent), country_code, ...figures]
}

/**
 * Every value, `search` applied, with its header. Spreadsheets find no formula in it.
 * @throws Problem before the first part.
 */
export async function* exportList(
  deps: ListDeps,
  property: Property,
  id: string,
  ask: ListInput,
): AsyncGenerator<string> {
  const asked = await parseList(deps, property, id, ask)
  const { scope } = asked
  const shown = ask.isShared ? await sharedScope(deps, scope) : await ofFile(deps, asked)
  const metrics = shown?.metrics ?? []
  const currency = metrics.length > 0 ? [toldIn(scope.money)] : []
  let head = toCsv([[...csvColumns, ...metrics, ...currency.map(() => 'currency')]])
  if (!shown) return yield head
  const sessions = await countSessions(deps.facts, scope)
  for await (const rows of readWholeList(deps.facts, shown)) {
    const lines = rows.map((row) => {
      const figures = Object.values(metricsOf({ ...shown, metrics }, row)).map((figure) =>
        figure === null ? '' : String(figure),
      )
      return csvRow(listRow(scope.id, row, sessions, deps.config.baseUrl), [...figures, ...currency])
    })
    yield head + toCsv(lines)
    head = ''
  }
}
