// The pages behind the links of emails about lists: confirm, and unsubscribe with one click (RFC 8058).
// Looking
// at them changes nothing, since programs follow links before people do; the button does.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { escapedHtml } from '../html/form-html.ts'
import { visitorPage } from '../html/visitor-page.ts'
import { readPlainBodies } from '../http/plain-bodies.ts'
import { languageFor, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import { confirmMembership, isConfirmable, leaveList } from './contact-lists.ts'
import { findByLink, type Membership } from './records.ts'

type Asked = 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed'

async function sendPage(
  { properties }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { readonly membership: Membership | undefined; readonly asked: Asked },
): Promise<FastifyReply> {
  const language = languageFor('auto', request.headers['accept-language'])
  const { mail } = visitorTexts(language)
  const { membership, asked } = shown
  const property = membership && (await properties.byId(membership.property_id))
  if (!membership || !property) {
    const { title, text } = mail.expired
    const gone = visitorPage({ language, title, content: `<p>${escapedHtml(text)}</p>` })
    return reply.code(404).headers(gone.headers).send(gone.html)
  }
  const said = mail[asked]
  const form = 'button' in said ? `<form method="post"><button>${escapedHtml(said.button)}</button></form>` : ''
  const content = `<p>${escapedHtml(said.text(`${membership.name} (${property.name})`))}</p>${form}`
  const page = visitorPage({ language, title: said.title, content, hasForm: true })
  return reply.headers(page.headers).send(page.html)
}

const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id
const isId = (id: string): boolean => /^l[cm]_[0-9A-Za-z]{20}$/.test(id)

type Find = (
  context: Context,
  id: string,
) => Promise<{ readonly membership: Membership | undefined; readonly asked: Asked }>

const find: Readonly<Record<'confirm' | 'leave', Readonly<Record<'GET' | 'POST', Find>>>> = {
  confirm: {
    GET: async ({ records, now }, id) => {
      const found = await findByLink(records, 'confirm_id', id)
      const membership = found && isConfirmable(found, now()) ? found : undefined
      return { membership, asked: found?.state === 'confirmed' ? 'confirmed' : 'confirm' }
    },
    POST: async (context, id) => ({
      membership: await context.records.transaction().execute((tx) => confirmMembership(context, tx, id)),
      asked: 'confirmed',
    }),
  },
  leave: {
    GET: async ({ records }, id) => {
      const membership = await findByLink(records, 'id', id)
      return { membership, asked: membership?.state === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe' }
    },
    POST: async (context, id) => ({
      membership: await context.records.transaction().execute((tx) => leaveList(context, tx, id)),
      asked: 'unsubscribed',
    }),
  },
}

export function listPages(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    readPlainBodies(app)
    for (const what of ['confirm', 'leave'] as const)
      for (const method of ['GET', 'POST'] as const)
        app.route({
          method,
          url: `/lists/${what}/:id`,
          schema: { hide: true },
          handler: async (request, reply) => {
            const id = idOf(request)
            const nobody = { membership: undefined, asked: 'confirm' as const }
            return sendPage(context, request, reply, isId(id) ? await find[what][method](context, id) : nobody)
          },
        })
  }
}
