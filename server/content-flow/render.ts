// A block as a visitor gets it: checks the page, chooses the version and issues a request id for its
// interactions. Needs memory alone once warm, and stores nothing: a sent block has not been seen yet.
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { type ContentPolicy, type Property, isOpenProperty } from '../properties/properties.ts'
import type { Visitor } from '../tracker/tracker.ts'
import { bucketOf, chooseVersion } from './choice.ts'
import type { Block, Cta, Version } from '../content/content-model.ts'
import { sanitiseHtml } from '../html/content-html.ts'
import { isOnBaseDomain } from './referer.ts'
import { requestId } from './request.ts'

export interface Asking {
  readonly key: string
  readonly referer: string | undefined
  readonly visitorOf: (property: Property) => Visitor
}

export interface Rendered {
  readonly success: true
  readonly request_id: string
  readonly content_id: string
  readonly content_key: string
  readonly version_id: string
  readonly version_label: string
  readonly html: string
  readonly ctas: readonly Cta[]
}

export interface NotRendered {
  readonly success: false
  readonly message: 'Content not found' | 'Domain not authorized' | 'No active version'
}

export type Render = (asking: Asking) => Promise<Rendered | NotRendered>

type RenderDeps = Pick<Context, 'content' | 'properties' | 'visitors' | 'keys' | 'now' | 'randomBytes'>

/** Sanitised HTML kept in memory: every active version of a busy node, some tens of megabytes. */
const MAX_CACHED_CHARACTERS = 16_000_000

/**
 * The HTML of a version under today's policy, which may be narrower than when it was stored. Cached, since
 * sanitising takes milliseconds.
 */
function openServed(): (version: Version, policy: ContentPolicy) => string {
  const cache = new LRUCache<string, { readonly html: string; readonly served: string }>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ html, served }) => html.length + served.length + 1,
  })
  return ({ id, html }, policy) => {
    const key = `${policy} ${id}`
    const known = cache.get(key)
    if (known?.html === html) return known.served
    const served = sanitiseHtml(html, policy)
    cache.set(key, { html, served })
    return served
  }
}

const refused = (message: NotRendered['message']): NotRendered => ({ success: false, message })

interface Found {
  readonly block: Block
  readonly property: Property
}

/** Archived blocks, and those of a property that is being deleted, are not found. */
async function findServed({ content, properties }: RenderDeps, key: string): Promise<Found | undefined> {
  const block = await content.byKey(key)
  if (!block || block.is_archived) return undefined
  const property = await properties.byId(block.property_id)
  return property && isOpenProperty(property) ? { block, property } : undefined
}

/**
 * The order of the checks is documented: a page that may not show a block does not learn whether it has a
 * version.
 */
export function openRender(deps: RenderDeps): Render {
  const served = openServed()
  return async ({ key, referer, visitorOf }) => {
    const found = await findServed(deps, key)
    if (!found) return refused('Content not found')
    const { block, property } = found
    if (!isOnBaseDomain(referer, property.domains)) return refused('Domain not authorized')
    const session = await deps.visitors.identify(property.id, visitorOf(property))
    const version = chooseVersion(block.versions, bucketOf(block, session))
    if (!version) return refused('No active version')
    const scope = { propertyId: property.id, blockId: block.id, versionId: version.id }
    const nonce = deps.randomBytes(8).readBigUInt64BE()
    return {
      success: true,
      request_id: requestId(deps.keys, scope, { ...session, nonce, issuedMs: deps.now(), phase: block.phase }),
      content_id: block.id,
      content_key: block.key,
      version_id: version.id,
      version_label: version.label,
      html: served(version, property.content_policy),
      ctas: version.ctas,
    }
  }
}
