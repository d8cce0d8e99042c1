// What a session that arrives through a link will be counted as, told before the link is made: the
// destination with its UTM values is read as the tracker reads a page, and classified by the code that
// classifies sessions.
import type { Context } from '../context.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { invalid } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { readPage } from '../tracker/tracker.ts'
import { checkLocation, readDestination } from './destination.ts'
import { shortUrls } from './draft.ts'
import { type Utm, utmRecord } from './link-model.ts'
import { withUtm } from './utm.ts'

export interface PreviewAsk {
  readonly utm: Utm
  readonly destination_url: string | undefined
  /** '' for none. */
  readonly referrer: string
}

/**
 * @throws Problem('validation_failed') when neither the question nor the property says where a link would
 *   lead.
 */
async function destinationOf(
  deps: Pick<Context, 'config' | 'records'>,
  property: Property,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return readDestination(given, await shortUrls(deps))
  const [host] = property.domains
  if (host === undefined) throw invalid('destination_url', 'destination_url is required: the property has no domain.')
  return `https://${host}/`
}

export async function previewAttribution(
  deps: Pick<Context, 'config' | 'records' | 'enrich'>,
  property: Property,
  ask: PreviewAsk,
) {
  const written = await destinationOf(deps, property, ask.destination_url)
  checkLocation(written, ask.utm)
  const destination = withUtm(written, ask.utm)
  const page = readPage(destination, false) ?? null
  const source = deps.enrich.source({ page, referrer: ask.referrer, ownDomains: property.domains })
  return {
    channel: { category: source.channel, label: channelLabel(source.channel) },
    source_name: source.source,
    utm: utmRecord((name) => source[name] || null),
    destination_url: destination,
  }
}
