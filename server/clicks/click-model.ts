// A visit to a short link as a fact: visitor, place, device, bot verdict with its reason, and destination. It
// holds no personal data: no IP address, and of the visitor only the session that a page view would now have.
import { nowhere, type BotVerdict, type Enrich } from '../enrich/enrich.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { ClickRow } from '../stores/tables.ts'
import { isFetchedAhead, hintsIn, type Visitor } from '../tracker/tracker.ts'

export interface Click {
  /** Unsigned 64-bit, decimal. */
  readonly id: string
  /** Milliseconds. */
  readonly at: number
  /** Undefined when it could not be determined. */
  readonly session: SessionRef | undefined
  readonly visitor: Visitor
  readonly method: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The parts of a link that a click stores. */
export interface Clicked {
  readonly linkId: string
  readonly location: string
  /** The rule or variant that decided; left out where none did. */
  readonly rule?: string
  /** Whether it was the QR code of the link that was followed. */
  readonly isScan?: boolean
  readonly group: { readonly id: string; readonly propertyId: string }
}

/**
 * Bots that fetch a page to preview a link of a message. Signal calls itself WhatsApp, iMessage both
 * Facebook's and Twitter's. The browsers inside these apps are people: their agents contain none of these
 * words.
 */
const previewers =
  /Slackbot-LinkExpanding|Slack-ImgProxy|facebookexternalhit|meta-externalfetcher|Twitterbot|TelegramBot|LinkedInBot|Discordbot|SkypeUriPreview|MicrosoftPreview|^WhatsApp\/|redditbot|Pinterest\/0|Mastodon\/|Misskey|Pleroma|Cardyb|Embedly|Iframely|vkShare|kakaotalk-scrap|Snap URL Preview|FlipboardProxy|Google-PageRenderer|BingPreview|Synapse \(bot/i

/** Whether a program asks for what a chat or a social network shows of a link. */
export const isPreviewer = (agent: string): boolean => previewers.test(agent)

/** Each part may fail on its own: a click without a place is worth more than none. */
export function attempt<Result>(work: () => Result, instead: Result, failed: (error: unknown) => void): Result {
  try {
    return work()
  } catch (error) {
    failed(error)
    return instead
  }
}

const unknownAgent = { browser: '', os: '', device: '' }
const unjudged: BotVerdict = { is_bot: false, name: '', reason: '' }
const unreferred = { referrer_url: '', referrer_domain: '' } as const

interface Judged {
  readonly is_bot: number
  readonly bot_name: string
  readonly bot_reason: string
}

/** Who follows a link, and how. */
export type Following = Pick<Click, 'visitor' | 'method' | 'headers'>

/** What the request says about its purpose (prefetch, preview); '' when nothing. The first match decides. */
function purposeOf({ method, headers, visitor }: Following): 'prefetch' | 'head' | 'preview' | '' {
  if (isFetchedAhead(headers)) return 'prefetch'
  if (method === 'HEAD') return 'head'
  return isPreviewer(visitor.agent) ? 'preview' : ''
}

function judged(click: Following, verdict: BotVerdict): Judged {
  const purpose = purposeOf(click)
  if (purpose === '') return { is_bot: verdict.is_bot ? 1 : 0, bot_name: verdict.name, bot_reason: verdict.reason }
  return { is_bot: 1, bot_name: verdict.name, bot_reason: purpose }
}

/**
 * The page is unknown, and a referrer of the property's own is worth storing too: no domains are excluded.
 */
function referrerOf(enrich: Enrich, { headers }: Click) {
  const { referer } = headers
  if (typeof referer !== 'string' || referer === '') return unreferred
  return enrich.source({ page: null, referrer: referer, ownDomains: [] })
}

const nobodyHears = (): void => undefined

/** By the verdict that the row of the click will have, but for floods. */
export function isBotClick(enrich: Enrich, click: Following): boolean {
  const { visitor, headers } = click
  const place = attempt(() => enrich.place(visitor.address), nowhere, nobodyHears)
  const evidence = { userAgent: visitor.agent, place, brands: hintsIn(headers)?.brands }
  return (
    judged(
      click,
      attempt(() => enrich.bot(evidence), unjudged, nobodyHears),
    ).is_bot === 1
  )
}

/** @param failed is called for a part that could not be determined; the row is made without it. */
export function clickRow(
  enrich: Enrich,
  { linkId, location, rule = '', isScan = false, group }: Clicked,
  click: Click,
  failed: (error: unknown) => void = nobodyHears,
): ClickRow {
  const { visitor, at, session } = click
  const day = dayText(dayOf(at))
  const hints = hintsIn(click.headers)
  const place = attempt(() => enrich.place(visitor.address), nowhere, failed)
  const agent = attempt<typeof unknownAgent>(() => enrich.agent(visitor.agent, hints), unknownAgent, failed)
  const evidence = { userAgent: visitor.agent, place, brands: hints?.brands }
  const referrer = attempt(() => referrerOf(enrich, click), unreferred, failed)
  return {
    property: group.propertyId,
    day,
    link_group: group.id,
    link: linkId,
    id: click.id,
    at,
    session_day: session ? dayText(session.day) : day,
    session: session ? session.hash.toString() : '0',
    destination: location,
    referrer_url: referrer.referrer_url,
    referrer_domain: referrer.referrer_domain,
    country_code: place.country_code,
    country: place.country,
    region: place.region,
    city: place.city,
    network: place.as_name,
    browser: agent.browser,
    os: agent.os,
    device: agent.device,
    language: attempt(() => enrich.language(visitor.language), '', failed),
    ...judged(
      click,
      attempt(() => enrich.bot(evidence), unjudged, failed),
    ),
    count: 1,
    rule,
    is_scan: isScan ? 1 : 0,
  }
}
