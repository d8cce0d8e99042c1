// What a contact has sent through forms (/manage/properties/{property}/contacts/{contact}/submissions).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { contactNotFound } from '../contacts/contacts.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/auth.ts'
import { getProperty } from '../properties/properties.ts'
import { listContactSubmissions } from './contact-forms.ts'
import { ContactParams, ContactSubmissionsAnswer } from './schema.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer'))
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
