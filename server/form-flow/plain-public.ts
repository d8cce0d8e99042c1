// Plain HTML forms as browsers post them (docs/html-forms.md), and the page of a managed form. Every answer
// is a page or leads to one: whoever reads it has no script that could explain an error.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { problemOf } from '../http/errors.ts'
import { readMultipart, type SentPair } from '../http/multipart.ts'
import { streamPlainBodies } from '../http/plain-bodies.ts'
import type { ProblemKind } from '../kernel/problem.ts'
import type { VisitorPage } from '../html/visitor-page.ts'
import { languageFor, type VisitorTexts, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import type { ReadCaller } from './caller-public.ts'
import { noticePage } from './plain-page.ts'
import { type PlainAnswer, type ReadSent, sendPlainForm, showPlainForm } from './plain.ts'

/** Kept with the submission, where the name and version of a library would be. */
const LIB = 'html'

const notices: Readonly<
  Partial<Record<ProblemKind, keyof VisitorTexts['form'] & ('tooLarge' | 'tooOften' | 'notNow' | 'noRoom')>>
> = {
  payload_too_large: 'tooLarge',
  rate_limited: 'tooOften',
  unavailable: 'notNow',
  no_room: 'noRoom',
}

function sendPage(reply: FastifyReply, status: number, { html, headers }: VisitorPage): FastifyReply {
  return reply.code(status).headers(headers).send(html)
}

/**
 * Faults of the form are said to its visitor in general, and to its owner, who tries it out, in particular.
 */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const language = languageFor('auto', request.headers['accept-language'])
  const spoken = { language, said: visitorTexts(language) }
  const { form } = spoken.said
  const problem = problemOf(error)
  if (!problem) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
  if (problem?.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
  const notice = problem ? notices[problem.kind] : 'notNow'
  const page = notice ? noticePage(spoken, form[notice]) : noticePage(spoken, form.unavailable, problem?.message)
  void sendPage(reply, problem?.status ?? 500, page)
}

const sendAnswer = (reply: FastifyReply, answer: PlainAnswer): FastifyReply =>
  'location' in answer
    ? reply.code(303).headers({ location: answer.location, 'cache-control': 'no-store' }).send()
    : sendPage(reply, answer.status, answer.page)

/** A body with files is read once it is known which of them the form takes. */
function readerOf({ body, headers }: FastifyRequest): ReadSent {
  if (!(body instanceof Readable)) return async () => (body as readonly SentPair[] | undefined) ?? []
  return ({ limits, take }) => readMultipart(body, headers['content-type'] ?? '', limits, take)
}

/** @param callerOf that of the scripted forms: an address has one allowance for both. */
export function plainFormRoutes(context: Context, callerOf: ReadCaller): FastifyPluginAsyncTypebox {
  return async (app) => {
    streamPlainBodies(app)
    app.setErrorHandler(answerFailure)
    const keyOf = (request: FastifyRequest): string => (request.params as { formKey: string }).formKey
    const plainCaller = (request: FastifyRequest) => ({ ...callerOf(request, 'x-svc-form'), lib: LIB })
    app.route({
      method: 'POST',
      url: '/f/:formKey',
      schema: { hide: true },
      handler: async (request, reply) => {
        const sent = await sendPlainForm(context, keyOf(request), plainCaller(request), readerOf(request))
        return sendAnswer(reply, sent)
      },
    })
    app.route({
      method: 'GET',
      url: '/f/:formKey',
      schema: { hide: true },
      handler: async (request, reply) =>
        sendAnswer(reply, await showPlainForm(context, keyOf(request), plainCaller(request))),
    })
  }
}
