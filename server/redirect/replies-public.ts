// What the redirect answers: a page, or where to go on. Neither is kept by anybody.
import type { FastifyReply } from 'fastify'
import { missingPage, pageHeaders } from './pages.ts'

/** A cached redirect would not be counted, and would keep the old destination after a change. */
const redirectHeaders = { 'cache-control': 'private, no-store', 'content-length': '0' }

export const acceptedBy = ({ request }: FastifyReply): string | undefined => request.headers['accept-language']

export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(html)
}

/** Any path under a short domain that is no link in use. */
export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, missingPage(acceptedBy(reply)))
}

/** After a form 303, so that the browser asks for the destination without the password. */
export const redirect = (reply: FastifyReply, location: string): FastifyReply =>
  reply
    .code(reply.request.method === 'POST' ? 303 : 302)
    .headers({ location, ...redirectHeaders })
    .send()
