// Interactions with a block that a page reports: viewed or clicked. Accepted only for what this server
// rendered, and acknowledged once stored.
import type { Context } from '../context.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { isExcludedAddress, isOpenProperty, type Property } from '../properties/properties.ts'
import type { Visitor } from '../tracker/tracker.ts'
import {
  type Block,
  MAX_CTA_KEY,
  MAX_DWELL_MS,
  MAX_ELEMENT_KEY,
  MAX_EVENT_NAME,
  MAX_META,
  REQUEST_MS,
} from '../content/content-model.ts'
import { impressionRow, type Sender } from './impressions.ts'
import { type ContentRequest, readRequestId, type RequestScope } from './request.ts'

/** As validated by the schema. */
export interface TrackBody {
  readonly request_id: string
  readonly content_id: string
  readonly version_id: string
  readonly action: 'view' | 'click'
  readonly cta_key?: string | null
  readonly element_key?: string | null
  readonly event_name?: string | null
  readonly dwell_ms?: number | null
  readonly meta?: Readonly<Record<string, unknown>> | readonly never[] | null
}

export interface Telling {
  readonly headers: Sender['headers']
  readonly visitorOf: (property: Property) => Visitor
}

type TrackDeps = Pick<Context, 'content' | 'properties' | 'enrich' | 'facts' | 'keys' | 'now' | 'randomBytes'>

/** An archived block is not shown any more, but earlier renders may still be reported. */
async function getBlock({ content, properties }: TrackDeps, id: string): Promise<{ block: Block; property: Property }> {
  const block = await content.byId(id)
  const property = block && (await properties.byId(block.property_id))
  if (!block || !property || !isOpenProperty(property))
    throw invalid('content_id', 'content_id does not match a content block.')
  return { block, property }
}

/**
 * A genuine id counts even when its version has been deleted since. @throws Problem('validation_failed')
 * naming the wrong id.
 */
function readRequest(deps: TrackDeps, block: Block, scope: RequestScope, id: string): ContentRequest {
  const request = readRequestId(deps.keys, scope, id)
  if (!request) {
    if (block.versions.some((version) => version.id === scope.versionId))
      throw invalid('request_id', 'request_id was not issued for this block and version.')
    throw invalid('version_id', 'version_id does not match a version of this block.')
  }
  if (deps.now() - request.issuedMs > REQUEST_MS) throw invalid('request_id', 'request_id is older than 24 hours.')
  return request
}

function readMeta(meta: TrackBody['meta']): string {
  const text = JSON.stringify(meta ?? {})
  if (text === '{}' || text === '[]') return ''
  if (text.length > MAX_META) throw invalid('meta', `meta may have at most ${MAX_META} characters as JSON.`)
  return text
}

/**
 * Repeating a view can only add to it: the store keeps the larger of two texts and the longer of two times.
 */
function readTexts(body: TrackBody) {
  return {
    cta_key: cleanText(body.cta_key ?? '', MAX_CTA_KEY),
    element_key: cleanText(body.element_key ?? '', MAX_ELEMENT_KEY),
    event_name: cleanText(body.event_name ?? '', MAX_EVENT_NAME),
    dwell_ms: Math.min(body.dwell_ms ?? 0, MAX_DWELL_MS),
    meta: readMeta(body.meta),
  }
}

/** @returns the id of the interaction once it is stored: decimal, unsigned 64-bit. */
export async function trackContent(deps: TrackDeps, body: TrackBody, { headers, visitorOf }: Telling): Promise<string> {
  const { block, property } = await getBlock(deps, body.content_id)
  const scope = { propertyId: property.id, blockId: block.id, versionId: body.version_id }
  const request = readRequest(deps, block, scope, body.request_id)
  const id = body.action === 'view' ? request.nonce : deps.randomBytes(8).readBigUInt64BE()
  const interaction = { kind: body.action, id, scope, request, at: deps.now(), ...readTexts(body) }
  const visitor = visitorOf(property)
  const row = impressionRow(deps.enrich, interaction, { visitor, headers })
  // Stored like those of bots: excluded from all results.
  const isExcluded = isExcludedAddress(property, visitor.address)
  await deps.facts.append('impressions', isExcluded ? { ...row, is_bot: 1, bot_reason: 'excluded' } : row)
  return row.id
}
