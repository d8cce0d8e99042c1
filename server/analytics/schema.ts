// What the analytics endpoints take (docs/api/analytics.md), for the check and for the documentation; what
// they answer is in answer-schema.ts. Types are checked here; whether a period, a clause or an interval makes
// sense is said by the rules, in their own words.
import { Type } from 'typebox'
import { intervalIds } from '../kernel/buckets.ts'
import { allPeriods, periods } from '../kernel/periods.ts'
import { MAX_SESSIONS_PER_PAGE } from './analytics.ts'
import { MAX_ECHOED } from './question.ts'
import {
  MAX_CLAUSES,
  MAX_FACT_CLAUSES,
  MAX_VALUE_BYTES,
  MAX_VALUE_LENGTH,
  MAX_VALUES,
  namedOperators,
  numberOperators,
  textOperators,
} from './clauses.ts'
import { clauseIds } from './dimensions.ts'
import { graphMetricIds } from './metrics.ts'

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ')

/** One schema with two types: null is what `inputs` of an earlier answer holds where nothing was asked. */
const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))
const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }))

export const ClauseBody = Type.Object({
  id: Type.String({ description: `One of ${names(clauseIds)}.` }),
  op: Type.String({
    description: `One of ${names(textOperators)}; for \`event_value_num\` one of ${names(numberOperators)}; for \`conversion\` ${names(namedOperators)}.`,
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
    description: `Filters; all of them hold. All values together may have ${MAX_VALUE_BYTES} bytes, and ${MAX_FACT_CLAUSES} may be about \`page_path\`, \`form\`, \`conversion\` or events. A share link takes fewer, on the listed dimensions and UTM values alone.`,
  }),
)

const period = (known: readonly { readonly id: string }[]) =>
  text(`One of ${names(known.map(({ id }) => id))}. Default: the property’s, else \`last_7\`.`)

export const windowFields = {
  period: period(allPeriods),
  date_from: text('YYYY-MM-DD, when `period` is `custom`: the start of that day.'),
  date_to: text('YYYY-MM-DD, when `period` is `custom`: the end of that day.'),
  timezone: text(
    'Name of an IANA time zone, by which days are told: `Europe/Berlin`. Default: `UTC` below `/v2`, else the property’s.',
  ),
  clauses,
}

/** Below /manage alone. */
export const goalFields = {
  goal: text('Id of the conversion whose figures are counted. Not for share links.'),
  attribution: text(
    'To which session of a contact conversions are credited: `first` (default) or `last`, in which they happened.',
  ),
}

/** Of `/v2`, whose list of periods is closed. */
const publicWindow = { ...windowFields, period: period(periods) }

const metric = text(`One of ${names(graphMetricIds)}. Default: \`sessions\`.`)

const echoed = (byDefault: string) =>
  Type.Optional(
    Type.Unsafe<unknown>({
      description: `Repeated in \`inputs\`; changes nothing. Up to ${MAX_ECHOED} characters of JSON. Default: ${byDefault}.`,
    }),
  )

export const MetricsBody = Type.Object({
  ...publicWindow,
  filter: echoed('null'),
  show_devices: echoed('false'),
})

export const GraphBody = Type.Object({
  ...publicWindow,
  metric,
  interval: text(`One of ${names(intervalIds)}, as the length of the window accepts. Default: by that length.`),
  compare: flag('Also answer the preceding window. Default: false.'),
})

export const LiveBody = Type.Object({ metric, clauses })

const sessionsOf = <Fields extends typeof windowFields>(fields: Fields) =>
  Type.Object({
    ...fields,
    limit: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: MAX_SESSIONS_PER_PAGE,
        description: 'Sessions a page, 1 to 1,000. Default: 20.',
      }),
    ),
  })

export const SessionsBody = sessionsOf(publicWindow)
export const SessionListBody = sessionsOf(windowFields)

/** Unknown keys are kept: they are part of the addresses of the neighbouring pages. */
export const SessionsQuery = Type.Object(
  { page: Type.Optional(Type.String({ description: 'From 1. Default: 1.' })) },
  { additionalProperties: true },
)
