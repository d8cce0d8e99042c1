// What strangers may order with a share link, and what it tells them: small questions about what is listed,
// and nothing about fewer than three.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShare } from '../../test/support/shares.ts'
import { dimensions } from '../../test/oracle/dimensions.ts'
import { type CallOptions, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const listed = [...dimensions, 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
const closed = [
  'event_name',
  'event_value',
  'event_value_num',
  'tag',
  'event_meta',
  'form',
  'page_path',
  'contact_id',
  'hostname',
  'link',
  'link_group',
  'country_code',
]

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let share: Pick<CallOptions, 'token' | 'headers'>
let questions: readonly string[]

after(async () => {
  for (const close of closers) await close()
})
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW })
  share = await openShare(footfall, footfall.property.id)
  const at = `/manage/properties/${footfall.property.id}`
  const analytics = ['metrics', 'graph', 'live'].map((name) => `/v2/property/signals/analytics/${name}`)
  questions = [`${at}/overview`, `${at}/live`, `${at}/lists/country`, `${at}/lists/country?format=csv`, ...analytics]
})

let asked = 0
/** Each from an address of its own: a client has sixty calls a minute. */
function asShare(path: string, body: object = {}): Promise<Reply> {
  const headers = { ...share.headers, 'x-forwarded-for': `192.0.2.${asked++ % 250}` }
  return footfall.call('POST', path, { ...share, headers, body })
}

const clause = (id: string, value: unknown = '1') => ({ id, op: 'equals', value })

test('a share link filters by the listed dimensions and UTM alone, and the refusal names the clause', async () => {
  for (const path of questions) {
    for (const id of closed) {
      const { status, json } = await asShare(path, { clauses: [clause('country'), clause(id)] })
      assert.deepEqual(
        [status, json.error_code, Object.keys(json.errors)],
        [422, 'validation_failed', ['clauses.1.id']],
        id,
      )
    }
    assert.equal((await asShare(path, { clauses: [clause('country')] })).status, 200, path)
  }
  // As many at a time as a question may have.
  for (let n = 0; n < listed.length; n += 5) {
    const ids = listed.slice(n, n + 5)
    const { status } = await asShare(questions[0]!, { clauses: ids.map((id) => clause(id)) })
    assert.equal(status, 200, ids.join())
  }
})

test('a share link filters by values alone: what begins with, holds or is not something is refused, and the refusal names it', async () => {
  const operators = ['not_equals', 'contains', 'not_contains', 'starts_with', 'ends_with', 'is_set', 'is_not_set']
  for (const path of questions)
    for (const op of operators) {
      const { status, json } = await asShare(path, { clauses: [clause('country'), { id: 'city', op, value: 'x' }] })
      assert.deepEqual(
        [status, json.error_code, Object.keys(json.errors)],
        [422, 'validation_failed', ['clauses.1.op']],
        op,
      )
    }
})

test('a share link asks small questions', async () => {
  const many = (count: number, value: unknown = 'x') => Array.from({ length: count }, () => clause('city', value))
  const values = (count: number) => Array.from({ length: count }, (_, n) => String(n))
  const most = [many(5), [clause('city', values(20))], [clause('city', ['x'.repeat(2048), 'y'.repeat(2048)])]]
  const more = [
    many(6),
    [clause('city', values(21))],
    [clause('city', values(11)), clause('os', values(10))],
    [clause('city', ['x'.repeat(2048), 'y'.repeat(2048), 'z'])],
  ]
  for (const clauses of most) assert.equal((await asShare(questions[0]!, { clauses })).status, 200)
  for (const path of questions)
    for (const clauses of more) {
      const { status, json } = await asShare(path, { clauses })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['clauses']], path)
    }
})

test('a share link lists no tags', async () => {
  const path = `/manage/properties/${footfall.property.id}/lists/tag`
  for (const format of ['', '?format=csv']) {
    const { status, json } = await asShare(path + format)
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['dimension']])
    assert.equal((await footfall.call('POST', path + format, { body: {} })).status, 200)
  }
})

test('the notes of the team are not in the overview of a share link', async () => {
  const at = `/manage/properties/${footfall.property.id}`
  await footfall.call('POST', `${at}/annotations`, { body: { ts: NOW / 1000 - 7, text: 'We fired Bob' } })
  const shared = await asShare(`${at}/overview`)
  assert.deepEqual(shared.json.data.annotations, [])
  assert.ok(!shared.text.includes('fired Bob'))
  assert.equal((await footfall.call('POST', `${at}/overview`, { body: {} })).json.data.annotations.length, 1)
})

/**
 * Two visitors of a page, of whom one brings money and an event; four of another page, and one of a third, so
 * that the two are not the rest.
 */
async function visitsOfFew(): Promise<{ readonly id: string; readonly as: Pick<CallOptions, 'token' | 'headers'> }> {
  const { id, key } = await footfall.addProperty()
  const visit = async (page: string, address: string, language: string) =>
    (await footfall.track.load({ key, page: `https://example.com${page}`, address, language })).json
  await Promise.all([1, 2, 3, 4].map((n) => visit('/known?utm_source=letter', `198.51.100.${n}`, 'en')))
  await visit('/other?utm_source=cry', '203.0.113.7', 'fr')
  await visit('/hidden?utm_source=whisper', '203.0.113.8', 'de')
  const { session_id } = await visit('/hidden?utm_source=whisper', '203.0.113.9', 'de')
  await footfall.track.event(session_id, 'secret', { key, address: '203.0.113.9', language: 'de' })
  await footfall.track.acquisition(
    session_id,
    { value: 777, currency_code: 'USD' },
    { key, address: '203.0.113.9', language: 'de' },
  )
  return { id, as: await openShare(footfall, id) }
}

const hidden = /hidden|whisper|other|cry|secret|777|"(de|DE|fr|FR)"/

test('nothing is told about fewer than three sessions', async () => {
  const { id, as } = await visitsOfFew()
  const at = `/manage/properties/${id}`
  const v2 = '/v2/property/signals/analytics'
  const ask = (path: string, body: object = {}) => footfall.call('POST', path, { ...as, body })

  const overview = await ask(`${at}/overview`, { period: 'today' })
  assert.doesNotMatch(JSON.stringify({ ...overview.json.data, cards: [], series: [] }), hidden)
  assert.equal(overview.json.data.cards[0].current, 7)
  assert.deepEqual(
    overview.json.data.lists.entry_path_full.rows.map((row: { id: string; value: number }) => [row.id, row.value]),
    [['/known', 4]],
  )
  assert.equal(overview.json.data.lists.entry_path_full.total, 1)

  const metrics = await ask(`${v2}/metrics`, { period: 'today' })
  assert.doesNotMatch(JSON.stringify(metrics.json.analytics.period_top_dimensions), hidden)
  assert.deepEqual(metrics.json.analytics.period_country_lang.languages, { EN: 4 })
  for (const list of ['entry_path_full', 'utm_source', 'event_name', 'language'])
    for (const format of ['', '?format=csv'])
      assert.doesNotMatch((await ask(`${at}/lists/${list}${format}`, { period: 'today' })).text, hidden, list)
  assert.doesNotMatch((await ask(`${at}/live`)).text, hidden)

  // The two alone: as if there were nobody, in each answer.
  const two = { period: 'today', clauses: [{ id: 'entry_path_full', op: 'equals', value: '/hidden' }] }
  const nobody = { period: 'today', clauses: [{ id: 'entry_path_full', op: 'equals', value: '/hidden?' }] }
  for (const path of [
    `${at}/overview`,
    `${at}/live`,
    `${v2}/metrics`,
    `${v2}/graph`,
    `${v2}/live`,
    `${at}/lists/country`,
  ]) {
    const [few, none] = [await ask(path, two), await ask(path, nobody)]
    assert.equal(few.status, 200, path)
    assert.deepEqual(bare(few), bare(none), path)
  }
  const own = await footfall.call('POST', `${at}/overview`, { body: two })
  assert.equal(own.json.data.cards[0].current, 2, 'who is signed in sees them')
  const csv = await ask(`${at}/lists/language?format=csv`, two)
  assert.equal(csv.text.trim().split('\n').length, 1)
})

/** Without what was asked, and how long it took. */
function bare({ json }: Reply): unknown {
  const { inputs: _asked, meta: _meta, ...rest } = json.data ?? json
  return JSON.parse(JSON.stringify(rest, (key, value) => (key === 'query_ms' ? undefined : value)))
}

test('parts of a window with fewer than three sessions are shown as none, and cannot be told from the others', async () => {
  const { id, key } = await footfall.addProperty()
  const as = await openShare(footfall, id)
  for (const [day, visitors] of [5, 1, 4].entries()) {
    footfall.clock.set(NOW - (3 - day) * 86_400_000)
    const addresses = Array.from({ length: visitors }, (_, n) => `198.51.100.${n}`)
    await Promise.all(addresses.map((address) => footfall.track.load({ key, address })))
  }
  footfall.clock.set(NOW)
  const window = { period: 'custom', date_from: '2026-11-17', date_to: '2026-11-19', interval: 'day' }
  const graph = await footfall.call('POST', '/v2/property/signals/analytics/graph', { ...as, body: window })
  const values = graph.json.graph.series.map(({ value }: { value: number }) => value)
  assert.deepEqual(values, [5, 0, 0], 'of 10 less 5 and 4 one would be left')
  const { json } = await footfall.call('POST', `/manage/properties/${id}/overview`, { ...as, body: window })
  assert.deepEqual([json.data.series.current.sessions, json.data.cards[0].current], [[5, 0, 0], 10])
})

/** Visits of a page and a source, as many as it says, each of an address of its own. */
async function worldOf(visits: readonly (readonly [query: string, count: number, language?: string])[]) {
  const { id, key } = await footfall.addProperty()
  let address = 0
  for (const [query, count, language = 'en-US'] of visits)
    for (let n = 0; n < count; n++) {
      const at = { page: `https://example.com${query}`, address: `198.51.100.${address++}`, language }
      assert.equal((await footfall.track.load({ key, ...at })).json.success, true)
    }
  const as = await openShare(footfall, id)
  const ask = async (clauses: readonly object[], body: object = {}) => {
    const asked = { period: 'today', ...body, clauses }
    const { status, json } = await footfall.call('POST', `/manage/properties/${id}/overview`, { ...as, body: asked })
    assert.equal(status, 200)
    return json.data
  }
  return { id, key, as, ask }
}

const is = (id: string, ...value: string[]) => ({ id, op: 'equals', value })
const sessionsOf = (data: { readonly cards: readonly { readonly current: number }[] }) => data.cards[0]?.current
const rowsOf = (data: { readonly lists: Record<string, { rows: { id: string; value: number }[] }> }, list: string) =>
  data.lists[list]?.rows.map(({ id, value }) => [id, value])

test('a value that all but one or two sessions have is not told, and neither is what the rows of a list would leave', async () => {
  const { ask } = await worldOf([
    ['/a?utm_source=x', 5],
    ['/b?utm_source=x', 4],
    ['/c?utm_source=y', 1],
  ])
  const all = await ask([])
  assert.equal(sessionsOf(all), 10)
  assert.deepEqual(rowsOf(all, 'entry_path_full'), [['/a', 5]], 'with /b, one would be left')
  assert.equal(all.lists.entry_path_full.total, 1)
  assert.equal(sessionsOf(await ask([is('utm_source', 'x')])), 0, '10 less 9 is the one of y')
  assert.equal(sessionsOf(await ask([is('entry_path_full', '/a', '/b')])), 0)
  assert.equal(sessionsOf(await ask([is('entry_path_full', '/b')])), 4)
})

test('a filter beside another one is answered where neither less both is one or two sessions', async () => {
  const { ask } = await worldOf([
    ['/a?utm_source=x', 5],
    ['/a?utm_source=y', 1],
    ['/b?utm_source=y', 4],
    ['/b?utm_source=z', 4],
  ])
  assert.equal(sessionsOf(await ask([is('entry_path_full', '/a')])), 6)
  assert.equal(sessionsOf(await ask([is('utm_source', 'x')])), 5)
  const both = await ask([is('entry_path_full', '/a'), is('utm_source', 'x')])
  assert.equal(sessionsOf(both), 0, '6 less 5 is the one of /a and y')
  assert.equal(sessionsOf(await ask([is('entry_path_full', '/b'), is('utm_source', 'z')])), 4)
  assert.equal(sessionsOf(await ask([is('entry_path_full', '/b'), is('utm_source', 'y')])), 0, 'y less both is one')
  const ofA = await ask([is('entry_path_full', '/a')])
  assert.deepEqual(rowsOf(ofA, 'entry_path_full'), [['/a', 6]])
  assert.deepEqual(rowsOf(ofA, 'language'), [['en-US', 6]])
})

test('what everybody knows to lie in something else is not told where that would leave one or two', async () => {
  const { ask } = await worldOf([
    ['/', 5, 'en-US'],
    ['/', 1, 'en-GB'],
    ['/', 4, 'de-DE'],
    ['/', 3, 'de-AT'],
  ])
  assert.deepEqual(rowsOf(await ask([]), 'language'), [
    ['de-DE', 4],
    ['de-AT', 3],
  ])
  assert.equal(sessionsOf(await ask([is('language', 'en-US')])), 0)
  assert.equal(sessionsOf(await ask([is('language', 'de-DE')])), 4)
})

test('a bucket is filtered as if it were asked for alone', async () => {
  const { id, key } = await footfall.addProperty()
  const as = await openShare(footfall, id)
  // Of each day: visits of /a and of /b.
  for (const [day, [a, b]] of (
    [
      [4, 4],
      [4, 1],
      [3, 5],
    ] as const
  ).entries()) {
    footfall.clock.set(NOW - (3 - day) * 86_400_000)
    for (let n = 0; n < a + b; n++) {
      const page = `https://example.com/${n < a ? 'a' : 'b'}`
      await footfall.track.load({ key, page, address: `198.51.100.${n}` })
    }
  }
  footfall.clock.set(NOW)
  const window = { period: 'custom', date_from: '2026-11-17', date_to: '2026-11-19', interval: 'day' }
  const ask = async (clauses: readonly object[]) => {
    const body = { ...window, clauses }
    const graph = await footfall.call('POST', '/v2/property/signals/analytics/graph', { ...as, body })
    const { json } = await footfall.call('POST', `/manage/properties/${id}/overview`, { ...as, body })
    const values = graph.json.graph.series.map(({ value }: { value: number }) => value)
    assert.deepEqual(json.data.series.current.sessions, values)
    return [sessionsOf(json.data), values]
  }
  assert.deepEqual(await ask([]), [21, [8, 5, 8]])
  assert.deepEqual(
    await ask([is('entry_path_full', '/a')]),
    [11, [4, 0, 0]],
    '5 less 4 is the one of /b, which 11 less 4 and 3 would tell',
  )
})

test('what came of the visits is told with one value beside the whole window, and not with more', async () => {
  const { id, key, ask } = await worldOf([
    ['/a', 4],
    ['/b', 4],
    ['/c', 4],
  ])
  const event = async (name: string, address: number) => {
    const visitor = { key, address: `198.51.100.${address}`, language: 'en-US' }
    const { session_id } = (await footfall.track.load({ ...visitor, page: 'https://example.com/z' })).json
    await footfall.track.event(session_id, name, visitor)
  }
  // Everybody of /a and one of /b; three each of /a and /b.
  for (const address of [0, 1, 2, 3, 4]) await event('nearly', address)
  for (const address of [0, 1, 2, 4, 5, 6]) await event('both', address)
  const { json } = await footfall.call('POST', `/manage/properties/${id}/conversions`, {
    body: { name: 'Nearly', event_type: 'event', event_value: 'nearly' },
  })
  assert.equal(json.code, 200, JSON.stringify(json))
  const outcomes = async (...clauses: object[]) => {
    const data = await ask(clauses)
    const events = data.outcomes.events.map(({ name, sessions }: { name: string; sessions: number }) => [
      name,
      sessions,
    ])
    return [events, data.outcomes.conversions.map(({ sessions }: { sessions: number }) => sessions)]
  }
  assert.deepEqual(await outcomes(), [
    [
      ['both', 6],
      ['nearly', 5],
    ],
    [5],
  ])
  assert.deepEqual(await outcomes(is('entry_path_full', '/a')), [[], [0]], '4 of 5, and 3 of 4')
  assert.deepEqual(await outcomes(is('entry_path_full', '/c')), [[], [0]])
  assert.deepEqual(await outcomes(is('entry_path_full', '/a', '/c')), [[], [0]])
})
