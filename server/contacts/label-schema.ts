// What lists, tags and notes of contacts take and answer.
import { Type } from 'typebox'
import { editFields, type JsonOf, oneOf, open } from '../http/shapes.ts'

const Labels = Type.Array(Type.String())
export const labelFields = { lists: Labels, tags: Labels }
export type LabelsJson = JsonOf<ReturnType<typeof Type.Object<typeof labelFields>>>

/** Lengths are counted in labels.ts, which trims first. */
export const LabelsBody = Type.Object({
  lists: Type.Optional(
    Type.Array(Type.String({ maxLength: 240 }), { description: 'All lists that they are in from now on, 50 at most.' }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 240 }), { description: 'All tags from now on, 50 at most.' }),
  ),
})

const Counts = Type.Array(Type.Object({ name: Type.String(), contacts: Type.Integer() }, open))
export const labelCounts = { lists: Counts, tags: Counts }
export type LabelCountsJson = JsonOf<ReturnType<typeof Type.Object<typeof labelCounts>>>

export const NewNote = Type.Object({ text: Type.String({ maxLength: 20_000, description: '1 to 5,000 characters.' }) })

export const NoteShape = Type.Object(
  { id: Type.String(), text: Type.String(), noted_ts: Type.Integer(), edited_by: editFields('cn_…').edited_by },
  open,
)
export type NoteJson = JsonOf<typeof NoteShape>
export const Notes = Type.Array(NoteShape)

export const ExportedLabel = Type.Object(
  { contact_id: Type.String(), kind: oneOf(['list', 'tag']), label: Type.String(), added_ts: Type.Integer() },
  open,
)
export const ExportedNote = Type.Object(
  { id: Type.String(), contact_id: Type.String(), text: Type.String(), noted_ts: Type.Integer() },
  open,
)
