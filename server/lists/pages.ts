// The pages that were seen, searched, page by page and as a CSV file.
import { safeCell, toCsv } from '../csv/cells.ts'
import { offsetOf } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { type Answers, versionOf } from '../analytics/answers.ts'
import { type AnalyticsDeps, type AnalyticsInput, parseInput, scopeOf } from '../analytics/question.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { keyOf } from '../analytics/window-parts.ts'
import { parseOrder, parsePage, parseSearch } from './lists.ts'
import { type PageList, pageMetricIds, type PageRow, type PageScope, readPages } from './page-facts.ts'
import type { PagesJson } from './schema.ts'

export interface PagesInput extends AnalyticsInput {
  readonly search?: string | null | undefined
  readonly depth?: number | null | undefined
  readonly sort?: string | null | undefined
  readonly order?: string | null | undefined
  readonly page?: number | null | undefined
  readonly per_page?: number | null | undefined
}

type PagesDeps = Pick<AnalyticsDeps, 'facts' | 'now'> & { readonly answers: Answers }

/** A window that ends now moves on; what was written since is another version anyway. */
const MOVING_MS = 5_000
/** Of a file: what a spreadsheet can show. A site with more pages has searches among them. */
export const MOST_IN_FILE = 100_000

async function parsePages(deps: PagesDeps, property: Property, ask: PagesInput) {
  const question = parseInput(deps, await withBeginning(deps.facts, property, ask), ask)
  const by = pageMetricIds.find((id) => id === (ask.sort ?? 'views'))
  if (!by) throw invalid('sort', `sort must be one of ${pageMetricIds.join(', ')}.`)
  const sort = { by, isAscending: parseOrder(ask.order) === 'asc' }
  const scope: PageScope = { ...scopeOf(question), search: parseSearch(ask.search), depth: ask.depth ?? null, sort }
  return { question, scope }
}

const shownRow = ({ path, ...metrics }: PageRow) => ({ id: path, label: path, ...metrics })

/** @throws Problem('validation_failed') */
export async function answerPages(deps: PagesDeps, property: Property, ask: PagesInput): Promise<PagesJson> {
  const { question, scope } = await parsePages(deps, property, ask)
  const { page, perPage } = parsePage(ask)
  const key = ['pages', ...keyOf(question), scope.search, scope.depth, scope.sort, page, perPage]
  const maxAgeMs = question.window.endsNow ? MOVING_MS : Infinity
  const version = await versionOf(deps.facts, property.id, question.window)
  const { answer } = await deps.answers.get<PageList>(version, { propertyId: property.id, key, maxAgeMs }, () =>
    readPages(deps.facts, scope, { offset: offsetOf({ page, perPage }), limit: perPage }),
  )
  return {
    rows: answer.rows.map(shownRow),
    total: answer.total,
    page,
    per_page: perPage,
    last_page: Math.max(1, Math.ceil(answer.total / perPage)),
  }
}

/** The first MOST_IN_FILE as they are sorted. Spreadsheets find no formula in it. @throws Problem */
export async function exportPages(deps: PagesDeps, property: Property, ask: PagesInput): Promise<string> {
  const { scope } = await parsePages(deps, property, ask)
  const { rows } = await readPages(deps.facts, scope, { offset: 0, limit: MOST_IN_FILE })
  const lines = rows.map((row) => [safeCell(row.path), ...pageMetricIds.map((id) => String(row[id] ?? ''))])
  return toCsv([['path', ...pageMetricIds], ...lines])
}
