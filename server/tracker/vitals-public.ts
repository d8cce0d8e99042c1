// What vitals.js tells when a page is hidden or left: how fast it was for its visitor.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { isExcludedPath } from '../properties/properties.ts'
import type { FactTables } from '../stores/tables.ts'
import { findSession, findVisited, isFailure, senderOf, type Tracker } from './calls.ts'
import { EXCLUDED } from './load.ts'
import { pageIn, pathOf } from './page.ts'
import { hintsIn } from './rows.ts'
import * as schema from './schema.ts'
import type { Visitor } from './visitors.ts'
import { type Vital, vitals } from '../kernel/vitals.ts'

type VitalsRow = FactTables['vitals']
type Measured = Partial<Record<Vital, number>>

/** As the facts hold them: whole milliseconds, and ten-thousandths of the layout shift. */
const stored: Readonly<Record<Vital, (value: number) => number>> = {
  lcp: Math.round,
  inp: Math.round,
  cls: (score) => Math.round(score * 10_000),
  fcp: Math.round,
  ttfb: Math.round,
}

function measuredIn(body: Measured): Measured {
  const told = vitals.filter((name) => body[name] !== undefined)
  return Object.fromEntries(told.map((name) => [name, stored[name](body[name] ?? 0)]))
}

interface Page {
  readonly propertyId: string
  readonly session: SessionRef
  readonly visitor: Visitor
  readonly path: string
}

function vitalsRow({ enrich, now }: Context, { propertyId, session, visitor, path }: Page) {
  return {
    property: propertyId,
    day: dayText(session.day),
    session: session.hash.toString(),
    at: now(),
    path,
    country_code: enrich.place(visitor.address).country_code,
  } satisfies Partial<VitalsRow>
}

export function addVitals(app: Parameters<FastifyPluginAsyncTypebox>[0], tracker: Tracker): void {
  const { context, readVisitor } = tracker
  app.route({
    method: 'POST',
    url: '/v2/signal/:sessionId/vitals',
    schema: {
      tags: ['Tracker'],
      summary: 'Report Web Vitals',
      description: 'Sent again with the same id, the largest of each value counts.',
      body: schema.VitalsBody,
      response: schema.PlainAnswer,
    },
    handler: async (request) => {
      const { id, site_id, page: address, ...values } = request.body
      const property = await findVisited(tracker, request, site_id)
      if (isFailure(property)) return property
      const page = pageIn(address)
      if (!page) return { success: false, message: 'Invalid page URL' }
      const path = pathOf(page)
      if (isExcludedPath(property, () => path)) return { success: false, message: EXCLUDED }
      const measured = measuredIn(values)
      if (Object.keys(measured).length === 0) return { success: false, message: 'Nothing measured' }
      const call = { request, property }
      const session = await findSession(tracker, call)
      if (isFailure(session)) return session
      const visitor = readVisitor(request, property)
      const { browser, device } = context.enrich.agent(visitor.agent, hintsIn(request.headers))
      const is_bot = senderOf(tracker, call).isRobot() ? 1 : 0
      const row = vitalsRow(context, { propertyId: property.id, session, visitor, path })
      await context.facts.append('vitals', { ...row, id, browser, device, is_bot, ...measured })
      return { success: true, message: 'ok' }
    },
  })
}
