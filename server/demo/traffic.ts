// Generates visits as a browser would report them: addresses, agents, pages, referrers, reading times,
// orders. Nothing is enriched here; the same seed and the same day give the same visits.
import { DAY_MS } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { DemoDay } from './calendar.ts'
import {
  articles,
  briefPage,
  campaigns,
  cartPage,
  checkoutPage,
  DEMO_HOST,
  desktops,
  homePage,
  hourShape,
  offerPage,
  origins,
  phones,
  products,
  regions,
  robots,
  thanksPage,
  wanderings,
  type Landing,
  type Origin,
  type Page,
  type Region,
} from './catalogue.ts'
import { around, drawer, openChance, wideNumber, type Chance } from './chance.ts'

export interface DemoView {
  readonly view: number
  readonly atMs: number
  readonly url: string
  readonly title: string
  readonly referrer: string
  /** Whole seconds; 0 when no ping came. */
  readonly seconds: number
  /** -1 when unknown. */
  readonly scroll: number
}

export interface DemoEvent {
  readonly id: string
  readonly view: number
  readonly atMs: number
  readonly name: string
  readonly value: string | null
  /** Set for an order: minor units of its currency. */
  readonly order?: { readonly id: string; readonly amount: number; readonly currency: string }
}

export interface DemoVisit {
  readonly isRobot: boolean
  readonly day: number
  readonly hash: string
  readonly address: string
  readonly userAgent: string
  readonly acceptLanguage: string
  readonly width: number
  readonly height: number
  readonly views: readonly DemoView[]
  readonly events: readonly DemoEvent[]
}

const HOUR_MS = 3_600_000
/** Bots come on top of the requested visits. */
const ROBOT_SHARE = 0.1
const PHONE_SHARE = 0.57
const BOUNCE_SHARE = 0.44
const MORE_VIEWS_SHARE = 0.66
const MAX_VIEWS = 14
const RETURN_SHARE = 0.07
const BUYER_SHARE = 0.028
/** Minor units for one dollar, in a price list that is rounded by hand in each currency. */
const perDollar: Readonly<Record<string, number>> = {
  USD: 100,
  GBP: 80,
  EUR: 95,
  PLN: 400,
  SEK: 1050,
  NOK: 1050,
  DKK: 700,
  CHF: 90,
  CAD: 135,
  AUD: 150,
  JPY: 150,
  BRL: 540,
  INR: 8400,
  MXN: 1850,
  KRW: 1380,
  TRY: 4000,
}

const drawRegion = drawer(regions)
const drawDesktop = drawer(desktops)
const drawPhone = drawer(phones)
const drawOrigin = drawer(origins)
const drawRobot = drawer(robots)
const drawWandering = drawer(wanderings)
const drawProduct = drawer(products)
const drawArticle = drawer(articles)
const drawHour = drawer(hourShape.map((weight, hour) => [weight, hour] as const))
const languageDrawers = new Map(regions.map(([, region]) => [region, drawer(region.languages)]))
const landingDrawers = new Map<Origin['landings'], (chance: Chance) => Landing>()

function drawLanding(chance: Chance, { landings }: Origin): Landing {
  let draw = landingDrawers.get(landings)
  if (!draw) landingDrawers.set(landings, (draw = drawer(landings)))
  return draw(chance)
}

/** Addresses per block: enough for different towns, few enough to look up each place once. */
const ADDRESSES_A_BLOCK = 128

function addressIn([first, bits]: readonly [string, number], chance: Chance): string {
  const start = first.split('.').reduce((word, part) => word * 256 + Number(part), 0)
  const word = start + (chance.bits() % ADDRESSES_A_BLOCK) * Math.max(1, 2 ** (32 - bits) / ADDRESSES_A_BLOCK) + 10
  return `${(word >>> 24) & 255}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`
}

function originOf(chance: Chance, progress: number): Origin {
  for (const { begins, ends, share, origin } of campaigns) {
    if (progress >= begins && progress <= ends && chance() < share) return origin
  }
  return drawOrigin(chance)
}

function landingPage(chance: Chance, landing: Landing): Page {
  if (landing === 'article') return drawArticle(chance)
  if (landing === 'product') return drawProduct(chance)
  if (landing === 'offer') return offerPage
  return landing === 'letter' ? briefPage : homePage
}

/** Pages after the landing page: a buyer goes to the checkout, others wander. */
function path(chance: Chance, landing: Page, buys: boolean): Page[] {
  if (buys) return [landing, drawProduct(chance), cartPage, checkoutPage, thanksPage]
  const pages = [landing]
  if (chance() < BOUNCE_SHARE) return pages
  do {
    const kind = chance()
    pages.push(kind < 0.5 ? drawProduct(chance) : kind < 0.72 ? drawArticle(chance) : drawWandering(chance))
  } while (pages.length < MAX_VIEWS && chance() < MORE_VIEWS_SHARE)
  return pages
}

const urlOf = (page: Page, query = ''): string => `https://${DEMO_HOST}${page.path}${query && `?${query}`}`

/** A time of day by the hourly distribution at the visitor's place. */
function beginning(chance: Chance, day: number, offset: number, endMs: number): number {
  const startMs = day * DAY_MS
  for (let tries = 0; tries < 20; tries++) {
    const hour = (drawHour(chance) - offset + 24) % 24
    const atMs = startMs + Math.floor((hour + chance()) * HOUR_MS)
    if (atMs < endMs) return atMs
  }
  return startMs + Math.floor(chance() * (endMs - startMs))
}

function readPage(chance: Chance, page: Page): { seconds: number; scroll: number } {
  if (chance() < 0.12)
    return { seconds: Math.floor(chance() * 5), scroll: chance() < 0.5 ? -1 : Math.floor(chance() * 30) }
  const seconds = Math.min(3600, Math.round(around(chance, page.seconds)))
  return { seconds, scroll: Math.min(100, Math.round(100 * chance() ** 0.7)) }
}

function viewsOf(chance: Chance, pages: readonly Page[], origin: Origin, { fromMs, toMs }: Span): DemoView[] {
  const views: DemoView[] = []
  let atMs = fromMs
  const returnAt = chance() < RETURN_SHARE ? 1 + Math.floor(chance() * pages.length) : -1
  for (const [index, page] of pages.entries()) {
    if (index === returnAt) atMs += Math.round((40 + chance() * 400) * 60_000)
    if (atMs >= toMs) break
    const read = readPage(chance, page)
    const first = index === 0
    views.push({
      view: index + 1,
      atMs,
      url: urlOf(page, first ? origin.query : ''),
      title: page.title,
      referrer: first ? origin.referrer : urlOf(pages[index - 1]!),
      ...read,
    })
    atMs += read.seconds * 1000 + 400 + Math.floor(chance() * 9000)
  }
  return views
}

function orderOf(chance: Chance, currency: string): NonNullable<DemoEvent['order']> {
  const dollars = Math.round(around(chance, 130))
  return {
    id: `LL-${chance.bits().toString(36).toUpperCase()}`,
    amount: dollars * (perDollar[currency] ?? 100),
    currency,
  }
}

function eventsOf(chance: Chance, views: readonly DemoView[], region: Region): DemoEvent[] {
  const events: DemoEvent[] = []
  const note = (view: DemoView, name: string, value: string | null, order?: DemoEvent['order']): void => {
    const atMs = view.atMs + Math.floor(Math.max(1, view.seconds) * 1000 * chance())
    events.push({ id: wideNumber(chance), view: view.view, atMs, name, value, ...(order && { order }) })
  }
  for (const view of views) {
    const path = view.url.slice(8 + DEMO_HOST.length)
    if (path.startsWith('/lamps/') && chance() < 0.09) note(view, 'cart_add', path.split('?')[0]!.slice(7))
    else if (path.startsWith('/journal/') && view.scroll > 85 && chance() < 0.3)
      note(view, 'article_read', `${view.seconds}`)
    else if (path.startsWith('/checkout/thanks')) note(view, 'purchase', 'shop', orderOf(chance, region.currency))
    else if (chance() < 0.012) note(view, 'letter_signup', null)
  }
  return events
}

function visit(chance: Chance, { day, progress }: DemoDay, endMs: number): DemoVisit {
  const region = drawRegion(chance)
  const screen = chance() < PHONE_SHARE ? drawPhone(chance) : drawDesktop(chance)
  const origin = originOf(chance, progress)
  const pages = path(chance, landingPage(chance, drawLanding(chance, origin)), chance() < BUYER_SHARE)
  const fromMs = beginning(chance, day, region.offset, endMs)
  const views = viewsOf(chance, pages, origin, { fromMs, toMs: endMs })
  return {
    isRobot: false,
    day,
    hash: wideNumber(chance),
    address: addressIn(region.blocks[chance.bits() % region.blocks.length]!, chance),
    userAgent: screen.agent,
    acceptLanguage: languageDrawers.get(region)!(chance),
    width: screen.width,
    height: screen.height,
    views,
    events: eventsOf(chance, views, region),
  }
}

function robotVisit(chance: Chance, { day }: DemoDay, endMs: number): DemoVisit {
  const robot = drawRobot(chance)
  const startMs = day * DAY_MS
  const atMs = startMs + Math.floor(chance() * (endMs - startMs))
  const page = chance() < 0.5 ? drawProduct(chance) : drawArticle(chance)
  const view = { view: 1, atMs, url: urlOf(page), title: page.title, referrer: '', seconds: 0, scroll: -1 }
  return {
    isRobot: true,
    day,
    hash: wideNumber(chance),
    address: addressIn(robot.block, chance),
    userAgent: robot.agent,
    acceptLanguage: '',
    width: 0,
    height: 0,
    views: [view],
    events: [],
  }
}

/**
 * The visits of one day, bots included. Nothing happens after `nowMs`, and no visit continues past midnight.
 */
export function* visitsOf(demoDay: DemoDay, seed: number, nowMs: number): Generator<DemoVisit> {
  const chance = openChance(seed, demoDay.day)
  const endMs = Math.min(nowMs, (demoDay.day + 1) * DAY_MS)
  for (let count = 0; count < demoDay.sessions; count++) {
    yield visit(chance, demoDay, endMs)
    if (chance() < ROBOT_SHARE) yield robotVisit(chance, demoDay, endMs)
  }
}
