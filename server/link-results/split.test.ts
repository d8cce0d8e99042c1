// The destinations of a split against each other, over real clicks: figures that the test counts itself from
// where visitors were led, and the statistics of content blocks over them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { chancesToWin, differenceInterval } from '../content-results/statistics.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const red = 'https://example.com/red'
const blue = 'https://example.com/blue'
const even = [
  { destination_url: red, weight: 1 },
  { destination_url: blue, weight: 1 },
]

/** A link with an even split, and a conversion: the event `signup`. */
async function openWorld(footfall: Footfall) {
  const at = `/manage/properties/${footfall.property.id}`
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  const { pathname } = new URL(link.short_url)
  const setRules = async (split: readonly object[], rules: readonly object[] = []) => {
    const { status, json, text } = await footfall.call('POST', `${at}/links/${link.id}/rules`, {
      body: { rules, split },
    })
    assert.equal(status, 200, text)
    return json.data.rules
  }
  const made = await footfall.call('POST', `${at}/conversions`, {
    body: { name: 'Signups', event_type: 'event', event_value: 'signup' },
  })
  assert.equal(made.status, 200, made.text)
  const conversion: string = made.json.data.conversion.id
  const ask = (query: Record<string, string> = {}, id = link.id) =>
    footfall.call('GET', `${at}/links/${id}/split-results`, { query: { period: 'today', conversion, ...query } })
  const results = async (query: Record<string, string> = {}) => {
    const { status, json, text } = await ask(query)
    assert.equal(status, 200, text)
    return json.data.results
  }
  const click = (address: string, options: { agent?: string; method?: string } = {}) =>
    visit(footfall.url, pathname, { address, ...options })
  const arrive = async (address: string): Promise<string> => (await footfall.track.load({ address })).json.session_id
  return { footfall, at, setRules, ask, results, click, arrive, conversion }
}

type World = Awaited<ReturnType<typeof openWorld>>

const figures = ({ variants }: { readonly variants: readonly Record<string, unknown>[] }) =>
  variants.map(({ clicks, visitors, arrived, converted }) => [clicks, visitors, arrived, converted])

/** Clicks, people, arrived and converted of each destination, as they were seen from outside. */
async function clickMany({ footfall, click, arrive }: World, people: number, goals: Readonly<Record<string, number>>) {
  const seen: Record<string, [clicks: number, people: number, arrived: number, converted: number]> = {
    [red]: [0, 0, 0, 0],
    [blue]: [0, 0, 0, 0],
  }
  for (let at = 0; at < people; at++) {
    const address = `203.0.${100 + Math.floor(at / 200)}.${1 + (at % 200)}`
    const { location } = await click(address)
    const own = seen[location ?? '']
    assert.ok(own, `led to ${location}`)
    own[0]++
    own[1]++
    const goal = goals[location ?? ''] ?? 0
    if (own[3] >= goal) continue
    const session = await arrive(address)
    const { status } = await footfall.track.event(session, 'signup', { address })
    assert.equal(status, 200)
    own[2]++
    own[3]++
  }
  return [seen[red]!, seen[blue]!] as const
}

test('destinations are compared by the people who reached the goal, with the statistics of content blocks', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON, env: { LOG_LEVEL: 'silent' } }))
  await world.setRules(even)
  const [ofRed, ofBlue] = await clickMany(world, 260, { [red]: 10, [blue]: 40 })
  const [base, arm] = [ofRed, ofBlue].map(([, n, , goals]) => ({ n, goals })) as [Arm, Arm]
  assert.ok(base.n >= 100 && arm.n >= 100)
  const told = await world.results()
  assert.deepEqual(figures(told), [ofRed, ofBlue])
  const [first, second] = told.variants
  assert.deepEqual(
    [first.destination_url, first.verdict, first.difference, first.interval],
    [red, 'baseline', null, null],
  )
  const { low, high } = differenceInterval(arm, base)
  const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-6, `${one}, not ${other}`)
  near(second.rate, arm.goals / arm.n)
  near(second.difference, arm.goals / arm.n - base.goals / base.n)
  near(second.interval[0], low)
  near(second.interval[1], high)
  near(second.chance_to_win, chancesToWin([base, arm])[1]!)
  assert.deepEqual([second.verdict, told.winner, told.has_enough_data, told.reason], ['better', second.id, true, null])
  assert.equal(told.sample_ratio.is_suspicious, false)
  near(told.sample_ratio.expected[0].observed, base.n / (base.n + arm.n))
})

type Arm = { readonly n: number; readonly goals: number }

/** What the test counts of a few people; `who` are those led to red and to blue. */
async function liveFew(world: World) {
  const { footfall, click, arrive, setRules } = world
  const { clock, track } = footfall
  const rules = await setRules(even, [{ when: { device: ['mobile'] }, destination_url: 'https://example.com/phone' }])
  const address = '203.0.113.1'
  // Before the click: not through the link.
  const session = await arrive(address)
  await track.event(session, 'signup', { address })
  clock.advance(MINUTE)
  const { location } = await click(address)
  await click(address)
  await click('203.0.113.2', { agent: IPHONE })
  await click(address, { method: 'HEAD' })
  clock.advance(5_000)
  await arrive(address)
  const place = location === red ? 0 : 1
  return { place, rules, session, address }
}

async function assertFew(world: World): Promise<void> {
  const { place, session, address } = await liveFew(world)
  const told = (own: readonly number[]) => (place === 0 ? [own, [0, 0, 0, 0]] : [[0, 0, 0, 0], own])
  assert.deepEqual(figures(await world.results()), told([2, 1, 1, 0]), 'the goal was reached before the click')
  await world.footfall.track.event(session, 'signup', { address })
  assert.deepEqual(figures(await world.results()), told([2, 1, 1, 1]))
  assert.deepEqual(figures(await world.results({ conversion: '' })), told([2, 1, 1, 0]), 'nobody sent a form')
}

test('a person counts once a day and by what came after the arrival; bots and those of a rule do not count', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON, env: { LOG_LEVEL: 'silent' } }))
  await assertFew(world)
  const { has_enough_data, reason, winner, variants } = await world.results()
  assert.deepEqual([has_enough_data, winner], [false, null])
  assert.match(reason, /^Not enough data: each destination must have had at least 100 visitors\.$/)
  assert.deepEqual(
    variants.map((variant: Record<string, unknown>) => [variant['interval'], variant['chance_to_win']]),
    [
      [null, null],
      [null, null],
    ],
  )
})

test('on two shards the comparison is that of the whole', async (t) => {
  const cluster = await startMigratedCluster()
  t.after(() => cluster.remove())
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '', LOG_LEVEL: 'silent' }
  await assertFew(await openWorld(await startFootfall(t, { now: NOON, env })))
})

test('a split that is changed starts anew, and one that stays as it is does not', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON, env: { LOG_LEVEL: 'silent' } }))
  const { split } = await world.setRules(even)
  const { clock } = world.footfall
  assert.equal((await world.results()).since_ts, NOON / 1000)
  await world.click('203.0.113.1')
  clock.advance(MINUTE)
  const phone = { when: { device: ['mobile'] }, destination_url: 'https://example.com/phone' }
  const answered = await world.setRules(split, [phone])
  assert.deepEqual(Object.keys(answered).includes('split_ms'), false)
  const clicks = async () => figures(await world.results()).reduce((sum, [count]) => sum + Number(count), 0)
  assert.deepEqual([await clicks(), (await world.results()).since_ts], [1, NOON / 1000])
  await world.setRules([{ ...split[0], weight: 3 }, split[1]], [phone])
  assert.deepEqual([await clicks(), (await world.results()).since_ts], [0, NOON / 1000 + 60])
  assert.deepEqual(figures(await world.results({ period: 'yesterday' })), [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ])
  await world.setRules([])
  const none = await world.results()
  assert.deepEqual([none.variants, none.reason, none.since_ts], [[], 'The link has no split.', null])
})

test('unknown links and goals are not found, and those of another property neither', async (t) => {
  const { footfall, ask } = await openWorld(await startFootfall(t, { now: NOON, env: { LOG_LEVEL: 'silent' } }))
  const other = await footfall.addProperty()
  const theirs = await footfall.call('POST', `/manage/properties/${other.id}/conversions`, {
    body: { name: 'Theirs', event_type: 'event', event_value: 'x' },
  })
  for (const conversion of [theirs.json.data.conversion.id, 'cv_nothing', 'cv_\0', 'x'])
    assert.equal((await ask({ conversion })).status, 404, conversion)
  for (const id of ['ln_nothing', 'ln_%00', 'nothing']) assert.equal((await ask({}, id)).status, 404, id)
  assert.equal((await ask({ period: 'someday' })).status, 422)
})
