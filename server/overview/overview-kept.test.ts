// Answers of the overview are kept until a fact changes: what was acknowledged is in the next one, and nobody
// gets another property's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addBlock, renderIds, track as trackContent } from '../../test/support/content-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { askOverview } from '../../test/support/overview-world.ts'
import { watchQuestions } from '../../test/support/questions.ts'
import { type Footfall, startFootfall, type TestProperty } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const ann = { address: '203.0.113.1' }

const isKept = async (footfall: Footfall, body: object = {}, propertyId?: string): Promise<boolean> =>
  (await askOverview(footfall, body, propertyId)).meta.is_cached

const sessionsIn = ({ cards }: { cards: { current: number }[] }) => cards[0]?.current

test('both windows of an overview are of one moment, also right after a write', async (t) => {
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-19T13:59:30Z') })
  const { track, clock } = footfall
  const sessions = async (body: object = {}) => {
    const { cards } = await askOverview(footfall, { period: 'today', ...body })
    return [cards[0].current, cards[0].previous]
  }
  await track.load({ address: '203.0.113.9' })
  clock.set(Date.parse('2026-11-20T10:00:00Z'))
  await track.load({ address: '203.0.113.1' })
  assert.deepEqual(await sessions(), [1, null], 'ten hours before midnight nobody had come yet')
  clock.advance(55_000)
  await track.load({ address: '203.0.113.2' })
  assert.deepEqual(await sessions(), [2, 1])
  const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body: { period: 'today' } })
  const { current, previous } = json.analytics.period_metrics.summary.sessions
  assert.deepEqual([current, previous], [2, 1])
  clock.set(Date.parse('2027-11-19T13:59:20Z'))
  await track.load({ address: '203.0.113.3' })
  assert.deepEqual(await sessions({ compare: 'year' }), [1, null])
  clock.advance(20_000)
  await track.load({ address: '203.0.113.4' })
  assert.deepEqual(await sessions({ compare: 'year' }), [2, 1])
})

test('an overview is kept until anything is written', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { track, property, clock } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const { json } = await track.load(ann)
  const other = await footfall.addProperty()
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group })
  const block = await addBlock(footfall.context.records, property.id)
  const rendered = await renderIds(footfall, block.key, ann)

  await t.test('the same question has the same answer, and asks the facts nothing', async () => {
    const first = await askOverview(footfall)
    const seen = watchQuestions(footfall.context.facts)
    const second = await askOverview(footfall)
    assert.deepEqual([first.meta.is_cached, second.meta.is_cached, seen.names], [false, true, []])
    const bare = ({
      meta: { took_ms: _ms, is_cached: _kept, ...meta },
      ...rest
    }: {
      meta: Record<string, unknown>
    }) => ({ meta, ...rest })
    assert.deepEqual(bare(second), bare(first))
  })

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    'a page view': () => track.load({ address: '203.0.113.2' }),
    'a ping': () => track.ping(json.view_id, { ...ann, tos: 30 }),
    'an event': () => track.event(json.session_id, 'signup', ann),
    'an acquisition': () => track.acquisition(json.session_id, { value: 5, currency_code: 'USD' }, ann),
    'an identification': () =>
      call('POST', '/v2/property/contacts/identify', { body: { session_id: json.session_id, external_id: 'a' } }),
    'a click': () => visit(footfall.url, `/a/${link.code}`),
    'an impression': () => trackContent(footfall, { ...rendered, action: 'view' }, ann),
    'the end of old facts': () => footfall.context.facts.command('test', 'ALTER TABLE views DELETE WHERE 0'),
  }
  for (const [name, write] of Object.entries(writes)) {
    await t.test(`${name} is in the next answer`, async () => {
      await isKept(footfall)
      assert.equal(await isKept(footfall), true)
      await write()
      assert.equal(await isKept(footfall), false)
    })
  }

  await t.test(
    'what is added to a session of an earlier day is in the next answer, whatever was kept of that day',
    async () => {
      clock.advance(2 * 86_400_000)
      await track.load({ address: '203.0.113.3' })
      const valueOf = ({ cards }: { cards: { id: string; current: number }[] }) =>
        cards.find(({ id }) => id === 'value')?.current
      const before = valueOf(await askOverview(footfall))
      await track.load({ address: '203.0.113.4' })
      assert.equal(valueOf(await askOverview(footfall)), before)
      const body = { session_id: json.session_id, value: 700, currency_code: 'USD' }
      assert.equal((await call('POST', '/v2/property/session/acquisition', { body })).status, 200)
      const { cards, outcomes } = await askOverview(footfall)
      assert.equal(valueOf({ cards }), before! + 700)
      assert.deepEqual(outcomes.events, [{ name: 'signup', count: 1, sessions: 1, value_cents: before! + 700 }])
      clock.advance(-2 * 86_400_000)
    },
  )

  await t.test('a window that is over is kept through the writes of later days, and no longer', async () => {
    const body = { period: 'custom', date_from: '2026-11-01', date_to: '2026-11-20' }
    clock.advance(86_400_000)
    const eventsIn = ({ outcomes }: { outcomes: { events: { count: number }[] } }) => outcomes.events[0]?.count
    const before = eventsIn(await askOverview(footfall, body))
    await track.load({ address: '203.0.113.8' })
    assert.equal(await isKept(footfall, body), true)
    await call('POST', '/v2/property/session/event', { body: { session_id: json.session_id, name: 'signup' } })
    const after = await askOverview(footfall, body)
    assert.deepEqual([after.meta.is_cached, eventsIn(after)], [false, before! + 1])
    clock.advance(-86_400_000)
  })

  await t.test('the facts of another property change nothing, and each has its own answers', async () => {
    await isKept(footfall)
    assert.equal(await isKept(footfall, {}, other.id), false)
    await track.load({ ...ann, key: other.key })
    assert.equal(await isKept(footfall), true)
    const [mine, theirs] = [await askOverview(footfall), await askOverview(footfall, {}, other.id)]
    assert.deepEqual([sessionsIn(mine), sessionsIn(theirs)], [2, 1])
  })

  await t.test('every part of the question counts', async () => {
    const asks = [
      {},
      { period: 'last_28' },
      { period: 'last_28', interval: 'week' },
      { compare: 'year' },
      { clauses: [{ id: 'browser', op: 'equals', value: 'Chrome' }] },
      { clauses: [{ id: 'browser', op: 'not_equals', value: 'Chrome' }] },
    ]
    for (const body of asks.slice(1)) assert.equal(await isKept(footfall, body), false, JSON.stringify(body))
    for (const body of asks) assert.equal(await isKept(footfall, body), true, JSON.stringify(body))
  })

  await t.test(
    'a running window moves on within a minute, one that is over stays, and a new day is another window',
    async () => {
      const over = { period: 'custom', date_from: '2026-11-01', date_to: '2026-11-19' }
      for (const body of [{}, over, { period: 'today' }]) await isKept(footfall, body)
      clock.advance(59_000)
      assert.deepEqual([await isKept(footfall), await isKept(footfall, over)], [true, true])
      clock.advance(2_000)
      assert.deepEqual([await isKept(footfall), await isKept(footfall, over)], [false, true])
      clock.set(Date.parse('2026-11-20T23:59:59Z'))
      await isKept(footfall, { period: 'today' })
      clock.advance(1_000)
      const { meta, window } = await askOverview(footfall, { period: 'today' })
      assert.deepEqual([meta.is_cached, window.from_ts], [false, Date.parse('2026-11-21') / 1000])
    },
  )

  await t.test('who was here five minutes ago is not here any more, although nothing was written', async () => {
    await track.load(ann)
    await track.load({ ...ann, address: '203.0.113.77', agent: 'Googlebot/2.1' })
    assert.equal((await askOverview(footfall)).live, 1)
    clock.advance(301_000)
    assert.equal((await askOverview(footfall)).live, 0)
  })

  await t.test('equal questions at one moment are answered once', async () => {
    await track.load(ann)
    const seen = watchQuestions(footfall.context.facts)
    const answers = await Promise.all(Array.from({ length: 6 }, () => askOverview(footfall)))
    assert.equal(seen.names.filter((name) => name === 'analytics.readTopLists').length, 1)
    assert.equal(new Set(answers.map(sessionsIn)).size, 1)
  })

  await t.test('a question that came after a write does not take an answer that was begun before it', async () => {
    await track.load(ann)
    const { facts } = footfall.context
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const ask = facts.query.bind(facts)
    let hasRead = 0
    let isHeld = false
    const slow: Facts['query'] = async (name, ...rest) => {
      const rows = await ask<never>(name, ...rest)
      if (name !== 'analytics.overview') return rows
      hasRead++
      if (isHeld) await released
      return rows
    }
    Object.assign(facts, { query: slow })
    await askOverview(footfall)
    const reads = hasRead
    assert.ok(reads > 0)
    await track.load(ann)
    isHeld = true
    const before = askOverview(footfall)
    await eventually(
      async () => hasRead,
      (count) => count >= 2 * reads,
    )
    assert.equal(hasRead, 2 * reads)
    await track.load({ address: '203.0.113.77' })
    Object.assign(facts, { query: ask })
    const after = await askOverview(footfall)
    release()
    assert.ok(sessionsIn(after)! > sessionsIn(await before)!)
    assert.equal(sessionsIn(await askOverview(footfall)), sessionsIn(after))
  })

  await t.test('what could not be answered is not kept', async () => {
    await track.load(ann)
    const seen = watchQuestions(footfall.context.facts)
    seen.failure = new Error('broken')
    assert.equal((await call('POST', `/manage/properties/${property.id}/overview`)).status, 500)
    // Whatever failed first: its figures fail as well before anything can be answered again.
    await eventually(
      async () => seen.names.includes('analytics.overview'),
      (hasFailed) => hasFailed,
    )
    seen.failure = undefined
    assert.equal(await isKept(footfall), false)
    assert.equal(await isKept(footfall), true)
  })
})

type Step = { readonly does: 'load' | 'ask' | 'wait'; readonly ofOther: boolean; readonly who: number }

const anyStep: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('load', 'ask', 'ask', 'wait'),
  ofOther: fc.boolean(),
  who: fc.integer({ min: 1, max: 200 }),
})

test('when the first person came is asked once for all windows, until a day before today changes', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { track, clock } = footfall
  const seen = watchQuestions(footfall.context.facts)
  const firstTs = async (body: object) => {
    seen.names.length = 0
    const { meta } = await askOverview(footfall, body)
    return [meta.first_view_ts, seen.names.filter((name) => name === 'analytics.firstView').length]
  }
  const [firstAt, { json }] = [Math.floor(clock.now() / 1000), await track.load(ann)]
  assert.deepEqual(await firstTs({}), [firstAt, 1])
  assert.deepEqual(await firstTs({ period: 'last_7' }), [firstAt, 0])
  await track.load({ address: '203.0.113.4' })
  assert.deepEqual(await firstTs({}), [firstAt, 0])
  clock.advance(DAY_MS)
  await track.load({ address: '203.0.113.2' })
  assert.deepEqual(await firstTs({}), [firstAt, 1], 'another day')
  await track.load({ address: '203.0.113.3' })
  for (const period of ['last_28', 'last_7', 'today', 'yesterday'])
    assert.deepEqual(await firstTs({ period }), [firstAt, 0], period)

  const late = { body: { session_id: json.session_id, name: 'late' } }
  await footfall.call('POST', '/v2/property/session/event', late)
  assert.deepEqual(await firstTs({}), [firstAt, 1], 'something of yesterday')
})

test('whatever is written and asked in whatever order, an answer has all that was acknowledged before it', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { track, clock } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const properties: readonly TestProperty[] = [footfall.property, await footfall.addProperty()]
  const views = [0, 0]
  const take = async ({ does, ofOther, who }: Step) => {
    const index = Number(ofOther)
    const property = properties[index]!
    if (does === 'wait') return clock.advance(who * 100)
    if (does === 'load') {
      await track.load({ address: `203.0.113.${who}`, key: property.key })
      views[index]!++
      return undefined
    }
    const overview = await askOverview({ call, property }, { period: 'today' })
    return assert.equal(overview.cards[2].current, views[index])
  }
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const step of steps) await take(step)
    }),
    { numRuns: rounds(3, 200) },
  )
})

test('overviews and lists are kept in one memory, so that its bound holds for both', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { answers } = footfall.context
  const get = answers.get.bind(answers)
  const asked: unknown[] = []
  Object.assign(answers, {
    get: ((version, ask, make) => {
      asked.push(ask.key[0])
      return get(version, ask, make)
    }) satisfies typeof get,
  })
  await askOverview(footfall)
  const isOfOverview = new Set(asked)
  assert.ok(isOfOverview.has('overview'), asked.join(' '))
  const list = await footfall.call('POST', `/manage/properties/${footfall.property.id}/lists/source`, { body: {} })
  assert.equal(list.status, 200, list.text)
  // Under other names: neither takes the other's answer for its own.
  assert.ok(asked.length > 0 && !isOfOverview.has(asked.at(-1)), asked.join(' '))
})
