// An overview with a goal is put together of what was kept of the days before and of what today adds, also to
// sessions of those days: it is the same as if everything were counted at once, whatever happened in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactCalls } from '../../test/support/contact-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { askOverview, seededPick } from '../../test/support/overview-world.ts'
import { watchQuestions } from '../../test/support/questions.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { DAY_MS, dayText } from '../kernel/days.ts'
import { creditedAmong, creditedSql, type FirstRow } from '../analytics/credit-sql.ts'
import { MOST_NAMED, readLinked, readMet } from '../analytics/linked-facts.ts'
import { listSummedGoals } from '../conversions/conversions.ts'
import { newContactId } from '../identify/identify.ts'
import { asAsker, nobodyWaits } from '../queues/asker.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { readSessionId } from '../kernel/ids.ts'
import type { Facts } from '../stores/facts.ts'
import { type GoalQuery, keyOfValue, readCutParts } from './goal-facts.ts'
import { type ReadApart, sharedByWindows } from './goal-windows.ts'

const START = Date.parse('2026-11-02T09:00:00Z')
const MINUTE_MS = 60_000
const seed = Number(process.env['OVERVIEW_SEED'] ?? Math.floor(Math.random() * 1e9))

const goals = [
  { name: 'Pricing', event_type: 'page_view', event_value: '/pri*' },
  { name: 'Signup', event_type: 'event', event_value: 'signup' },
  { name: 'Order', event_type: 'acquisition', event_value: null },
  { name: 'Lead', event_type: 'form_submit', event_value: null },
  { name: 'Known', event_type: 'identify', event_value: null },
]

async function addGoals(footfall: Footfall): Promise<string[]> {
  const ids: string[] = []
  for (const body of goals) {
    const { json, text } = await footfall.call('POST', `/manage/properties/${footfall.property.id}/conversions`, {
      body,
    })
    assert.ok(json.data, text)
    ids.push(json.data.conversion.id)
  }
  return ids
}

const days = { period: 'custom', date_from: '2026-11-02', date_to: '2026-11-05' }
const windows = [
  { period: 'last_7' },
  { period: 'last_28' },
  { period: 'last_7', timezone: 'Asia/Kathmandu' },
  { period: 'today' },
  { period: 'last_28', compare: 'year', interval: 'week' },
  days,
  { ...days, compare: 'custom', compare_from: '2026-11-02', compare_to: '2026-11-05' },
  { period: 'last_28', clauses: [{ id: 'language', op: 'equals', value: 'fr' }] },
  { period: 'last_28', clauses: [{ id: 'page_path', op: 'equals', value: '/pricing' }] },
]

test('a window that ended yesterday is counted by its own days, after one that began with it and ends now', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { track, clock } = footfall
  const [goal] = await addGoals(footfall)
  await track.load({ page: 'https://example.com/pricing' })
  clock.advance(2 * DAY_MS)
  await track.load({ page: 'https://example.com/price' })
  const byDay = async (window: object) =>
    (await askOverview(footfall, { ...window, goal })).goal.series.current.conversions
  const began = { period: 'custom', date_from: '2026-11-01' }
  assert.deepEqual(await byDay({ ...began, date_to: '2026-11-04' }), [0, 1, 0, 1])
  assert.deepEqual(await byDay({ ...began, date_to: '2026-11-03' }), [0, 1, 0])
  clock.advance(1000)
  assert.deepEqual(await byDay({ ...began, date_to: '2026-11-04' }), [0, 1, 0, 1])
})

test(`a goal is counted as if everything were counted at once (OVERVIEW_SEED=${seed})`, async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { context, track, clock, property } = footfall
  const { facts } = context
  const pick = seededPick(seed)
  const oneOf = <Choice>(choices: readonly Choice[]): Choice => choices[pick(choices.length)]!
  const ids = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const manage = async (path: string, body: object = {}) => {
    const reply = await footfall.call('POST', `/manage/properties/${property.id}${path}`, { body })
    return reply.json.data
  }
  const sessions: string[] = []
  const contacts = new Set<string>()
  let merged: { readonly id: string; readonly merge: string } | undefined
  let forms = 0

  const deeds = {
    visit: async () => {
      const visitor = { address: `203.0.113.${pick(6)}`, language: oneOf(['en-GB', 'fr']) }
      const { json } = await track.load({
        ...visitor,
        page: `https://example.com${oneOf(['/', '/pricing', '/price'])}`,
      })
      sessions.push(json.session_id)
    },
    event: () =>
      footfall.call('POST', '/v2/property/session/event', { body: { session_id: oneOf(sessions), name: 'signup' } }),
    order: () => {
      const body = { session_id: oneOf(sessions), value: 1 + pick(9000), currency_code: 'USD' }
      return footfall.call('POST', '/v2/property/session/acquisition', { body })
    },
    identify: async () => {
      const { json, text } = await calls.identify({ session_id: oneOf(sessions), external_id: `u${pick(3)}` })
      assert.ok(json.data, text)
      contacts.add(json.data.contact.id)
    },
    form: async () => {
      const { day, hash } = readSessionId(context.keys, property.id, oneOf(sessions))!
      const now = Math.floor(clock.now() / DAY_MS)
      // It is sent on the day of its session, or by who carries on over midnight.
      const isAlone = pick(3) === 0 || now - day > 1
      const session = isAlone ? '0' : `${hash}`
      const today = new Date(clock.now()).toISOString().slice(0, 10)
      const session_day = isAlone ? '1970-01-01' : new Date(day * DAY_MS).toISOString().slice(0, 10)
      const row = { property: property.id, form: 'fm_1', kind: 'submit', day: today, id: `${++forms}` } as const
      await facts.append('form_events', { ...row, at: clock.now(), session_day, session })
    },
    mark: () => manage(`/sessions/${oneOf(sessions)}/mark`, { is_invalid: pick(2) === 0 }),
    merge: async () => {
      if (merged) await manage(`/contacts/${merged.id}/merges/${merged.merge}/undo`)
      const [id, other] = [...contacts]
      const merge =
        !merged && other !== undefined ? (await manage(`/contacts/${id}/merge`, { other }))?.merge_id : undefined
      merged = merge === undefined ? undefined : { id: id!, merge }
    },
    settle: async () => facts.settle(clock.now(), false, await listSummedGoals(context)),
    later: async () => clock.advance(pick(40 * 60) * MINUTE_MS),
    // What is kept of a window before is kept with the edges that it has a moment later.
    soon: async () => clock.advance(pick(50) * 1000),
  } as const satisfies Record<string, () => unknown>

  const ask = async (body: object) => {
    const { meta: _, live: _live, ...answer } = await askOverview(footfall, body)
    return answer
  }
  const [version, query] = [facts.version.bind(facts), facts.query.bind(facts)]
  const settledDays = facts.settledDays.bind(facts)
  /**
   * Nothing is kept or settled; by `first`, one statement counts the window, as if too many contacts came
   * again.
   */
  const askAtOnce = async (body: object) => {
    const tooMany: Facts['query'] = async (name, ...rest) =>
      name === 'analytics.goalLinked' ? Array.from({ length: 5000 }) : query(name, ...rest)
    Object.assign(facts, { version: async () => undefined, query: tooMany, settledDays: async () => new Map() })
    const answer = await ask(body)
    Object.assign(facts, { version, query, settledDays })
    return answer
  }
  const check = async (window: object, goal: string | undefined) => {
    const body = { ...window, goal, attribution: oneOf(['first', 'first', 'last']) }
    assert.deepEqual(await ask(body), await askAtOnce(body), JSON.stringify(body))
  }

  const { visit, ...others } = deeds
  await visit()
  for (let step = 0; step < rounds(30, 600); step++) {
    await (pick(3) === 0 ? visit() : oneOf(Object.values(others))())
    if (step % 3 === 0) await check(oneOf(windows), oneOf(ids))
  }
  for (const goal of ids) await check(oneOf(windows), goal)
})

test('after a new view only today is counted anew', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { track, clock } = footfall
  const ids = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const page = 'https://example.com/pricing'
  const first = await track.load({ address: '203.0.113.1', page })
  await calls.identify({ session_id: first.json.session_id, external_id: 'u1' })
  clock.advance(DAY_MS)
  await track.load({ address: '203.0.113.2', page })
  const { names } = watchQuestions(footfall.context.facts)
  const counted = async () => {
    names.length = 0
    const { goal } = await askOverview(footfall, { period: 'last_7', goal: ids[0] })
    return [goal.cards[0].current, names.filter((name) => name === 'analytics.goalParts').length]
  }
  assert.deepEqual(await counted(), [2, 1], 'the days before and today at once')
  await track.load({ address: '203.0.113.3', page })
  assert.deepEqual(await counted(), [3, 1])
  const again = await track.load({ address: '203.0.113.1', page })
  await calls.identify({ session_id: again.json.session_id, external_id: 'u1' })
  assert.deepEqual(await counted(), [4, 2], 'and the one session to which a contact adds')
  await track.load({ address: '203.0.113.4', page })
  assert.deepEqual(await counted(), [5, 1])
  const looked = async () => [(await counted())[0], names.filter((name) => name === 'analytics.goalMet').length]
  await track.load({ address: '203.0.113.5', page })
  assert.deepEqual(await looked(), [6, 0], 'what a contact adds is not looked for again')
  await track.load({ address: '203.0.113.1', page })
  assert.deepEqual(await looked(), [7, 2], 'until the contact has seen another page')
})

test('today is counted by what the lists showed before, and by what is new in them', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { track, clock } = footfall
  const [goal] = await addGoals(footfall)
  const { facts } = footfall.context
  const view = async (n: number, path: string) => {
    clock.advance(1000)
    await track.load({ address: `203.0.113.${n}`, page: `https://example.com${path}` })
  }
  const entries = async () => {
    const { lists } = await askOverview(footfall, { period: 'last_7', goal })
    const rows: { id: string; metrics: { conversions: number } }[] = lists.entry_path_full.rows
    return Object.fromEntries(rows.map(({ id, metrics }) => [id, metrics.conversions]))
  }
  await view(1, '/pricing')
  clock.advance(DAY_MS)
  await view(2, '/pricing')
  assert.deepEqual(await entries(), { '/pricing': 2 })
  await view(3, '/pricing')
  assert.deepEqual(await entries(), { '/pricing': 3 })
  // From now on nothing is known of the lists before the goal is counted.
  let isCounted = false
  const ask = facts.query.bind(facts)
  const query: Facts['query'] = async (name, ...rest) => {
    if (name === 'analytics.readTopLists') await untilEqual(async () => isCounted, true)
    const rows = ask<never>(name, ...rest)
    if (name === 'analytics.goalParts') isCounted = (await rows).length > 0
    return rows
  }
  Object.assign(facts, { query })
  await view(4, '/price')
  assert.deepEqual(await entries(), { '/pricing': 3, '/price': 1 })
  Object.assign(facts, { query: ask })
  const { names } = watchQuestions(facts)
  await view(5, '/price')
  assert.deepEqual(await entries(), { '/pricing': 3, '/price': 2 })
  assert.equal(names.filter((name) => name === 'analytics.goalParts').length, 1, 'with what was new before')
})

test('what events of today add to a visit of today is kept until that visit has another page', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { track, clock } = footfall
  const [, signup] = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const view = async (address: string, path: string) => {
    clock.advance(1000)
    return (await track.load({ address, page: `https://example.com${path}` })).json.session_id as string
  }
  await view('203.0.113.9', '/')
  clock.advance(DAY_MS)
  // All values that lists show are there from the beginning.
  for (const [n, path] of ['/', '/first', '/last'].entries()) await view(`203.0.113.${10 + n}`, path)
  await calls.identify({ session_id: await view('203.0.113.1', '/first'), external_id: 'u1' })
  const session_id = await view('203.0.113.2', '/again')
  await calls.identify({ session_id, external_id: 'u1' })
  await footfall.call('POST', '/v2/property/session/event', { body: { session_id, name: 'signup' } })
  const { names } = watchQuestions(footfall.context.facts)
  const counted = async () => {
    names.length = 0
    const { lists } = await askOverview(footfall, { period: 'last_7', goal: signup })
    const rows: { id: string; metrics: { conversions: number } }[] = lists.exit_path_full.rows
    const exits = rows.filter(({ metrics }) => metrics.conversions > 0).map(({ id }) => id)
    return [exits, names.filter((name) => name === 'analytics.goalParts').length]
  }
  assert.deepEqual(await counted(), [['/first'], 1])
  await view('203.0.113.3', '/')
  assert.deepEqual(await counted(), [['/first'], 1], 'today by itself')
  await view('203.0.113.4', '/')
  assert.deepEqual(await counted(), [['/first'], 0], 'it is kept')
  await view('203.0.113.1', '/last')
  assert.deepEqual(await counted(), [['/last'], 1])
})

test('the window before is counted once while it moves, and what a contact adds to it now counts', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { track, clock } = footfall
  const [, signup] = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const signUp = async (visitor: object) => {
    const { session_id } = (await track.load({ ...visitor, page: 'https://example.com/' })).json
    await calls.identify({ session_id, external_id: 'u1' })
    await footfall.call('POST', '/v2/property/session/event', { body: { session_id, name: 'signup' } })
  }
  await signUp({})
  clock.advance(8 * DAY_MS)
  const view = async (address: string) => {
    clock.advance(1000)
    await track.load({ address, page: 'https://example.com/' })
  }
  const { names } = watchQuestions(footfall.context.facts)
  const counted = async () => {
    names.length = 0
    const { goal } = await askOverview(footfall, { period: 'last_7', goal: signup })
    const asked = names.filter((name) => name.startsWith('analytics.goal')).toSorted()
    const before: readonly number[] = goal.series.previous.conversions
    return [goal.cards[0].current, goal.cards[0].previous, before.reduce((sum, part) => sum + part, 0), asked]
  }
  await view('203.0.113.2')
  const [parts, linked] = ['analytics.goalParts', 'analytics.goalLinked']
  assert.deepEqual(await counted(), [0, 1, 1, [parts]], 'both windows at once')
  await view('203.0.113.3')
  assert.deepEqual(await counted(), [0, 1, 1, [linked, parts]], 'who came today, and what they did')
  await view('203.0.113.6')
  assert.deepEqual(await counted(), [0, 1, 1, [linked]], 'who came today')
  await signUp({ address: '203.0.113.4' })
  const [now, before] = await counted()
  assert.deepEqual([now, before], [0, 2], 'a signup of today counts for the visit that found the customer')
  await view('203.0.113.5')
  assert.deepEqual((await counted()).slice(0, 3), [0, 2, 2])
})

test('what comes while the overview is read is in the next answer, at the visit that found the customer', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { context, track, clock } = footfall
  const [, signup] = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const signUp = async () => {
    const { session_id } = (await track.load({ page: 'https://example.com/' })).json
    await calls.identify({ session_id, external_id: 'u1' })
    await footfall.call('POST', '/v2/property/session/event', { body: { session_id, name: 'signup' } })
  }
  await signUp()
  clock.advance(DAY_MS)
  await track.load({ address: '203.0.113.2', page: 'https://example.com/' })
  const { facts } = context
  const query = facts.query.bind(facts)
  const isCounted = Promise.withResolvers<void>()
  let isHeld = true
  const during: Facts['query'] = async (name, ...rest) => {
    if (name === 'analytics.overview' && isHeld) {
      isHeld = false
      await isCounted.promise
      await signUp()
    }
    const rows = await query(name, ...rest)
    if (name === 'analytics.goalParts') isCounted.resolve()
    return rows as never
  }
  Object.assign(facts, { query: during })
  const counted = async () => {
    const { goal } = await askOverview(footfall, { period: 'last_7', goal: signup })
    return goal.series.current.conversions.slice(-2)
  }
  await counted()
  assert.deepEqual(await counted(), [2, 0])
})

test('two windows share a statement; who asks about one and leaves takes nothing of the other along', async (t) => {
  const { context, track, clock, property } = await startFootfall(t, { now: START })
  const { facts } = context
  const page = 'https://example.com/pricing'
  await track.load({ page })
  clock.advance(DAY_MS)
  for (const address of ['203.0.113.2', '203.0.113.3']) await track.load({ address, page })
  const goal = { id: 'cv', name: 'Pricing', event_type: 'page_view', event_value: '/pricing' } as const
  const credit = { goal, attribution: 'last' } as const
  const alone: ReadApart = async (scope, query) =>
    readCutParts(facts, scope, query, await creditedSql(facts, scope, credit, { pastUntil: '1970-01-01' }))
  const read = sharedByWindows(alone)
  const entry = { list: 'entry_path_full', value: '/pricing', countryCode: '' } as const
  const count = async (fromMs: number, asked: GoalQuery['values']) => {
    const scope = { propertyId: property.id, span: { fromMs, toMs: fromMs + DAY_MS }, clauses: [] }
    const { byEdge, values } = (await read(scope, { credit, edges: [fromMs], values: asked })).rest
    return [byEdge.get(fromMs)?.hits, values[0]?.rows[keyOfValue(entry)]?.hits]
  }
  const caller = new AbortController()
  const asker = { propertyId: property.id, caller: 'somebody', isShared: false }
  const begun = START - (START % DAY_MS)
  const leaving = asAsker({ ...asker, signal: caller.signal }, () => count(begun, []))
  const staying = asAsker(asker, () => count(begun + DAY_MS, 'all'))
  caller.abort(nobodyWaits())
  await assert.rejects(leaving, /canceled/)
  assert.deepEqual(await staying, [2, 2])
  const same = await Promise.all([count(begun + DAY_MS, []), count(begun + DAY_MS, [entry])])
  assert.deepEqual(
    same,
    [
      [2, undefined],
      [2, 2],
    ],
    'a window beside itself',
  )
  const { names } = watchQuestions(facts)
  const both = await Promise.all([count(begun, []), count(begun + DAY_MS, [entry])])
  assert.deepEqual(both, [
    [1, undefined],
    [2, 2],
  ])
  assert.deepEqual(names, ['analytics.goalParts'])
})

test('a late fact of a day before is in what is kept of it', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const [, signup] = await addGoals(footfall)
  const { session_id } = (await footfall.track.load({ page: 'https://example.com/' })).json
  footfall.clock.advance(DAY_MS)
  await footfall.track.load({ address: '203.0.113.2', page: 'https://example.com/' })
  const counted = async (attribution: string) => {
    const { goal } = await askOverview(footfall, { period: 'last_7', goal: signup, attribution })
    return goal.cards[0].current
  }
  for (const attribution of ['first', 'last']) assert.equal(await counted(attribution), 0)
  await footfall.call('POST', '/v2/property/session/event', { body: { session_id, name: 'signup' } })
  for (const attribution of ['first', 'last']) assert.equal(await counted(attribution), 1)
})

test('an earlier session to which today adds is converted once', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const [, signup] = await addGoals(footfall)
  const calls = contactCalls(footfall)
  const signUp = async () => {
    const { session_id } = (await footfall.track.load({ page: 'https://example.com/' })).json
    await calls.identify({ session_id, external_id: 'u1' })
    await footfall.call('POST', '/v2/property/session/event', { body: { session_id, name: 'signup' } })
  }
  const counted = async () => {
    const { goal } = await askOverview(footfall, { period: 'last_7', goal: signup })
    const of = (name: string) => goal.cards.find(({ id }: { id: string }) => id === name).current
    return [of('conversions'), of('rate')]
  }
  await signUp()
  footfall.clock.advance(DAY_MS)
  assert.deepEqual(await counted(), [1, 1])
  await signUp()
  assert.deepEqual(await counted(), [2, 0.5], 'both are of the first session; the other one has none')
})

test('as many sessions as are looked for by name, and their contacts, can be named in a statement', async (t) => {
  const { context, property } = await startFootfall(t, { now: START })
  const { facts } = context
  const [day, session] = ['2026-11-02', `${2n ** 64n - 1n}`]
  const first: FirstRow = { seen_day: day, seen_session: session, first_day: day, first_session: session }
  const span = { fromMs: START, toMs: START + DAY_MS }
  const goal = { id: 'cv', name: 'Order', event_type: 'acquisition', event_value: null } as const
  const credit = { goal, attribution: 'first' } as const
  const scope = { propertyId: property.id, span, clauses: [] }
  const firsts = Array.from({ length: 2 * MOST_NAMED }, () => first)
  const { sql, params } = creditedAmong(scope, credit, firsts)
  assert.deepEqual(await facts.query('test', sql, { ...params, ...boundsOf(property.id, span) }), [])
  assert.deepEqual(
    await readMet(
      facts,
      scope,
      credit,
      firsts.map(() => ({ day, session })),
    ),
    [],
  )
  const contacts = Array.from({ length: MOST_NAMED }, () => newContactId(context))
  assert.deepEqual(await readLinked(facts, property.id, span, contacts), [])
})

test('a page that many enter by, and few convert after, has its conversions beside hundreds that have more', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { context, track, clock, property } = footfall
  const [, signup] = await addGoals(footfall)
  const signUps: {
    property: string
    kind: 'event'
    name: string
    day: string
    session: string
    at: number
    id: string
  }[] = []
  const visit = async (path: string, address: string, times: number) => {
    const { session_id } = (await track.load({ address, page: `https://example.com${path}` })).json
    const { day, hash } = readSessionId(context.keys, property.id, session_id)!
    const of = { property: property.id, day: dayText(day), session: `${hash}` }
    for (let n = 0; n < times; n++)
      signUps.push({ ...of, kind: 'event', name: 'signup', at: clock.now(), id: `${signUps.length + 1}` })
  }
  const addDay = async (block: number, ofBusy: number) => {
    for (let n = 0; n < 310; n++) await visit(`/of/${n}`, `198.51.${block + (n >> 8)}.${n & 255}`, 1)
    for (let n = 0; n < 12; n++) await visit('/busy', `203.0.${block}.${n}`, n === 0 ? ofBusy : 0)
    await context.facts.appendAll('events', signUps.splice(0))
  }
  const rows = async () => {
    const { lists } = await askOverview(footfall, { period: 'last_7', goal: signup, attribution: 'last' })
    const busy = lists.entry_path_full.rows.find(({ id }: { id: string }) => id === '/busy')
    return [busy.metrics.conversions, busy.metrics.rate]
  }
  await addDay(10, 0)
  clock.advance(DAY_MS)
  await addDay(20, 2)
  const { names } = watchQuestions(context.facts)
  const counted = () => names.splice(0).filter((name) => name === 'analytics.goalParts').length
  assert.deepEqual(await rows(), [2, 0.0417])
  assert.equal(counted(), 2, 'all at once, and by name')
  await track.load({ address: '203.0.113.2', page: 'https://example.com/' })
  assert.deepEqual(await rows(), [2, 0.0417])
  assert.equal(counted(), 2, 'today, and by name')
})

test('a form that is sent after midnight, or days later by the same contact, counts for the visit that found them', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { context, track, clock, property } = footfall
  const [, , , lead] = await addGoals(footfall)
  const calls = contactCalls(footfall)
  let forms = 0
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const submit = async (session: string, session_day: string) => {
    const of = { property: property.id, form: 'fm_1', kind: 'submit', id: `${++forms}` } as const
    const [at, day] = [clock.now(), dayOf(clock.now())]
    await context.facts.append('form_events', { ...of, at, day, session, session_day })
  }
  const visit = async () => {
    const { session_id } = (await track.load({ page: 'https://example.com/' })).json
    await calls.identify({ session_id, external_id: 'u1' })
    return { session: `${readSessionId(context.keys, property.id, session_id)!.hash}`, day: dayOf(clock.now()) }
  }
  const counted = async (window: object) => {
    const { goal } = await askOverview(footfall, { ...window, goal: lead })
    const of = (id: string) => goal.cards.find((card: { id: string }) => card.id === id).current
    return [of('conversions'), of('rate')]
  }
  const day = (date_from: string) => ({ period: 'custom', date_from, date_to: '2026-11-02' })
  const first = await visit()
  clock.set(Date.parse('2026-11-03T00:10:00Z'))
  await submit(first.session, first.day)
  clock.set(Date.parse('2026-11-05T09:00:00Z'))
  assert.deepEqual(await counted(day('2026-11-02')), [1, 1])
  const second = await visit()
  await submit(second.session, second.day)
  assert.deepEqual(await counted(day('2026-11-02')), [2, 1], 'what was known of the window, and what it did not know')
  assert.deepEqual(await counted(day('2026-11-01')), [2, 1], 'the same at once')

  const week = { period: 'last_7' }
  await submit('0', '1970-01-01')
  assert.deepEqual(await counted(week), [3, 0.5], 'one has no visit')
  await track.load({ address: '203.0.113.9', page: 'https://example.com/' })
  assert.deepEqual(await counted(week), [3, 0.3333])
})
