// Clicks on the demo's short links: before the visits that come through them, of people who never arrive, and
// of bots that preview a link. The same visit always has the same clicks, and their random numbers do not
// affect the visit's own.
import { dayOf, DAY_MS } from '../kernel/days.ts'
import type { Click } from '../clicks/clicks.ts'
import type { Weighted } from './catalogue.ts'
import { drawer, openChance, wideNumber, type Chance } from './chance.ts'
import { type DemoLink, findDemoLink } from './shortlinks.ts'
import type { DemoVisit } from './traffic.ts'

export interface DemoClick extends Click {
  readonly link: DemoLink
}

/** Further clicks beside each one that brings a visit. */
const IMPATIENT_SHARE = 0.04
const LOST_SHARE = 0.09
const PROGRAM_SHARE = 0.16
/** From the click to the page: redirect and loading. */
const MIN_ARRIVAL_MS = 350
const ARRIVAL_SPREAD_MS = 2_600
/** Bots and the others come within hours. */
const SPREAD_MS = 5 * 3_600_000

interface Program {
  readonly agent: string
  readonly address: string
  readonly method: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
}

const mailClient =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

const drawProgram = drawer<Program>([
  [
    5,
    {
      agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      address: '54.209.60.63',
      method: 'GET',
    },
  ],
  [
    6,
    {
      agent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      address: '173.252.83.12',
      method: 'GET',
    },
  ],
  [3, { agent: 'WhatsApp/2.23.20.0', address: '157.240.30.54', method: 'GET' }],
  [3, { agent: 'Twitterbot/1.0', address: '199.16.157.182', method: 'GET' }],
  [4, { agent: mailClient, address: '40.94.20.17', method: 'HEAD' }],
  [2, { agent: mailClient, address: '73.12.40.8', method: 'GET', headers: { 'sec-purpose': 'prefetch' } }],
] satisfies Weighted<Program>)

/** A stream other than that of the people behind the visits. */
const chanceOf = ({ hash, day }: DemoVisit): Chance => openChance(Number(BigInt.asIntN(32, BigInt(hash) >> 32n)), day)

interface Moment {
  readonly chance: Chance
  readonly link: DemoLink
  readonly visit: DemoVisit
  /** No clicks from this time on. */
  readonly endMs: number
}

function humanClick({ chance, link, visit }: Moment, atMs: number, hash: string): DemoClick {
  const { address, userAgent, acceptLanguage, day } = visit
  const headers = {
    'user-agent': userAgent,
    'accept-language': acceptLanguage,
    ...(link.referrer !== '' && { referer: link.referrer }),
  }
  return {
    link,
    id: wideNumber(chance),
    at: atMs,
    session: { day, hash: BigInt(hash) },
    visitor: { address, agent: userAgent, language: acceptLanguage },
    method: 'GET',
    headers,
  }
}

function programClick({ chance, link }: Moment, atMs: number): DemoClick {
  const { agent, address, method, headers } = drawProgram(chance)
  return {
    link,
    id: wideNumber(chance),
    at: atMs,
    session: { day: dayOf(atMs), hash: BigInt(wideNumber(chance)) },
    visitor: { address, agent, language: '' },
    method,
    headers: { 'user-agent': agent, ...headers },
  }
}

/** Between the entry and the end of the day, or now. */
const later = ({ chance, visit, endMs }: Moment): number => {
  const entryMs = visit.views[0]!.atMs
  return entryMs + Math.floor(chance() * Math.min(SPREAD_MS, endMs - entryMs))
}

function clicksAround(moment: Moment): DemoClick[] {
  const { chance, visit } = moment
  const entryMs = visit.views[0]!.atMs
  const sinceMs = MIN_ARRIVAL_MS + Math.floor(chance() * ARRIVAL_SPREAD_MS)
  const atMs = Math.max(visit.day * DAY_MS, entryMs - sinceMs)
  const clicks = [humanClick(moment, atMs, visit.hash)]
  if (chance() < IMPATIENT_SHARE) clicks.push(humanClick(moment, Math.floor((atMs + entryMs) / 2), visit.hash))
  if (chance() < LOST_SHARE) clicks.push(humanClick(moment, later(moment), wideNumber(chance)))
  if (chance() < PROGRAM_SHARE) clicks.push(programClick(moment, later(moment)))
  return clicks
}

/** Empty for most visits. Nothing happens from `nowMs` on. */
export function clicksOf(visit: DemoVisit, nowMs: number): DemoClick[] {
  const { url, referrer } = visit.views[0]!
  const link = visit.isRobot ? undefined : findDemoLink(url, referrer)
  if (!link) return []
  const chance = chanceOf(visit)
  const endMs = Math.min(nowMs, (visit.day + 1) * DAY_MS)
  return chance() < link.share ? clicksAround({ chance, link, visit, endMs }) : []
}
