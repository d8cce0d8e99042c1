// The links of a property as its owner sees them (/manage/properties/{property}/links): searched, with what came of each, and as files in and out.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/auth.ts'
import { paginateLinked, readPageAsk, unlessEmpty } from '../kernel/page.ts'
import { parseWindow } from '../kernel/window.ts'
import { getProperty } from '../properties/properties.ts'
import { type BulkOptions, checkLinks } from './bulk.ts'
import { exportLinks, type Wanted } from './export.ts'
import { getGroup } from './groups.ts'
import { noFigures, readListFigures } from './list-facts.ts'
import {
  ExportQuery,
  ImportAnswer,
  ImportBody,
  ListAnswer,
  ListQuery,
  MAX_PART_ROWS,
  PropertyParams,
} from './list-schema.ts'
import { createLinks, listLinks, searchWords } from './links.ts'

/** The body is bounded by its group. */
const LIMITS = { rows: MAX_PART_ROWS, bytes: 2 * 1024 * 1024 }

const common = { tags: ['Management'], security: [{ admin: [] }] }

function listRoute(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/links',
      {
        schema: {
          ...common,
          summary: 'List short links, newest first, with what came of them in a window',
          params: PropertyParams,
          querystring: ListQuery,
          response: { 200: ListAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const page = readPageAsk(query)
        const window = parseWindow(query, context.now(), property.default_period)
        const words = searchWords(context.config, query.search ?? '')
        const { rows, total } = await listLinks(context, property.id, unlessEmpty(query.group_id) ?? null, page, words)
        const figures = await readListFigures(context.facts, property.id, rows, window)
        const path = `/manage/properties/${property.id}/links`
        const address = { baseUrl: context.config.baseUrl, path, query: { ...query } }
        const shown = rows.map((link) => ({ ...link, figures: figures.get(link.id) ?? noFigures }))
        return ok({
          ...paginateLinked(shown, page, total, address),
          period: window.period,
          showing: window.showing,
        })
      },
    )
  }
}

interface Part extends BulkOptions {
  readonly csv: string
  readonly isTrial: boolean
}

/** @throws Problem('validation_failed') when it is no table of links at all. */
async function importPart(context: Context, propertyId: string, { csv, isTrial, ...options }: Part) {
  const source = Readable.from([Buffer.from(csv)])
  const { checked, drafts, groups } = await checkLinks(context, propertyId, source, options, LIMITS)
  if (checked.bad_rows > 0) return { ...checked, created: 0, created_groups: 0, is_written: false, links: [] }
  const links = isTrial ? [] : await createLinks(context, propertyId, drafts, groups)
  return { ...checked, created: drafts.length, created_groups: groups.length, is_written: !isTrial, links }
}

function importRoute(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/links/import',
      {
        schema: {
          ...common,
          summary: 'Check short links in CSV, and create them all when no row is bad',
          params: PropertyParams,
          body: ImportBody,
          response: { 200: ImportAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        const part = {
          csv: body.csv,
          group: unlessEmpty(body.group),
          domain: unlessEmpty(body.domain),
          createGroups: body.create_groups ?? false,
          isTrial: body.is_trial ?? false,
        }
        return ok(await importPart(context, id, part))
      },
    )
  }
}

async function* exportTexts(context: Context, wanted: Wanted): AsyncGenerator<string> {
  for await (const { text } of exportLinks(context, wanted)) yield text
}

function exportRoute(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/links/export',
      {
        schema: {
          ...common,
          summary: 'All short links in use as CSV, the oldest first',
          params: PropertyParams,
          querystring: ExportQuery,
          produces: ['text/csv'],
        },
      },
      async ({ params, query }, reply) => {
        const { id } = await getProperty(context, params.property)
        const group = unlessEmpty(query.group_id)
        const groupId = group === undefined ? null : (await getGroup(context, id, group)).id
        reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="links.csv"')
        return reply.send(Readable.from(exportTexts(context, { propertyId: id, groupId })))
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoute, importRoute, exportRoute]) await app.register(part(context))
  }
}
