// What the dashboard's lists, live view, bots, annotations and check of the tracking take and answer: for the check and for the documentation.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, open, pageQuery } from '../http/shapes.ts'
import { MAX_PER_PAGE } from '../kernel/page.ts'
import { MAX_TEXT, MAX_TS } from './annotations.ts'
import { listDimensions } from './list-rows.ts'
import { MAX_SEARCH } from './lists.ts'
import { clauses, windowFields } from './schema.ts'

const object = (description: string) => Type.Object({}, { ...open, description })
const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))
const integer = (most: number, description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: most, description }))

export const PropertyParams = Type.Object({ property: Type.String() })

// ---------------------------------------------------------------- lists

export const ListParams = Type.Object({
  property: Type.String(),
  dimension: Type.String({ description: `One of ${Object.keys(listDimensions).join(', ')}.` }),
})

export const ListQuery = Type.Object({
  format: Type.Optional(
    Type.Unsafe<'json' | 'csv' | ''>({ enum: ['json', 'csv', ''], description: '`csv`: all values as a file.' }),
  ),
})

export const ListBody = Type.Object({
  ...windowFields,
  search: text(`Part of the value, in any case; up to ${MAX_SEARCH} characters.`),
  page: integer(1_000_000, 'From 1; default 1.'),
  per_page: integer(MAX_PER_PAGE, 'Default 25.'),
})

export const ListAnswer = answerOf({
  rows: Type.Array(object('`{id, label, value, percent, icon_url?, country_code?}`')),
  total: Type.Integer({ description: 'Values that there are.' }),
  page: Type.Integer(),
  per_page: Type.Integer(),
  last_page: Type.Integer(),
})

// ---------------------------------------------------------------- annotations

const ts = Type.Integer({ minimum: 0, maximum: MAX_TS, description: 'Unix seconds.' })
/** Counted exactly by annotations.ts, which trims it first. */
const note = Type.String({ maxLength: MAX_TEXT * 4, description: `1 to ${MAX_TEXT} characters in one line.` })

export const AnnotationParams = Type.Object({ property: Type.String(), annotation: Type.String() })
export const NewAnnotation = Type.Object({ ts, text: note })
export const ChangedAnnotation = Type.Partial(NewAnnotation)
export const PageQuery = Type.Object(pageQuery)
export const AnnotationAnswer = answerOf({ annotation: object('`{id, ts, text, created_ts}`') })
export const AnnotationPage = answerOf({
  data: Type.Array(object('`{id, ts, text, created_ts}`')),
  ...linkedPageFields,
})
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })

// ---------------------------------------------------------------- live

export const LiveViewBody = Type.Object({ clauses })
export const LiveViewAnswer = answerOf({
  count: Type.Integer({ description: 'Sessions with a load in the last five minutes.' }),
  series: Type.Array(object('`{label, from_ts, value}`, thirty seconds each.')),
  sessions: Type.Array(object('Session documents, the latest activity first.')),
  pages: Type.Array(object('Rows as in the lists: the page of the last load.')),
  countries: Type.Array(object('Rows as in the lists.')),
  sources: Type.Array(object('Rows as in the lists.')),
})

// ---------------------------------------------------------------- bots

export const BotsBody = Type.Object({
  ...windowFields,
  interval: text('As the length of the window accepts. Default: by that length.'),
})

export const BotsAnswer = answerOf({
  inputs: object('The inputs used.'),
  meta: object('`showing`, `filters`, `took_ms`'),
  options: object('`periods`, `intervals`'),
  total: Type.Integer({ description: 'Sessions of bots.' }),
  views: Type.Integer(),
  series: Type.Array(object('`{label, from_ts, to_ts, sessions, views}`')),
  names: Type.Array(
    object('`{name, kind, sessions, views, last_ts}`; kind: `agent`, `empty_agent`, `headless`, `network`'),
  ),
  pages: Type.Array(object('`{id, label, value, percent}`, by views.')),
  networks: Type.Array(object('`{id, label, value, percent}`, by sessions.')),
})
