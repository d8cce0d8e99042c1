// Midnight (UTC): who is active across it stays in one session, on every node and after a restart; nobody
// else does. One test after the other on one clock, each with days and a property of its own.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test, type TestContext } from 'node:test'
import { CHROME, startFootfall } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'
import { usualDeadlines } from '../context.ts'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import { readSessionId } from '../kernel/ids.ts'
import { openVisitors, type Visitor } from './visitors.ts'
import { untilEqual, untilMatch } from '../../test/support/until.ts'

const MINUTE = 60_000
const start = Date.parse('2026-03-01T00:00:00Z')
const dataDir = mkdtempSync(join(tmpdir(), 'footfall-midnight-'))
const closers: (() => unknown)[] = []
after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})
/** Also what a test starts lives to the end of the file. */
const lasting: Pick<TestContext, 'after'> = { after: (close) => void closers.push(close as () => unknown) }

let footfall = await startFootfall(lasting, { dataDir, now: start })
let nextMidnight = start

/** A midnight ten days after the last one used; `at` sets the clock relative to it. */
async function openNight() {
  nextMidnight += 10 * DAY_MS
  const midnight = nextMidnight
  const at = (minutes: number): void => footfall.clock.set(midnight + minutes * MINUTE)
  at(-60)
  const { id, key } = await footfall.addProperty()
  const load = async (
    minutes: number,
    visitor: { address?: string } = {},
  ): Promise<{ session_id: string; view_id: string }> => {
    at(minutes)
    const reply = await footfall.track.load({ key, ...visitor })
    assert.equal(reply.json.success, true)
    return reply.json
  }
  return { id, key, midnight, at, load }
}

test('a visitor active before midnight carries on in the same session as long as no 30 minutes pass', async () => {
  const { load } = await openNight()
  const sessions = []
  for (const minutes of [-20, 5, 35, 65]) sessions.push((await load(minutes)).session_id)
  assert.equal(new Set(sessions).size, 1)
  const later = await load(95.1)
  assert.notEqual(later.session_id, sessions[0])
  assert.equal((await load(100)).session_id, later.session_id)
})

test('a visitor last seen more than 30 minutes ago has a new session, and on the same day keeps the one there is', async () => {
  const { id, load, midnight } = await openNight()
  const evening = await load(-40)
  assert.equal((await load(-6)).session_id, evening.session_id)
  const early = await load(-5, { address: '203.0.113.50' })
  const morning = await load(25.5, { address: '203.0.113.50' })
  assert.notEqual(morning.session_id, early.session_id)
  assert.equal(readSessionId(footfall.context.keys, id, morning.session_id)?.day, dayOf(midnight))
})

test('a ping or an event keeps a session going over midnight, too', async () => {
  const { key, at, load } = await openNight()
  const { session_id, view_id } = await load(-25)
  at(4)
  assert.equal((await footfall.track.ping(view_id, { key, tos: 5 })).json.success, true)
  at(30)
  assert.equal((await footfall.track.event(session_id, 'scroll', { key })).json.success, true)
  assert.equal((await load(59)).session_id, session_id)
})

test('an order that is reported again, and a call that says nothing, keep no session going', async () => {
  const { key, at, load } = await openNight()
  const order = { value: 100, currency_code: 'USD', tags: ['shop:order:1'] }
  for (const said of [order, {}]) {
    const address = said === order ? '203.0.113.40' : '203.0.113.41'
    const { session_id } = await load(-25, { address })
    await footfall.track.acquisition(session_id, order, { key, address })
    at(4)
    const again = await footfall.track.acquisition(session_id, said, { key, address })
    assert.deepEqual([again.json.success, again.json.value.amount], [true, 100])
    assert.notEqual((await load(20, { address })).session_id, session_id)
  }
})

test('money and tags that are new keep a session going over midnight', async () => {
  const { key, at, load } = await openNight()
  const { session_id } = await load(-25)
  at(4)
  assert.equal((await footfall.track.acquisition(session_id, { tags: ['vip'] }, { key })).json.success, true)
  assert.equal((await load(20)).session_id, session_id)
})

test('what the server of the owner records keeps no session going', async () => {
  const { id, at, load } = await openNight()
  const token = await footfall.addToken(id, ['signals:write'])
  const { session_id } = await load(-25)
  at(4)
  const body = { session_id, name: 'invoice' }
  assert.equal((await footfall.call('POST', '/v2/property/session/event', { token, body })).status, 200)
  assert.notEqual((await load(20)).session_id, session_id)
})

test('a page of yesterday whose session is over takes no more pings, and events go to the session of today', async () => {
  const { key, at, load } = await openNight()
  const yesterday = await load(-50)
  at(1)
  assert.equal((await footfall.track.ping(yesterday.view_id, { key })).json.message, 'Invalid page id')
  assert.equal((await footfall.track.event(yesterday.session_id, 'x', { key })).json.message, 'Session not found')
  assert.equal((await footfall.track.resolve({ key })).json.success, false)
  const today = await load(2)
  assert.equal((await footfall.track.event(yesterday.session_id, 'x', { key })).json.success, true)
  const events = await footfall.context.facts.query<{ session: string }>(
    'test.events',
    'SELECT toString(session) AS session FROM events WHERE name = {name:String} AND at >= fromUnixTimestamp64Milli({at:Int64})',
    { name: 'x', at: nextMidnight },
  )
  assert.deepEqual(
    events.map((event) => BigInt(event.session)),
    [readSessionId(footfall.context.keys, (await footfall.context.properties.byKey(key))!.id, today.session_id)?.hash],
  )
})

test('a page view that midnight overtakes lies in the day of its session, and in the window of that day', async (t) => {
  const { id, midnight, at, load } = await openNight()
  const token = await footfall.addToken(id, ['signals:read'])
  // The first view of a day waits for the facts, when there is a day before.
  await load(-DAY_MS / MINUTE - 60, { address: '203.0.113.45' })
  const { facts } = footfall.context
  const asked = facts.lookup.bind(facts)
  t.mock.method(facts, 'lookup', (...question: Parameters<typeof asked>) => {
    at(0.01)
    return asked(...question)
  })
  await load(-0.01)
  assert.equal(footfall.clock.now(), midnight + 0.01 * MINUTE, 'midnight came in between')
  const listed = async (period: string) =>
    (await footfall.call('POST', '/v2/property/signals/sessions', { token, body: { period } })).json.data
  at(1)
  const [[session], today] = [await listed('yesterday'), await listed('today')]
  assert.equal(session.entry_ts, Math.floor((midnight - 0.01 * MINUTE) / 1000))
  assert.deepEqual(today, [])
})

test('a clock that is set back over midnight makes no re-entry', async () => {
  const { id, key, at, load } = await openNight()
  const token = await footfall.addToken(id, ['signals:read'])
  const { session_id, view_id } = await load(0.02)
  const stayOn = async (minutes: number) => {
    at(minutes)
    assert.equal((await footfall.track.ping(view_id, { key, tos: 1 })).json.success, true)
    assert.equal((await footfall.track.event(session_id, 'x', { key })).json.success, true)
  }
  // Two hours with a pause in them, as another node's clock may have it.
  for (const minutes of [-120, -60, -0.01]) await stayOn(minutes)
  const reEntries = async () => {
    const body = { period: 'custom', date_from: '2026-01-01', date_to: '2027-12-31' }
    const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { token, body })
    return json.data[0].re_entry_count
  }
  await stayOn(0.3)
  assert.equal(await reEntries(), 0)
  await stayOn(32)
  assert.equal(await reEntries(), 1, 'a pause that there was counts')
})

test('a session that is over stays over, whatever arrives for its pages later', async () => {
  const { key, at, load } = await openNight()
  const { session_id, view_id } = await load(-10)
  at(21)
  assert.equal((await footfall.track.ping(view_id, { key })).json.message, 'Invalid page id')
  const today = await load(22)
  assert.notEqual(today.session_id, session_id)
  assert.equal((await load(23)).session_id, today.session_id)
})

test('first requests after midnight that come together are one session', async () => {
  const { load } = await openNight()
  const { session_id } = await load(-1)
  const replies = await Promise.all(Array.from({ length: 10 }, () => load(1)))
  assert.deepEqual(new Set(replies.map((reply) => reply.session_id)), new Set([session_id]))
  const fresh = await Promise.all(Array.from({ length: 10 }, () => load(2, { address: '203.0.113.60' })))
  assert.equal(new Set(fresh.map((reply) => reply.session_id)).size, 1)
})

test('at midnight a restart divides no session and merges none', async () => {
  const { load } = await openNight()
  const active = await load(-10)
  const idle = await load(-45, { address: '203.0.113.70' })
  await load(-5)
  const { clock } = footfall
  const now = clock.now()
  const { key, id } = footfall.property
  await footfall.close()
  footfall = await startFootfall(lasting, { dataDir, now })
  assert.notEqual(footfall.property.key, key)
  assert.ok(await footfall.context.properties.byId(id))
  assert.equal((await load(10)).session_id, active.session_id)
  assert.notEqual((await load(11, { address: '203.0.113.70' })).session_id, idle.session_id)
})

test('two nodes on the same stores give a visitor the same session, before and after midnight', async () => {
  const { id, at, load } = await openNight()
  const { context } = footfall
  const other = openVisitors({ ...context, facts: { ...context.facts, isShared: true } })
  const visitor: Visitor = { address: '203.0.113.7', agent: CHROME, language: 'en-GB,en;q=0.9' }
  const { session_id } = await load(-10)
  const session = readSessionId(context.keys, id, session_id)
  assert.deepEqual(await other.identify(id, visitor), session)
  assert.equal(await other.exists(id, session!), true)
  at(5)
  assert.deepEqual(await other.identify(id, visitor), session)
  // The other node hears from the facts what this one stored.
  await load(19)
  at(48)
  await other.identify(id, visitor)
  await new Promise((resolve) => setImmediate(resolve))
  await eventually(async () => other.isCurrent(session!), Boolean)
  assert.deepEqual(await other.identify(id, visitor), session)
})

test('two nodes that make the salt of a day at the same moment agree on it', async () => {
  const { id, at } = await openNight()
  at((3 * DAY_MS) / MINUTE)
  const nodes = Array.from({ length: 5 }, () => openVisitors(footfall.context))
  const visitor: Visitor = { address: '203.0.113.9', agent: 'x', language: '' }
  const sessions = await Promise.all(nodes.map((node) => node.identify(id, visitor)))
  assert.equal(new Set(sessions.map((session) => session.hash)).size, 1)
})

/** Visitors of a node of its own, whose look-ups in the facts are answered by `lookup`. */
function openNode(lookup: () => Promise<unknown[]>, deadlines = footfall.context.deadlines) {
  const { context } = footfall
  const facts = { ...context.facts, lookup: lookup as typeof context.facts.lookup }
  return openVisitors({ ...context, deadlines, facts })
}

test('a day begins without the facts when they fail or do not answer, and takes them over when they are back', async () => {
  const { id, midnight, at, load } = await openNight()
  const visitor: Visitor = { address: '203.0.113.7', agent: CHROME, language: 'en-GB,en;q=0.9' }
  const evening = readSessionId(footfall.context.keys, id, (await load(-10)).session_id)
  const today = dayOf(midnight)
  at(1)
  const stuck = openNode(() => new Promise(() => {}), usualDeadlines)
  assert.equal((await stuck.identify(id, visitor)).day, today)
  let answer: () => Promise<unknown[]> = () => Promise.reject(new Error('away'))
  const failing = openNode(() => answer())
  assert.equal((await failing.identify(id, visitor)).day, today)
  answer = async () => [{ session: String(evening!.hash), last_ms: String(midnight - 10 * MINUTE) }]
  at(2)
  await failing.identify(id, visitor)
  for (let i = 0; i < 200 && !(await failing.isCurrent(evening!)); i++) await new Promise(setImmediate)
  assert.deepEqual(await failing.identify(id, visitor), evening)
})

test('what was taken before midnight and is stored while the new day opens carries on', async () => {
  const { id, at } = await openNight()
  const visitor: Visitor = { address: '203.0.113.80', agent: CHROME, language: 'en' }
  at(-1)
  const session = await footfall.context.visitors.identify(id, visitor)
  const late = Promise.withResolvers<unknown[]>()
  const opened = Promise.withResolvers<void>()
  const other = openNode(() => {
    opened.resolve()
    return late.promise
  })
  at(1)
  const first = other.identify(id, { ...visitor, address: '203.0.113.81' })
  await opened.promise
  other.noteActivity(session)
  late.resolve([])
  await first
  assert.deepEqual(await other.identify(id, visitor), session)
})

test('old salts go without a request', async () => {
  const { midnight, at } = await openNight()
  const { records, visitors } = footfall.context
  const today = dayOf(midnight)
  // As every hour; the nights of these tests are ten days apart.
  await visitors.removeOldSalts()
  at(1)
  await records
    .insertInto('salts')
    .values([today - 2, today - 1, today].map((day) => ({ day, salt: '00'.repeat(16) })))
    .execute()
  await visitors.removeOldSalts()
  const left = await records.selectFrom('salts').select('day').orderBy('day').execute()
  assert.deepEqual(
    left.map(({ day }) => day),
    [today - 1, today],
  )
})

test('a clock that jumps ahead for a moment takes nobody their session of today', async () => {
  const { midnight, at, load } = await openNight()
  const { records, visitors } = footfall.context
  const evening = await load(-120)
  const yesterday = await load(60)
  assert.notEqual(yesterday.session_id, evening.session_id)
  const now = DAY_MS / MINUTE + 120
  const before = await load(now)
  // A request, and the hourly job, while the clock is five days ahead.
  const ahead = await load(now + (5 * DAY_MS) / MINUTE)
  assert.notEqual(ahead.session_id, before.session_id)
  await visitors.removeOldSalts()
  at(now + (5 * DAY_MS) / MINUTE + 59)
  await visitors.removeOldSalts()
  assert.equal((await load(now + 1)).session_id, before.session_id)
  await visitors.removeOldSalts()
  assert.equal((await load(now + 2)).session_id, before.session_id)
  // A clock that stays where it is is right after an hour.
  const days = async () =>
    (await records.selectFrom('salts').select('day').orderBy('day').execute()).map((row) => row.day)
  at(now + (8 * DAY_MS) / MINUTE)
  await visitors.removeOldSalts()
  assert.ok((await days()).includes(dayOf(midnight) + 1))
  at(now + (8 * DAY_MS) / MINUTE + 61)
  await visitors.removeOldSalts()
  assert.ok((await days()).every((day) => day >= dayOf(midnight) + 8))
})

test('salts of two days are kept and older ones are gone', async () => {
  const { midnight, load } = await openNight()
  await load(-5)
  await load(5)
  const list = () => footfall.context.records.selectFrom('salts').select('day').orderBy('day').execute()
  // The day opens without waiting for it.
  await untilEqual(async () => (await list()).map((row) => row.day), [dayOf(midnight) - 1, dayOf(midnight)])
})

test("tomorrow's salt is there before midnight", async () => {
  const { midnight, load } = await openNight()
  await load(-30)
  await load(-5)
  const find = () =>
    footfall.context.records.selectFrom('salts').selectAll().where('day', '=', dayOf(midnight)).executeTakeFirst()
  await untilMatch(async () => (await find())?.salt ?? null, /^[0-9a-f]{32}$/)
})

test('a day opens while another process writes to the records', async (t) => {
  const { midnight, load } = await openNight()
  await load(-30)
  await load(-5)
  const salted = footfall.context.records.selectFrom('salts').select('day').where('day', '=', dayOf(midnight))
  await untilEqual(async () => (await salted.execute()).length, 1)
  const other = new DatabaseSync(join(dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin immediate')
  await load(5)
  other.exec('rollback')
})

test('no node gives a view number twice, the numbers fit their column, and nodes count apart from each other', () => {
  const numbersOf = (start: number) => {
    const visitors = openVisitors({ ...footfall.context, randomBytes: (bytes) => Buffer.alloc(bytes, start) })
    return Array.from({ length: 1000 }, () => visitors.nextView())
  }
  // 0xff…: the numbers go round the end of 32 bits.
  const [low, middle, high] = [numbersOf(0), numbersOf(128), numbersOf(255)]
  assert.equal(new Set([...low, ...middle, ...high]).size, 3000 - 999)
  for (const numbers of [low, middle, high]) {
    assert.equal(new Set(numbers).size, 1000)
    assert.ok(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32))
  }
})
