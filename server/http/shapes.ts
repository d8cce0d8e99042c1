// Schemas that answers and lists of all capabilities share. For documentation: handlers are held to their own
// types.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { byName } from '../kernel/by-name.ts'
import { roles } from '../kernel/roles.ts'
import { editKinds, editorKinds, type EditSide } from '../kernel/edits.ts'
import { orders } from '../kernel/sorting.ts'
import { allPeriods } from '../kernel/periods.ts'

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value

/**
 * An answer, or a part of one, as its schema describes it: what the handler returns and what the dashboard
 * reads.
 */
export type JsonOf<Shape extends TSchema> = DeepReadonly<Static<Shape>>

export const open = { additionalProperties: true } as const
export const MaybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const MaybeNumber = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const MaybeRate = Type.Unsafe<number | null>({ type: ['number', 'null'] })

/** One schema with an enum instead of a union: a wrong value is then one error. */
export const oneOf = <const Value extends string | null>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ enum: [...values], ...(description !== undefined && { description }) })

/** The same schema with its own description. */
export const described = <Shape extends TSchema>(shape: Shape, description: string) =>
  Type.Unsafe<Static<Shape>>({ ...shape, description })

/** The same object, or null. */
export const orNull = <Shape extends TSchema>(shape: Shape) =>
  Type.Unsafe<Static<Shape> | null>({ ...shape, type: ['object', 'null'] })

export const RoleShape = oneOf(roles)

/** The answer to a deletion. */
export const deletedFields = { deleted: Type.Boolean() }
export const deleted = { deleted: true } as const

/** The envelope of a success around its `data`. */
export const answerOf = (data: Record<string, TSchema>, description?: string) =>
  Type.Unsafe<object>(
    Type.Object(
      { code: Type.Integer(), status: Type.String(), data: Type.Object(data, open) },
      { ...open, ...(description && { description }) },
    ),
  )

/** The keys around the rows of a list, as paginateLinked (kernel/page.ts) makes them. */
export const linkedPageFields = {
  current_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  last_page: Type.Integer(),
  from: MaybeNumber,
  to: MaybeNumber,
  first_page_url: Type.String(),
  last_page_url: Type.String(),
  next_page_url: MaybeText,
  prev_page_url: MaybeText,
  path: Type.String(),
  links: Type.Array(Type.Object({ url: MaybeText, label: Type.String(), active: Type.Boolean() })),
}

/** A page of rows, as linkedPage (kernel/page.ts) makes it. */
export const pageFields = <Row extends TSchema>(row: Row) => ({ data: Type.Array(row), ...linkedPageFields })

const EditSideShape = Type.Unsafe<EditSide | null>({
  type: ['object', 'null'],
  description: 'The fields that changed; null before a creation and after a deletion.',
})

/** The fields of an edit in every history. @param id an example of one. */
export const editFields = (id: string) => ({
  id: Type.String({ examples: [id] }),
  edited_ms: Type.Integer(),
  edited_by: Type.Object(
    {
      kind: oneOf(editorKinds, 'unknown: of before it was written down.'),
      id: described(MaybeText, 'Of a person, while there is one.'),
      name: MaybeText,
    },
    open,
  ),
  kind: oneOf(editKinds),
  before: EditSideShape,
  after: EditSideShape,
})
export type EditJson = JsonOf<TObject<ReturnType<typeof editFields>>>

/** Integers come as text in a query string; kernel/page.ts reads them. */
export const pageQuery = {
  page: Type.Optional(Type.String({ description: 'From 1; default 1.' })),
  per_page: Type.Optional(Type.String({ description: '1 to 100; default 25.' })),
}

/** @param otherwise in which order rows are when nothing is said. */
export const sortQuery = <const Id extends string>(ids: readonly Id[], otherwise: string) => ({
  sort: Type.Optional(oneOf(ids, `What rows are sorted by; rows without it stand last. Default: ${otherwise}`)),
  order: Type.Optional(oneOf(orders, 'Default: desc.')),
})

/** A window of UTC days in a query string. */
export const utcWindowQuery = {
  period: Type.Optional(Type.String({ description: 'Default: the property’s, else `last_7`.' })),
  date_from: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
  date_to: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
}

/** A window in a query string, as analytics takes it. */
export const windowQuery = {
  ...utcWindowQuery,
  timezone: Type.Optional(
    Type.String({ description: 'Name of an IANA time zone, by which days are told. Default: the property’s.' }),
  ),
}

export const PeriodShape = oneOf(allPeriods.map(({ id }) => id))

/** The window of an answer. */
export const windowShape = {
  period: PeriodShape,
  date_from: MaybeText,
  date_to: MaybeText,
  showing: Type.String({ description: 'The window in words.' }),
}

/** The result of checking the rows of a file (csv/check.ts). */
export const checkedRowsFields = {
  rows: Type.Integer({ description: 'Rows that say something, bad ones included.' }),
  bad_rows: Type.Integer({ description: 'With any, nothing is written.' }),
  faults: Type.Array(Type.Object({ line: Type.Integer(), field: Type.String(), reason: Type.String() }, open)),
  more_faults: Type.Integer({ description: 'Beside the first fifty.' }),
}

// Cells of CSV files; all others are texts.
export const YesCell = oneOf(['yes', 'no'])
export const MomentCell = Type.String({ format: 'date-time' })

/** A row of a file by its columns, in their order. */
export const rowOf = <Columns extends TProperties>(columns: Columns) =>
  Type.Object(columns, { additionalProperties: false })

/** Columns of texts. */
export const textCells = <const Name extends string>(names: readonly Name[]) => byName(names, () => Type.String())
