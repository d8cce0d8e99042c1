// A flood of clicks over HTTP: everybody is sent on, what people would make is recorded one by one, and the
// rest is a row that counts it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { addGroup, addLink, clicksOf, countedClicks, visit, type TestLink } from '../../test/support/visits.ts'
import type { ClickRow } from '../stores/tables.ts'
import { MOST_CLICKS, openFloods } from './floods.ts'

/** Far from any midnight, and the beginning of a minute. */
const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const LONDON = '81.2.69.142'
const env = { GEO_DIR: join(import.meta.dirname, '../../test/fixtures/geo'), LOG_LEVEL: 'silent' }

let footfall: Footfall
let link: TestLink
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON, env })
  link = await addLink(footfall, { group_id: await addGroup(footfall) })
})

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Flood {
  readonly clicks: number
  readonly address?: string
  readonly method?: string
  readonly code?: string
}

async function follow({ clicks, code = link.code, ...options }: Flood): Promise<void> {
  const follows = Array.from({ length: clicks }, async (_, n) => {
    const headers = { referer: `https://news.example/${n}` }
    const { status, location } = await visit(footfall.url, `/a/${code}`, { ...options, headers })
    assert.deepEqual([status, location], [302, 'https://example.com/'])
  })
  await Promise.all(follows)
}

type Kind = [reason: unknown, rows: number, clicks: number]

/** The stored rows by reason. */
async function kindsOf(id: string): Promise<Kind[]> {
  const kinds = new Map<unknown, Kind>()
  for (const { bot_reason, count } of await clicksOf(footfall, id)) {
    const [, rows, clicks] = kinds.get(bot_reason) ?? [bot_reason, 0, 0]
    kinds.set(bot_reason, [bot_reason, rows + 1, clicks + Number(count)])
  }
  return [...kinds.values()].toSorted(([one], [other]) => String(one).localeCompare(String(other)))
}

const get = async (path: string) => (await footfall.call('GET', path)).json.data

const statisticsOf = async (id: string) =>
  (await get(`/manage/properties/${footfall.property.id}/links/${id}/statistics?period=today`)).statistics

test('beyond what people click in a minute, everybody is sent on, and one row of bots counts the rest', async () => {
  await follow({ clicks: MOST_CLICKS + 40, address: LONDON })
  assert.deepEqual(await countedClicks(footfall), { stored: MOST_CLICKS, late: 0, lost: 0, flood: 40 })
  assert.deepEqual(await kindsOf(link.id), [['', MOST_CLICKS, MOST_CLICKS]], 'stored once the minute is over')
  footfall.clock.advance(MINUTE)
  await follow({ clicks: 1, address: LONDON })
  await untilEqual(
    () => kindsOf(link.id),
    [
      ['', MOST_CLICKS + 1, MOST_CLICKS + 1],
      ['flood', 1, 40],
    ],
  )

  const people = MOST_CLICKS + 1
  const { clicks, visitors, bots, count_bots } = await statisticsOf(link.id)
  assert.deepEqual(
    { clicks, visitors, bots, count_bots },
    { clicks: people, visitors: 1, bots: { flood: 40 }, count_bots: 40 },
  )
  assert.equal((await get(`/v2/property/links/${link.id}`)).link.clicks, people)
  assert.equal((await get('/v2/property/link-groups')).groups[0].count_clicks, people)

  const listed = await get(`/v2/property/clicks?link_id=${link.id}&type=bot`)
  assert.equal(listed.total, 1)
  const [flood] = listed.data
  assert.deepEqual(
    [flood.type, flood.is_bot, flood.bot_reason, flood.count, flood.click_ts, flood.country_code],
    ['bot', true, 'flood', 40, NOON / 1000, 'GB'],
  )
  assert.deepEqual([flood.referrer_url, flood.browser, flood.destination_url], [null, null, 'https://example.com/'])
  assert.deepEqual((await get(`/v2/property/clicks/${flood.id}`)).click, flood)
  const ofPeople = await get(`/v2/property/clicks?link_id=${link.id}&type=user`)
  assert.deepEqual([ofPeople.total, ofPeople.data[0].count], [people, 1])
})

test('each address and each link has a minute of its own, an IPv6 network counts as one address', async () => {
  const other = await addLink(footfall, { group_id: link.group_id })
  await follow({ clicks: MOST_CLICKS, address: '198.51.100.1' })
  await follow({ clicks: MOST_CLICKS, address: '198.51.100.2' })
  await follow({ clicks: MOST_CLICKS, address: '198.51.100.1', code: other.code })
  assert.equal((await countedClicks(footfall))['flood'], 0)
  const hosts = Array.from({ length: MOST_CLICKS + 3 }, (_, n) => `2001:db8:1:2::${n.toString(16)}`)
  await Promise.all(hosts.map((address) => follow({ clicks: 1, address })))
  assert.equal((await countedClicks(footfall))['flood'], 3)
  footfall.clock.advance(MINUTE)
  await follow({ clicks: MOST_CLICKS, address: '198.51.100.1' })
  assert.equal((await countedClicks(footfall))['flood'], 3)
})

test('a flood of programs is one as well, and a flood begins no session', async () => {
  await follow({ clicks: MOST_CLICKS, method: 'HEAD' })
  await follow({ clicks: 5, method: 'HEAD' })
  await follow({ clicks: 5 })
  footfall.clock.advance(MINUTE)
  await follow({ clicks: 1, address: '198.51.100.9' })
  await untilEqual(
    () => kindsOf(link.id),
    [
      ['', 1, 1],
      ['flood', 1, 10],
      ['head', MOST_CLICKS, MOST_CLICKS],
    ],
  )
  const flood = (await clicksOf(footfall, link.id)).find(({ bot_reason }) => bot_reason === 'flood')
  assert.equal(flood?.['session'], '0')
})

test('what is counted when the service stops is stored', async () => {
  await follow({ clicks: MOST_CLICKS + 7 })
  const { facts } = footfall.context
  const stored: Partial<ClickRow>[] = []
  const append = facts.append.bind(facts)
  Object.assign(facts, {
    append: (table: 'clicks', row: ClickRow) => {
      stored.push(row)
      return append(table, row)
    },
  })
  for (const close of closers.splice(0)) await close()
  assert.deepEqual(
    stored.map(({ bot_reason, count }) => [bot_reason, count]),
    [['flood', 7]],
  )
})

test('a flood that cannot be stored is told as lost, click by click', async () => {
  await follow({ clicks: MOST_CLICKS + 7 })
  Object.assign(footfall.context.facts, { append: () => Promise.reject(new Error('away')) })
  footfall.clock.advance(MINUTE)
  await follow({ clicks: 1 })
  await untilEqual(() => countedClicks(footfall), { stored: MOST_CLICKS, late: 0, lost: 8, flood: 7 })
})

test('however many addresses come, what is remembered has an end, and a flood that is let go is not forgotten', async () => {
  const stored: ClickRow[] = []
  const floods = openFloods(
    {
      enrich: footfall.context.enrich,
      log: pino({ level: 'silent' }),
      now: () => NOON,
      nextId: () => '1',
      store: async (row) => void stored.push(row),
    },
    2,
  )
  const target = { linkId: link.id, location: 'https://example.com/', group: { id: link.group_id, propertyId: 'p' } }
  const click = (address: string): boolean => floods.isFlood(target, address, NOON)
  for (let n = 0; n < MOST_CLICKS; n++) assert.equal(click('198.51.100.1'), false)
  assert.deepEqual([click('198.51.100.1'), click('198.51.100.1')], [true, true])
  click('198.51.100.2')
  click('198.51.100.3')
  assert.deepEqual(
    stored.map(({ count }) => count),
    [2],
  )
  assert.equal(click('198.51.100.1'), false, 'counted anew')
  await floods.close()
  assert.equal(stored.length, 1)
})
