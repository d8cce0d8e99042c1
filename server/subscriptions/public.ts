// The page behind the link Unsubscribe, and the one click of mail programs (RFC 8058): no account, no
// questions. Looking at the page changes nothing, since programs follow links before people do.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { escapedHtml } from '../html/form-html.ts'
import { type VisitorPage, visitorPage } from '../html/visitor-page.ts'
import { readPlainBodies, type SentPair } from '../http/plain-bodies.ts'
import { languageFor, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import { findRow, updateUnsubscribed } from './records.ts'

/** The field by which the page asks to be subscribed again. */
const AGAIN = 'again'

interface Shown {
  readonly status: 200 | 404
  readonly page: VisitorPage
}

const buttonForm = (label: string, field = ''): string =>
  `<form method="post">${field}<button>${escapedHtml(label)}</button></form>`

/** Anything else cannot exist, and PostgreSQL takes not every text. */
const idShape = /^sn_[0-9A-Za-z]{16,64}$/

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { readonly id: string }
  return idShape.test(id) ? id : ''
}

/** @param isOff what the page tells of; undefined: what it finds. */
async function pageOf(context: Context, request: FastifyRequest): Promise<Shown> {
  const language = languageFor('auto', request.headers['accept-language'])
  const { mail } = visitorTexts(language)
  const row = await findRow(context.records, idOf(request))
  const property = row && (await context.properties.byId(row.property_id))
  if (!row || !property) {
    const { title, text } = mail.expired
    return { status: 404, page: visitorPage({ language, title, content: `<p>${escapedHtml(text)}</p>` }) }
  }
  const { title, text } = row.unsubscribed_ms === null ? mail.unsubscribe : mail.unsubscribed
  const form =
    row.unsubscribed_ms === null
      ? buttonForm(mail.unsubscribe.button)
      : buttonForm(mail.confirm.button, `<input type="hidden" name="${AGAIN}" value="1">`)
  const content = `<p>${escapedHtml(text(property.name))}</p>${form}`
  return { status: 200, page: visitorPage({ language, title, content, hasForm: true }) }
}

const send = (reply: FastifyReply, { status, page }: Shown): FastifyReply =>
  reply.code(status).headers(page.headers).send(page.html)

export function unsubscribeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    readPlainBodies(app)
    app.route({
      method: 'GET',
      url: '/unsubscribe/:id',
      schema: { hide: true },
      handler: async (request, reply) => send(reply, await pageOf(context, request)),
    })
    app.route({
      method: 'POST',
      url: '/unsubscribe/:id',
      schema: { hide: true },
      handler: async (request, reply) => {
        const pairs = (request.body as readonly SentPair[] | undefined) ?? []
        const isAgain = pairs.some(([name]) => name === AGAIN)
        await updateUnsubscribed(context.records, idOf(request), isAgain ? null : context.now())
        return send(reply, await pageOf(context, request))
      },
    })
  }
}
