// Random visits through the front door over some weeks, and the questions of the dashboard about them.
import assert from 'node:assert/strict'
import type { Footfall, Reply } from './server.ts'

/** A number from 0 up to `below`. */
export type Pick = (below: number) => number

/** The same numbers for the same seed. */
export function seededPick(seed: number): Pick {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

const MINUTE_MS = 60_000
const referrers = ['', 'https://www.google.com/', 'https://news.ycombinator.com/x', 'https://chatgpt.com/']
const pages = ['/', '/pricing', '/blog?utm_source=Letter&utm_medium=email&utm_campaign=Mai', '/a b', '/ünï']
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** Visitors who come at the same moment: what they send is stored together. */
const AT_ONCE = 4

type Deed = (footfall: Footfall) => Promise<unknown>

/**
 * Everything is drawn before anything is sent, so that the same seed is the same traffic. @param who the last
 * number of the address.
 */
function drawVisit(pick: Pick, who: number): Deed {
  const visitor = {
    address: `203.0.113.${who}`,
    language: ['en-GB', 'de-CH', 'fr'][pick(3)]!,
    ...(pick(12) === 0 && { agent: BOT }),
  }
  const referrer = referrers[pick(referrers.length)]!
  const page = `https://example.com${pages[pick(pages.length)]}`
  const ping = pick(2) === 0 ? { ...visitor, tos: pick(90), max: pick(102) - 1 } : undefined
  const event = pick(3) === 0 ? { name: ['signup', 'score', '__proto__'][pick(3)]!, value: pick(9) } : undefined
  const order = pick(6) === 0 ? { value: pick(9000), currency_code: 'EUR', tags: ['vip'] } : undefined
  return async ({ track }) => {
    const { json } = await track.load({ ...visitor, page, ...(referrer !== '' && { referrer }) })
    if (json.success === false) throw new Error(JSON.stringify(json))
    await Promise.all([
      ping && track.ping(json.view_id, ping),
      event && track.event(json.session_id, event.name, { ...visitor, value: event.value }),
      order && track.acquisition(json.session_id, order, visitor),
    ])
  }
}

/** From now on, over about that many days; whoever comes has often been there a while before. */
export async function randomVisits(footfall: Footfall, pick: Pick, visits: number, days: number): Promise<void> {
  let first = 0
  for (let left = visits; left > 0; left -= AT_ONCE) {
    // Some of the last ones and some others, of twelve.
    first = (first + pick(AT_ONCE + 1)) % 12
    const deeds = Array.from({ length: Math.min(AT_ONCE, left) }, (_, n) => drawVisit(pick, (first + n) % 12))
    await Promise.all(deeds.map((deed) => deed(footfall)))
    const isSameDay = pick(3) === 0
    const mostMinutes = isSameDay ? 50 : Math.ceil((days * 3 * 1440 * AT_ONCE) / visits)
    footfall.clock.advance(pick(mostMinutes) * MINUTE_MS)
  }
}

/**
 * Clicks, steps of forms and impressions of those things, some of visitors with a session, over the days
 * before now.
 */
export async function randomOutcomes(
  { context, property }: Footfall,
  pick: Pick,
  things: { readonly links: readonly string[]; readonly forms: readonly string[]; readonly blocks: readonly string[] },
): Promise<void> {
  const { facts } = context
  const sessions = await facts.query<{ day: string; session: string; entry_ms: string }>(
    'test.sessions',
    'SELECT day, session, toUnixTimestamp64Milli(entry_at) AS entry_ms FROM sessions FINAL WHERE property = {property:String} AND is_bot = 0 ORDER BY day, session',
    { property: property.id },
  )
  const rows = Array.from({ length: 80 }, (_, n) => {
    const known = pick(3) === 0 ? undefined : sessions[pick(sessions.length)]
    // On the day of the session or the next.
    const earliest = known ? Number(known.entry_ms) : context.now() - 30 * 86_400_000
    const at = Math.min(context.now(), earliest + pick(known ? 86_400_000 : 30 * 86_400_000))
    const day = new Date(at).toISOString().slice(0, 10)
    const own = { session_day: known?.day ?? '1970-01-01', session: known?.session ?? '0' }
    return { property: property.id, day, at, id: String(n + 1), is_bot: pick(8) === 0 ? 1 : 0, ...own }
  })
  const any = (ids: readonly string[]) => ids[pick(ids.length)] ?? ''
  const kinds = ['view', 'view', 'submit', 'drop'] as const
  await facts.appendAll(
    'clicks',
    rows.map((row) => ({ ...row, link: any(things.links), link_group: 'g' })),
  )
  await facts.appendAll(
    'form_events',
    rows.map((row) => ({ ...row, form: any(things.forms), kind: kinds[pick(4)]! })),
  )
  await facts.appendAll(
    'impressions',
    rows.map((row) => ({ ...row, block: any(things.blocks), request: row.id, kind: pick(2) === 0 ? 'view' : 'click' })),
  )
}

export async function askOverview(footfall: Asked, body: object = {}, propertyId = footfall.property.id) {
  const reply: Reply = await footfall.call('POST', `/manage/properties/${propertyId}/overview`, { body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

type Asked = { readonly call: Footfall['call']; readonly property: Footfall['property'] }
