// Conversions in the facts: the same figures as counted by hand from a list of what happened, for every type;
// and through the front door.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { DAY_MS, dayOf, dayText } from '../kernel/days.ts'
import { keyText, sessionRows } from '../sessions/sessions.ts'
import { type EventRow, type FormEventRow, NEVER_MS, type ViewRow } from '../stores/tables.ts'
import { countPeople, type Definition, findConverted, likeOf, peopleOf, regexOf } from './facts.ts'
import type { Facts } from '../stores/facts.ts'
import { countAllConversions } from './top-facts.ts'
import { pathMatches } from '../automations/match.ts'

const NOW = Date.parse('2026-11-20T13:05:07.250Z')
const HOUR_MS = 3_600_000
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

// ---------------------------------------------------------------- a small world, and its oracle

type Row<T> = Partial<T> & { readonly session: string; readonly at: number }

interface World {
  readonly views: Row<ViewRow>[]
  readonly events: Row<EventRow>[]
  readonly forms: Row<FormEventRow>[]
}

/** The same numbers each time. */
function openChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const paths = ['/', '/pricing', '/pricing/pro', '/blog/100%_off', '/a_b', '/aXb', '/blog\\x', '#/kasse', '/Ü/*']
const names = ['signup', 'Signup', 'sign%', 'buy']

function makeWorld(): World {
  const chance = openChance(7)
  const world: World = { views: [], events: [], forms: [] }
  for (let n = 1; n <= 60; n++) {
    const entry = NOW - chance(10 * 24) * HOUR_MS - chance(HOUR_MS)
    const session = String(n)
    const of = { property: 'pr_one', day: dayText(dayOf(entry)), session }
    const is_bot = Number(chance(5) === 0)
    for (let view = 1; view <= 1 + chance(3); view++) {
      const at = entry + view * 60_000
      world.views.push({
        ...of,
        view,
        at: view === 1 ? entry : at,
        seen: at,
        path: paths[chance(paths.length)]!,
        is_bot,
      })
      world.views.push({ ...of, view, at: NEVER_MS, seen: at, seconds: 20 })
    }
    // A ping whose page view never came, or comes later, is no view.
    world.views.push({ ...of, view: 9, at: NEVER_MS, seen: entry, seconds: 5 })
    for (let i = 0; i < chance(4); i++) {
      const id = String(n * 100 + i)
      // An order may come in days after the visit.
      const at = entry + chance(3) * DAY_MS
      const kind = (['event', 'acquisition', 'identify'] as const)[chance(3)]!
      const amount = kind === 'acquisition' && chance(2) === 0 ? 100 : null
      const row = { ...of, id, at, kind, name: kind === 'event' ? names[chance(names.length)]! : kind, amount }
      world.events.push(row)
      if (chance(3) === 0) world.events.push({ ...row, at: at + 5 })
    }
    for (let i = 0; i < chance(3); i++) {
      const at = entry + chance(30 * HOUR_MS)
      const hasSession = chance(3) > 0
      world.forms.push({
        property: 'pr_one',
        form: `fm_${chance(2)}`,
        kind: (['view', 'open', 'submit', 'submit', 'drop'] as const)[chance(5)]!,
        day: dayText(dayOf(at)),
        id: String(n * 10 + i),
        at,
        session_day: hasSession ? of.day : '1970-01-01',
        session: hasSession ? session : '0',
        is_bot: Number(chance(4) === 0),
      })
    }
  }
  return world
}

/**
 * The sessions of the facts that meet a definition; '0' where there is none. Written from docs/definitions.md
 * alone.
 */
function metBy(world: World, { event_type, event_value }: Definition) {
  const seen = new Set<string>()
  const isFirst = (key: string) => !seen.has(key) && seen.add(key).has(key)
  if (event_type === 'page_view')
    return world.views.filter(
      ({ at, path }) => at < NEVER_MS && (event_value === null || pathMatches(event_value, path ?? '')),
    )
  if (event_type === 'form_submit')
    return world.forms.filter(({ kind, form }) => kind === 'submit' && (event_value === null || form === event_value))
  return world.events.filter(
    ({ kind, name, amount, id }) =>
      kind === event_type &&
      (kind !== 'acquisition' || amount !== null) &&
      (event_value === null || name === event_value) &&
      isFirst(String(id)),
  )
}

function figuresOf(world: World, span: { fromMs: number; toMs: number }, definition: Definition) {
  const bots = new Set(world.views.filter((row) => row.is_bot === 1).map((row) => row.session))
  const entries = new Map<string, number>()
  for (const { session, at } of world.views) entries.set(session, Math.min(at, entries.get(session) ?? at))
  const isIn = (at: number) => at >= span.fromMs && at < span.toMs
  const people = new Set([...entries].filter(([id, at]) => !bots.has(id) && isIn(at)).map(([id]) => id))
  const met = metBy(world, definition)
  const ofPeople = met.filter(({ session }) => people.has(session))
  const alone = met.filter((row) => row.session === '0' && 'is_bot' in row && row.is_bot === 0 && isIn(row.at)).length
  return {
    conversions: ofPeople.length + alone,
    converted: new Set(ofPeople.map(({ session }) => session)).size,
    sessions: people.size,
  }
}

const definitions: readonly Definition[] = [
  ...[null, ...names, 'nothing'].map((event_value) => ({ event_type: 'event', event_value }) as const),
  { event_type: 'acquisition', event_value: null },
  { event_type: 'identify', event_value: null },
  ...[null, '*', '/', '/pricing', '/pricing*', '*_b', '/a_b', '*%_*', '/blog\\*', '*/*', '#/*', '/Ü/*', '/x*'].map(
    (event_value) => ({ event_type: 'page_view', event_value }) as const,
  ),
  ...[null, 'fm_0', 'fm_1'].map((event_value) => ({ event_type: 'form_submit', event_value }) as const),
]

test('figures and single sessions are those that can be counted by hand, for every type and value, one by one and at once', async (t) => {
  const { context } = await startFootfall(t, { now: NOW })
  const { facts } = context
  const world = makeWorld()
  await facts.appendAll('views', world.views)
  await facts.appendAll('events', world.events)
  await facts.appendAll('form_events', world.forms)
  // Another property's facts are nobody's business.
  await facts.appendAll(
    'views',
    world.views.map((row) => ({ ...row, property: 'pr_other' })),
  )
  await facts.appendAll(
    'events',
    world.events.map((row) => ({ ...row, property: 'pr_other' })),
  )
  const spans = [
    { fromMs: NOW - 20 * DAY_MS, toMs: NOW + 1 },
    { fromMs: NOW - 5 * DAY_MS, toMs: NOW - 2 * DAY_MS + 77_777 },
    { fromMs: NOW - 90 * DAY_MS, toMs: NOW - 80 * DAY_MS },
  ]
  const figuresIn = async (span: (typeof spans)[number], definition: Definition) => {
    const everybody = await peopleOf(facts, 'pr_one', span)
    const { past } = await countAllConversions(facts, [{ ...definition, id: 'one' }], { everybody })
    const [own] = past
    return {
      conversions: own!.count,
      converted: own!.sessions,
      sessions: await countPeople(facts, sessionRows(everybody)),
    }
  }
  let counted = 0
  for (const definition of definitions) {
    for (const span of spans) {
      const expected = figuresOf(world, span, definition)
      counted += expected.conversions
      assert.deepEqual(await figuresIn(span, definition), expected, JSON.stringify([definition, span]))
    }
    const met = new Set(metBy(world, definition).map(({ session }) => session))
    const asked = world.views.filter(({ view }) => view === 1).slice(0, 8)
    const keys = asked.map(({ session, day }) => ({ day: day!, session }))
    assert.deepEqual(
      await findConverted(facts, 'pr_one', keys, definition),
      new Set(keys.filter(({ session }) => met.has(session)).map(keyText)),
      JSON.stringify(definition),
    )
  }
  const [first] = world.views
  const keys = [{ day: first!.day!, session: first!.session }]
  const anyPage = { event_type: 'page_view', event_value: null } as const
  assert.deepEqual(await findConverted(facts, 'pr_none', keys, anyPage), new Set())
  assert.deepEqual(await findConverted(facts, 'pr_one', keys, anyPage), new Set(keys.map(keyText)))
  assert.ok(counted > 500, `${counted} conversions were compared`)

  const all = definitions.map((definition, n) => ({ id: String(n), ...definition }))
  const statements: string[] = []
  const query: Facts['query'] = (name, sql, params) => {
    statements.push(sql)
    return facts.query(name, sql, params)
  }
  const allAtOnce = async (span: (typeof spans)[number]) => {
    const { past } = await countAllConversions({ ...facts, query }, all, {
      everybody: await peopleOf(facts, 'pr_one', span),
    })
    return past.toSorted((one, other) => Number(one.id) - Number(other.id))
  }
  const expectAll = async (isSettled: string) => {
    for (const span of spans) {
      const expected = all.map(({ id, ...definition }) => {
        const { conversions: count, converted: sessions } = figuresOf(world, span, definition)
        return { id, count, sessions }
      })
      assert.deepEqual(await allAtOnce(span), expected, `${isSettled} ${JSON.stringify(span)}`)
    }
  }
  await expectAll('not settled')
  const settled = await facts.settle(NOW, false)
  assert.ok(settled.length > 5, settled.join())
  await expectAll('settled')
  for (const table of ['settled_pages', 'settled_conversions'])
    assert.ok(
      statements.some((sql) => sql.includes(table)),
      table,
    )
})

test('a path pattern means the same to the facts as to the triggers, whatever stands in it', async (t) => {
  const { context } = await startFootfall(t, { now: NOW })
  const piece = fc.constantFrom(
    '*',
    '**',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '/',
    'a',
    'b',
    'ab',
    'Ü',
    '🦊',
    '.',
    '?',
    '[',
    '\n',
    '\t',
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  /** Made from the pattern, so that many match. */
  const pair = fc.tuple(text, fc.array(text, { maxLength: 4 }), fc.boolean()).map(([pattern, fillings, isMade]) => {
    const made = pattern.split('*').flatMap((part, at) => [part, fillings[at] ?? ''])
    return [pattern, isMade ? made.join('') : (fillings[0] ?? '')] as const
  })
  const pairs = fc.sample(pair, { numRuns: 2_000, seed: 11 })
  const ask = (name: string, slice: typeof pairs) =>
    context.facts.query<{ met: number; found: number }>(
      name,
      'SELECT path LIKE pattern AS met, match(path, regex) AS found FROM (SELECT arrayJoin(arrayZip({paths:Array(String)}, {patterns:Array(String)}, {regexes:Array(String)})) AS all, all.1 AS path, all.2 AS pattern, all.3 AS regex)',
      {
        paths: slice.map(([, path]) => path),
        patterns: slice.map(([pattern]) => likeOf(pattern)),
        regexes: slice.map(([pattern]) => regexOf(pattern)),
      },
    )
  const rows = await ask('test.like', pairs)
  const expected = pairs.map(([pattern, path]) => Number(pathMatches(pattern, path)))
  for (const [at, [pattern, path]] of pairs.entries())
    assert.deepEqual([rows[at]?.met, rows[at]?.found], [expected[at], expected[at]], JSON.stringify({ pattern, path }))
  const met = expected.filter((one) => one === 1).length
  assert.ok(met > 400 && met < 1_900, `${met} of them match`)
})

// ---------------------------------------------------------------- through the front door

async function statisticsOf(footfall: Footfall, body: object, query: Record<string, string> = { period: 'today' }) {
  const at = `/manage/properties/${footfall.property.id}/conversions`
  const made = await footfall.call('POST', at, { body: { name: 'x', ...body } })
  assert.equal(made.status, 200, made.text)
  const reply = await footfall.call('GET', `${at}/${made.json.data.conversion.id}/statistics`, { query })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.statistics
}

test('a page counts whether the site writes encoded letters small or large, alone and among all conversions', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  for (const page of ['/caf%C3%A9/1', '/caf%c3%a9/2', '/café/3', '/cafe/4'])
    await footfall.track.load({ page: `https://example.com${page}` })
  for (const event_value of ['/café/*', '/caf%c3%a9/*', '/CAF%c3%a9/*']) {
    const { conversions } = await statisticsOf(footfall, { event_type: 'page_view', event_value })
    assert.equal(conversions, event_value.startsWith('/CAF') ? 0 : 3, event_value)
  }
  const at = `/manage/properties/${footfall.property.id}/conversions/statistics`
  const { json } = await footfall.call('GET', at, { query: { period: 'today' } })
  const counts = json.data.statistics.conversions.map((row: { conversions: number }) => row.conversions)
  assert.deepEqual(counts.toSorted(), [0, 3, 3])
})

test('what visitors did counts as soon as it was answered, and programs are left out', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { track } = footfall
  const visitors = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']
  const sessions: string[] = []
  for (const address of visitors) {
    footfall.clock.advance(1000)
    sessions.push((await track.load({ address, page: 'https://example.com/pricing?plan=pro' })).json.session_id)
  }
  const program = { address: '203.0.113.9', agent: BOT }
  const bot = (await track.load({ ...program, page: 'https://example.com/pricing' })).json.session_id
  await track.event(bot, 'signup', program)
  const [one, two] = [{ address: visitors[0]! }, { address: visitors[1]! }]
  for (let time = 0; time < 2; time++) assert.equal((await track.event(sessions[0]!, 'signup', one)).json.success, true)
  await track.event(sessions[1]!, 'signup', two)
  await track.event(sessions[1]!, 'other', two)
  assert.equal((await track.acquisition(sessions[0]!, { value: 500, currency_code: 'EUR' }, one)).json.success, true)
  await track.acquisition(sessions[1]!, { tags: ['tag:only'] }, two)
  const signups = await statisticsOf(footfall, { event_type: 'event', event_value: 'signup' })
  assert.deepEqual(signups, {
    period: 'today',
    date_from: null,
    date_to: null,
    showing: 'Today',
    conversions: 3,
    converted: 2,
    sessions: 4,
    rate: 0.5,
  })
  const figures = async (body: object) => {
    const { conversions, converted, sessions: all, rate } = await statisticsOf(footfall, body)
    return [conversions, converted, all, rate]
  }
  assert.deepEqual(await figures({ event_type: 'event' }), [4, 2, 4, 0.5])
  assert.deepEqual(await figures({ event_type: 'acquisition' }), [1, 1, 4, 0.25])
  assert.deepEqual(await figures({ event_type: 'page_view', event_value: '/pricing' }), [4, 4, 4, 1])
  assert.deepEqual(await figures({ event_type: 'page_view', event_value: '/*/' }), [0, 0, 4, 0])
  assert.deepEqual(await figures({ event_type: 'form_submit' }), [0, 0, 4, 0])
  const before = { period: 'custom', date_from: '2026-11-01', date_to: '2026-11-02' }
  const at = `/manage/properties/${footfall.property.id}/conversions`
  const all = (await footfall.call('GET', `${at}/statistics`, { query: { period: 'today' } })).json.data.statistics
  assert.deepEqual([all.showing, all.sessions], ['Today', 4])
  const shown = (row: Record<string, number>) => [row['conversions'], row['converted'], row['rate']]
  // The newest first: those above, the other way round.
  assert.deepEqual(all.conversions.map(shown), [
    [0, 0, 0],
    [0, 0, 0],
    [4, 4, 1],
    [1, 1, 0.25],
    [4, 2, 0.5],
    [3, 2, 0.5],
  ])
  const empty = await statisticsOf(footfall, { event_type: 'event' }, before)
  assert.deepEqual([empty.conversions, empty.sessions, empty.rate, empty.date_from], [0, 0, 0, '2026-11-01'])
})
