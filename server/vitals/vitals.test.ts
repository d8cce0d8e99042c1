// How fast pages were: what browsers tell through the front door, and the figures of it, counted by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { ratingOf, scales } from './vitals-model.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

interface Speed {
  readonly device: string
  readonly path: string
  readonly loads: number
  readonly lcp: { readonly p75: number }
}

interface Visitor {
  readonly address: string
  readonly agent?: string
}

const askOf =
  (footfall: Footfall, propertyId: string) =>
  async (body: object = {}) => {
    const { status, json, text } = await footfall.call('POST', `/manage/properties/${propertyId}/speed`, { body })
    assert.equal(status, 200, text)
    return json.data
  }

let ids = 0

/** Somebody looks at the page, and their browser tells how fast it was. */
async function see(
  { track, property }: Footfall,
  visitor: Visitor,
  told: object,
  { page = 'https://example.com/', key = property.key } = {},
) {
  const { json } = await track.load({ ...visitor, page, key })
  return track.vitals(json.session_id, { id: ++ids, page, ...told }, { ...visitor, key })
}

test('the speed of pages', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const ask = askOf(footfall, footfall.property.id)

  await t.test('nothing measured is no zero', async () => {
    const { all, devices, pages } = await ask()
    assert.deepEqual([all, devices, pages], [null, [], []])
  })

  await t.test('the 75th percentile of all, by device and by page, with its rating', async () => {
    const times = [1000, 2000, 2500, 2501, 4000, 4001, 9000]
    for (const [index, lcp] of times.entries())
      await see(footfall, { address: `203.0.113.${index + 1}` }, { lcp, cls: lcp / 100_000, inp: 40 })
    const phone = { address: '203.0.113.40', agent: PHONE }
    await see(footfall, phone, { lcp: 6000, ttfb: 900.4 }, { page: 'https://example.com/slow?x=1#y' })
    const { all, devices, pages } = await ask()
    // In order 1000 2000 2500 2501 4000 4001 6000 9000: the one at ⌊0.75 · 8⌋ + 1 = 7.
    assert.deepEqual(all.lcp, { p75: 6000, rating: 'poor', count: 8, good: 3, needs_improvement: 2, poor: 3 })
    // Of seven: ⌊5.25⌋ + 1 = 6.
    assert.deepEqual(all.cls, { p75: 0.04, rating: 'good', count: 7, good: 7, needs_improvement: 0, poor: 0 })
    assert.deepEqual(all.ttfb, {
      p75: 900,
      rating: 'needs_improvement',
      count: 1,
      good: 0,
      needs_improvement: 1,
      poor: 0,
    })
    assert.deepEqual(all.fcp, { p75: null, rating: null, count: 0, good: 0, needs_improvement: 0, poor: 0 })
    assert.equal(all.loads, 8)
    const ofDevices = devices.map(({ device, loads, lcp }: Speed) => [device, loads, lcp.p75])
    assert.deepEqual(ofDevices, [
      ['desktop', 7, 4001],
      ['mobile', 1, 6000],
    ])
    const ofPages = pages.map(({ path, loads, lcp }: Speed) => [path, loads, lcp.p75])
    assert.deepEqual(ofPages, [
      ['/', 7, 4001],
      ['/slow', 1, 6000],
    ])
    const narrowed = await ask({ clauses: [{ id: 'device', op: 'equals', value: 'mobile' }] })
    assert.deepEqual([narrowed.all.loads, narrowed.pages[0].path], [1, '/slow'])
    assert.equal((await ask({ period: 'yesterday' })).all, null)
  })

  await t.test('a page that is told of again counts once, with the largest of each value', async () => {
    const { id, key } = await footfall.addProperty()
    const one = { address: '203.0.113.60' }
    for (const inp of [80, 240, 100])
      assert.equal((await see(footfall, one, { id: 7, inp }, { key })).json.success, true)
    const { all } = await askOf(footfall, id)()
    assert.deepEqual([all.loads, all.inp.p75, all.inp.count], [1, 240, 1])
  })

  await t.test('bots and sessions that are marked as invalid are in none of it', async () => {
    const { id, key } = await footfall.addProperty()
    await see(footfall, { address: '203.0.113.70', agent: BOT }, { lcp: 1 }, { key })
    const { json } = await footfall.track.load({ address: '203.0.113.71', key })
    await see(footfall, { address: '203.0.113.71' }, { lcp: 100 }, { key })
    const mine = askOf(footfall, id)
    assert.equal((await mine()).all.loads, 1)
    const path = `/manage/properties/${id}/sessions/${json.session_id}/mark`
    assert.equal((await footfall.call('POST', path, { body: { is_invalid: true } })).status, 200)
    assert.equal((await mine()).all, null)
  })

  await t.test('what is no measurement is refused in the words of the tracker, and stored nowhere', async () => {
    const { id, key } = await footfall.addProperty()
    const one = { address: '203.0.113.80' }
    const refused: readonly object[] = [
      {},
      { lcp: -1 },
      { lcp: 3_600_001 },
      { lcp: '100' },
      { lcp: null },
      { cls: 1e300 },
      { lcp: 1, id: -1 },
      { lcp: 1, id: 2 ** 32 },
      { lcp: 1, id: 1.5 },
      { lcp: 1, page: 'javascript:alert(1)' },
      { lcp: 1, page: '' },
    ]
    for (const told of refused) {
      const { status, json } = await see(footfall, one, told, { key })
      assert.deepEqual([status, json.success], [200, false], JSON.stringify(told))
      assert.equal(typeof json.message, 'string')
    }
    assert.equal((await askOf(footfall, id)()).all, null)
    const told = { id: 1, page: 'https://example.com/', lcp: 1 }
    const stranger = await footfall.track.vitals('nobody', told, { address: '203.0.113.99', key })
    assert.deepEqual(stranger.json, { success: false, message: 'Session not found' })
  })
})

test('a rating follows the thresholds, whatever the value', () => {
  const names = Object.keys(scales) as (keyof typeof scales)[]
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(10_000_000), (name, value) => {
      const { good, poor } = scales[name]
      const expected = value <= good ? 'good' : value > poor ? 'poor' : 'needs_improvement'
      assert.equal(ratingOf(name, value), expected)
    }),
    { numRuns: rounds(200, 10_000) },
  )
})
