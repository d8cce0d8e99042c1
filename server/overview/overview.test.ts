// The overview against the contract's own answers, against counts by hand, and against writes that come in
// between.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addBlock, renderIds, track as trackContent } from '../../test/support/content-calls.ts'
import { askOverview, randomOutcomes, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { type Footfall, startAgain, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const START = Date.parse('2026-10-20T07:00:00Z')

/** With a property for each test. */
const shared = await startFootfall({ after }, { now: START })

const graphMetrics = ['sessions', 'views', 'views_session', 'bounce', 'duration', 'scroll'] as const

async function ask(footfall: Footfall, path: string, body: object) {
  const reply = await footfall.call('POST', `/v2/property/signals/${path}`, { body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

const questions = [
  {},
  { period: 'today' },
  { period: 'yesterday' },
  { period: 'last_28' },
  { period: 'last_28', interval: 'week' },
  { period: 'month_to_date' },
  { period: 'last_12_months' },
  { period: 'year_to_date', interval: 'week' },
  { period: 'custom', date_from: '2026-10-25', date_to: '2026-11-30' },
  { period: 'custom', date_from: '2026-10-25', date_to: '2026-11-08', interval: 'day' },
  // Clocks were set back on 25 October in Berlin, and on 1 November in Newfoundland.
  { period: 'last_28', timezone: 'America/St_Johns' },
  { period: 'last_28', timezone: 'Europe/Berlin', interval: 'week' },
  { period: 'custom', date_from: '2026-10-25', date_to: '2026-10-25', timezone: 'Europe/Berlin' },
  { period: 'today', timezone: 'Asia/Kathmandu' },
  { period: 'month_to_date', timezone: 'Pacific/Auckland' },
  { period: 'last_28', clauses: [{ id: 'event_name', op: 'equals', value: 'signup' }] },
  {
    period: 'last_28',
    clauses: [
      { id: 'page_path', op: 'not_contains', value: 'PRIC' },
      { id: 'language', op: 'equals', value: ['de-CH', 'fr'] },
    ],
  },
] as const

const seed = Number(process.env['OVERVIEW_SEED'] ?? Math.floor(Math.random() * 1e9))

type Weeks = {
  readonly cards: readonly { id: string; previous: number | null }[]
  readonly series: {
    readonly buckets: readonly { from_ts: number; to_ts: number }[]
    readonly current: Readonly<Record<string, (number | null)[]>>
    readonly previous: Readonly<Record<string, number[]>> | null
  }
}

/** Weeks begin on Mondays here, and with the window below /v2: each is a window of its own there. */
async function compareWeeks(footfall: Footfall, question: object, { cards, series }: Weeks): Promise<void> {
  const { timezone = 'UTC' } = question as { timezone?: string }
  const dateOf = (ts: number): string => new Date(ts * 1000).toLocaleDateString('sv', { timeZone: timezone })
  const nowTs = footfall.clock.now() / 1000
  for (const [index, { from_ts, to_ts }] of series.buckets.entries()) {
    if (index > 0) assert.equal(new Date(`${dateOf(from_ts)}T12:00:00Z`).getUTCDay(), 1)
    const days = { period: 'custom', date_from: dateOf(from_ts), date_to: dateOf(to_ts - 1) }
    const { analytics } = await ask(footfall, 'analytics/metrics', { ...question, interval: null, ...days })
    const { sessions, views } = analytics.period_metrics.summary
    const expected = from_ts > nowTs ? [null, null] : [sessions.current, views.current]
    assert.deepEqual([series.current['sessions']?.[index], series.current['views']?.[index]], expected)
  }
  const before = cards.find(({ id }) => id === 'sessions')?.previous
  if (series.previous)
    assert.equal(
      before,
      series.previous['sessions']?.reduce((sum, value) => sum + value, 0),
    )
}

/** @param metrics of the graph; each costs a question. */
async function compareWithContract(
  footfall: Footfall,
  question: (typeof questions)[number],
  metrics: readonly (typeof graphMetrics)[number][],
): Promise<void> {
  const overview = await askOverview(footfall, question)
  const { analytics, meta } = await ask(footfall, 'analytics/metrics', question)
  const { summary } = analytics.period_metrics
  for (const card of overview.cards) {
    const { id, label: _label, format: _format, is_reverse: _reverse, definition, known, ...entry } = card
    assert.ok(definition.length > 20)
    assert.ok(known === undefined || (known.sessions <= overview.cards[0].current && known.previous_sessions >= 0), id)
    if (id === 'scroll') assert.equal(known.current ?? 0, entry.current, 'always over those of which it is known')
    if (id !== 'visits') assert.deepEqual(entry, summary[id], `${id} of ${JSON.stringify(question)}`)
  }
  if (overview.inputs.interval === 'week') await compareWeeks(footfall, question, overview)
  for (const metric of overview.inputs.interval === 'week' ? [] : metrics) {
    const { graph, inputs } = await ask(footfall, 'analytics/graph', { ...question, metric, compare: true })
    assert.equal(overview.inputs.interval, inputs.interval)
    const nowTs = footfall.clock.now() / 1000
    const shown = overview.series.buckets.map((bucket: { from_ts: number }) => bucket.from_ts <= nowTs)
    assert.deepEqual(
      overview.series.buckets.map(({ label }: { label: string }, index: number) => ({
        label,
        value: overview.series.current[metric][index],
      })),
      graph.series.map((point: object, index: number) => (shown[index] ? point : { ...point, value: null })),
    )
    if (overview.series.previous !== null)
      assert.deepEqual(
        overview.series.previous[metric],
        graph.previousSeries.map((point: { value: number }) => point.value),
      )
    else assert.ok(graph.previousSeries.every((point: { value: number }) => point.value === 0))
  }
  for (const [id, { data }] of Object.entries<{ data: { id: string; label: string; value: number }[] }>(
    analytics.period_top_dimensions.dimensions,
  )) {
    const bare = ({ id: value, label, value: sessions }: { id: string; label: string; value: number }) => [
      value,
      label,
      sessions,
    ]
    assert.deepEqual(overview.lists[id].rows.map(bare), data.map(bare))
  }
  assert.deepEqual(overview.countries, analytics.period_country_lang.countries)
  assert.deepEqual([overview.meta.showing, overview.meta.filters], [meta.showing, meta.filters])
}

test(`cards, series and lists are those of metrics and graph on random traffic (OVERVIEW_SEED=${seed})`, async () => {
  const footfall = await startAgain(shared, START)
  await randomVisits(footfall, seededPick(seed), 60, 30)
  for (const [index, question] of questions.entries()) {
    const metrics = graphMetrics.filter((_, place) => place === index % graphMetrics.length)
    await compareWithContract(footfall, question, metrics)
  }
})

test(`a window in parts is the window as a whole (OVERVIEW_SEED=${seed})`, async () => {
  const footfall = await startAgain(shared, START)
  const pick = seededPick(seed)
  await randomVisits(footfall, pick, 40, 30)
  const { context, property, clock, track } = footfall
  const group = await addGroup(footfall)
  const links: string[] = []
  const codes: string[] = []
  const forms: string[] = []
  const blocks: string[] = []
  const manage = `/manage/properties/${property.id}`
  for (const name of ['One', 'Two', 'Three']) {
    const link = await addLink(footfall, { group_id: group, name })
    links.push(link.id)
    codes.push(link.code)
    blocks.push((await addBlock(context.records, property.id)).id)
    const { json } = await footfall.call('POST', `${manage}/forms`, { body: { name, kind: 'open' } })
    forms.push(json.data.form.id)
  }
  const definitions = [
    ['event', 'signup'],
    ['acquisition'],
    ['page_view', '/*'],
    ['page_view', '/pricing'],
    ['form_submit'],
    ['form_submit', forms[0]],
    ['identify'],
  ]
  for (const [event_type, event_value = null] of definitions)
    await footfall.call('POST', `${manage}/conversions`, {
      body: { name: `${event_type} ${event_value}`, event_type, event_value },
    })
  await randomOutcomes(footfall, pick, { links, forms, blocks })
  // They come around the midnight at which the parts begin; in New York it is evening.
  const now = context.now()
  const midnight = now - (now % 86_400_000)
  const [ann, bob] = [{ address: '203.0.113.201' }, { address: '203.0.113.202' }]
  clock.set(midnight - 300_000)
  await track.load({ ...ann, page: 'https://example.com/late' })
  clock.set(midnight + 300_000)
  await visit(footfall.url, `/a/${codes[0]}`, ann)
  const [late] = await context.facts.query<{ session_day: string; session: string }>(
    'test.sessions',
    'SELECT day AS session_day, session FROM sessions FINAL WHERE day < {today:Date} ORDER BY last_at DESC LIMIT 1',
    { today: new Date(midnight).toISOString().slice(0, 10) },
  )
  const at = midnight + 300_000
  const day = new Date(at).toISOString().slice(0, 10)
  const row = {
    property: property.id,
    block: blocks[0]!,
    kind: 'view',
    request: '1',
    id: '1',
    day,
    at,
    ...late,
  } as const
  await context.facts.append('impressions', row)
  await track.load({ ...bob, page: 'https://example.com/late' })
  clock.set(now)
  const today = new Date(now).toISOString().slice(0, 10)
  const begin = new Date(context.now() - 27 * 86_400_000).toISOString().slice(0, 10)
  const currentOf = ({ cards }: { cards: { id: string; current: number }[] }) =>
    cards.map(({ id, current }) => [id, current])
  for (const clauses of [
    [],
    [{ id: 'language', op: 'equals', value: ['de-CH', 'en-GB'] }],
    [{ id: 'link', op: 'is_set' }],
    [{ id: 'page_path', op: 'equals', value: '/late' }],
  ]) {
    const compare = async () => {
      const parts = await askOverview(footfall, { period: 'last_28', clauses })
      const whole = await askOverview(footfall, { period: 'custom', date_from: begin, date_to: today, clauses })
      const shown = ({ outcomes, lists, countries, ...answer }: typeof parts) => [
        outcomes,
        lists,
        countries,
        currentOf(answer),
      ]
      assert.deepEqual(shown(parts), shown(whole))
      return parts
    }
    await compare()
    await track.load({ ...bob, page: 'https://example.com/late' }) // after it the part of today alone is read
    const parts = await compare()
    assert.ok(parts.outcomes.conversions.some(({ count }: { count: number }) => count > 0) || clauses.length > 0)
    const timezone = 'America/New_York' // its days are cut within days of UTC, by which parts are kept
    const there = new Date(context.now() - 5 * 3_600_000)
    const dates = {
      date_from: new Date(there.getTime() - 27 * 86_400_000).toISOString().slice(0, 10),
      date_to: there.toISOString().slice(0, 10),
    }
    const zonedParts = await askOverview(footfall, { period: 'last_28', clauses, timezone })
    const zonedWhole = await askOverview(footfall, { period: 'custom', ...dates, clauses, timezone })
    assert.deepEqual([zonedParts.lists, currentOf(zonedParts)], [zonedWhole.lists, currentOf(zonedWhole)])
    for (const { id, count, sessions, rate } of clauses.length === 0 ? parts.outcomes.conversions : []) {
      const { json } = await footfall.call('GET', `${manage}/conversions/${id}/statistics`, {
        query: { period: 'last_28' },
      })
      const { conversions, converted, rate: told } = json.data.statistics
      assert.deepEqual([count, sessions, rate], [conversions, converted, told])
    }
  }
})

const NOW = Date.parse('2026-11-20T13:05:07Z')
const ann = { address: '203.0.113.1' }
const bob = { address: '203.0.113.2' }
const HOSTILE = '<img src=x onerror=alert(1)>'

const cardOf = (overview: { cards: { id: string }[] }, id: string) => {
  const { current, previous, difference, percent, trend_color } = overview.cards.find(
    (card) => card.id === id,
  ) as never as Record<string, unknown>
  return { current, previous, difference, percent, trend_color }
}

test('an overview by hand', async (t) => {
  const footfall = await startAgain(shared, Date.parse('2025-11-18T09:00:00Z'))
  const { track, clock, property } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const path = `/manage/properties/${property.id}`
  await track.load({ ...ann, page: 'https://example.com/last-year' })
  clock.set(Date.parse('2026-11-19T09:00:00Z'))
  const entry = await track.load({
    ...ann,
    page: `https://example.com/start?utm_source=${encodeURIComponent(HOSTILE)}&utm_medium=email`,
  })
  for (const value of [1, 2]) await track.event(entry.json.session_id, 'signup', { ...ann, value })
  await track.event(entry.json.session_id, HOSTILE, ann)
  await track.acquisition(entry.json.session_id, { value: 1000, currency_code: 'USD' }, ann)
  clock.set(Date.parse('2026-11-19T10:05:00Z'))
  await track.load({ ...ann, page: 'https://example.com/pricing' })
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group, name: 'Flyer' })
  const { content, version } = await makeContent(footfall)
  clock.set(Date.parse('2026-11-20T13:04:00Z'))
  await visit(footfall.url, `/a/${link.code}`, bob)
  await track.load({ ...bob, page: 'https://example.com/start' })
  await track.load({ address: '203.0.113.9', agent: 'Googlebot/2.1' })
  const shown = await renderIds(footfall, content.key, bob)
  assert.equal(shown.version_id, version)
  await trackContent(footfall, { ...shown, action: 'view' }, bob)
  const form = await sendForm(footfall)
  clock.set(NOW)
  const conversion = (
    await call('POST', `${path}/conversions`, {
      body: { name: 'Signed up', event_type: 'event', event_value: 'signup' },
    })
  ).json.data.conversion
  for (const ts of [NOW / 1000 - 7 - 86_400, 1_700_000_000])
    assert.equal((await call('POST', `${path}/annotations`, { body: { ts, text: ` ${HOSTILE} ` } })).status, 200)

  await t.test(
    'cards, with visits beside sessions, compared with the window before or with that of a year ago',
    async () => {
      const overview = await askOverview(footfall)
      assert.deepEqual(
        overview.cards.map(({ id }: { id: string }) => id),
        ['sessions', 'visits', 'views', 'views_session', 'bounce', 'duration', 'scroll', 'cost', 'value'],
      )
      const alone = { previous: null, difference: null, percent: null, trend_color: 'base' }
      assert.deepEqual(cardOf(overview, 'sessions'), { current: 2, ...alone })
      assert.deepEqual(cardOf(overview, 'visits'), { current: 3, ...alone })
      assert.deepEqual(cardOf(overview, 'value'), { current: 1000, ...alone })
      assert.equal(overview.series.previous, null)
      assert.deepEqual(overview.series.current.visits, [0, 0, 0, 0, 0, 2, 1])
      assert.deepEqual(overview.series.current.value, [0, 0, 0, 0, 0, 1000, 0])
      assert.equal(overview.series.projected.visits, null, 'from two sessions nothing is projected')
      assert.equal(overview.series.projected.bounce, null)
      assert.deepEqual(
        overview.series.buckets.map(({ is_running }: { is_running: boolean }) => is_running),
        [false, false, false, false, false, false, true],
      )
      assert.equal(overview.live, 1)
      assert.deepEqual(overview.window, { from_ts: Date.parse('2026-11-14') / 1000, to_ts: NOW / 1000 + 1 })
      assert.equal(overview.meta.previous_showing, '7 Nov 2026 - 13 Nov 2026')
      assert.equal(overview.meta.first_view_ts, Date.parse('2025-11-18T09:00:00Z') / 1000)

      const year = await askOverview(footfall, { compare: 'year' })
      assert.deepEqual(cardOf(year, 'sessions'), {
        current: 2,
        previous: 1,
        difference: 1,
        percent: 1,
        trend_color: 'success',
      })
      assert.deepEqual(year.series.previous.sessions, [0, 0, 0, 0, 1, 0, 0])
      assert.deepEqual([year.inputs.compare, year.meta.previous_showing], ['year', '14 Nov 2025 - 20 Nov 2025'])
    },
  )

  await t.test('a custom window that is not over has no values yet for the days to come', async () => {
    const { series } = await askOverview(footfall, { period: 'custom', date_from: '2026-11-19', date_to: '2026-11-22' })
    assert.deepEqual(series.current.sessions, [1, 1, null, null])
    assert.deepEqual(
      series.buckets.map(({ is_running }: { is_running: boolean }) => is_running),
      [false, true, false, false],
    )
  })

  await t.test('lists have what was collected, as it was collected, with its share of all sessions', async () => {
    const { lists } = await askOverview(footfall)
    assert.deepEqual(lists.source.rows[0], { id: HOSTILE, label: HOSTILE, value: 1, percent: 0.5 })
    assert.deepEqual(lists.entry_path_full, {
      label: 'Entry page',
      category: 'Pages',
      total: 1,
      rows: [{ id: '/start', label: '/start', value: 2, percent: 1 }],
    })
    assert.equal(Object.keys(lists).length, 13)
  })

  await t.test('outcomes are counted, and named as the records name them now', async () => {
    const { outcomes } = await askOverview(footfall)
    assert.deepEqual(outcomes.events, [
      { name: 'signup', count: 2, sessions: 1, value_cents: 1000 },
      { name: HOSTILE, count: 1, sessions: 1, value_cents: 1000 },
    ])
    assert.deepEqual(outcomes.conversions, [{ id: conversion.id, name: 'Signed up', count: 2, sessions: 1, rate: 0.5 }])
    assert.deepEqual(outcomes.links, [
      { id: link.id, name: 'Flyer', short_url: link.short_url, clicks: 1, sessions: 1, visits: 1 },
    ])
    assert.deepEqual(outcomes.content, [
      { id: content.id, name: 'Banner', key: content.key, views: 1, clicks: 0, rate: 0 },
    ])
    assert.deepEqual(outcomes.forms, [
      { id: form.id, name: 'Contact', key: form.key, sessions: 2, submissions: 1, rate: 0.5 },
    ])

    const signedUp = await askOverview(footfall, { clauses: [{ id: 'event_name', op: 'equals', value: 'signup' }] })
    assert.deepEqual(signedUp.outcomes.conversions[0].rate, 1)
    assert.deepEqual([signedUp.outcomes.links, signedUp.outcomes.content, signedUp.outcomes.forms], [[], [], []])
    const throughLink = await askOverview(footfall, { clauses: [{ id: 'link', op: 'equals', value: link.id }] })
    assert.deepEqual(
      [throughLink.outcomes.links.length, throughLink.outcomes.content.length, throughLink.outcomes.events.length],
      [1, 1, 0],
    )

    await call('POST', `/v2/property/links/${link.id}`, { body: { name: 'Poster' } })
    await call('DELETE', `${path}/forms/${form.id}`)
    await call('POST', `${path}/conversions/${conversion.id}`, { body: { event_value: 'other' } })
    const { outcomes: later } = await askOverview(footfall)
    assert.deepEqual([later.links[0].name, later.forms, later.conversions[0].count], ['Poster', [], 0])
  })

  await t.test('annotations are those of the window', async () => {
    const { annotations } = await askOverview(footfall)
    assert.deepEqual(
      annotations.map(({ text, ts }: { text: string; ts: number }) => [text, ts]),
      [[HOSTILE, NOW / 1000 - 7 - 86_400]],
    )
  })

  await t.test('another property has nothing of it, and says that it is empty until a person comes', async () => {
    const other = await footfall.addProperty()
    const ask = () => askOverview(footfall, {}, other.id)
    const empty = await ask()
    assert.deepEqual(
      [empty.meta.is_empty_property, empty.live, empty.annotations, empty.outcomes],
      [true, 0, [], { events: [], conversions: [], forms: [], links: [], content: [] }],
    )
    assert.ok(Object.values<{ rows: [] }>(empty.lists).every(({ rows }) => rows.length === 0))
    await track.load({ address: '203.0.113.9', agent: 'Googlebot/2.1', key: other.key })
    const { meta: ofBots } = await ask()
    assert.deepEqual([ofBots.is_empty_property, ofBots.first_view_ts], [true, null])
    await track.load({ ...ann, key: other.key })
    const { meta, cards } = await ask()
    assert.deepEqual([meta.is_empty_property, meta.first_view_ts, cards[0].current], [false, Math.floor(NOW / 1000), 1])
    assert.equal((await askOverview(footfall, { period: 'yesterday' }, other.id)).meta.is_empty_property, false)
  })

  await t.test('what cannot be asked is refused by its name', async () => {
    const refusals: readonly (readonly [string, unknown])[] = [
      ['period', { period: 'fortnight' }],
      ['compare', { compare: 'decade' }],
      ['compare', { compare: true }],
      ['interval', { interval: 'hour' }],
      ['interval', { interval: 7 }],
      ['date_from', { period: 'custom' }],
      ['clauses.0.id', { clauses: [{ id: 'constructor', op: 'equals', value: 'x' }] }],
      ['clauses', { clauses: 'all' }],
    ]
    for (const [field, body] of refusals) {
      const { status, json, text } = await call('POST', `${path}/overview`, { body })
      assert.equal(status, 422, text)
      assert.ok(Object.keys(json.errors).includes(field), text)
    }
    for (const body of ['[]', '"x"', '{', '7'])
      assert.equal((await call('POST', `${path}/overview`, { body })).status, 422, body)
    assert.equal((await call('POST', `${path}/overview`, { token: null })).status, 401)
    assert.equal((await call('POST', `${path}/overview`, { token: footfall.token })).status, 401)
    assert.equal((await call('POST', '/manage/properties/pr_none/overview')).status, 404)
    assert.equal((await call('POST', `${path}/overview`)).status, 200)
  })
})

async function makeContent(footfall: Footfall) {
  const content = await addBlock(footfall.context.records, footfall.property.id, {
    versions: [{ label: 'A', html: '<p>A</p>' }],
  })
  return { content, version: content.versions[0] }
}

/** Shown twice and sent once, by somebody without a session. */
async function sendForm(footfall: Footfall) {
  const { property, context } = footfall
  const body = { name: 'Contact', kind: 'open' }
  const { form } = (await footfall.call('POST', `/manage/properties/${property.id}/forms`, { body })).json.data
  const row = { property: property.id, form: form.id, day: '2026-11-20', at: context.now() }
  const steps = [
    { id: '1', kind: 'view' },
    { id: '1', kind: 'view' },
    { id: '2', kind: 'view' },
    { id: '2', kind: 'submit' },
    { id: '3', kind: 'view', is_bot: 1 },
  ] as const
  await context.facts.appendAll(
    'form_events',
    steps.map((step) => ({ ...row, ...step })),
  )
  return form as { id: string; key: string }
}
