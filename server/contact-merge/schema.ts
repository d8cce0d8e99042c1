// What merging contacts takes and answers.
import { Type } from 'typebox'
import { editFields, type JsonOf, oneOf, open } from '../http/shapes.ts'
import { ContactShape } from '../contacts/schema.ts'

const aliasKinds = ['id', 'external_id', 'email'] as const

export const MergeBody = Type.Object({
  other: Type.String({ maxLength: 64, description: 'The contact that goes into the one of the URL.' }),
  take: Type.Optional(
    Type.Array(Type.String({ maxLength: 160 }), {
      maxItems: 100,
      description:
        'Fields whose value is that of the other one: `email`, `first_name`, `lifecycle_stage` …, and `meta:<key>`. Fields that only one of the two has are never lost.',
    }),
  ),
})

const MergeShape = Type.Object(
  {
    id: Type.String({ examples: ['cm_…'] }),
    merged_ts: Type.Integer(),
    undo_until_ts: Type.Integer(),
    edited_by: editFields('cm_…').edited_by,
    other: ContactShape,
  },
  open,
)
export type MergeJson = JsonOf<typeof MergeShape>

const AliasShape = Type.Object({ kind: oneOf(aliasKinds), value: Type.String() }, open)

export const mergesFields = {
  merges: Type.Array(MergeShape, {
    description: 'Those that can be undone, the last one first; the others follow it.',
  }),
  aliases: Type.Array(AliasShape, { description: 'What else leads to this contact.' }),
}
export type MergesJson = JsonOf<ReturnType<typeof Type.Object<typeof mergesFields>>>

export const mergedFields = { contact: ContactShape, merge_id: Type.String() }
export const undoneFields = { contact: ContactShape, other: ContactShape }

export const ExportedAlias = Type.Object(
  { contact_id: Type.String(), kind: oneOf(aliasKinds), value: Type.String() },
  open,
)
