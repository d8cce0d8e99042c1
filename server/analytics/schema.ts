// Bodies and answers of the analytics endpoints (SPEC.md 2.2 to 2.5 and 4.1), for the check and for the documentation.
// Types are checked here; whether a period, a clause or an interval makes sense is said by the rules, in their own words.
import { Type } from 'typebox'
import { intervals, periods } from '../kernel/window.ts'
import { MAX_SESSIONS_PER_PAGE } from './analytics.ts'
import { MAX_ECHOED } from './ask.ts'
import {
  clauseTable,
  MAX_CLAUSES,
  MAX_FACT_CLAUSES,
  MAX_VALUE_BYTES,
  MAX_VALUE_LENGTH,
  MAX_VALUES,
  numberOperators,
  textOperators,
} from './clauses.ts'
import { graphMetricIds } from './metrics.ts'

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ')

/** One schema with two types: null is what `inputs` of an earlier answer holds where nothing was asked. */
const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))
const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }))

const ClauseBody = Type.Object({
  id: Type.String({ description: `One of ${names(Object.keys(clauseTable))}.` }),
  op: Type.String({
    description: `One of ${names(textOperators)}; for \`event_value_num\` one of ${names(numberOperators)}.`,
  }),
  value: Type.Optional(
    Type.Unsafe<unknown>({
      description: `A scalar, or up to ${MAX_VALUES} of them of which any may hold; up to ${MAX_VALUE_LENGTH} characters each. Not for \`is_set\` and \`is_not_set\`.`,
    }),
  ),
})

export const clauses = Type.Optional(
  Type.Unsafe<{ id: string; op: string; value?: unknown }[] | null>({
    type: ['array', 'null'],
    items: ClauseBody,
    maxItems: MAX_CLAUSES,
    description: `Filters; all of them hold. All values together may have ${MAX_VALUE_BYTES} bytes, and ${MAX_FACT_CLAUSES} may be about \`page_path\`, \`form\` or events. A share link takes fewer, on the listed dimensions and UTM values alone.`,
  }),
)

export const windowFields = {
  period: text(`One of ${names(periods.map((period) => period.id))}. Default: the property’s, else \`last_7\`.`),
  date_from: text('YYYY-MM-DD, when `period` is `custom`: the start of that day, UTC.'),
  date_to: text('YYYY-MM-DD, when `period` is `custom`: the end of that day, UTC.'),
  clauses,
}

const metric = text(`One of ${names(graphMetricIds)}. Default: \`sessions\`.`)

const echoed = (byDefault: string) =>
  Type.Optional(
    Type.Unsafe<unknown>({
      description: `Repeated in \`inputs\`; changes nothing. Up to ${MAX_ECHOED} characters of JSON. Default: ${byDefault}.`,
    }),
  )

export const MetricsBody = Type.Object({
  ...windowFields,
  filter: echoed('null'),
  show_devices: echoed('false'),
})

export const GraphBody = Type.Object({
  ...windowFields,
  metric,
  interval: text(
    `One of ${names(Object.keys(intervals))}, as the length of the window accepts. Default: by that length.`,
  ),
  compare: flag('Also answer the preceding window. Default: false.'),
})

export const LiveBody = Type.Object({ metric, clauses })

export const SessionsBody = Type.Object({
  ...windowFields,
  limit: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_SESSIONS_PER_PAGE,
      description: 'Sessions a page, 1 to 1,000. Default: 20.',
    }),
  ),
})

/** Unknown keys are kept: they are part of the addresses of the neighbouring pages. */
export const SessionsQuery = Type.Object(
  { page: Type.Optional(Type.String({ description: 'From 1. Default: 1.' })) },
  { additionalProperties: true },
)

// ---------------------------------------------------------------- answers

const open = { additionalProperties: true }
const object = (description: string) => Type.Object({}, { ...open, description })
const number = (description: string) => Type.Number({ description })

const around = {
  inputs: object('The inputs used.'),
  meta: Type.Object(
    {
      showing: Type.String({ description: 'The window in words.' }),
      filters: Type.Array(object('`{id, op, value, label}`')),
      took_ms: number('Milliseconds of the whole question.'),
    },
    open,
  ),
  options: object('Choices for pickers: `periods`; for graph and live also `metrics` and `intervals`.'),
}

export const MetricsAnswer = Type.Object(
  {
    ...around,
    analytics: Type.Object(
      {
        period_metrics: object('`summary`, `can_compare`, `metrics`, `query_ms`'),
        period_top_dimensions: object('`count`, `dimensions`, `deviceSizes`, `query_ms`'),
        period_country_lang: object('`countries`, `languages`, `query_ms`'),
      },
      open,
    ),
  },
  { ...open, description: 'Summary, top lists, countries and languages.' },
)

const Points = Type.Array(Type.Object({ label: Type.String(), value: Type.Number() }, open))

export const GraphAnswer = Type.Object(
  {
    ...around,
    graph: Type.Object(
      {
        metric: Type.String(),
        metricLabel: Type.String(),
        series: Points,
        previousSeries: Points,
        projectedSeries: Points,
        query_ms: number('Milliseconds of the query.'),
      },
      open,
    ),
  },
  { ...open, description: 'One metric, bucket by bucket.' },
)

const nullable = (type: string, description: string) => Type.Unsafe<unknown>({ type: [type, 'null'], description })

export const SessionsAnswer = Type.Object(
  {
    data: Type.Array(object('A session document; what is not known is left out.')),
    current_page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    last_page: Type.Integer(),
    from: nullable('integer', 'Number of the first row of the page.'),
    to: nullable('integer', 'Number of the last row of the page.'),
    next_page_url: nullable('string', 'POST the same body there.'),
    prev_page_url: nullable('string', 'POST the same body there.'),
    query_ms: number('Milliseconds of the queries.'),
    ...around,
  },
  { ...open, description: 'Sessions, newest first.' },
)
