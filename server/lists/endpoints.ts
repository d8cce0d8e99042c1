// What the dashboard asks beyond analytics and its overview: the full lists, who is here, and bots.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { listIds } from '../analytics/dimensions.ts'
import { withGoals } from '../analytics/goals.ts'
import { role } from '../http/access.ts'
import { ok } from '../http/answer.ts'
import { chapter, post, postRaw } from '../http/endpoint.ts'
import { holdShareFile } from '../http/share-turns.ts'
import { boundToAsker } from '../queues/asker.ts'
import { answerBy, sharedAsk } from '../shared-figures/questions.ts'
import { answerBots } from './bots.ts'
import { answerList, exportList, parseListId } from './lists.ts'
import { answerLiveView } from './live-view.ts'
import { answerPages, exportPages } from './pages.ts'
import * as schema from './schema.ts'

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

async function* onePart(text: string): AsyncGenerator<string> {
  yield text
}

const showing = role('viewer', { shared: true })

export const listEndpoints = chapter('Dashboard', [
  postRaw(
    '/manage/properties/:property/lists/:dimension',
    showing,
    {
      isQuestion: true,
      summary: 'List, search or export all values of a dimension',
      params: { dimension: `One of ${listIds.join(', ')}.` },
      query: schema.ListQuery,
      body: schema.ListBody,
      isBodyOptional: true,
      answer: schema.listFields,
      rows: schema.listFiles,
    },
    async ({ context, property, share, params, query, body: given, reply }) => {
      if (query.format !== 'csv') {
        const list = await answerBy({ context, share }, given, async (ask, shared) => {
          const body = await withGoals(context, property.id, ask)
          return answerList(context, property, params.dimension, { ...body, ...shared })
        })
        return reply.send(ok(list))
      }
      const body = await withGoals(context, property.id, await sharedAsk(context, share, given))
      holdShareFile(share, reply)
      const id = parseListId(params.dimension)
      const parts = exportList(context, property, id, { ...body, isShared: share !== undefined })
      return sendCsv(reply, `${id}-${property.id}`, parts)
    },
  ),
  postRaw(
    '/manage/properties/:property/pages',
    role('viewer'),
    {
      isQuestion: true,
      summary: 'List pages or folders with views, visitors, time, scroll, entries and exits',
      query: schema.ListQuery,
      body: schema.PagesBody,
      isBodyOptional: true,
      answer: schema.pagesFields,
      rows: [schema.PageCells],
    },
    async ({ context, property, query, body: given, reply }) => {
      const body = await withGoals(context, property.id, given)
      if (query.format !== 'csv') return reply.send(ok(await answerPages(context, property, body)))
      const file = await exportPages(context, property, body)
      return sendCsv(reply, `pages-${property.id}`, onePart(file))
    },
  ),
  post(
    '/manage/properties/:property/live',
    showing,
    {
      isQuestion: true,
      summary: 'Get live visitors: sessions of the last five minutes with their pages, countries and sources',
      body: schema.LiveViewBody,
      isBodyOptional: true,
      answer: schema.liveFields,
    },
    async ({ context, property, share, body }) =>
      answerBy({ context, share }, body, async (ask, shared) =>
        answerLiveView(context, property, await withGoals(context, property.id, ask), shared),
      ),
  ),
  post(
    '/manage/properties/:property/bots',
    role('viewer'),
    {
      isQuestion: true,
      summary: 'Get bot sessions: counts, names, networks and pages',
      body: schema.BotsBody,
      isBodyOptional: true,
      answer: schema.botFields,
    },
    async ({ context, property, body }) => answerBots(context, property, await withGoals(context, property.id, body)),
  ),
])
