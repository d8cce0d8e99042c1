// Believable traffic for one property, from a seed: visits with landings, pings late, doubled and out of
// order, events, money, nights walked through midnight, visitors that come back, bots; sparse days up to
// fourteen months back, dense ones at the end.
import {
  DAY,
  dayOf,
  HOUR,
  MINUTE,
  SECOND,
  visitorKey,
  type Click,
  type Hit,
  type Load,
  type Scalar,
  type Visitor,
} from './hits.ts'
import { addresses } from './places.ts'
import type { Random } from './random.ts'
import { rounds } from '../support/long.ts'

export const HOST = 'shop.example.com'

export interface Landing {
  readonly referrer: string
  readonly query: string
}

/** Where visits come from. The service says what each one means (world.ts). */
export const landings: Readonly<Record<string, Landing>> = {
  direct: { referrer: '', query: '' },
  google: { referrer: 'https://www.google.com/', query: '' },
  bing: { referrer: 'https://www.bing.com/search?q=shop', query: '' },
  facebook: { referrer: 'https://l.facebook.com/l.php', query: '' },
  twitter: { referrer: 'https://t.co/abc', query: '' },
  assistant: { referrer: 'https://chatgpt.com/', query: '' },
  blog: { referrer: 'https://blog.example.org/post/1', query: '' },
  forum: { referrer: 'https://forum.example.net/t/9', query: '' },
  internal: { referrer: `https://${HOST}/pricing`, query: '' },
  newsletter: { referrer: '', query: 'utm_source=newsletter&utm_medium=email&utm_campaign=Spring+Sale' },
  campaign: {
    referrer: 'https://www.google.com/',
    query: 'utm_source=google&utm_medium=cpc&utm_campaign=brand&utm_term=shoes&utm_content=ad-7',
  },
  partner: { referrer: 'https://partner.example.org/', query: 'utm_source=Partner&utm_medium=affiliate' },
}

export const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
]

export const bots = ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'curl/8.9.1']

export const languages = [
  'en-US,en;q=0.9',
  'en-GB,en;q=0.8',
  'de-DE,de;q=0.9,en;q=0.5',
  'fr',
  'pt-BR,pt;q=0.9',
  'ja,en-US;q=0.7',
  'nl-BE,nl;q=0.9',
  'es-ES,es;q=0.9',
  'it',
  'sv-SE',
  'pl',
  'tr-TR',
  'ko-KR',
  'cs',
  'fi-FI',
]

export const currencies = ['USD', 'EUR', 'JPY', 'GBP']

const pages = [
  '/',
  '/pricing',
  '/pricing/',
  '/Docs/Start',
  '/docs/start',
  '/blog/hello-world',
  '/blog/hello-world?page=2',
  '/docs#install',
  '/app#/settings',
  '/app#!/users',
  '/search?q=shoes',
  '/checkout',
  '/checkout/done',
  '/about',
  '/contact',
  '/team',
]
const titles = ['Home', 'Prices – all of them', '日本語のページ', 'Docs & guides', '', 'Größe']
const eventNames = ['signup', 'Signup', 'download', 'video_play', 'add to cart']
const eventValues: readonly Scalar[] = [
  'gold',
  'Gold',
  'golden ticket',
  '49',
  '49.50',
  12,
  49,
  0,
  '-3',
  true,
  null,
  null,
]
/** One key may be twice among those of an event: the last one stands, as in any object. */
const eventProperties: readonly (readonly [key: string, text: string])[] = [
  ['plan', 'free'],
  ['plan', 'Pro'],
  ['colour', 'a:b'],
  ['Größe', '38 ½'],
  ['note', ''],
]
const tagNames = ['vip', 'plan:gold', 'plan:Silver', 'campaign:spring:2', 'shop:order']

/** Short links; each pair of them is a group. */
export const linkNames = ['mail', 'poster', 'friend', 'talk']
export const formNames = ['Contact', 'Newsletter']

/** What a browser remembers. */
interface Browser {
  /** Of its own: which of two sessions that begin in one millisecond is the first one, nobody says. */
  readonly person: string
  readonly visitor: Visitor
  readonly loads: Load[]
}

function openBrowsers(random: Random): Browser[] {
  const some = Array.from({ length: 70 }, () => ({
    address: random.pick(addresses),
    agent: random.chance(0.06) ? random.pick(bots) : random.pick(agents),
    language: random.pick(languages),
  }))
  return [...new Map(some.map((visitor) => [visitorKey(visitor), { visitor, loads: [] }])).values()].map(
    (browser, index) => ({ ...browser, person: `person ${index}` }),
  )
}

function pageUrl(random: Random, query: string): string {
  const url = new URL(`https://${random.chance(0.1) ? `www.${HOST}` : HOST}${random.pick(pages)}`)
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Inside a visit mostly from page to page; now and then back from somewhere else, which must not change the
 * first touch.
 */
function landingOf(random: Random, browser: Browser, at: number): string {
  const last = browser.loads.at(-1)
  const onTheWay = last !== undefined && at - last.at < HOUR
  return onTheWay && random.chance(0.8) ? 'internal' : random.pick(Object.keys(landings))
}

function load(random: Random, browser: Browser, at: number): Load {
  const landing = landingOf(random, browser, at)
  const { referrer, query } = landings[landing] ?? { referrer: '', query: '' }
  const hit: Load = {
    kind: 'load',
    at,
    visitor: browser.visitor,
    landing,
    referrer,
    url: pageUrl(random, query),
    title: random.pick(titles),
  }
  browser.loads.push(hit)
  return hit
}

/**
 * Mostly about the page just left, sometimes about one long gone; one in four is sent twice, some with less
 * than was said before.
 */
function pings(random: Random, browser: Browser, at: number, of: Load): Hit[] {
  const tos = random.chance(0.02) ? 100_000 : random.chance(0.5) ? random.int(6, 12) : random.int(0, 400)
  const ping: Hit = {
    kind: 'ping',
    at,
    visitor: browser.visitor,
    load: of,
    tos,
    max: random.chance(0.3) ? -1 : random.int(0, 100),
  }
  const late: Hit = { ...ping, tos: Math.max(0, tos - random.int(1, 60)), max: random.int(-1, 100) }
  return [ping, ...(random.chance(0.25) ? [ping] : []), ...(random.chance(0.2) ? [late] : [])]
}

function acquisition(random: Random, browser: Browser, at: number, of: Load, by: 'browser' | 'server'): Hit {
  const currency = random.chance(0.75) ? { currency: random.pick(currencies) } : {}
  const tags = random.chance(0.5) ? { tags: random.some(tagNames, random.int(1, 3)) } : {}
  const value = random.chance(0.85) || !tags.tags ? { value: random.chance(0.1) ? 0 : random.int(1, 90_000) } : {}
  return { kind: 'acquisition', at, visitor: browser.visitor, load: of, by, ...value, ...currency, ...tags }
}

/** What one visitor does at one moment: a load, or anything else about loads of before. */
function act(random: Random, browser: Browser, at: number): Hit[] {
  const latest = browser.loads.at(-1)
  if (!latest || random.chance(at - latest.at > HOUR ? 0.8 : 0.3)) return [load(random, browser, at)]
  const of = random.chance(0.75) ? latest : random.pick(browser.loads.slice(-6))
  const hits: Hit[] = random.chance(0.75) ? pings(random, browser, at, of) : []
  const by = random.chance(0.35) ? 'server' : 'browser'
  if (random.chance(0.18)) {
    hits.push({
      kind: 'event',
      at,
      visitor: browser.visitor,
      load: of,
      by,
      name: random.pick(eventNames),
      value: random.pick(eventValues),
      meta: Object.fromEntries(random.some(eventProperties, random.int(0, 2))),
    })
  }
  if (random.chance(0.06))
    hits.push({ kind: 'form', at, visitor: browser.visitor, load: of, form: random.pick(formNames) })
  if (random.chance(0.3))
    hits.push({ kind: 'identify', at, visitor: browser.visitor, load: of, by: 'server', person: browser.person })
  if (random.chance(0.12)) hits.push(acquisition(random, browser, at, of, by))
  return hits
}

/** Moments of one day, from `from` on, with gaps from seconds to an hour. */
function moments(random: Random, from: number, to: number, gap: () => number): number[] {
  const times: number[] = []
  for (let at = from + random.int(0, 20 * MINUTE); at < to; at += gap()) times.push(at)
  return times
}

/**
 * Every second night is walked through midnight. Many gaps are just under or just over the thirty minutes
 * that matter.
 */
function dayMoments(random: Random, day: number, walksTheNight: boolean): number[] {
  const edge = () => 30 * MINUTE + random.int(-58, 58) * SECOND + 1
  const byDay = moments(random, day + HOUR, day + 23 * HOUR, () =>
    random.chance(0.3) ? edge() : random.int(20 * MINUTE, 3 * HOUR),
  )
  const night = moments(random, day + 22.5 * HOUR, day + 25.5 * HOUR, () =>
    random.chance(0.5) ? edge() : random.int(MINUTE, 16 * MINUTE),
  )
  return walksTheNight ? byDay.concat(night) : byDay
}

const sparseDaysBack = [425, 400, 372, 364, 300, 200, 95, 62, 61, 45, 31, 30, 29, 28, 27, 20, 14, 13]
/** Another choice of them in each traffic. */
const SPARSE_DAYS = rounds(6, sparseDaysBack.length)
const denseDaysBack = [8, 7, 3, 2, 1, 0]

function timetable(random: Random, end: number): number[] {
  const today = dayOf(end) * DAY
  const sparse = random
    .some(sparseDaysBack, SPARSE_DAYS)
    .flatMap((back) =>
      moments(random, today - back * DAY, today - back * DAY + DAY, () => random.int(4 * HOUR, 9 * HOUR)),
    )
  const dense = denseDaysBack.flatMap((back) => dayMoments(random, today - back * DAY, back % 2 === 1))
  const lastMinutes = Array.from({ length: 12 }, () => end - random.int(1, 330 * SECOND))
  return [...new Set([...sparse, ...dense, ...lastMinutes])].filter((at) => at < end).sort((a, b) => a - b)
}

/**
 * From well before to just after, and both sides of the bounds that matter: a minute before, two seconds
 * after.
 */
function clickTime(random: Random, at: number): number {
  if (random.chance(0.25)) return at + random.pick([-60_001, -60_000, -1, 0, 1, 2000, 2001])
  return at + random.int(-75, 3) * SECOND + random.int(-499, 499)
}

/** Of one load one to three clicks, mostly followed by a person, at some of these times. */
function clicksOf(random: Random, load: Load, times: readonly number[]): Click[] {
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => ({
    kind: 'click',
    at: random.pick(times),
    visitor: load.visitor,
    link: random.pick(linkNames),
    how: random.chance(0.8) ? 'follow' : random.pick(['head', 'prefetch'] as const),
  }))
}

/**
 * Around some of the moments most visitors click, all at the same few times, since what is sent side by side
 * is stored together; and not two at the same moment by one visitor.
 */
function clicksAround(random: Random, moments: readonly Hit[][]): Click[] {
  const clicks = moments
    .map((hits) => hits.filter((hit) => hit.kind === 'load'))
    .filter((loads) => loads.length > 0 && random.chance(0.4))
    .flatMap((loads) => {
      const times = Array.from({ length: 3 }, () => clickTime(random, loads[0]!.at))
      return loads.filter(() => random.chance(0.8)).flatMap((load) => clicksOf(random, load, times))
    })
  return [...new Map(clicks.map((click) => [`${click.at}|${visitorKey(click.visitor)}`, click])).values()]
}

/** Hits of one moment together, in the order of time. */
function withClicks(random: Random, moments: readonly Hit[][], end: number): Hit[][] {
  const clicks = clicksAround(random, moments).filter(({ at }) => at < end)
  const byTime = Map.groupBy([...clicks, ...moments.flat()], (hit) => hit.at)
  return [...byTime].sort(([a], [b]) => a - b).map(([, hits]) => hits)
}

/**
 * Half of those who were here a moment ago are here still, so that visits last and some walk through
 * midnight.
 * @param end the moment at which the last questions are asked. Hits of one moment are sent side by side.
 */
export function traffic(random: Random, end: number): Hit[][] {
  const browsers = openBrowsers(random)
  let present: Browser[] = []
  const moments = timetable(random, end).map((at) => {
    const staying = random.some(present, Math.ceil(present.length * 0.6))
    present = [...new Set(staying.concat(random.some(browsers, random.int(1, 4))))]
    return present.flatMap((browser) => act(random, browser, at))
  })
  return withClicks(random, moments, end)
}
