// `metrics` and `graph` are cached like the overview: the same question asks nothing, whatever was
// acknowledged is in the next answer, and a window that is read in parts is what it is as a whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askOverview, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { watchQuestions } from '../../test/support/questions.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const START = Date.parse('2026-10-20T09:00:00Z')
const seed = Number(process.env['OVERVIEW_SEED'] ?? Math.floor(Math.random() * 1e9))
const METRICS = 'analytics/metrics'
const GRAPH = 'analytics/graph'

/** Without what differs from one asking to the next: how long it took. */
const timeless = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (/^(query|took)_ms$/.test(key) ? 0 : value)))

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of both shapes
type Answer = Record<'analytics' | 'graph', any>

async function askTimeless(footfall: Footfall, path: string, body: object): Promise<Answer> {
  const { status, json, text } = await footfall.call('POST', `/v2/property/signals/${path}`, { body })
  assert.equal(status, 200, text)
  return timeless(json) as Answer
}

const questions: readonly (readonly [path: string, body: object])[] = [
  [METRICS, { period: 'last_28' }],
  [METRICS, { period: 'today' }],
  [METRICS, { period: 'yesterday' }],
  [METRICS, { period: 'last_7', clauses: [{ id: 'page_path', op: 'contains', value: 'pric' }] }],
  [METRICS, { period: 'last_28', clauses: [{ id: 'language', op: 'equals', value: ['fr', 'de-CH'] }] }],
  [GRAPH, { period: 'last_28', compare: true, metric: 'scroll' }],
  [GRAPH, { period: 'last_28', interval: 'week', metric: 'scroll' }],
  [GRAPH, { period: 'last_7', metric: 'views' }],
]

test(`metrics and graph are cached until anything is written, and are the same as anew (OVERVIEW_SEED=${seed})`, async (t) => {
  const footfall = await startFootfall(t, { now: START })
  await randomVisits(footfall, seededPick(seed), 60, 30)
  const { names } = watchQuestions(footfall.context.facts)
  const { facts } = footfall.context
  const forget = () => facts.command('test', 'SELECT 1')
  /** How the answer is made, and whether it is the same as before. */
  const ask = async ([path, body]: (typeof questions)[number]) => {
    names.length = 0
    const answer = await askTimeless(footfall, path, body)
    return { answer, asked: [...names] }
  }
  for (const question of questions) {
    const first = await ask(question)
    assert.notDeepEqual(first.asked, [])
    const again = await ask(question)
    assert.deepEqual(again, { ...first, asked: [] }, JSON.stringify(question))
  }
  await footfall.track.load({ address: '203.0.113.99', page: 'https://example.com/pricing' })
  for (const question of questions) {
    const inParts = await ask(question)
    await forget()
    const anew = await ask(question)
    assert.deepEqual(inParts.answer, anew.answer, JSON.stringify(question))
  }
})

test('what is acknowledged is in the next answer, of its own property alone', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const sessions = async () => {
    const body = { period: 'last_28' }
    const { analytics } = await askTimeless(footfall, METRICS, body)
    const { graph } = await askTimeless(footfall, GRAPH, body)
    const { period_metrics, period_top_dimensions } = analytics
    return [
      period_metrics.summary.sessions.current,
      period_top_dimensions.count,
      graph.series.reduce((sum: number, { value }: { value: number }) => sum + value, 0),
    ]
  }
  assert.deepEqual(await sessions(), [0, 0, 0])
  await footfall.track.load({ address: '203.0.113.1' })
  assert.deepEqual(await sessions(), [1, 1, 1])
  footfall.clock.advance(86_400_000)
  await footfall.track.load({ address: '203.0.113.2' })
  assert.deepEqual(await sessions(), [2, 2, 2])
  const other = await footfall.addProperty()
  const { names } = watchQuestions(footfall.context.facts)
  await footfall.track.load({ address: '203.0.113.3', key: other.key })
  assert.deepEqual([await sessions(), names], [[2, 2, 2], []])
})

test('the overview and metrics share the lists of the days before today', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  await footfall.track.load({ address: '203.0.113.1' })
  footfall.clock.advance(86_400_000)
  await footfall.track.load({ address: '203.0.113.2' })
  const { names } = watchQuestions(footfall.context.facts)
  const lists = () => names.filter((name) => name === 'analytics.readTopLists').length
  await askOverview(footfall, { period: 'last_28' })
  assert.equal(lists(), 2, 'of the days before, and of today')
  await askTimeless(footfall, METRICS, { period: 'last_28' })
  assert.equal(lists(), 3)
})

test('lists of settled days, and through which links who came, are one statement of an overview', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { code } = await addLink(footfall, { group_id: await addGroup(footfall) })
  const ann = { address: '203.0.113.1' }
  const come = async () => {
    await visit(footfall.url, `/a/${code}`, ann)
    await footfall.track.load(ann)
    footfall.clock.advance(40 * 60_000)
  }
  await come()
  await come()
  footfall.clock.advance(2 * 86_400_000)
  const { facts } = footfall.context
  await facts.settle(footfall.clock.now(), false)
  const { names } = watchQuestions(facts)
  const yesterday = (days: number) => new Date(footfall.clock.now() - days * 86_400_000).toISOString().slice(0, 10)
  const over = { period: 'custom', date_from: yesterday(7), date_to: yesterday(1) }
  const asked = ['analytics.readValues', 'analytics.readTopLists', 'links.topArrivals', 'links.topReturns']
  // Those of today are another one.
  for (const [body, counts] of [
    [over, [1, 0, 0, 0]],
    [{ period: 'last_28' }, [1, 1, 0, 0]],
  ] as const) {
    names.length = 0
    const { outcomes, lists } = await askOverview(footfall, body)
    assert.deepEqual(
      asked.map((name) => names.filter((one) => one === name).length),
      counts,
      body.period,
    )
    const [{ clicks, sessions, visits }] = outcomes.links
    assert.deepEqual([clicks, sessions, visits, lists.entry_path_full.rows[0].value], [2, 1, 2, 1])
  }
})

test('figures that move with the time are not those of an hour ago', async (t) => {
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-19T10:30:00Z') })
  await footfall.track.load({ address: '203.0.113.1' })
  footfall.clock.set(Date.parse('2026-11-20T13:00:00Z'))
  await footfall.track.load({ address: '203.0.113.2' })
  const previous = async () => {
    const { analytics } = await askTimeless(footfall, METRICS, { period: 'today' })
    return analytics.period_metrics.summary.sessions.previous
  }
  assert.equal(await previous(), null)
  footfall.clock.advance(3_600_000)
  assert.equal(await previous(), 1)
})
