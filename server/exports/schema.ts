// What the exports of a property take and answer.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'
import { factTables, kinds } from './export.ts'

const day = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 10, description }))

const Window = Type.Object(
  {
    period: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 40 })),
    date_from: day('YYYY-MM-DD, with the period custom.'),
    date_to: day('YYYY-MM-DD, with the period custom.'),
  },
  { description: 'As in analytics; whole UTC days. Left out: everything there is.' },
)

export const NewExport = Type.Object({
  kind: oneOf(kinds, 'CSV; facts: a table as Parquet; records: everything but the facts, as JSON.'),
  table: Type.Optional(oneOf([...factTables, null], 'Of facts.')),
  form: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'Of submissions: the id.' }),
  ),
  window: Type.Optional(orNull(Window)),
})

export type ExportAskJson = JsonOf<typeof NewExport>

const ExportShape = Type.Object(
  {
    id: Type.String({ examples: ['ex_…'] }),
    kind: oneOf(kinds),
    table: oneOf([...factTables, null]),
    form_id: MaybeText,
    window: described(
      orNull(Type.Object({ date_from: Type.String(), date_to: Type.String() })),
      'Null: everything there is.',
    ),
    state: oneOf(['running', 'done', 'failed']),
    progress: Type.Number({ description: '0 to 1.' }),
    bytes: Type.Integer(),
    file_name: Type.String(),
    error: described(orNull(Type.Object({ code: Type.String(), message: Type.String() })), 'Of a failed one.'),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
    expires_ts: Type.Integer(),
  },
  open,
)

export type ExportJson = JsonOf<typeof ExportShape>
export const exportFields = { export: ExportShape }
export const ExportList = Type.Array(ExportShape)
