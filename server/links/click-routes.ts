// The endpoints of clicks, and the preview of what a link's sessions are counted as (SPEC.md 4.5).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { propertyOf, requireScope } from '../http/auth.ts'
import { paginateLinked, readInteger, readPageAsk } from '../kernel/page.ts'
import * as schema from './click-schema.ts'
import { getShownClick, listShownClicks } from './clicks.ts'
import type { ClickFilter } from './facts.ts'
import { readUtm } from './links.ts'
import { previewAttribution } from './preview.ts'

/** Ten digits: any time there is. */
const MAX_TS = 9_999_999_999
const CLICKS_PATH = '/v2/property/clicks'

const tags = ['Short links']

function readTs(field: string, text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : readInteger(field, text, { min: 0, max: MAX_TS, default: 0 })
}

interface FilterQuery {
  readonly link_id?: string
  readonly group_id?: string
  readonly from_ts?: string
  readonly to_ts?: string
  readonly type?: 'user' | 'bot' | ''
}

function readFilter(query: FilterQuery): ClickFilter {
  return {
    linkId: query.link_id || undefined,
    groupId: query.group_id || undefined,
    fromTs: readTs('from_ts', query.from_ts),
    toTs: readTs('to_ts', query.to_ts),
    type: query.type || undefined,
  }
}

function clickRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'shortlinks:read')
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v2/property/clicks',
      onRequest,
      schema: {
        tags,
        summary: 'List clicks, newest first',
        querystring: schema.ClicksQuery,
        response: { 200: schema.ClickPage },
      },
      handler: async (request) => {
        const page = readPageAsk(request.query)
        const filter = readFilter(request.query)
        const { rows, total } = await listShownClicks(context, propertyOf(request).id, filter, page)
        const address = { baseUrl: context.config.baseUrl, path: CLICKS_PATH, query: { ...request.query } }
        return ok(paginateLinked(rows, page, total, address))
      },
    })

    app.route({
      method: 'GET',
      url: '/v2/property/clicks/:click',
      onRequest,
      schema: { tags, summary: 'Get a click', params: schema.ClickParams, response: { 200: schema.ClickAnswer } },
      handler: async (request) =>
        ok({ click: await getShownClick(context, propertyOf(request).id, request.params.click) }),
    })
  }
}

function previewRoute(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/attribution/preview',
      onRequest: requireScope(context, 'shortlinks:read'),
      schema: {
        tags,
        summary: 'What sessions that arrive through a link are counted as',
        body: schema.PreviewBody,
        response: { 200: schema.PreviewAnswer },
      },
      handler: async (request) => {
        const { utm, destination_url, referrer } = request.body
        const ask = { utm: readUtm({}, utm), destination_url: destination_url || undefined, referrer: referrer ?? '' }
        return ok(previewAttribution(context, propertyOf(request), ask))
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [clickRoutes, previewRoute]) await app.register(part(context))
  }
}
