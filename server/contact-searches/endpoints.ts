// The endpoints of saved searches of contacts. Viewers have their own; those for everybody are the admins'.
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { saverOf } from '../http/savers.ts'
import { deleted, deletedFields } from '../http/shapes.ts'
import { listSearches, removeSearch, saveSearch, searchJson } from './contact-searches.ts'
import * as schema from './schema.ts'

const saving = role('viewer')

export const contactSearchEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/contact-searches',
    saving,
    { summary: 'List saved contact searches: shared ones and your own', answer: { searches: schema.Searches } },
    async ({ context, property, caller, role }) => ({
      searches: await listSearches(context, saverOf({ property, caller, role })),
    }),
  ),
  post(
    '/manage/properties/:property/contact-searches',
    saving,
    { summary: 'Save a contact search', body: schema.NewSearch, answer: { search: schema.SearchShape } },
    async ({ context, property, caller, role, body }) => ({
      search: searchJson(await saveSearch(context, saverOf({ property, caller, role }), body)),
    }),
  ),
  remove(
    '/manage/properties/:property/contact-searches/:search',
    saving,
    { summary: 'Delete a saved search', answer: deletedFields },
    async ({ context, property, caller, role, params }) => {
      await removeSearch(context, saverOf({ property, caller, role }), params.search)
      return deleted
    },
  ),
])
