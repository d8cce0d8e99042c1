// What follows a link that leads nowhere: the URL that its property has for such people, else a page that
// says so. Nothing is recorded of it, and whatever fails, there is the page.
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isCode } from '../links/codes.ts'
import { isShortUrl } from '../links/destination.ts'
import { ownUrls } from '../links/draft.ts'
import { withUtm } from '../links/utm.ts'
import { isOpenProperty, type Property } from '../properties/properties.ts'
import { settledWithin } from '../queues/deadline.ts'
import type { LinkDirectory } from './directory.ts'
import type { Asked } from './hosts.ts'
import type { FindLost } from './lost-links.ts'
import { deadPage, destinationPage } from './pages.ts'
import { acceptedBy, redirect, sendMissingPage, sendPage } from './replies-public.ts'

interface DeadLinkTools {
  readonly context: Pick<Context, 'config' | 'deadlines' | 'properties'>
  readonly links: Pick<LinkDirectory, 'ownHost'>
  readonly findLost: FindLost
}

export interface DeadLink {
  readonly propertyId: string
  readonly kind: 'missing' | 'expired'
  /** `{code}+`: shown where it would lead. */
  readonly isPreview: boolean
  /**
   * A page names the website: not on a short domain of all, where visitors do not learn whether there ever
   * was such a link.
   */
  readonly namesSite: boolean
}

/** Undefined for one that is gone, and one that cannot be read. */
async function findProperty({ properties, deadlines }: DeadLinkTools['context'], id: string) {
  const found = properties.byId(id)
  const property = found instanceof Promise ? await settledWithin(found, deadlines.redirectMs) : found
  return property && isOpenProperty(property) ? property : undefined
}

/** A host may have become a short domain since the URL was saved. */
function isShort({ context, links }: DeadLinkTools, url: URL): boolean {
  return isShortUrl(url, { urls: ownUrls(context.config), hosts: { has: (host) => links.ownHost(host) !== undefined } })
}

/** The website of the property, when it has one that is no short domain itself. */
function siteOf(tools: DeadLinkTools, { domains }: Property): string | undefined {
  const isSite = (host: string) => host.includes('.') && !isShort(tools, new URL(`https://${host}/`))
  return domains.find(isSite)
}

export async function sendDead(tools: DeadLinkTools, reply: FastifyReply, dead: DeadLink): Promise<FastifyReply> {
  const { propertyId, kind, isPreview, namesSite } = dead
  const property = await findProperty(tools.context, propertyId)
  const url = property?.dead_link_url ?? null
  if (url === null || isShort(tools, new URL(url))) {
    const site = property && namesSite ? siteOf(tools, property) : undefined
    return sendPage(reply, kind === 'expired' ? 410 : 404, deadPage(kind, acceptedBy(reply), site))
  }
  const location = withUtm(url, {})
  return isPreview ? sendPage(reply, 200, destinationPage(location, acceptedBy(reply))) : redirect(reply, location)
}

/**
 * What browsers and crawlers ask any host for (/favicon.ico, /robots.txt, /.well-known/…): people follow none
 * of it, and a website in its place would be taken for the file.
 */
const filePath = /(?:^|\/)\.|\.[a-z\d]{1,12}\/*$/i

/** No link in use: whose it was, or whose host it is, is still to be found out. */
export async function sendLost(
  tools: DeadLinkTools,
  reply: FastifyReply,
  { domain, text, own }: Asked,
  code: string,
): Promise<FastifyReply> {
  const dead = { kind: 'missing', isPreview: code !== text, namesSite: own !== undefined } as const
  if (own)
    return filePath.test(text)
      ? sendMissingPage(reply)
      : sendDead(tools, reply, { ...dead, propertyId: own.propertyId })
  if (!isCode(code)) return sendMissingPage(reply)
  const propertyId = await settledWithin(tools.findLost({ place: domain, code }), tools.context.deadlines.redirectMs)
  return propertyId === undefined ? sendMissingPage(reply) : sendDead(tools, reply, { ...dead, propertyId })
}
