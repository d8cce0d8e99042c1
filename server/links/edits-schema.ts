// What the endpoints that change many links at once take and answer.
import { type TObject, Type } from 'typebox'
import { editFields, type JsonOf, open } from '../http/shapes.ts'
import { MAX_EDITED } from './edits.ts'
import { MAX_TAG, MAX_TAGS } from './link-model.ts'
import { UtmValues } from './schema.ts'

const TagList = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 4 * MAX_TAG }), { maxItems: MAX_TAGS, description }))

export const EditBody = Type.Object({
  link_ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_EDITED }),
  add_tags: TagList('Added to those that each has.'),
  remove_tags: TagList('Taken away from those that have them.'),
  group_id: Type.Optional(
    Type.String({ description: 'The group that they are moved to; clicks of before stay where they are.' }),
  ),
  utm: UtmValues('A value that is not named stays; null or an empty text clears one, null in place of the object all.'),
  ends_ts: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 4_102_444_800,
      description: 'When they expire, in unix seconds; null: never.',
    }),
  ),
  is_archived: Type.Optional(Type.Boolean()),
})

export const editedFields = {
  edit_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The entry of the history, by which it is undone; null where nothing was different.',
  }),
  changed: Type.Integer({ description: 'Links that are different now.' }),
  skipped: Type.Integer({ description: 'Of an undo: links that were changed since, or are gone.' }),
}
export type EditedJson = JsonOf<TObject<typeof editedFields>>

export const LinkEditShape = Type.Object({ ...editFields('le_…'), links: Type.Integer() }, open)
export type LinkEditJson = JsonOf<typeof LinkEditShape>

export const tagFields = { tags: Type.Array(Type.Object({ name: Type.String(), links: Type.Integer() }, open)) }
export type TagsJson = JsonOf<TObject<typeof tagFields>>
