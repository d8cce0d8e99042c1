// Which figures a row of a list shows, and how each is written.
import type { ListId, ListRow, Overview, RowMetricId } from '../../api/overview.ts'
import { costListIds, costMetricIds, goalMetricIds, rowMetricIds } from '../../api/overview-ids.ts'
import { figure, percent } from '../../format.ts'
import { overview as text } from '../../texts/index.ts'
import { shownBy, type View } from './view.ts'

const formats: Readonly<Record<RowMetricId, string>> = {
  sessions: 'count',
  visits: 'count',
  views: 'count',
  bounce: 'fraction',
  duration: 'seconds',
  scroll: 'scroll',
  value: 'cents',
  conversions: 'count',
  rate: 'fraction',
  conversion_value: 'cents',
  cost: 'cents',
  cost_per_conversion: 'cents',
  return: 'ratio',
}

type ColumnId = RowMetricId | 'share'
export type ListView = Pick<View, 'by' | 'goal'>

/** What there is besides sessions. */
export interface Known {
  /** Conversions of the goal bring money. */
  readonly hasMoney: boolean
  /** Costs are recorded, and known for these filters. */
  readonly hasCosts: boolean
}

export const knownOf = (overview: Overview | undefined): Known => ({
  hasMoney: overview?.goal?.cards.some(({ id }) => id === 'conversion_value') === true,
  hasCosts: overview?.costs !== undefined,
})

/** All that a row of the list can show. */
export const metricsOf = (
  list: ListId,
  { goal }: Pick<View, 'goal'>,
  { hasMoney, hasCosts }: Known,
): readonly RowMetricId[] => [
  ...rowMetricIds,
  ...(goal === null ? [] : goalMetricIds.filter((id) => hasMoney || id !== 'conversion_value')),
  ...(hasCosts && costListIds.includes(list)
    ? costMetricIds.filter((id) => goal !== null || id !== 'cost_per_conversion')
    : []),
]

/** Two columns, or three where there is room. */
function columnsOf(view: ListView): readonly ColumnId[] {
  const by = shownBy(view)
  if (by === 'return' || by === 'cost_per_conversion') return ['cost', by]
  if (view.goal === null) return by === 'sessions' ? ['sessions', 'share'] : [by, 'sessions']
  if (by === 'conversion_value') return ['conversions', by, 'rate']
  return [by === 'conversions' || by === 'rate' ? 'sessions' : by, 'conversions', 'rate']
}

/** What has to be asked for them, besides the sessions. */
export const askedFor = (view: ListView): RowMetricId[] =>
  columnsOf(view).filter((id): id is RowMetricId => id !== 'share' && id !== 'sessions')

const wordOf = (id: ColumnId): string => (id === 'share' ? text.rows.share : text.rows.short[id])

export const valueOf = (row: ListRow, id: RowMetricId): number | null =>
  id === 'sessions' ? row.value : (row.metrics?.[id] ?? null)

export const shownValue = (row: ListRow, id: RowMetricId): string => figure(valueOf(row, id), formats[id])

const shown = (row: ListRow, id: ColumnId): string => (id === 'share' ? percent(row.percent) : shownValue(row, id))

interface Columns {
  readonly extra: string | undefined
  readonly head: readonly [string, string, string]
}

export function columnWords(view: ListView): Columns {
  const columns = columnsOf(view)
  const [value = 'sessions', last = 'share'] = columns.slice(-2)
  const extra = columns.length > 2 ? columns[0] : undefined
  return { extra: extra && wordOf(extra), head: ['', wordOf(value), wordOf(last)] }
}

/** Bars are as long as the figures that rows are sorted by. */
export function rowFigures(view: ListView, rows: readonly ListRow[]) {
  const columns = columnsOf(view)
  const [value = 'sessions', last = 'share'] = columns.slice(-2)
  const extra = columns.length > 2 ? columns[0] : undefined
  const by = shownBy(view)
  const largest = Math.max(...rows.map((row) => valueOf(row, by) ?? 0), Number.MIN_VALUE)
  return (row: ListRow) => ({
    ...(extra && { extra: shown(row, extra) }),
    value: shown(row, value),
    percent: shown(row, last),
    share: (valueOf(row, by) ?? 0) / largest,
  })
}
