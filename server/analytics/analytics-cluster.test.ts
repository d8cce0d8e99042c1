import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { startAgain, startFootfall } from '../../test/support/server.ts'
import { watchQuestions } from '../../test/support/questions.ts'
import { listSummedGoals } from '../conversions/conversions.ts'
import { DAY_MS, dayText } from '../kernel/days.ts'
import { readSessionId } from '../kernel/ids.ts'
import { clauseIds, targetOf } from './dimensions.ts'

const VISITORS = 12
const CLAUSES_TOGETHER = 20
const NOW = Date.parse('2026-11-20T13:05:07Z')

const cluster = await startMigratedCluster()
after(() => cluster.remove())
const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
const shared = await startFootfall({ after }, { now: NOW, env })

test('on two shards, clauses over views and events, top lists, live and sessions are those of the whole', async () => {
  const footfall = await startAgain(shared, NOW)
  const visits = Array.from({ length: VISITORS }, async (_, n) => {
    const visitor = { address: `203.0.113.${n}` }
    const load = await footfall.track.load({ ...visitor, page: `https://example.com/${n % 2 ? 'odd' : 'even'}` })
    if (n % 3 === 0) await footfall.track.event(load.json.session_id, 'third', { ...visitor, value: n })
  })
  await Promise.all(visits)
  const ask = async (path: string, clauses: unknown[] = []) =>
    (await footfall.call('POST', `/v2/property/signals/${path}`, { body: { clauses } })).json
  const total = async (...clauses: unknown[]) => (await ask('sessions', clauses)).total

  assert.equal(await total(), VISITORS)
  const isOdd = { id: 'page_path', op: 'equals', value: '/odd' }
  const isThird = { id: 'event_name', op: 'equals', value: 'third' }
  assert.equal(await total(isOdd), 6)
  assert.equal(await total(isThird, { id: 'event_value_num', op: 'gte', value: 6 }), 2)
  assert.equal(await total(isOdd, isThird), 2)
  assert.equal((await ask('sessions')).data.length, VISITORS)

  const { period_metrics, period_top_dimensions } = (await ask('analytics/metrics', [isThird])).analytics
  assert.equal(period_metrics.summary.sessions.current, 4)
  assert.deepEqual(
    period_top_dimensions.dimensions.entry_path_full.data.map((row: { id: string; value: number }) => [
      row.id,
      row.value,
    ]),
    [
      ['/even', 2],
      ['/odd', 2],
    ],
  )
  assert.equal((await ask('analytics/live', [isOdd])).graph.series.at(-1).value, 6)
  assert.equal((await ask('analytics/live')).graph.series.at(-1).value, VISITORS)
  assert.equal((await ask('analytics/graph')).graph.series.at(-1).value, VISITORS)

  footfall.clock.advance(45 * 60_000)
  const back = [1, 2, 5].map((n) =>
    footfall.track.load({ address: `203.0.113.${n}`, page: 'https://example.com/back' }),
  )
  await Promise.all(back)
  footfall.clock.advance(14 * DAY_MS)
  /** The week, and a part of it, by everything that counts sessions. */
  const askAll = async () => {
    const asks = (
      [
        ['2026-11-16', []],
        ['2026-11-16', [isThird]],
        ['2026-11-19', [isOdd]],
        ['2026-11-19', [{ id: 'entry_path_full', op: 'contains', value: 'odd' }]],
      ] as const
    ).map(async ([date_from, clauses]) => {
      const body = { period: 'custom', date_from, date_to: '2026-11-22', clauses }
      const metrics = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body })
      const path = `/manage/properties/${footfall.property.id}`
      const lists = await Promise.all(
        ['country', 'event_name', 'entry_path_full'].map((dimension) =>
          footfall.call('POST', `${path}/lists/${dimension}`, { body: { ...body, metrics: ['visits'] } }),
        ),
      )
      const pages = await footfall.call('POST', `${path}/pages`, { body })
      assert.equal(pages.status, 200, pages.text)
      const { period_metrics, period_top_dimensions } = metrics.json.analytics
      return [
        period_metrics.summary,
        period_top_dimensions.dimensions,
        lists.map(({ json }) => json.data),
        pages.json.data,
      ]
    })
    return Promise.all(asks)
  }
  const folded = await askAll()
  const ofVisits = folded.map(([, , lists]) =>
    lists
      .at(-1)
      .rows.map((row: { id: string; value: number; metrics: { visits: number } }) => [
        row.id,
        row.value,
        row.metrics.visits,
      ]),
  )
  assert.deepEqual(ofVisits[0], [
    ['/even', 6, 6],
    ['/odd', 6, 6],
    ['/back', 0, 3],
  ])
  assert.deepEqual(ofVisits[2], [
    ['/odd', 6, 6],
    ['/back', 0, 2],
  ])
  const week = [16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day}`)
  assert.deepEqual(await footfall.context.facts.settle(footfall.clock.now(), false), week)
  assert.deepEqual(await askAll(), folded)
  // Each clause that looks at other facts by itself in a list, and all of them in each kind of list and the
  // whole overview, a few together.
  const ofFacts = clauseIds.filter((id) => targetOf(id).on !== 'session')
  const goal = await footfall.call('POST', `/manage/properties/${footfall.property.id}/conversions`, {
    body: { name: 'Seen', event_type: 'page_view', event_value: '/*' },
  })
  const value = goal.json.data.conversion.id
  const answers = async (asked: string, some: readonly string[]) => {
    const clauses = some.map((id) => (id === 'conversion' ? { id, op: 'equals', value } : { id, op: 'is_set' }))
    const body = { period: 'custom', date_from: '2026-11-16', date_to: '2026-11-22', clauses }
    const { status, text } = await footfall.call('POST', `/manage/properties/${footfall.property.id}/${asked}`, {
      body,
    })
    assert.equal(status, 200, `${some.join()} ${asked}: ${text}`)
  }
  for (const id of ofFacts) await answers('lists/event_name', [id])
  for (let at = 0; at < clauseIds.length; at += CLAUSES_TOGETHER)
    for (const asked of ['lists/event_name', 'lists/tag', 'overview'])
      await answers(asked, clauseIds.slice(at, at + CLAUSES_TOGETHER))
})

test('on two shards, steps of a form that lie on both count once, and sessions are found by the form that they sent', async () => {
  const footfall = await startAgain(shared, NOW)
  const { facts, keys } = footfall.context
  const path = `/manage/properties/${footfall.property.id}/forms`
  const form = (await footfall.call('POST', path, { body: { name: 'Contact', kind: 'open' } })).json.data.form
    .id as string
  const sendOne = async (n: number): Promise<string | undefined> => {
    const { json } = await footfall.track.load({ address: `203.0.113.${n}` })
    const { day, hash } = readSessionId(keys, footfall.property.id, json.session_id)!
    const row = { property: footfall.property.id, form, id: String(n), day: '2026-11-20', at: NOW, source: 'footer' }
    // Shown before the session was known, and noted twice.
    await facts.appendAll('form_events', [
      { ...row, kind: 'view' },
      { ...row, kind: 'view' },
    ])
    if (n % 3 > 0) return undefined
    const session = { session_day: dayText(day), session: hash.toString() }
    await facts.appendAll('form_events', [
      { ...row, ...session, kind: 'open' },
      { ...row, ...session, kind: 'submit' },
    ])
    return json.session_id
  }
  const visits = await Promise.all(Array.from({ length: VISITORS }, (_, n) => sendOne(n + 1)))
  const sent = visits.filter((id) => id !== undefined)
  const { statistics } = (await footfall.call('GET', `${path}/${form}/statistics`)).json.data
  const { views, opened, submitted, rate, by_source } = statistics
  assert.deepEqual([views, opened, submitted, rate], [12, 4, 4, 0.3333])
  assert.deepEqual(by_source, [{ source: 'footer', views: 12, opened: 4, submitted: 4, rate: 0.3333 }])
  assert.equal((await footfall.call('GET', path)).json.data.data[0].submitted, 4)

  const ids = async (...clauses: unknown[]) => {
    const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { body: { clauses } })
    return (json.data as { id: string }[]).map(({ id }) => id).toSorted()
  }
  assert.deepEqual(await ids({ id: 'form', op: 'equals', value: form }), sent.toSorted())
  assert.equal((await ids({ id: 'form', op: 'is_not_set' })).length, VISITORS - sent.length)
})

test('on two shards, a goal is credited to the first sessions of contacts, wherever their sessions lie', async () => {
  const footfall = await startAgain(shared, NOW)
  const { property, track, clock } = footfall
  const goal = { name: 'Pricing', event_type: 'page_view', event_value: '/pricing' }
  const made = await footfall.call('POST', `/manage/properties/${property.id}/conversions`, { body: goal })
  const visit = async (n: number, path: string, external_id?: string) => {
    const { json } = await track.load({ address: `203.0.113.${n}`, page: `https://example.com${path}` })
    const body = { session_id: json.session_id, external_id }
    if (external_id) assert.equal((await footfall.call('POST', '/v2/property/contacts/identify', { body })).status, 200)
  }
  for (let n = 0; n < VISITORS; n++) await visit(n, n % 2 ? '/' : '/pricing', `u${n}`)
  clock.advance(14 * DAY_MS)
  // Each of them comes again, from elsewhere, and nobody knows one more.
  for (let n = 0; n < VISITORS; n++) await visit(100 + n, '/pricing', `u${n}`)
  await visit(99, '/pricing')
  const ask = async (attribution: string) => {
    const body = { period: 'last_28', goal: made.json.data.conversion.id, attribution }
    const { json, text } = await footfall.call('POST', `/manage/properties/${property.id}/overview`, { body })
    assert.equal(json.code, 200, text)
    const { cards, series } = json.data.goal
    const days = series.current.conversions.filter((value: number | null) => value)
    return [cards[0].current, days, cards[1].current]
  }
  const rate = (sessions: number) => Math.round((sessions / (2 * VISITORS + 1)) * 10_000) / 10_000
  assert.deepEqual(await ask('first'), [19, [18, 1], rate(VISITORS + 1)])
  assert.deepEqual(await ask('last'), [19, [6, 13], rate(6 + VISITORS + 1)])
  await visit(98, '/pricing')
  assert.deepEqual((await ask('first'))[0], 20)
  // What meets the goal on the first of these days is added up: on each node of its own sessions.
  const { facts } = footfall.context
  await facts.settle(clock.now(), false, await listSummedGoals(footfall.context))
  assert.ok((await facts.settledDays()).has(dayText(Math.floor(NOW / DAY_MS))))
  const { names } = watchQuestions(facts)
  await visit(97, '/')
  Object.assign(facts, { version: async () => undefined })
  assert.deepEqual(await ask('first'), [
    20,
    [18, 2],
    Math.round(((VISITORS + 2) / (2 * VISITORS + 3)) * 10_000) / 10_000,
  ])
  assert.deepEqual((await ask('last')).slice(0, 2), [20, [6, 14]])
  assert.ok(names.includes('analytics.goalSums'), names.join())
})
