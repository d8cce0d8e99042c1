// The oracle's first half: from the raw list of hits to sessions, by docs/definitions.md ("Sessions and
// views") and nothing else.
import {
  DAY,
  dayOf,
  MINUTE,
  visitorKey,
  SECOND,
  type Acquisition,
  type Click,
  type CustomEvent,
  type Hit,
  type Later,
  type Load,
  type Ping,
  type SentForm,
  type Visitor,
} from './hits.ts'
import { timesMet } from './conversions.ts'
import { known, type World } from './world.ts'

export interface View {
  readonly load: Load
  readonly path: string
  /** The largest reported; 0 where none was. */
  seconds: number
  /** The largest reported; null when none is known. */
  scroll: number | null
}

export interface Session {
  readonly visitor: Visitor
  readonly day: number
  readonly views: View[]
  readonly events: {
    readonly name: string
    readonly value: string | null
    readonly number: number | null
    readonly pairs: string[]
  }[]
  readonly money: { readonly at: number; readonly value: number; readonly currency: string }[]
  readonly tags: Set<string>
  readonly forms: SentForm[]
  /** Those of the visitor on that day, people's only. */
  readonly clicks: readonly Click[]
  readonly minutes: Set<number>
  /** Of everything that it did besides looking at pages. */
  readonly deedTimes: number[]
  currency: string
  /** Whose it is, once somebody has said so; '' before. */
  person: string
  lastAt: number
}

/** One visitor of one day who clicked, and the session of that visitor, if it ever began. */
export interface Clicker {
  readonly clicks: readonly Click[]
  readonly session: Session | undefined
}

export interface Fold {
  /** Bots and sessions that are marked as invalid left out. */
  readonly sessions: readonly Session[]
  /** Where each hit went; undefined when it had to be refused. */
  readonly target: ReadonlyMap<Hit, Session | undefined>
  /** People. */
  readonly clickers: readonly Clicker[]
}

/** "No 30 minutes pass without activity." */
const IDLE_MS = 30 * MINUTE

/** The path with its leading slash, without query and fragment; a fragment that is a route belongs to it. */
export function pathOf(url: string): string {
  const { pathname, hash } = new URL(url)
  return /^#!?\//.test(hash) ? pathname + hash : pathname
}

/**
 * The address of a page without a fragment that is no route. The traffic has no click ids, which would go as
 * well.
 */
export function urlOf(url: string): string {
  const { hash } = new URL(url)
  return hash === '' || /^#!?\//.test(hash) ? url : url.slice(0, url.indexOf('#'))
}

const isOpen = (session: Session, at: number) =>
  session.day === dayOf(at) || (session.day === dayOf(at) - 1 && at - session.lastAt < IDLE_MS)

function note(session: Session, at: number): void {
  session.lastAt = Math.max(session.lastAt, at)
  session.minutes.add(Math.floor((at - session.day * DAY) / MINUTE))
}

/** The name of the session to which a visitor's activity at that time belongs, whether it is there or not. */
function currentKey(sessions: Map<string, Session>, visitor: Visitor, at: number): string {
  const key = visitorKey(visitor)
  const yesterdays = sessions.get(`${dayOf(at) - 1}|${key}`)
  return `${yesterdays && isOpen(yesterdays, at) ? dayOf(at) - 1 : dayOf(at)}|${key}`
}

/** The session in which a visitor is at that time, if there is one. */
function currentSession(sessions: Map<string, Session>, visitor: Visitor, at: number): Session | undefined {
  return sessions.get(currentKey(sessions, visitor, at))
}

type Clicks = Map<string, Click[]>

function clicksOf(clicks: Clicks, key: string): Click[] {
  const known = clicks.get(key) ?? []
  clicks.set(key, known)
  return known
}

/** To click is no activity. */
function addClick(sessions: Map<string, Session>, clicks: Clicks, click: Click): void {
  if (click.how === 'follow') clicksOf(clicks, currentKey(sessions, click.visitor, click.at)).push(click)
}

function addLoad(sessions: Map<string, Session>, clicks: Clicks, load: Load): Session {
  const key = currentKey(sessions, load.visitor, load.at)
  let session = sessions.get(key)
  if (!session) {
    session = {
      visitor: load.visitor,
      day: dayOf(load.at),
      views: [],
      events: [],
      money: [],
      tags: new Set(),
      forms: [],
      clicks: clicksOf(clicks, key),
      minutes: new Set(),
      deedTimes: [],
      currency: '',
      person: '',
      lastAt: 0,
    }
    sessions.set(key, session)
  }
  session.views.push({ load, path: pathOf(load.url), seconds: 0, scroll: null })
  note(session, load.at)
  return session
}

function addPing(session: Session, ping: Ping): void {
  const view = session.views.find((each) => each.load === ping.load)
  if (!view) throw new Error('a ping of a view that is not in its session')
  view.seconds = Math.max(view.seconds, Math.min(86_400, Math.max(0, ping.tos)))
  if (ping.max >= 0) view.scroll = Math.max(view.scroll ?? 0, ping.max)
  note(session, ping.at)
}

const numeric = /^-?\d+(\.\d+)?$/

function addEvent(session: Session, event: CustomEvent): void {
  const value = event.value === null ? null : String(event.value)
  const number = value !== null && numeric.test(value) ? Number(value) : null
  const pairs = Object.entries(event.meta).map(([key, text]) => `${key}:${text}`)
  session.events.push({ name: event.name, value, number, pairs })
  session.deedTimes.push(event.at)
  if (event.by === 'browser') note(session, event.at)
}

function addAcquisition(session: Session, acquisition: Acquisition): void {
  if (acquisition.currency) session.currency = acquisition.currency
  session.currency ||= acquisition.value === undefined ? '' : 'USD'
  if (acquisition.value !== undefined) {
    session.money.push({ at: acquisition.at, value: acquisition.value, currency: session.currency })
  }
  for (const tag of acquisition.tags ?? []) session.tags.add(tag)
  session.deedTimes.push(acquisition.at)
  if (acquisition.by === 'browser') note(session, acquisition.at)
}

/** A form is tied to the session that is current; who has none is none the less taken. */
function addForm(session: Session, form: SentForm): void {
  session.forms.push(form)
  session.deedTimes.push(form.at)
  note(session, form.at)
}

/**
 * An id of a day that is over is refused on the public endpoints; an event's is then rebuilt from the
 * request.
 */
function sessionFor(sessions: Map<string, Session>, hit: Later, home: Session): Session | undefined {
  if ('by' in hit && hit.by === 'server') return home
  if (isOpen(home, hit.at)) return home
  return hit.kind === 'ping' ? undefined : currentSession(sessions, hit.visitor, hit.at)
}

/**
 * @param hits in the order in which they were sent.
 * @param invalid first loads of the sessions that their owner has marked as invalid.
 */
export function foldHits(hits: readonly Hit[], world: World, invalid: ReadonlySet<Load> = new Set()): Fold {
  const sessions = new Map<string, Session>()
  const clicks: Clicks = new Map()
  const target = new Map<Hit, Session | undefined>()
  for (const hit of hits) {
    if (hit.kind === 'load') {
      target.set(hit, addLoad(sessions, clicks, hit))
      continue
    }
    if (hit.kind === 'click') {
      addClick(sessions, clicks, hit)
      continue
    }
    const home = target.get(hit.load)
    if (!home) throw new Error('a hit before its load')
    const session = sessionFor(sessions, hit, home)
    target.set(hit, session)
    if (!session) continue
    if (hit.kind === 'ping') addPing(session, hit)
    else if (hit.kind === 'event') addEvent(session, hit)
    else if (hit.kind === 'form') addForm(session, hit)
    // It is no activity, and ends no bounce.
    else if (hit.kind === 'identify') session.person = hit.person
    else addAcquisition(session, hit)
  }
  const isPerson = ({ visitor }: { readonly visitor: Visitor }) => world.agents.has(visitor.agent)
  const isValid = (session: Session | undefined) => !session?.views[0] || !invalid.has(session.views[0].load)
  return {
    sessions: [...sessions.values()].filter(isPerson).filter(isValid),
    target,
    clickers: [...clicks]
      .map(([key, own]) => ({ clicks: own.filter(isPerson), session: sessions.get(key) }))
      .filter(({ session }) => isValid(session)),
  }
}

// ---------------------------------------------------------------- what is said of one session

/** Everything a figure, a clause or a document asks of a session. */
export interface Described {
  readonly session: Session
  readonly entryAt: number
  readonly views: number
  readonly seconds: number
  /** Null when no view has a known scroll. */
  readonly scroll: number | null
  readonly bounced: boolean
  readonly reEntries: number
  readonly amount: number | null
  readonly amountUsd: number
  readonly loads: readonly number[]
  /** Ids of those that it met. */
  readonly conversions: readonly string[]
  /** How often it met each of them. */
  readonly met: ReadonlyMap<string, number>
  /** In the order of time. */
  readonly forms: readonly { readonly id: string; readonly name: string; readonly at: number }[]
  /** By clause id: the texts of the session itself. */
  readonly texts: Readonly<Record<string, string>>
  /** The same of each visit, as far as a first touch says them. */
  readonly visits: readonly Readonly<Record<string, string>>[]
}

/** Half away from zero. */
export const roundHalfAway = (value: number) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Minutes with which visits after the first one begin. */
function returnsOf(minutes: Set<number>): number[] {
  const sorted = [...minutes].sort((a, b) => a - b)
  return sorted.filter((minute, index) => index > 0 && minute - (sorted[index - 1] ?? minute) > 30)
}

function amountsOf(session: Session, world: World): { amount: number | null; amountUsd: number } {
  const cents = (event: Session['money'][number]) => event.value * world.rate(event.currency, dayOf(event.at))
  const own = (event: Session['money'][number]) =>
    event.currency === session.currency
      ? event.value
      : roundHalfAway(cents(event) / world.rate(session.currency, dayOf(event.at)))
  return {
    amount: session.money.length ? sum(session.money.map(own)) : null,
    amountUsd: sum(session.money.map((event) => roundHalfAway(cents(event)))),
  }
}

const ARRIVAL_MS = MINUTE
const SKEW_MS = 2 * SECOND

/**
 * Through which the session began: the last one in the minute before the entry; without one, the first in the
 * two seconds after it.
 */
function clickBefore(session: Session, entryAt: number): Click | undefined {
  const inTime = session.clicks.filter(({ at }) => at >= entryAt - ARRIVAL_MS && at <= entryAt + SKEW_MS)
  const sorted = inTime.toSorted((a, b) => a.at - b.at)
  return sorted.findLast(({ at }) => at <= entryAt) ?? sorted[0]
}

/** What told where the session comes from. The traffic has no click ids. */
function methodOf(first: View, link: string): string {
  const { searchParams, hostname } = new URL(first.load.url)
  if (link !== '') return 'link'
  if (['utm_source', 'utm_medium', 'utm_campaign'].some((name) => searchParams.get(name))) return 'utm'
  const referrer = first.load.referrer === '' ? '' : new URL(first.load.referrer).hostname
  return referrer === '' || referrer === hostname.replace(/^www\./, '') ? 'none' : 'referrer'
}

/** What the first view of a session or a visit says of it. */
function touchOf(session: Session, world: World, first: View): Record<string, string> {
  const url = new URL(first.load.url)
  const click = clickBefore(session, first.load.at)
  const entered = click && known(world.links, click.link)
  const utm = (name: string) => [`utm_${name}`, url.searchParams.get(`utm_${name}`) ?? ''] as const
  return {
    ...known(world.origins, first.load.landing),
    entry_path_full: first.path,
    hostname: url.hostname,
    link: entered?.id ?? '',
    link_group: entered?.group ?? '',
    ...Object.fromEntries(['source', 'medium', 'campaign', 'term', 'content'].map(utm)),
  }
}

/** A visit without a view is like the one before it. */
function visitsOf(session: Session, world: World, first: View): Record<string, string>[] {
  const minuteOf = (view: View) => Math.floor((view.load.at - session.day * DAY) / MINUTE)
  const starts = returnsOf(session.minutes)
  const visits = [touchOf(session, world, first)]
  for (const [index, start] of starts.entries()) {
    const view = session.views.find(
      (each) => minuteOf(each) >= start && minuteOf(each) < (starts[index + 1] ?? Infinity),
    )
    visits.push(view ? touchOf(session, world, view) : visits.at(-1)!)
  }
  return visits
}

function textsOf(session: Session, world: World, first: View, last: View): Record<string, string> {
  const touch = touchOf(session, world, first)
  return {
    ...touch,
    ...known(world.places, session.visitor.address),
    ...known(world.agents, session.visitor.agent),
    ...known(world.languages, session.visitor.language),
    exit_path_full: last.path,
    contact_id: session.person === '' ? '' : known(world.contacts, session.person),
    channel_method: methodOf(first, touch['link'] ?? ''),
  }
}

export function describe(session: Session, world: World): Described {
  const first = session.views[0]
  const last = session.views.at(-1)
  if (!first || !last) throw new Error('a session without views')
  const seconds = sum(session.views.map((view) => view.seconds))
  const scrolls = session.views.flatMap((view) => view.scroll ?? [])
  const times = [...world.conversions].map(([id, each]) => [id, timesMet(each, session, world.forms)] as const)
  const met = new Map(times.filter(([, number]) => number > 0))
  return {
    session,
    entryAt: first.load.at,
    views: session.views.length,
    seconds,
    scroll: scrolls.length ? sum(scrolls) / scrolls.length : null,
    bounced: session.views.length <= 1 && session.deedTimes.length === 0 && seconds < 10,
    reEntries: returnsOf(session.minutes).length,
    ...amountsOf(session, world),
    loads: session.views.map((view) => view.load.at),
    conversions: [...met.keys()],
    met,
    forms: session.forms.map(({ form, at }) => ({ id: known(world.forms, form).id, name: form, at })),
    texts: textsOf(session, world, first, last),
    visits: visitsOf(session, world, first),
  }
}
