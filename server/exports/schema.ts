// What the exports of a property take and answer.
import { type Static, Type } from 'typebox'
import { answerOf, MaybeNumber, MaybeText, open } from '../http/shapes.ts'
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
  kind: Type.Unsafe<(typeof kinds)[number]>({
    enum: [...kinds],
    description: 'CSV; facts: a table as Parquet; records: everything but the facts, as JSON.',
  }),
  table: Type.Optional(
    Type.Unsafe<(typeof factTables)[number] | null>({ enum: [...factTables, null], description: 'Of facts.' }),
  ),
  form: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'Of submissions: the id.' }),
  ),
  window: Type.Optional(Type.Unsafe<Static<typeof Window> | null>({ ...Window, type: ['object', 'null'] })),
})

export const PropertyParams = Type.Object({ property: Type.String() })
export const ExportParams = Type.Object({ property: Type.String(), export: Type.String() })

const ExportShape = Type.Object(
  {
    id: Type.String({ examples: ['ex_…'] }),
    kind: Type.String(),
    table: MaybeText,
    form_id: MaybeText,
    window: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
    state: Type.String({ enum: ['running', 'done', 'failed'] }),
    progress: Type.Number({ description: '0 to 1.' }),
    bytes: Type.Integer(),
    file_name: Type.String(),
    error: Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'code and message of a failed one.' }),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
    expires_ts: Type.Integer(),
  },
  open,
)

export const ExportAnswer = answerOf({ export: ExportShape }, 'The export.')
export const ExportList = answerOf({ data: Type.Array(ExportShape) }, 'Newest first.')
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() }, 'Gone, and ended when it was under way.')
