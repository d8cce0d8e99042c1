// What money and tags promise when callers are hostile, hasty or repeat themselves: no figure wraps round, no
// failure hides a stored payment, a session's tags have an end, and of an order that is reported again the
// first report stands, in every answer alike.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { readSessionId } from '../kernel/ids.ts'
import { MAX_MINOR } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { sessionKey } from './facts.ts'
import { MAX_SESSION_TAGS } from './session-model.ts'
import { acquisitionRow } from './sessions.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')
const footfall = await startFootfall({ after }, { now: noon })
const { clock, context, property, track } = footfall
const call = (path: string, body: unknown, token = property.token) => footfall.call('POST', path, { body, token })

// Browsers may usually report less than a token.
await context.records
  .updateTable('properties')
  .set({ browser_max_usd: MAX_MINOR / 100 })
  .where('id', '=', property.id)
  .execute()

let visitors = 0
/** A session of a visitor of its own. */
async function openSession(key = property.key): Promise<string> {
  visitors += 1
  return (await track.load({ address: `203.0.113.${visitors}`, key })).json.session_id
}

const value = (amount: number, amount_usd: number, currency: string) => ({ amount, amount_usd, currency })
const numbered = (count: number, name = 't') => Array.from({ length: count }, (_, i) => `${name}${i}`)

interface Outcome {
  /** '' when it was recorded. */
  readonly refused: string
  readonly value: unknown
  readonly tags: readonly string[]
}

type Body = Readonly<Record<string, unknown>>

/** The two ways to say the same; every promise of this file holds for both. */
const ways: Readonly<Record<string, (session_id: string, body: Body) => Promise<Outcome>>> = {
  browser: async (session_id, body) => {
    const { status, json } = await track.acquisition(session_id, body)
    assert.ok(status === 200 || status === 503)
    const refused = status === 503 ? 'unavailable' : json.success ? '' : 'validation_failed'
    return { refused, value: json.value, tags: json.acquisition_meta?.tags }
  },
  server: async (session_id, body) => {
    const { json } = await call('/v2/property/session/acquisition', { session_id, ...body })
    const { session } = json.data ?? {}
    return { refused: json.error_code ?? '', value: session?.value, tags: session?.acquisition_meta.tags }
  },
}

async function countRows(): Promise<number> {
  const [row] = await context.facts.query<{ rows: string }>('test.rows', 'SELECT count() AS rows FROM events')
  return Number(row?.rows)
}

for (const [way, acquire] of Object.entries(ways)) {
  test(`${way}: one event carries at most ${MAX_MINOR} minor units, and as many US cents`, async () => {
    const session = await openSession()
    const rows = await countRows()
    for (const body of [
      { value: MAX_MINOR + 1, currency_code: 'JPY' },
      { value: Number.MAX_SAFE_INTEGER },
      // A Kuwaiti dinar has a thousand fils and is worth more than three dollars; a pound has a hundred pence
      // and is worth more than one.
      { value: MAX_MINOR, currency_code: 'GBP' },
    ])
      assert.equal((await acquire(session, body)).refused, 'validation_failed', JSON.stringify(body))
    assert.equal(await countRows(), rows)
    const largest = await acquire(session, { value: MAX_MINOR, currency_code: 'USD' })
    assert.deepEqual(largest.value, value(MAX_MINOR, MAX_MINOR, 'USD'))
  })

  test(`${way}: a store that does not answer is a failure that stores nothing`, async (t) => {
    const session = await openSession()
    const rows = await countRows()
    const lookup = t.mock.method(context.facts, 'lookup', async () => {
      throw new Problem('unavailable', 'The facts store is not responding.')
    })
    assert.equal((await acquire(session, { value: 100 })).refused, 'unavailable')
    lookup.mock.restore()
    assert.equal(await countRows(), rows)
  })

  test(`${way}: once money is stored no question to the store can fail the call`, async (t) => {
    const session = await openSession()
    await acquire(session, { value: 50, currency_code: 'USD', tags: ['a'] })
    const writes = (['append', 'appendAll'] as const).map((name) => t.mock.method(context.facts, name))
    const isStored = () => writes.some((write) => write.mock.callCount() > 0)
    for (const name of ['query', 'lookup'] as const) {
      const asked = context.facts[name].bind(context.facts)
      t.mock.method(context.facts, name, async (question: string, sql: string, params?: Body) => {
        if (isStored()) throw new Problem('unavailable', 'The facts store is not responding.')
        return asked(question, sql, params)
      })
    }
    const answer = await acquire(session, { value: 100, tags: ['shop:order:1', 'b'] })
    assert.deepEqual(answer, {
      refused: '',
      value: value(150, 150, 'USD'),
      tags: ['a', 'shop:order:1', 'b'],
    })
    t.mock.restoreAll()
    assert.deepEqual((await acquire(session, {})).value, value(150, 150, 'USD'))
  })

  test(`${way}: a session has at most ${MAX_SESSION_TAGS} tags; those it has are always fine`, async () => {
    const session = await openSession()
    await acquire(session, { tags: numbered(100) })
    assert.equal((await acquire(session, { tags: numbered(100, 'u') })).tags.length, MAX_SESSION_TAGS)
    const rows = await countRows()
    const refused = await acquire(session, { value: 100, tags: ['t1', 'one more'] })
    assert.equal(refused.refused, 'validation_failed')
    assert.equal(await countRows(), rows)
    const known = await acquire(session, { value: 100, tags: ['t1', 'u99'] })
    assert.deepEqual([known.refused, known.value, known.tags.length], ['', value(100, 100, 'USD'), MAX_SESSION_TAGS])
  })

  test(`${way}: of an order reported again at another day's rate the first report stands, in every answer`, async () => {
    const { key, id, token } = await footfall.addProperty()
    // The visit goes on past midnight, else a page of yesterday could add nothing to it.
    clock.set(Date.parse('2026-03-10T23:50:00Z'))
    const session_id = await openSession(key)
    const report = (body: Body) =>
      way === 'browser'
        ? track.acquisition(session_id, body, { key }).then(({ json }) => json.value)
        : call('/v2/property/session/acquisition', { session_id, ...body }, token).then(
            ({ json }) => json.data.session.value,
          )
    const order = { value: 10_000, currency_code: 'CHF', tags: ['shop:order:9'] }
    const first = value(10_000, 12_610, 'CHF')
    assert.deepEqual(await report(order), first)
    clock.advance(1000)
    await report({ currency_code: 'USD' })
    await setRate('CHF', '2026-03-11', 0.5)
    clock.set(Date.parse('2026-03-11T00:05:00Z'))
    // The first report stays at its own day's rate, and the currency stays the one named last.
    const stands = value(12_610, 12_610, 'USD')
    assert.deepEqual(await report({ ...order, tags: [...order.tags, 'late'] }), stands)
    assert.deepEqual(await report(order), stands)
    assert.deepEqual(await report({}), stands)
    const window = { period: 'custom', date_from: '2026-03-10', date_to: '2026-03-11' }
    const ask = (path: string) => call(path, window, token)
    const { json: metrics } = await ask('/v2/property/signals/analytics/metrics')
    assert.equal(metrics.analytics.period_metrics.summary.value.current, stands.amount_usd)
    const { json: list } = await ask('/v2/property/signals/sessions')
    const [document] = list.data
    assert.deepEqual(
      value(document.signal_value_amount, document.signal_value_amount_usd, document.signal_value_currency),
      stands,
    )
    const money = await context.facts.query(
      'test.money',
      'SELECT value FROM events WHERE property = {id:String} AND amount > 0',
      { id },
    )
    assert.deepEqual(money, [{ value: '10000' }])
    clock.set(noon)
  })
}

for (const [way, acquire] of Object.entries(ways))
  for (const between of [
    { currency_code: 'EUR', tags: ['x'] },
    { value: 50, currency_code: 'EUR', tags: ['shop:order:2'] },
    { value: 100, currency_code: 'EUR' },
  ])
    test(`${way}: an order repeated without a currency counts once, though ${JSON.stringify(between)} came in between`, async () => {
      const session = await openSession()
      const order = { value: 100, tags: ['shop:order:1'] }
      assert.deepEqual((await acquire(session, order)).value, value(100, 100, 'USD'))
      clock.advance(1000)
      const { value: before } = await acquire(session, between)
      clock.advance(1000)
      const rows = await countRows()
      assert.deepEqual((await acquire(session, order)).value, before)
      assert.deepEqual((await acquire(session, { ...order, currency_code: 'USD' })).value, before)
      assert.equal(await countRows(), rows, 'nothing is stored')
      // Other tags of the repetition are taken, another value or currency of the order is another payment.
      assert.ok((await acquire(session, { ...order, tags: [...order.tags, 'late'] })).tags.includes('late'))
      assert.deepEqual((await acquire(session, {})).value, before)
      assert.notDeepEqual((await acquire(session, { ...order, value: 101 })).value, before)
      clock.set(noon)
    })

test('an order that named its currency is repeated without one, and counts once in the currency that it named', async () => {
  const session = await openSession()
  const order = { value: 100, tags: ['shop:order:1'] }
  const { server: acquire } = ways
  const first = await acquire!(session, { ...order, currency_code: 'EUR' })
  clock.advance(1000)
  await acquire!(session, { currency_code: 'GBP' })
  clock.advance(1000)
  const rows = await countRows()
  await acquire!(session, order)
  assert.equal(await countRows(), rows)
  clock.advance(1000)
  assert.deepEqual((await acquire!(session, { currency_code: 'EUR' })).value, first.value)
  clock.set(noon)
})

async function setRate(currency: string, day: string, per_usd: number): Promise<void> {
  await context.records
    .insertInto('currency_rates')
    .values({ day, currency, per_usd })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

test('a sum beyond what a number says exactly stays at the largest that it does, in every answer', async () => {
  const site = await footfall.addProperty()
  const id = await openSession(site.key)
  const key = sessionKey(readSessionId(context.keys, site.id, id)!)
  const rates = await context.rates.table()
  const largest = { value: MAX_MINOR, currency: 'USD', tags: [] }
  const rows = Array.from({ length: 9100 }, (_, i) =>
    acquisitionRow(site.id, key, largest, { id: String(i), at: noon, byVisitor: false, rates }),
  )
  await context.facts.appendAll(
    'events',
    rows.filter((row) => row !== undefined),
  )
  const largestSum = value(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'USD')
  assert.deepEqual((await track.acquisition(id, { value: 1 }, { key: site.key })).json.value, largestSum)
  const body = { session_id: id, value: 1 }
  const { json } = await call('/v2/property/session/acquisition', body, site.token)
  assert.deepEqual(json.data.session.value, largestSum)
  const ask = (path: string) => call(`/v2/property/signals/${path}`, { period: 'today' }, site.token)
  const [document] = (await ask('sessions')).json.data
  const { summary } = (await ask('analytics/metrics')).json.analytics.period_metrics
  assert.deepEqual(
    [document.signal_value_amount_usd, summary.value.current],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  )
})
