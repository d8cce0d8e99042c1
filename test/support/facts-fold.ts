// Random traffic of one property, and the fold of it in plain TypeScript: what the sessions must show
// whatever happened on the way.
import * as fc from 'fast-check'
import { foldedColumn } from '../../server/stores/session-columns.ts'
import type { ClickRow, EventKind, EventRow, ViewRow } from '../../server/stores/tables.ts'

export const DAY = '2026-03-04'
const START = Date.parse(`${DAY}T00:00:00Z`)
/** A day's sessions go on after midnight. */
const SPAN_MS = 26 * 3_600_000

export type Hit =
  | { readonly views: Partial<ViewRow> }
  | { readonly events: Partial<EventRow> }
  | { readonly clicks: Partial<ClickRow> }

export interface FoldedSession {
  session: string
  entry_at: string
  last_at: string
  entry: [string, number, string, string]
  exit: [string, number, string]
  seconds: Record<string, number>
  scrolls: Record<string, number>
  minutes: number[]
  has_event: number
  value_usd: Record<string, string>
  currency: string
  tags: string[]
  contact_id: string
  country: string
  clicked: (readonly [at: string, link: string, group: string])[]
  link: string
  link_group: string
}

/** The same columns, out of the store. A session of pings alone has no first view, and shows none. */
export const FOLDED_SQL = `
  SELECT session, entry_at, last_at, (tupleElement(entry_fold, 1), if(tupleElement(entry_fold, 1) = entry_at AND entry_at < '2299-01-01', tupleElement(entry_fold, 2), 0), ${foldedColumn('entry_path')}, ${foldedColumn('entry_source')}) AS entry, (tupleElement(exit_fold, 1), tupleElement(exit_fold, 2), ${foldedColumn('exit_path')}) AS exit,
    seconds, scrolls, arraySort(minutes) AS minutes, has_event, value_usd, tupleElement(currency_fold, 2) AS currency, arraySort(tags) AS tags, contact_id, country,
    arraySort(clicked) AS clicked, ${foldedColumn('entry_link')} AS link, ${foldedColumn('entry_link_group')} AS link_group
  FROM sessions FINAL WHERE property = {property:String} ORDER BY session`

const time = fc.integer({ min: START, max: START + SPAN_MS })
const session = fc.constantFrom('0', '1', '9223372036854775808', '18446744073709551615')
const view = fc.integer({ min: 0, max: 5 })
const word = fc.constantFrom('', 'a', 'b', 'Ünï', "o'x")

const ping = fc.record({
  kind: fc.constant('ping' as const),
  session,
  view,
  at: time,
  seconds: fc.integer({ min: 0, max: 900 }),
  scroll: fc.integer({ min: -1, max: 100 }),
})
const event = fc.record({
  kind: fc.constantFrom<EventKind>('event', 'acquisition', 'identify'),
  session,
  at: time,
  name: word,
  byVisitor: fc.integer({ min: 0, max: 1 }),
  amount: fc.option(fc.integer({ min: -500, max: 500 })),
  currency: fc.constantFrom('', 'EUR', 'USD'),
  tags: fc.array(fc.constantFrom('t:1', 't:2', 'u'), { maxLength: 2 }),
  contact: fc.constantFrom('', 'c1'),
})
/** Mostly around a load of the session: what counts is which click is the nearest before the first one. */
const click = fc.record({
  session,
  load: fc.nat(20),
  offset: fc.oneof(fc.integer({ min: -70_000, max: 5000 }), fc.constantFrom(-60_001, -60_000, -1, 0, 1, 2000, 2001)),
  link: fc.constantFrom('l1', 'l2', 'l3'),
  isBot: fc.integer({ min: 0, max: 1 }),
})
const load = fc.record({ session, view, at: time, path: word, source: word })

/** A session's country is one: it is part of what makes the session. */
const countryOf = (key: string) => (key === '0' ? 'France' : 'Germany')

/** At most one load of a view, as the tracker promises; event ids are the event's own. */
export const traffic = fc
  .record({
    loads: fc.uniqueArray(load, { maxLength: 10, selector: (hit) => `${hit.session}/${hit.view}` }),
    pings: fc.array(ping, { maxLength: 15 }),
    events: fc.array(event, { maxLength: 10 }),
    clicks: fc.array(click, { maxLength: 10 }),
  })
  .map(({ loads, pings, events, clicks }): Hit[] => [
    ...loads.map((hit) => ({
      views: {
        day: DAY,
        session: hit.session,
        view: hit.view,
        at: hit.at,
        seen: hit.at,
        path: hit.path,
        source: hit.source,
        country: countryOf(hit.session),
      },
    })),
    ...pings.map((hit) => ({
      views: { day: DAY, session: hit.session, view: hit.view, seen: hit.at, seconds: hit.seconds, scroll: hit.scroll },
    })),
    ...events.map((hit, index) => ({
      events: {
        day: DAY,
        session: hit.session,
        id: String(index + 1),
        kind: hit.kind,
        name: hit.name,
        at: hit.at,
        by_visitor: hit.byVisitor,
        amount: hit.amount,
        amount_usd: hit.amount === null ? 0 : hit.amount * 2,
        currency: hit.currency,
        tags: hit.tags,
        contact_id: hit.contact,
      },
    })),
    ...clicks.map((hit, index) => {
      const near = loads[hit.load % Math.max(1, loads.length)]
      const at = (near?.at ?? START) + hit.offset
      return {
        clicks: {
          day: new Date(at).toISOString().slice(0, 10),
          id: String(index + 1),
          at,
          session_day: DAY,
          session: near?.session ?? hit.session,
          link: hit.link,
          link_group: hit.link === 'l3' ? 'g2' : 'g1',
          is_bot: hit.isBot,
        },
      }
    }),
  ])

const NEVER = '2299-12-31 00:00:00.000'
const EPOCH = '1970-01-01 00:00:00.000'
const text = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
const minute = (ms: number) => Math.floor((ms - START) / 60_000)
const byTime = (a: { at?: number; view?: number }, b: { at?: number; view?: number }) =>
  a.at! - b.at! || a.view! - b.view!
const largest = (entries: readonly (readonly [number, number])[]) => {
  const map: Record<string, number> = {}
  for (const [key, value] of entries) map[key] = Math.max(map[key] ?? -Infinity, value)
  return map
}

/** Sessions in the order of their hash. */
export function fold(hits: readonly Hit[]): FoldedSession[] {
  const keys = new Set(hits.flatMap(sessionOf))
  return [...keys].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).map((key) => foldOne(key, hits))
}

/** A program's click is in no session. */
function sessionOf(hit: Hit): string[] {
  if ('clicks' in hit) return hit.clicks.is_bot === 1 ? [] : [hit.clicks.session!]
  return ['views' in hit ? hit.views.session! : hit.events.session!]
}

const ARRIVAL_MS = 60_000
const SKEW_MS = 2000

/**
 * The last click before the entry and in time, else the first one just after it: nodes' clocks differ. Of one
 * moment the smaller link.
 */
function entryClick(clicks: readonly Partial<ClickRow>[], entryMs: number | undefined): Partial<ClickRow> | undefined {
  if (entryMs === undefined) return undefined
  const byLink = clicks.toSorted((a, b) => (a.link! < b.link! ? -1 : 1))
  const before = byLink.filter(({ at }) => at! <= entryMs && entryMs - at! <= ARRIVAL_MS)
  const after = byLink.filter(({ at }) => at! > entryMs && at! - entryMs <= SKEW_MS)
  return before.toSorted((a, b) => b.at! - a.at!)[0] ?? after.toSorted((a, b) => a.at! - b.at!)[0]
}

function foldOne(key: string, hits: readonly Hit[]): FoldedSession {
  const rows = hits.flatMap((hit) => ('views' in hit && hit.views.session === key ? [hit.views] : []))
  const events = hits.flatMap((hit) => ('events' in hit && hit.events.session === key ? [hit.events] : []))
  const clicks = hits.flatMap((hit) =>
    'clicks' in hit && hit.clicks.session === key && hit.clicks.is_bot === 0 ? [hit.clicks] : [],
  )
  const loads = rows.filter((row) => row.at !== undefined).toSorted(byTime)
  const first = loads[0]
  const last = loads.at(-1)
  const entered = entryClick(clicks, first?.at)
  const clicked = clicks.map((one) => [text(one.at!), one.link!, one.link_group!] as const)
  const own = events.filter((one) => one.by_visitor === 1)
  const active = [...rows.map((row) => row.seen!), ...own.map((one) => one.at!)]
  const money = events.filter((one) => one.amount !== null)
  const named = events
    .filter((one) => one.currency !== '')
    .toSorted((a, b) => a.at! - b.at! || (a.currency! < b.currency! ? -1 : 1))
  return {
    session: key,
    entry_at: first ? text(first.at!) : NEVER,
    last_at: active.length > 0 ? text(Math.max(...active)) : EPOCH,
    entry: first ? [text(first.at!), first.view!, first.path!, first.source!] : [NEVER, 0, '', ''],
    exit: last ? [text(last.at!), last.view!, last.path!] : [EPOCH, 0, ''],
    seconds: largest(rows.map((row) => [row.view!, row.seconds ?? 0])),
    scrolls: largest(rows.filter((row) => (row.scroll ?? -1) >= 0).map((row) => [row.view!, row.scroll!])),
    minutes: [...new Set(active.map(minute))].toSorted((a, b) => a - b),
    has_event: events.some((one) => one.kind !== 'identify') ? 1 : 0,
    value_usd: Object.fromEntries(money.map((one) => [one.id, String(one.amount_usd)])),
    currency: named.at(-1)?.currency ?? '',
    tags: [...new Set(events.flatMap((one) => one.tags!))].toSorted(),
    contact_id: events.some((one) => one.contact_id === 'c1') ? 'c1' : '',
    country: first ? countryOf(key) : '',
    clicked: [...new Map(clicked.map((one) => [String(one), one])).values()].toSorted((a, b) =>
      String(a) < String(b) ? -1 : 1,
    ),
    link: entered?.link ?? '',
    link_group: entered?.link_group ?? '',
  }
}
