// Where a visit comes from: the link's own tags first, then click ids, then the referrer; else it is direct.
// It always gives an answer: collected URLs are hostile, and none is worth a lost page view.
import { lastUsed } from '../kernel/last-used.ts'
import { channelOf, type ChannelId } from './channels.ts'
import { clicks, type Click, withoutClickIds } from './clicks.ts'
import { landingQuery } from './fragment.ts'
import { findSourceByApp, findSourceByHost, findSourceByTag, type KnownSource, type SourceKind } from './sources.ts'
import { cleanText, MAX_URL_LENGTH, MAX_VALUE_LENGTH } from './text.ts'

export interface Source {
  readonly channel: ChannelId
  /** Which evidence decided. `link` is set by short links, never here. */
  readonly method: 'utm' | 'click_id' | 'link' | 'referrer' | 'none'
  /**
   * A known source's name ("Google"), else the tag or the host as it came; `Direct` without any evidence,
   * `Not set` when a tagged link names no source.
   */
  readonly source: string
  /** '' for direct visits. */
  readonly medium: string
  /** '' for visits from the property's own pages. */
  readonly referrer_domain: string
  /** Without credentials, fragment and click ids. */
  readonly referrer_url: string
  readonly utm_source: string
  readonly utm_medium: string
  readonly utm_campaign: string
  readonly utm_term: string
  readonly utm_content: string
  /** The parameter's name. */
  readonly click_id: string
  /** The referrer is one of the property's own pages. */
  readonly is_internal: boolean
}

export interface Landing {
  /** Null when the page's address could not be read. */
  readonly page: URL | null
  readonly referrer: string
  /** The property's hosts. Their subdomains, and the page's own host, are the property's too. */
  readonly ownDomains: readonly string[]
}

interface Referrer {
  readonly host: string
  readonly url: string
  readonly known: KnownSource | undefined
}

interface Tags {
  readonly utm_source: string
  readonly utm_medium: string
  readonly utm_campaign: string
  readonly utm_term: string
  readonly utm_content: string
  readonly click: Click | undefined
}

/** The result of one kind of evidence; channels.ts turns it into a channel. */
interface Finding {
  readonly method: Source['method']
  readonly source: string
  readonly medium: string
  readonly kind: SourceKind | null
  /** The source as it was written, for rules that match its text. */
  readonly raw: string
}

const DIRECT = 'Direct'
const UNNAMED = 'Not set'

/** Referrers are mostly a few hundred bare origins; about 1 MB when full. */
const CACHED_REFERRERS = 5000
/** Query parameters read: a page with more is not a landing page, but an attack or an accident. */
const MAX_PARAMETERS = 200

const noTags: Tags = {
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  click: undefined,
}

/**
 * A referrer, and the source of an untagged visit from it: most visits are of this kind, and few referrers
 * send most of them.
 */
interface Referral {
  readonly referrer: Referrer | undefined
  readonly plain: Source
}

const unsaid: Referral = { referrer: undefined, plain: sourceOf(noTags, undefined, false) }
const internal: Source = sourceOf(noTags, undefined, true)

/** A reader with its own bounded cache of referrers. */
export function openSources(): (landing: Landing) => Source {
  const cache = lastUsed<string, Referral>(CACHED_REFERRERS)

  function referralOf(text: string): Referral {
    if (text === '') return unsaid
    const bounded = text.slice(0, MAX_URL_LENGTH)
    const known = cache.get(bounded)
    if (known) return known
    const referrer = readReferrer(bounded)
    const referral = { referrer, plain: sourceOf(noTags, referrer, false) }
    cache.set(bounded, referral)
    return referral
  }

  return ({ page, referrer: text, ownDomains }) => {
    const { referrer, plain } = referralOf(text)
    const isInternal = referrer !== undefined && isOwn(referrer.host, page?.hostname ?? '', ownDomains)
    const query = page === null ? '' : landingQuery(page)
    if (query === '') return isInternal ? internal : plain
    return sourceOf(readTags(new URLSearchParams(query)), isInternal ? undefined : referrer, isInternal)
  }
}

function sourceOf(tags: Tags, referrer: Referrer | undefined, isInternal: boolean): Source {
  const { click, ...utm } = tags
  const finding = findFirst(tags, referrer)
  const channel = channelFor(finding, utm.utm_campaign)
  return {
    channel,
    method: finding.method,
    source: channel === 'direct' ? DIRECT : finding.source,
    medium: finding.medium,
    referrer_domain: referrer?.host ?? '',
    referrer_url: referrer?.url ?? '',
    ...utm,
    click_id: click?.param ?? '',
    is_internal: isInternal,
  }
}

function channelFor({ method, raw, kind, medium }: Finding, campaign: string): ChannelId {
  if (method === 'none') return 'direct'
  return channelOf({ source: raw.toLowerCase(), kind, medium: medium.toLowerCase(), campaign: campaign.toLowerCase() })
}

/** The order is the specification. */
function findFirst(tags: Tags, referrer: Referrer | undefined): Finding {
  if (tags.utm_source !== '' || tags.utm_medium !== '' || tags.utm_campaign !== '') return fromTags(tags, referrer)
  if (tags.click) return fromClick(tags.click)
  if (referrer) return fromReferrer(referrer)
  return { method: 'none', source: DIRECT, medium: '', kind: null, raw: '' }
}

/** A link tagged with only a medium or campaign takes its source from the click id or the referrer. */
function fromTags(tags: Tags, referrer: Referrer | undefined): Finding {
  const medium = tags.utm_medium || (tags.click?.medium ?? '')
  if (tags.utm_source !== '') {
    const known = findSourceByTag(tags.utm_source)
    return {
      method: 'utm',
      source: known?.name ?? tags.utm_source,
      medium,
      kind: known?.kind ?? null,
      raw: tags.utm_source,
    }
  }
  const other = tags.click ? fromClick(tags.click) : referrer && fromReferrer(referrer)
  if (other) return { ...other, method: 'utm', medium: medium || other.medium }
  return { method: 'utm', source: UNNAMED, medium, kind: null, raw: '' }
}

const fromClick = ({ source, medium, kind }: Click): Finding => ({
  method: 'click_id',
  source,
  medium,
  kind,
  raw: source,
})

const fromReferrer = ({ host, known }: Referrer): Finding => ({
  method: 'referrer',
  source: known?.name ?? host.replace(/^www\./, ''),
  medium: known?.kind === 'email' ? 'email' : known?.kind === 'search' ? 'organic' : 'referral',
  kind: known?.kind ?? null,
  raw: host,
})

function readTags(query: URLSearchParams): Tags {
  const values = new Map<string, string>()
  let seen = 0
  for (const [name, value] of query) {
    if (++seen > MAX_PARAMETERS) break
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, value)
  }
  const read = (name: string): string => cleanText(values.get(name) ?? '', MAX_VALUE_LENGTH)
  return {
    utm_source: read('utm_source'),
    utm_medium: read('utm_medium'),
    utm_campaign: read('utm_campaign'),
    utm_term: read('utm_term'),
    utm_content: read('utm_content'),
    click: clicks.find(({ param }) => (values.get(param.toLowerCase()) ?? '') !== ''),
  }
}

/**
 * Only web pages and Android apps refer; anything else (`about:`, `javascript:`, broken text) counts as no
 * referrer.
 */
function readReferrer(text: string): Referrer | undefined {
  const url = URL.parse(cleanText(text, MAX_URL_LENGTH))
  if (url === null || url.hostname === '' || url.hostname.length > MAX_VALUE_LENGTH) return undefined
  if (url.protocol === 'android-app:')
    return { host: cleanText(url.hostname, MAX_VALUE_LENGTH), url: bare(url), known: findSourceByApp(url.hostname) }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  const host = url.hostname.replace(/\.$/, '')
  if (host === '') return undefined
  return { host: host.replace(/^www\./, '') || host, url: bare(url), known: findSourceByHost(host) }
}

function bare(url: URL): string {
  url.username = ''
  url.password = ''
  url.hash = ''
  if (url.search !== '') url.search = withoutClickIds(url.search)
  return cleanText(url.href, MAX_URL_LENGTH)
}

function isOwn(host: string, pageHost: string, ownDomains: readonly string[]): boolean {
  return isWithin(host, pageHost) || isOwnHost(host, ownDomains)
}

/** Whether a host is one of an owner's, or below one. */
export function isOwnHost(host: string, ownDomains: readonly string[]): boolean {
  return ownDomains.some((domain) => isWithin(host, domain))
}

function isWithin(host: string, domain: string): boolean {
  const own = domain.toLowerCase().replace(/^www\./, '')
  return own !== '' && (host === own || host === domain || host.endsWith(`.${own}`))
}
