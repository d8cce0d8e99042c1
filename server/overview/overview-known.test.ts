// What an overview says of sessions that have not told everything yet, and of buckets that are not over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askOverview } from '../../test/support/overview-world.ts'
import { startFootfall } from '../../test/support/server.ts'

test('bounce, time and scroll are told over the sessions of which they are known, too', async (t) => {
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-20T09:00:00Z') })
  const { track, clock } = footfall
  const visitor = (n: number) => ({ address: `203.0.113.${n}` })
  const load = async (n: number) => (await track.load(visitor(n))).json.view_id
  const known = async (period = 'today') => {
    const { cards } = await askOverview(footfall, { period })
    return cards.flatMap(({ current, known: of }: Record<string, Record<string, unknown>>) =>
      of ? [[current, of['sessions'], of['current']]] : [],
    )
  }

  await load(1)
  assert.deepEqual(await known(), [
    [1, 0, null],
    [0, 0, null],
    [0, 0, null],
  ])
  await t.test('a short stay that may go on is no bounce yet, a longer one is none any more', async () => {
    await track.ping(await load(2), { ...visitor(2), tos: 4, max: 50 })
    await track.ping(await load(3), { ...visitor(3), tos: 40, max: -1 })
    assert.deepEqual(await known(), [
      [0.6667, 1, 0],
      [15, 2, 22],
      [50, 1, 50],
    ])
  })
  await t.test(
    'half an hour after its beginning it is settled, and what never told anything stays unknown',
    async () => {
      clock.advance(31 * 60_000)
      await track.ping(await load(4), { ...visitor(4), tos: 2, max: -1 })
      assert.deepEqual((await known())[0], [0.75, 2, 0.5])
      const { series } = await askOverview(footfall, { period: 'today' })
      const at = (index: number) =>
        Object.values<{ sessions: number[]; values: (number | null)[] }>(series.known).map(({ sessions, values }) => [
          sessions[index],
          values[index],
        ])
      assert.deepEqual(at(9), [
        [2, 50],
        [3, 15],
        [1, 50],
      ])
      assert.deepEqual(
        at(8),
        Array.from({ length: 3 }, () => [0, null]),
      )
      assert.equal(series.previous_known, null)
    },
  )
  await t.test('sessions of an earlier day are over', async () => {
    clock.set(Date.parse('2026-11-20T23:55:00Z'))
    await track.ping(await load(5), { ...visitor(5), tos: 2, max: -1 })
    clock.set(Date.parse('2026-11-21T00:05:00Z'))
    assert.deepEqual(
      (await known('yesterday')).map(([, sessions]: unknown[]) => sessions),
      [4, 4, 1],
    )
  })
})

test('a running day is projected from twenty sessions and a quarter of it, as the same weekday went on before', async (t) => {
  const footfall = await startFootfall(t, { now: Date.parse('2026-10-30T12:00:00Z') })
  const { track, clock } = footfall
  let visitors = 0
  const come = async (count: number) => {
    const news = Array.from({ length: count }, () => `10.${++visitors >> 8}.0.${visitors & 255}`)
    await Promise.all(news.map((address) => track.load({ address, page: 'https://example.com/' })))
  }
  await come(1)
  // The Friday before: a third of its sessions before six.
  clock.set(Date.parse('2026-11-13T04:00:00Z'))
  await come(10)
  clock.set(Date.parse('2026-11-13T20:00:00Z'))
  await come(20)
  clock.set(Date.parse('2026-11-20T03:00:00Z'))
  await come(19)
  const projected = async (body = {}) => (await askOverview(footfall, body)).series.projected
  clock.set(Date.parse('2026-11-20T06:30:00Z'))
  assert.equal((await projected()).sessions, null, 'nineteen sessions')
  await come(1)
  assert.deepEqual(
    [(await projected()).sessions, (await projected()).views, (await projected()).visits, (await projected()).bounce],
    [60, 60, 60, null],
  )
  assert.equal(
    (await projected({ clauses: [{ id: 'entry_path_full', op: 'equals', value: '/other' }] })).sessions,
    null,
  )
  // Two filters, so that none finds what the other has read.
  for (const [period, value] of [
    ['last_28', ['/']],
    ['last_7', ['/', '/other']],
  ] as const) {
    const { sessions } = await projected({ period, clauses: [{ id: 'entry_path_full', op: 'equals', value }] })
    assert.equal(sessions, 60, `${period}: by the same four weeks, however many of them are in the window`)
  }
  assert.equal((await projected({ period: 'yesterday' })).sessions, null)
  assert.equal((await projected({ period: 'today' })).sessions, null, 'the hour has one session')
  clock.set(Date.parse('2026-11-20T12:00:00Z'))
  const { json } = await footfall.call('POST', '/v2/property/signals/analytics/graph', { body: {} })
  assert.equal(json.graph.projectedSeries[1].value, 40, 'the contract goes by the length alone')
  assert.equal((await projected()).sessions, 60)
})
