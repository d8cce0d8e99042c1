// The analytics endpoints (docs/api/analytics.md), whose answers carry no envelope, and what the dashboard asks beyond them: lists, who is here, bots,
// annotations.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { role, token } from '../http/access.ts'
import { ok } from '../http/answer.ts'
import { chapter, get, post, postBare, postRaw, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { holdShareFile } from '../http/share-turns.ts'
import { boundToAsker } from '../queues/asker.ts'
import { linkedPage } from '../kernel/page.ts'
import * as answers from './answer-schema.ts'
import { answerMetrics, answerSessions } from './analytics.ts'
import { createAnnotation, listAnnotations, removeAnnotation, updateAnnotation } from '../annotations/annotations.ts'
import { answerBots } from '../lists/bots.ts'
import * as views from '../lists/schema.ts'
import { answerGraph, answerLive } from './graph.ts'
import { listIds } from './dimensions.ts'
import { answerList, exportList, parseListId } from '../lists/lists.ts'
import { answerLiveView } from '../lists/live-view.ts'
import * as schema from './schema.ts'
import { answerBy, checkSharedAsk } from '../shared-figures/questions.ts'

const asking = token('signals:read', { shared: true })

const analytics = [
  postBare(
    '/v2/property/signals/analytics/metrics',
    asking,
    {
      summary: 'Summary, top lists, countries and languages of a window',
      body: schema.MetricsBody,
      isBodyOptional: true,
      answer: answers.MetricsAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy(share, body, (shared) => answerMetrics(context, property, body, shared)),
  ),
  postBare(
    '/v2/property/signals/analytics/graph',
    asking,
    {
      summary: 'One metric over time',
      body: schema.GraphBody,
      isBodyOptional: true,
      answer: answers.GraphAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy(share, body, (shared) => answerGraph(context, property, body, shared)),
  ),
  postBare(
    '/v2/property/signals/analytics/live',
    asking,
    {
      summary: 'One metric over the last five minutes',
      body: schema.LiveBody,
      isBodyOptional: true,
      answer: answers.LiveAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy(share, body, (shared) => answerLive(context, property, body, shared)),
  ),
  postBare(
    '/v2/property/signals/sessions',
    // Visits one by one tell of people: not for whoever has a share link.
    token('signals:read'),
    {
      summary: 'Sessions of a window, newest first',
      body: schema.SessionsBody,
      isBodyOptional: true,
      query: schema.SessionsQuery,
      answer: answers.SessionsAnswer,
    },
    async ({ context, property, body, address }) => answerSessions(context, property, body, address),
  ),
]

/** The first part is awaited: until it is there, what goes wrong can still be answered. */
async function sendCsv(reply: FastifyReply, name: string, parts: AsyncGenerator<string>): Promise<FastifyReply> {
  const first = await parts.next()
  const next = boundToAsker(() => parts.next())
  async function* all(): AsyncGenerator<string> {
    for (let part = first; !part.done; part = await next()) yield part.value
  }
  reply.headers({ 'content-disposition': `attachment; filename="${name}.csv"`, 'cache-control': 'no-store' })
  return reply.type('text/csv; charset=utf-8').send(Readable.from(all(), { objectMode: false }))
}

const showing = role('viewer', { shared: true })
const reading = role('viewer')
const writing = role('admin')

const windows = [
  postRaw(
    '/manage/properties/:property/lists/:dimension',
    showing,
    {
      summary: 'All values of a dimension by sessions, searched and page by page, or as CSV',
      params: { dimension: `One of ${listIds.join(', ')}.` },
      query: views.ListQuery,
      body: views.ListBody,
      isBodyOptional: true,
      answer: views.listFields,
    },
    async ({ context, property, share, params, query, body, reply }) => {
      if (query.format !== 'csv') {
        const list = await answerBy(share, body, (shared) =>
          answerList(context, property, params.dimension, { ...body, ...shared }),
        )
        return reply.send(ok(list))
      }
      checkSharedAsk(share, body)
      holdShareFile(share, reply)
      const id = parseListId(params.dimension)
      const parts = exportList(context, property, id, { ...body, isShared: share !== undefined })
      return sendCsv(reply, `${id}-${property.id}`, parts)
    },
  ),
  post(
    '/manage/properties/:property/live',
    showing,
    {
      summary: 'Who is here: sessions of the last five minutes, their pages, countries and sources',
      body: views.LiveViewBody,
      isBodyOptional: true,
      answer: views.liveFields,
    },
    async ({ context, property, share, body }) =>
      answerBy(share, body, (shared) => answerLiveView(context, property, body, shared)),
  ),
  post(
    '/manage/properties/:property/bots',
    reading,
    {
      summary: 'Sessions of bots: how many, which, over which networks, and their pages',
      body: views.BotsBody,
      isBodyOptional: true,
      answer: views.botFields,
    },
    async ({ context, property, body }) => answerBots(context, property, body),
  ),
]

const annotations = [
  get(
    '/manage/properties/:property/annotations',
    reading,
    {
      summary: 'List the annotations of a property, the latest time first',
      query: views.PageQuery,
      answer: pageFields(views.AnnotationShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listAnnotations(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/annotations',
    writing,
    { summary: 'Pin a note to a time', body: views.NewAnnotation, answer: { annotation: views.AnnotationShape } },
    async ({ context, property, body }) => ({ annotation: await createAnnotation(context, property.id, body) }),
  ),
  post(
    '/manage/properties/:property/annotations/:annotation',
    writing,
    { summary: 'Update an annotation', body: views.ChangedAnnotation, answer: { annotation: views.AnnotationShape } },
    async ({ context, property, params, body }) => ({
      annotation: await updateAnnotation(context, property.id, params.annotation, body),
    }),
  ),
  remove(
    '/manage/properties/:property/annotations/:annotation',
    writing,
    { summary: 'Delete an annotation', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeAnnotation(context, property.id, params.annotation)
      return deleted
    },
  ),
]

export const analyticsEndpoints = [
  ...chapter('Analytics', analytics),
  ...chapter('Dashboard', [...windows, ...annotations]),
]
