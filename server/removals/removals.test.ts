// Facts of one property go, and of no other; a week at a time, by whoever is there, from where it broke off.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { type Footfall, startFootfall, type TestProperty } from '../../test/support/server.ts'
import { listWeeks } from './facts.ts'
import { removeOutlived, resetProperty, workOnRemovals } from './removals.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
/** Of three weeks. */
const DAYS = ['2026-10-07', '2026-11-11', '2026-11-20']
const ALL = '2149-01-01'

/** A visit with an event, and its page views, on each of the days. */
async function fill(footfall: Footfall, { key, token }: TestProperty): Promise<void> {
  const { track, clock } = footfall
  for (const day of DAYS) {
    clock.set(Date.parse(`${day}T12:00:00Z`))
    const { json } = await track.load({ key })
    await track.load({ key, page: 'https://example.com/second' })
    const body = { session_id: json.session_id, name: 'signup' }
    assert.equal((await footfall.call('POST', '/v2/property/session/event', { token, body })).status, 200)
  }
  clock.set(NOW)
}

async function figuresOf(footfall: Footfall, token: string) {
  const body = { period: 'custom', date_from: '2026-10-01', date_to: '2026-11-20' }
  const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body })
  const { sessions, views } = json.analytics.period_metrics.summary
  return [sessions.current, views.current]
}

const storedOf = async (footfall: Footfall, { id }: TestProperty) =>
  (await footfall.call('GET', `/manage/properties/${id}/facts`)).json.data

type Opening = (t: TestContext) => Promise<Footfall>

const homes: readonly (readonly [name: string, open: Opening])[] = [
  ['embedded', (t) => startFootfall(t, { now: NOW })],
  [
    'on two shards',
    async (t) => {
      const cluster = await startMigratedCluster()
      t.after(() => cluster.remove())
      const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
      return startFootfall(t, { now: NOW, env })
    },
  ],
]

for (const [where, open] of homes) {
  test(`the facts of a property that is deleted go, those of another stay, and it is reset while visitors come (${where})`, async (t) => {
    const footfall = await open(t)
    const [mine, other] = [await footfall.addProperty(), footfall.property]
    await fill(footfall, mine)
    await fill(footfall, other)
    const before = await figuresOf(footfall, other.token)
    assert.deepEqual(before, [3, 6])
    await footfall.context.facts.settle(NOW, false)
    const { stored } = await storedOf(footfall, mine)
    assert.deepEqual(stored, {
      sessions: 3,
      views: 6,
      events: 3,
      clicks: 0,
      form_events: 0,
      impressions: 0,
      first_day: DAYS[0],
      last_day: DAYS[2],
    })
    assert.equal((await footfall.call('DELETE', `/manage/properties/${mine.id}`)).status, 200)
    assert.equal(
      (await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token: mine.token })).status,
      401,
    )
    // Not while other nodes may still take something for it.
    assert.equal(await workOnRemovals(footfall.context), 0)
    footfall.clock.advance(60_000)
    assert.equal(await workOnRemovals(footfall.context), 3)
    assert.deepEqual(await listWeeks(footfall.context.facts, mine.id, ALL), [])
    assert.deepEqual(await figuresOf(footfall, other.token), before)
    await footfall.context.facts.settle(NOW, false)
    assert.deepEqual(await figuresOf(footfall, other.token), before)
    assert.equal(await workOnRemovals(footfall.context), 0)
    await resetUnderWay(footfall, other)
  })
}

test('a removal that broke off goes on where it was, by another process', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const mine = await footfall.addProperty()
  await fill(footfall, mine)
  assert.equal((await footfall.call('DELETE', `/manage/properties/${mine.id}`)).status, 200)
  footfall.clock.advance(60_000)
  const { context } = footfall
  let commands = 0
  const facts = new Proxy(context.facts, {
    get: (target, name) =>
      name === 'command' && ++commands > 3
        ? () => Promise.reject(new Error('killed'))
        : Reflect.get(target, name, target),
  })
  await assert.rejects(workOnRemovals({ ...context, facts }), /killed/)
  const left = await listWeeks(context.facts, mine.id, ALL)
  assert.ok(left.length > 0 && left.length <= 3)
  assert.equal(await workOnRemovals(context), 0, 'it is the dead one’s until its claim ends')
  footfall.clock.advance(300_000)
  assert.ok((await workOnRemovals(context)) > 0)
  assert.deepEqual(await listWeeks(context.facts, mine.id, ALL), [])
})

/** A new visitor with two page views and an event; and a known one, with a page view and an order. */
async function visit(footfall: Footfall, { key, token }: TestProperty, sessionBefore: string): Promise<void> {
  const { track, clock } = footfall
  clock.advance(1000) // also, nobody is limited
  const number = Math.floor(clock.now() / 1000)
  const address = `203.0.${Math.floor(number / 250) % 250}.${number % 250}`
  const { json } = await track.load({ key, address })
  await track.load({ key, address, page: 'https://example.com/second' })
  await track.load({ key, page: 'https://example.com/more' })
  const event = { session_id: json.session_id, name: 'signup' }
  assert.equal((await footfall.call('POST', '/v2/property/session/event', { token, body: event })).status, 200)
  const order = { session_id: sessionBefore, value: 100, currency_code: 'USD' }
  assert.equal((await footfall.call('POST', '/v2/property/session/acquisition', { token, body: order })).status, 200)
}

/** Sessions, views, events and value of the time in which the tests of a reset play. */
async function allOf(footfall: Footfall, { id, token }: TestProperty): Promise<number[]> {
  const body = { period: 'custom', date_from: '2026-10-01', date_to: '2026-11-20' }
  const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body })
  const { sessions, views, value } = json.analytics.period_metrics.summary
  const [row] = await footfall.context.facts.query<{ events: string }>(
    'test',
    'SELECT toString(count()) AS events FROM events FINAL WHERE property = {id:String}',
    { id },
  )
  return [sessions.current, views.current, Number(row?.events), value.current]
}

/** After which visitors come: before and after sessions go, and while they are folded anew. */
const STEPS = /^(ALTER TABLE (views|sessions)|INSERT INTO (views|marks))/

/**
 * Resets while visitors come between its statements. Whoever asks is told of everybody who
 * came after it had begun, and of nobody else.
 */
async function resetUnderWay(footfall: Footfall, property: TestProperty): Promise<void> {
  const { context, clock } = footfall
  const { json } = await footfall.track.load({ key: property.key })
  const before = json.session_id as string
  await visit(footfall, property, before)
  // As an owner asks for it, but for the work that then begins by itself.
  await resetProperty(context, property.id)
  let visits = 0
  const come = async (): Promise<void> => {
    await visit(footfall, property, before)
    visits++
  }
  await come()
  const command: typeof context.facts.command = async (name, sql) => {
    await context.facts.command(name, sql)
    const text = String(sql)
    if (!text.includes('2026-11-16') || !STEPS.test(text)) return // or an older week, to which nobody comes
    await allOf(footfall, property) // an answer that must not be kept until the rows have gone
    await come()
  }
  clock.advance(10_000)
  assert.equal(await workOnRemovals({ ...context, facts: { ...context.facts, command } }), DAYS.length)
  // Everybody who is new, and the one who was there before; an order of each and an event.
  const expected = [visits + 1, visits * 3, visits * 2, visits * 100]
  assert.deepEqual(await allOf(footfall, property), expected)
  await context.facts.settle(clock.now() + 2 * DAY_MS, false)
  assert.deepEqual(await allOf(footfall, property), expected)
}

test('a reset takes what there is, and what comes afterwards counts; the rest of the property stays', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { property } = footfall
  await fill(footfall, property)
  const reply = await footfall.call('DELETE', `/manage/properties/${property.id}/facts`)
  assert.equal(reply.json.data.removal.reason, 'reset')
  while ((await storedOf(footfall, property)).removal.state !== 'removed') await workOnRemovals(footfall.context)
  assert.deepEqual(await figuresOf(footfall, property.token), [0, 0])
  footfall.clock.advance(1)
  await footfall.track.load({ address: '203.0.113.99' })
  assert.deepEqual(await figuresOf(footfall, property.token), [1, 1])
  assert.equal(
    (await footfall.call('DELETE', `/manage/properties/${property.id}/facts`, { token: property.token })).status,
    401,
  )
})

/** Between any two of these a reset may end. */
const KILLED_BEFORE = [
  'ALTER TABLE sessions',
  'INSERT INTO views',
  'INSERT INTO events',
  'INSERT INTO marks',
  'SELECT 1',
]

test('a reset that is killed between its statements is done again, and nobody who came since is lost', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { property, context, clock } = footfall
  const { json } = await footfall.track.load({ key: property.key })
  await visit(footfall, property, json.session_id as string)
  await resetProperty(context, property.id)
  await visit(footfall, property, json.session_id as string)
  for (const last of KILLED_BEFORE) {
    const command: typeof context.facts.command = (name, sql) =>
      String(sql).startsWith(last) ? Promise.reject(new Error('killed')) : context.facts.command(name, sql)
    await assert.rejects(workOnRemovals({ ...context, facts: { ...context.facts, command } }), /killed/)
    clock.advance(300_000)
  }
  assert.equal(await workOnRemovals(context), 1)
  assert.deepEqual(await allOf(footfall, property), [2, 3, 2, 100])
})

test('a property keeps its facts as long as it says, by whole weeks, and others keep theirs', async (t) => {
  const footfall = await startFootfall(t, { now: NOW, env: { RETENTION_DAYS: '400' } })
  const [mine, other] = [await footfall.addProperty(), footfall.property]
  await fill(footfall, mine)
  await fill(footfall, other)
  const at = `/manage/properties/${mine.id}`
  assert.equal((await footfall.call('GET', at)).json.data.kept_days.facts, 400)
  for (const kept_days of [0, 1.5, 40_000, '5'])
    assert.equal((await footfall.call('POST', at, { body: { kept_days } })).status, 422)
  assert.equal((await footfall.call('POST', at, { body: { kept_days: 9 } })).status, 200)
  assert.equal((await footfall.call('GET', at)).json.data.kept_days.facts, 9)
  assert.equal(await removeOutlived(footfall.context), 1)
  assert.equal(await workOnRemovals(footfall.context), 1)
  // 11 November is nine days ago, and kept; so is what its week had before.
  assert.deepEqual(await listWeeks(footfall.context.facts, mine.id, ALL), ['2026-11-16', '2026-11-09'])
  assert.equal((await listWeeks(footfall.context.facts, other.id, ALL)).length, 3)
  footfall.clock.advance(7 * DAY_MS)
  assert.equal(await removeOutlived(footfall.context), 1)
  await workOnRemovals(footfall.context)
  assert.deepEqual(await listWeeks(footfall.context.facts, mine.id, ALL), ['2026-11-16'])
  assert.equal((await footfall.call('POST', at, { body: { kept_days: null } })).status, 200)
  assert.equal(await removeOutlived(footfall.context), 0)
})
