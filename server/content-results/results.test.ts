// What an owner is told of a phase: through the front door from render to results, and by figures put
// straight into the judgement.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { render, renderIds, track } from '../../test/support/content-calls.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import { ENOUGH_GOALS, ENOUGH_SESSIONS, judge, WINNER_CHANCE } from './results.ts'
import type { VersionResultJson as VersionResult } from './schema.ts'
import { noFigures } from './facts.ts'

const NOW = Date.parse('2026-11-18T10:00:00Z')
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW })
})
after(async () => {
  for (const close of closers) await close()
})

// ---------------------------------------------------------------- through the front door

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const at = () => `/manage/properties/${footfall.property.id}/content`

async function makeBlock(body: object, ...versions: object[]) {
  const { content } = ok(await footfall.call('POST', at(), { body: { name: 'Banner', ...body } }))
  const ids: string[] = []
  for (const version of versions) {
    const made = await footfall.call('POST', `${at()}/${content.id}/versions`, { body: version })
    ids.push(ok(made).version.id)
  }
  return { id: content.id as string, key: content.key as string, ids }
}

const resultsOf = async (id: string, query: Record<string, string> = {}) =>
  ok(await footfall.call('GET', `${at()}/${id}/results`, { query })).results

const figuresIn = (results: { versions: VersionResult[] }) =>
  results.versions.map(({ label, n, views, clicks, goals }) => [label, n, views, clicks, goals])

const a = { label: 'A', weight: 1, html: '<p>A</p>', ctas: [{ key: 'buy', label: 'Buy', url: '/buy' }] }
const b = { label: 'B', html: '<p>B</p>', weight: 3 }
let addresses = 0
const newAddress = () => `198.51.${100 + Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`

test('from render to results: views, clicks and goals by version and phase, and bots apart', async () => {
  const { id, key, ids } = await makeBlock({ goal: { type: 'event', value: 'signup' } }, a, b)
  const [first] = ids
  const seen: Record<string, number> = {}
  for (let n = 0; n < 12; n++) {
    const from = { address: newAddress() }
    const shown = await renderIds(footfall, key, from)
    seen[shown.version_id] = (seen[shown.version_id] ?? 0) + 1
    for (const dwell_ms of [0, 4000]) told(await track(footfall, { ...shown, action: 'view', dwell_ms }, from))
    told(await track(footfall, { ...shown, action: 'click', cta_key: 'buy' }, from))
    // Half of them sign up afterwards; what they did before they saw it does not count.
    const { json } = await footfall.track.load(from)
    footfall.clock.advance(1000)
    if (n % 2 === 0) assert.equal((await footfall.track.event(json.session_id, 'signup', from)).json.success, true)
  }
  const bot = { address: newAddress(), agent: BOT }
  told(await track(footfall, { ...(await renderIds(footfall, key, bot)), action: 'view' }, bot))
  // Rendered and never seen: it is no view.
  assert.equal((await render(footfall, key, { address: newAddress() })).json.success, true)

  const results = await resultsOf(id)
  const { versions, sample_ratio } = results
  assert.deepEqual(
    figuresIn(results).map(([label]) => label),
    ['A', 'B'],
  )
  for (const version of versions) {
    const n = seen[version.version_id] ?? 0
    assert.deepEqual([version.n, version.views, version.clicks], [n, n, n])
    if (n > 0) assert.equal(version.dwell_ms, 4000)
    assert.deepEqual([version.interval, version.chance_to_win, version.verdict], [null, null, null])
  }
  assert.equal(versions[0].goals + versions[1].goals, 6)
  assert.deepEqual(results.bots, { views: 1, clicks: 0 })
  assert.deepEqual(results.goal, { type: 'event', value: 'signup' })
  assert.deepEqual([results.has_enough_data, results.winner], [false, null])
  assert.match(results.reason, /^Not enough data: .*100 sessions/)
  assert.deepEqual(
    sample_ratio.expected.map(({ share }: { share: number }) => share),
    [0.25, 0.75],
  )
  const { number } = results.phase
  assert.deepEqual(results.phase, { number, started_ts: NOW / 1000, ended_ts: null, is_current: true })

  // Another weight: nothing of before is in the new phase, and the one before stays as it was.
  const changed = await footfall.call('POST', `${at()}/${id}/versions/${first}`, { body: { weight: 9 } })
  ok(changed)
  const empty = await resultsOf(id)
  assert.equal(empty.phase.number, number + 1)
  assert.deepEqual(figuresIn(empty), [
    ['A', 0, 0, 0, 0],
    ['B', 0, 0, 0, 0],
  ])
  assert.deepEqual(
    empty.versions.map(({ rate, dwell_ms }: VersionResult) => [rate, dwell_ms]),
    [
      [null, null],
      [null, null],
    ],
  )
  const before = await resultsOf(id, { phase: String(number) })
  assert.deepEqual(before.versions, versions)
  assert.deepEqual([before.phase.is_current, before.phase.ended_ts], [false, empty.phase.started_ts])
})

function told(reply: Reply): void {
  assert.deepEqual([reply.status, reply.json.success], [200, true], reply.text)
}

test('the goal is what it is now, for all that was stored; a conversion that is gone leaves the rest', async () => {
  const { id, key } = await makeBlock({}, a)
  const from = { address: newAddress() }
  const shown = await renderIds(footfall, key, from)
  told(await track(footfall, { ...shown, action: 'click', cta_key: 'buy' }, from))
  told(await track(footfall, { ...shown, action: 'view' }, from))
  const choose = async (goal: object) => ok(await footfall.call('POST', `${at()}/${id}`, { body: { goal } }))
  const goals = async () => (await resultsOf(id)).versions[0].goals
  assert.equal(await goals(), 1, 'the click counts although it was heard of before the view')
  await choose({ type: 'click', value: 'more' })
  assert.equal(await goals(), 0)
  const made = await footfall.call('POST', `/manage/properties/${footfall.property.id}/conversions`, {
    body: { name: 'Thanks', event_type: 'page_view', event_value: '/thanks*' },
  })
  const { conversion } = ok(made)
  await choose({ type: 'conversion', value: conversion.id })
  assert.equal(await goals(), 0)
  await footfall.track.load({ ...from, page: 'https://example.com/thanks/you' })
  assert.equal(await goals(), 1)
  const path = `/manage/properties/${footfall.property.id}/conversions/${conversion.id}`
  ok(await footfall.call('DELETE', path))
  const { versions, reason, has_enough_data } = await resultsOf(id)
  assert.deepEqual([versions[0].n, versions[0].goals, versions[0].rate], [1, null, null])
  assert.equal(has_enough_data, false)
  assert.match(reason, /conversion .* has been deleted/)
})

test('a version that is better is found, with its interval and chance', async () => {
  const { id, ids } = await makeBlock({}, a, { ...b, weight: 1 })
  const { number } = (await resultsOf(id)).phase
  const rows = ids.flatMap((version, v) =>
    Array.from({ length: 400 }, (_, n) => {
      const row = {
        property: footfall.property.id,
        block: id,
        phase: number,
        version,
        day: dayText(dayOf(NOW)),
        session_day: dayText(dayOf(NOW)),
        session: String(v * 1000 + n + 1),
        request: String(v * 1000 + n),
        at: NOW,
      }
      const view = { ...row, kind: 'view', id: `${v * 1000 + n}` } as const
      return n < (v === 0 ? 40 : 80) ? [view, { ...row, kind: 'click', id: `9${v * 1000 + n}` } as const] : [view]
    }).flat(),
  )
  await footfall.context.facts.appendAll('impressions', rows)
  const { versions, winner, has_enough_data, reason, sample_ratio } = await resultsOf(id)
  assert.deepEqual([has_enough_data, reason, winner], [true, null, ids[1]])
  assert.deepEqual(sample_ratio, {
    expected: ids.map((version_id) => ({ version_id, share: 0.5, observed: 0.5 })),
    p_value: 1,
    is_suspicious: false,
  })
  const [one, two] = versions
  assert.deepEqual([one.rate, one.difference, one.interval, one.verdict], [0.1, null, null, 'baseline'])
  assert.deepEqual([two.rate, two.difference, two.verdict], [0.2, 0.1, 'better'])
  // The hybrid score interval of 80/400 and 40/400, by a calculation apart from this one.
  assert.deepEqual(two.interval, [0.05076, 0.149214])
  assert.ok(two.chance_to_win > 0.999 && Math.abs(one.chance_to_win + two.chance_to_win - 1) < 1e-5)
})

test('what there is not is not found, and what cannot be a phase is refused', async () => {
  const { id } = await makeBlock({})
  const { versions, reason, phase, sample_ratio } = await resultsOf(id)
  assert.deepEqual([versions, phase.number, sample_ratio.p_value], [[], 1, null])
  assert.match(reason, /No version/)
  const of = (path: string, query = {}) => footfall.call('GET', path, { query })
  for (const [path, query] of [
    [`${at()}/${id}/results`, { phase: '2' }],
    [`${at()}/cb_none/results`, {}],
    [`${at()}/${'x'.repeat(900)}/results`, {}],
    [`/manage/properties/pr_none/content/${id}/results`, {}],
    [`/manage/properties/${(await footfall.addProperty()).id}/content/${id}/results`, {}],
  ] as const)
    assert.deepEqual([(await of(path, query)).status], [404], path)
  for (const phase of ['0', '-1', '1.5', 'x', '99999999999', '2147483648', '1e3']) {
    const reply = await of(`${at()}/${id}/results`, { phase })
    assert.deepEqual([reply.status, Object.keys(reply.json.errors ?? {})], [422, ['phase']], phase)
  }
  assert.equal((await of(`${at()}/${id}/results`, { phase: '' })).status, 200)
  const path = `${at()}/${id}/results`
  for (const token of [null, footfall.token]) assert.equal((await footfall.call('GET', path, { token })).status, 401)
})

// ---------------------------------------------------------------- the judgement

type Counts = readonly (readonly [n: number, goals: number, weight?: number])[]

function judged(counts: Counts, isGoalKnown = true) {
  const setup = counts.map(([, , weight = 1], at) => ({ version_id: `ve_${at}`, label: `V${at}`, weight }))
  const byVersion = new Map(counts.map(([n, goals], at) => [`ve_${at}`, { ...noFigures, n, goals, views: n }]))
  return judge({ setup }, { byVersion, bots: { views: 0, clicks: 0 } }, isGoalKnown)
}

test('below the floors nothing is compared, and the reason says why', () => {
  assert.deepEqual([ENOUGH_SESSIONS, ENOUGH_GOALS, WINNER_CHANCE], [100, 10, 0.975])
  const cases: readonly (readonly [Counts, RegExp])[] = [
    [
      [
        [99, 90],
        [5000, 1],
      ],
      /at least 100 sessions/,
    ],
    [
      [
        [100, 4],
        [100, 5],
      ],
      /at least 10 sessions/,
    ],
    [[[1000, 900]], /One version/],
    [
      [
        [1000, 900],
        [0, 0, 0],
      ],
      /One version/,
    ],
    [[], /No version/],
  ]
  for (const [counts, reason] of cases) {
    const { has_enough_data, reason: said, winner, versions } = judged(counts)
    assert.deepEqual([has_enough_data, winner], [false, null])
    assert.match(said ?? '', reason)
    for (const { interval, chance_to_win, verdict } of versions)
      assert.deepEqual([interval, chance_to_win, verdict], [null, null, null])
  }
  assert.equal(
    judged([
      [100, 5],
      [100, 5],
    ]).has_enough_data,
    true,
  )
})

test('a winner is named from its line on, and never while the shares are suspicious', () => {
  const chanceOf = (goals: number) =>
    judged([
      [1000, 100],
      [1000, goals],
    ])
  for (let goals = 100; goals < 180; goals++) {
    const { versions, winner } = chanceOf(goals)
    const isOver = (versions[1]?.chance_to_win ?? 0) >= WINNER_CHANCE
    assert.equal(winner, isOver ? 've_1' : null, String(goals))
  }
  assert.equal(chanceOf(50).winner, 've_0', 'the first one can win too')
  const { sample_ratio, winner, reason, has_enough_data } = judged([
    [2000, 100],
    [1000, 200],
  ])
  assert.deepEqual([sample_ratio.is_suspicious, winner, has_enough_data], [true, null, true])
  assert.match(reason ?? '', /did not fall on the versions by their weights/)
  assert.equal(
    judged([
      [2000, 100, 2],
      [1000, 200, 1],
    ]).winner,
    've_1',
  )
})

test('a version without weight is shown, and neither compared nor compared with', () => {
  const { versions, sample_ratio, winner } = judged([
    [0, 0, 0],
    [1000, 100],
    [1000, 200],
  ])
  assert.deepEqual(
    versions.map(({ verdict }) => verdict),
    [null, 'baseline', 'better'],
  )
  assert.deepEqual(
    versions.map(({ difference }) => difference),
    [null, null, 0.1],
  )
  assert.deepEqual([sample_ratio.expected.length, winner], [2, 've_2'])
})

test('whatever was counted, the answer is whole and in bounds', () => {
  const count = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1_000_000_000 }))
  const counts = fc.array(
    fc.tuple(count, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 1000 })),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(counts, fc.boolean(), (given, isGoalKnown) => {
      const found = judged(
        given.map(([n, share, weight]) => [n, Math.floor(n * share), weight]),
        isGoalKnown,
      )
      assert.doesNotMatch(
        JSON.stringify(found, (_, value) => (Number.isNaN(value) ? 'NaN' : value)),
        /NaN|Infinity/,
      )
      for (const { interval, difference, chance_to_win, rate } of found.versions) {
        if (rate !== null) assert.ok(rate >= 0 && rate <= 1)
        if (chance_to_win !== null) assert.ok(chance_to_win >= 0 && chance_to_win <= 1)
        if (interval !== null && difference !== null)
          assert.ok(interval[0] <= difference && difference <= interval[1] && interval[0] >= -1 && interval[1] <= 1)
      }
      if (found.winner !== null) assert.ok(found.has_enough_data && !found.sample_ratio.is_suspicious)
    }),
    { numRuns: 60 },
  )
})
