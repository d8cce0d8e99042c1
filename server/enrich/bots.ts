// Whether a hit comes from a bot, with the reason. Hits of bots are stored apart with the reason, so that
// owners can see and judge them.
import crawlers from 'crawler-user-agents'
import { isbot, isbotMatch } from 'isbot'
import { lastUsed } from '../kernel/last-used.ts'
import { MAX_AGENT_LENGTH } from './agent.ts'
import { findServerNetwork } from './networks.ts'
import { cleanText } from './text.ts'

/**
 * `agent`: names itself as a bot; `empty_agent`: has no name; `headless`: a browser under automation;
 * `network`: a browser in a data centre. '' for people.
 */
export type BotReason = 'agent' | 'empty_agent' | 'headless' | 'network' | ''

export interface BotVerdict {
  readonly is_bot: boolean
  /** '' for people. */
  readonly name: string
  readonly reason: BotReason
}

export interface BotEvidence {
  readonly userAgent: string
  /** The result of `place` for the address. */
  readonly place?: { readonly asn: number | null } | undefined
  /** Sec-CH-UA: headless Chrome names itself there even when its agent is disguised. */
  readonly brands?: string | undefined
}

const human: BotVerdict = Object.freeze({ is_bot: false, name: '', reason: '' })
const nameless: BotVerdict = Object.freeze({ is_bot: true, name: 'No user agent', reason: 'empty_agent' })

const headless =
  /HeadlessChrome|HeadlessEdg|PhantomJS|SlimerJS|CasperJS|Puppeteer|Playwright|Selenium|WebDriver|Cypress|jsdom|HtmlUnit|Splash/i

/** About 1 MB when full. */
const CACHED_AGENTS = 5000
const MAX_NAME_LENGTH = 64

/**
 * A judge with its own bounded cache. The agent's own word comes first, then the browser's brand, then the
 * network.
 */
export function openBots(): (evidence: BotEvidence) => BotVerdict {
  const byAgent = lastUsed<string, BotVerdict>(CACHED_AGENTS)

  function judgeAgent(text: string): BotVerdict {
    const userAgent = text.slice(0, MAX_AGENT_LENGTH)
    const known = byAgent.get(userAgent)
    if (known) return known
    const verdict = readAgent(userAgent)
    byAgent.set(userAgent, verdict)
    return verdict
  }

  return ({ userAgent, place, brands }) => {
    const verdict = judgeAgent(userAgent)
    if (verdict.is_bot) return verdict
    const hint = brands?.slice(0, MAX_AGENT_LENGTH)
    if (hint !== undefined && headless.test(hint)) return headlessBot(hint)
    const network = place?.asn ? findServerNetwork(place.asn) : undefined
    return network === undefined ? human : { is_bot: true, name: network, reason: 'network' }
  }
}

function readAgent(userAgent: string): BotVerdict {
  if (userAgent.trim() === '') return nameless
  if (headless.test(userAgent)) return headlessBot(userAgent)
  return isbot(userAgent) ? { is_bot: true, name: nameOf(userAgent), reason: 'agent' } : human
}

const headlessBot = (text: string): BotVerdict => ({
  is_bot: true,
  name: headless.exec(text)?.[0] ?? 'Headless',
  reason: 'headless',
})

let patterns: readonly RegExp[] | undefined

/** A product that calls itself a bot, and is not part of a URL. */
const product = /(?<![\w.@/-])[a-z][\w-]{0,50}?(?:bot|crawler|spider)[\w-]{0,30}(?![\w.@])/i

/** The bot's name for itself, else its name in the list of crawlers, else the words that identified it. */
function nameOf(userAgent: string): string {
  const own = product.exec(userAgent)?.[0]
  if (own !== undefined) return tidy(own)
  patterns ??= crawlers.map(({ pattern }) => new RegExp(pattern))
  for (const pattern of patterns) {
    const found = pattern.exec(userAgent)?.[0]
    if (found !== undefined) return tidy(found)
  }
  return tidy(isbotMatch(userAgent) ?? '')
}

/** Without the version and surrounding punctuation; a whole agent is no name. */
function tidy(name: string): string {
  const bare = name
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[/(;:,\s][\d.]*$/, '')
    .replace(/[^\p{L}\p{N})]+$/u, '')
  return bare.startsWith('Mozilla/') ? 'Bot' : cleanText(bare, MAX_NAME_LENGTH) || 'Bot'
}
