// The endpoints of a property's stored facts (/manage/properties/{property}/facts): how much there is, and
// beginning anew.
import { role } from '../http/access.ts'
import { chapter, get, remove } from '../http/endpoint.ts'
import { findStored, resetProperty, workOnRemovals } from './removals.ts'
import * as schema from './schema.ts'

export const removalEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/facts',
    role('owner'),
    {
      summary: 'Count the facts of a property',
      answer: schema.storedFields,
      says: 'What a removal would take, and the last one.',
    },
    async ({ context, property }) => findStored(context, property.id),
  ),
  remove(
    '/manage/properties/:property/facts',
    role('owner'),
    {
      summary: 'Reset a property: delete its facts',
      answer: schema.removalFields,
      says: 'The removal, which goes on in the background, the newest week first. What comes from now on counts; settings, contacts, links, forms and submissions stay.',
    },
    async ({ context, property }) => {
      const removal = await resetProperty(context, property.id)
      workOnRemovals(context).catch((error: unknown) => context.log.error({ err: error }, 'facts were not removed'))
      return { removal }
    },
  ),
])
