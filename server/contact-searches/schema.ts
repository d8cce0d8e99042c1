// What saved searches of contacts take and answer.
import { Type } from 'typebox'
import { type JsonOf, open } from '../http/shapes.ts'
import { ListQuery } from '../contacts/schema.ts'

const Query = Type.Omit(ListQuery, ['page', 'per_page'])

export const NewSearch = Type.Object({
  name: Type.String({ maxLength: 320, description: '1 to 80 characters.' }),
  query: Query,
  is_shared: Type.Optional(
    Type.Boolean({ description: 'For everybody in the property, by an admin. Default: false.' }),
  ),
})
export type NewSearchJson = JsonOf<typeof NewSearch>

export const SearchShape = Type.Object(
  {
    id: Type.String({ examples: ['cq_…'] }),
    name: Type.String(),
    query: Type.Record(Type.String(), Type.String(), { description: 'As the list of contacts takes it.' }),
    is_shared: Type.Boolean(),
  },
  open,
)
export type SearchJson = JsonOf<typeof SearchShape>
export const Searches = Type.Array(SearchShape)
