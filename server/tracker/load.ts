// Recording a page view: named steps in order, each of which adds to the hit or refuses it with a reason. An
// answer with ids means that the page view is stored.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type SessionRef, sessionId, viewId } from '../kernel/ids.ts'
import { fire } from '../kernel/triggers.ts'
import { isOwnHost } from '../enrich/enrich.ts'
import { isExcludedAddress, isExcludedPath, type Property } from '../properties/properties.ts'
import type { ReadVisitor } from './client.ts'
import { hostOf, isFetchedAhead, pathOf, readStatus, readViewport } from './page.ts'
import { viewRow } from './rows.ts'
import type { SentView } from './sent.ts'
import { pageViewTrigger } from './triggers.ts'
import type { Visitor } from './visitors.ts'

/** Why nothing was recorded; the message is for the library's log. */
export interface Refusal {
  readonly refused: 'headers' | 'property' | 'prefetch' | 'page' | 'excluded' | 'host'
  readonly message: string
  readonly errors?: readonly string[]
}

export interface Load {
  readonly session_id: string
  readonly view_id: string
}

/** What the steps have found so far. A field is read only by steps after the one that sets it. */
interface Draft {
  readonly request: FastifyRequest
  readonly headers: IncomingHttpHeaders
  readonly sent: SentView
  /** Milliseconds: when the page view happened. Read once, so that the view is in the day of its session. */
  readonly at: number
  property: Property
  visitor: Visitor
  session: SessionRef
  page: URL
  title: string
  referrer: string
}

/** As the library is answered. */
export const EXCLUDED = 'Excluded'

type Step = (draft: Draft, tools: Tools) => Refusal | undefined | Promise<Refusal | undefined>

interface Tools {
  readonly context: Context
  readonly readVisitor: ReadVisitor
}

const requireAll: Step = ({ sent: { missing } }) =>
  missing.length === 0 ? undefined : { refused: 'headers', message: 'Missing headers', errors: missing }

/** Synchronous when the property is in memory. */
const findProperty: Step = (draft, { context }) => {
  const settle = (property: Property | undefined): Refusal | undefined => {
    if (!property) return { refused: 'property', message: 'Signal ID not found' }
    draft.property = property
    return undefined
  }
  const found = context.properties.byKey(draft.sent.key)
  return found instanceof Promise ? found.then(settle) : settle(found)
}

/** A page that is prefetched or prerendered has not been seen; the library calls load when it is shown. */
const refusePrefetch: Step = ({ headers }) =>
  isFetchedAhead(headers) ? { refused: 'prefetch', message: 'Prefetch ignored' } : undefined

/** Whether it is a host of the property is checked later: host names can be filtered by. */
const readPageAndTitle: Step = (draft) => {
  const { sent } = draft
  const page = sent.page()
  if (!page) return { refused: 'page', message: 'Invalid page URL' }
  draft.page = page
  draft.title = sent.title()
  draft.referrer = sent.referrer()
  return undefined
}

/** What the owner excludes: visitors by IP address, pages by path. */
const refuseExcluded: Step = (draft, { readVisitor }) => {
  draft.visitor = readVisitor(draft.request, draft.property)
  const { property, visitor, page } = draft
  const isExcluded = isExcludedAddress(property, visitor.address) || isExcludedPath(property, () => pathOf(page))
  return isExcluded ? { refused: 'excluded', message: EXCLUDED } : undefined
}

/** Without domains no host is foreign, as in the tracking check. */
const refuseUnlisted: Step = ({ property: { id, domains, is_listed_only }, page }, { context }) => {
  if (!is_listed_only || domains.length === 0) return undefined
  const host = hostOf(page)
  if (isOwnHost(host, domains)) return undefined
  context.refusals.note(id, 'host', host)
  return { refused: 'host', message: 'Host not listed' }
}

const identifyVisitor: Step = async (draft, { context }) => {
  draft.session = await context.visitors.identify(draft.property.id, draft.visitor, draft.at)
  return undefined
}

/** The order is the specification: nothing is looked up for an incomplete request. */
const steps: readonly Step[] = [
  requireAll,
  findProperty,
  refusePrefetch,
  readPageAndTitle,
  refuseExcluded,
  refuseUnlisted,
  identifyVisitor,
]

/**
 * Bots are recorded like visitors, with their name and reason, and left out of the figures: a wrong verdict
 * can be seen.
 */
async function storeView({ context }: Tools, draft: Draft): Promise<Load> {
  const { property, session, headers, sent } = draft
  const view = { ...session, view: context.visitors.nextView() }
  const { width, height } = readViewport(sent.viewport) ?? { width: 0, height: 0 }
  const row = viewRow(context.enrich, property, {
    view,
    at: draft.at,
    visitor: draft.visitor,
    page: draft.page,
    title: draft.title,
    referrer: draft.referrer,
    status: readStatus(sent.status),
    width,
    height,
    library: sent.library,
    props: sent.props(),
    headers,
  })
  await context.facts.append('views', row)
  context.visitors.noteActivity(session)
  const id = viewId(context.keys, property.id, view)
  // Nearly always no automation listens, and nothing is awaited.
  const fired = row.is_bot === 0 && fire(context, property.id, 'page_view', () => pageViewTrigger(row, session, id))
  if (fired) await fired
  return { session_id: sessionId(context.keys, property.id, session), view_id: id }
}

export async function recordLoad(
  context: Context,
  readVisitor: ReadVisitor,
  request: FastifyRequest,
  sent: SentView,
): Promise<Load | Refusal> {
  const tools = { context, readVisitor }
  const draft = { request, headers: request.headers, sent, at: context.now() } as Draft
  for (const step of steps) {
    const outcome = step(draft, tools)
    const refusal = outcome instanceof Promise ? await outcome : outcome
    if (refusal) return refusal
  }
  return storeView(tools, draft)
}
