// Contacts where the dashboard meets them (/manage/properties/{property}/contacts): what they are called, and what they have sent through forms.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { contactNotFound } from '../contacts/contacts.ts'
import { findContactNames } from '../contacts/named.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { listContactSubmissions } from './contact-forms.ts'
import { invalid } from '../kernel/problem.ts'
import {
  ContactNamesAnswer,
  ContactNamesQuery,
  ContactParams,
  ContactSubmissionsAnswer,
  PropertyParams,
} from './schema.ts'

/** Sessions of a page, and as many again. */
const MOST_IDS = 200

/** @throws Problem('validation_failed') for too many. */
function readIds(given: string): string[] {
  const ids = [...new Set(given.split(',').filter((id) => id !== '' && !id.includes('\0')))]
  if (ids.length > MOST_IDS) throw invalid('ids', `ids may name at most ${MOST_IDS} contacts.`)
  return ids
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer'))
    app.get(
      '/manage/properties/:property/contacts/names',
      {
        schema: {
          tags: ['Dashboard'],
          security: [{ admin: [] }],
          summary: 'What contacts are called, by their ids',
          params: PropertyParams,
          querystring: ContactNamesQuery,
          response: { 200: ContactNamesAnswer },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ names: await findContactNames(context.records, id, readIds(query.ids ?? '')) })
      },
    )

    app.get(
      '/manage/properties/:property/contacts/:contact/submissions',
      {
        schema: {
          tags: ['Dashboard'],
          security: [{ admin: [] }],
          summary: 'The latest submissions of a contact: with its address, or from its sessions',
          params: ContactParams,
          response: { 200: ContactSubmissionsAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        if (params.contact.includes('\0')) throw contactNotFound() // PostgreSQL takes none, not even to look for it
        return ok({ submissions: await listContactSubmissions(context, id, params.contact) })
      },
    )
  }
}
