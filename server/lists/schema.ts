// What the dashboard's lists, live view and bots take and answer: for the check and for the documentation.
import { type TObject, Type } from 'typebox'
import { described, type JsonOf, oneOf, open, rowOf, textCells } from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import { MAX_PER_PAGE } from '../kernel/page.ts'
import { intervalIds } from '../kernel/buckets.ts'
import {
  inputFields,
  inputsUsed,
  intervalOptions,
  MaybeDecimal,
  metaFields,
  periodOptions,
} from '../analytics/answer-schema.ts'
import { MAX_SEARCH } from './lists.ts'
import { pageMetricIds } from './page-facts.ts'
import { fileMetricIds, isCostMetric, needsGoal, type RowMetricId, rowMetricIds } from './row-metrics.ts'
import { clauses, goalFields, windowFields } from '../analytics/schema.ts'
import { SessionShape } from '../analytics/session-schema.ts'

const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))
const integer = (most: number, description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: most, description }))

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

// ---------------------------------------------------------------- lists

export const ListQuery = Type.Object({
  format: Type.Optional(oneOf(['json', 'csv', ''], '`csv`: all values as a file.')),
})

export const ListBody = Type.Object({
  ...windowFields,
  search: text(`Part of the value, in any case; up to ${MAX_SEARCH} characters.`),
  page: integer(1_000_000, 'From 1; default 1.'),
  per_page: integer(MAX_PER_PAGE, 'Default 25.'),
  metrics: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      maxItems: rowMetricIds.length,
      description: `Figures of each row, any of ${named(rowMetricIds)}. Default: none. Not for share links.`,
    }),
  ),
  sort: text(`The figure that rows are sorted by, one of ${named(rowMetricIds)}. Default: \`sessions\`.`),
  order: text('`desc` (default) or `asc`.'),
  ...goalFields,
})

export const ListRowShape = Type.Object(
  {
    id: Type.String({ description: 'The value as clauses take it.' }),
    label: Type.String(),
    value: Type.Integer({ description: 'Sessions; views where the list is by views.' }),
    percent: Type.Number({ description: 'Share of all of the window, 4 decimals.' }),
    icon_url: Type.Optional(
      Type.String({ description: 'Of sources and referrers with a known domain: a path on this server.' }),
    ),
    country_code: Type.Optional(Type.String({ description: 'Of places.' })),
    metrics: Type.Optional(
      Type.Object(
        byName(rowMetricIds, () => Type.Optional(MaybeDecimal)),
        {
          ...open,
          description: 'The figures asked for; null where one is not known of any session.',
        },
      ),
    ),
  },
  open,
)
export type ListRowJson = JsonOf<typeof ListRowShape>
const ListRows = Type.Array(ListRowShape)

const plainCells = {
  ...textCells(['id', 'label']),
  sessions: Type.Integer(),
  percent: Type.Number(),
  ...textCells(['country_code']),
}
const metricCells = (ids: readonly RowMetricId[]) => byName(ids, () => MaybeDecimal)

const metricFile = (isThere: (id: RowMetricId) => boolean) =>
  rowOf({ ...plainCells, ...metricCells(fileMetricIds.filter(isThere)), ...textCells(['currency']) })

/** Of CSV files: sessions alone, with other figures, with those of a goal, and with costs beside each. */
export const listFiles = [
  rowOf(plainCells),
  metricFile((id) => !needsGoal(id) && !isCostMetric(id)),
  metricFile((id) => !isCostMetric(id)),
  metricFile((id) => !needsGoal(id)),
  metricFile(() => true),
]

export const listFields = {
  rows: ListRows,
  total: Type.Integer({ description: 'Values that there are.' }),
  page: Type.Integer(),
  per_page: Type.Integer(),
  last_page: Type.Integer(),
  currency: Type.String({ description: 'ISO 4217: of all money, which is in its minor units.' }),
}
export type ListJson = JsonOf<TObject<typeof listFields>>

// ---------------------------------------------------------------- pages

/** More parts than paths are grouped by. */
const MAX_DEPTH = 8

export const PagesBody = Type.Object({
  ...windowFields,
  search: text(`Part of the path, in any case; up to ${MAX_SEARCH} characters.`),
  depth: integer(MAX_DEPTH, 'Groups pages by folders of so many parts. Default: whole paths.'),
  sort: text(`The figure that rows are sorted by, one of ${named(pageMetricIds)}. Default: \`views\`.`),
  order: text('`desc` (default) or `asc`.'),
  page: integer(1_000_000, 'From 1; default 1.'),
  per_page: integer(MAX_PER_PAGE, 'Default 25.'),
})

const pageFigures = {
  views: Type.Integer(),
  visitors: Type.Integer({ description: 'Sessions that saw it.' }),
  time: described(MaybeDecimal, 'Mean seconds in view; null when no view told a time.'),
  scroll: described(MaybeDecimal, '0 to 100; null when no view told it.'),
  entries: Type.Integer({ description: 'Sessions that began there.' }),
  exits: Type.Integer({ description: 'Sessions that ended there.' }),
}

export const pagesFields = {
  rows: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'The path, or the folder with a slash at its end.' }),
        label: Type.String(),
        ...pageFigures,
      },
      open,
    ),
  ),
  total: Type.Integer({ description: 'Pages that there are.' }),
  page: Type.Integer(),
  per_page: Type.Integer(),
  last_page: Type.Integer(),
}
export type PagesJson = JsonOf<TObject<typeof pagesFields>>

export const PageCells = rowOf({ ...textCells(['path']), ...pageFigures })

// ---------------------------------------------------------------- live

export const LiveViewBody = Type.Object({ clauses })
export const liveFields = {
  count: Type.Integer({ description: 'Sessions with a load in the last five minutes.' }),
  series: Type.Array(Type.Object({ label: Type.String(), from_ts: Type.Integer(), value: Type.Integer() }, open), {
    description: 'Thirty seconds each.',
  }),
  sessions: Type.Array(SessionShape, { description: 'The latest activity first.' }),
  pages: Type.Array(ListRowShape, { description: 'The page of the last load.' }),
  countries: ListRows,
  sources: ListRows,
}
export type LiveJson = JsonOf<TObject<typeof liveFields>>

// ---------------------------------------------------------------- bots

export const BotsBody = Type.Object({
  ...windowFields,
  interval: text('As the length of the window accepts. Default: by that length.'),
})

const counts = { sessions: Type.Integer(), views: Type.Integer() }

export const botFields = {
  inputs: Type.Object({ ...inputFields, interval: oneOf(intervalIds) }, inputsUsed),
  meta: Type.Object(metaFields, open),
  options: Type.Object({ periods: periodOptions, intervals: intervalOptions(intervalIds) }, open),
  total: Type.Integer({ description: 'Sessions of bots.' }),
  views: Type.Integer(),
  series: Type.Array(
    Type.Object({ label: Type.String(), from_ts: Type.Integer(), to_ts: Type.Integer(), ...counts }, open),
  ),
  names: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        kind: Type.String({ description: '`agent`, `empty_agent`, `headless` or `network`.' }),
        ...counts,
        last_ts: Type.Integer(),
      },
      open,
    ),
  ),
  pages: Type.Array(ListRowShape, { description: 'By views.' }),
  networks: Type.Array(ListRowShape, { description: 'By sessions.' }),
}
export type BotsJson = JsonOf<TObject<typeof botFields>>
