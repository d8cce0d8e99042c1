// What advertising cost, through the front door: imported, replaced, removed, told beside what came of it.
// Figures are counted by hand from docs/definitions.md, "Cost".
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startAgain, startFootfall } from '../../test/support/server.ts'
import { openShare } from '../../test/support/shares.ts'
import { untilEqual } from '../../test/support/until.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const shared = await startFootfall({ after }, { now: NOW })

type Footfall = typeof shared
const at = ({ property }: Footfall, path: string) => `/manage/properties/${property.id}/${path}`

interface Row {
  readonly day: string
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly amount: number
  readonly currency: string
}

async function record(footfall: Footfall, rows: readonly object[], is_trial = false) {
  const { status, json, text } = await footfall.call('POST', at(footfall, 'costs'), { body: { rows, is_trial } })
  assert.equal(status, 200, text)
  return json.data
}

async function importCsv(footfall: Footfall, csv: string, is_trial = false) {
  return footfall.call('POST', at(footfall, 'costs/import'), { body: { csv, is_trial } })
}

async function listed(footfall: Footfall): Promise<string[]> {
  const { json } = await footfall.call('GET', `${at(footfall, 'costs')}?per_page=100`)
  return json.data.data.map(({ day, source, medium, campaign, amount, currency }: Row) =>
    [day, source, medium, campaign, amount, currency].join(' '),
  )
}

const row = (given: Partial<Row>): Row => ({
  day: '2026-11-18',
  source: 'google',
  medium: 'cpc',
  campaign: 'spring',
  amount: 100,
  currency: 'USD',
  ...given,
})

// ---------------------------------------------------------------- importing

test('a second import of a day replaces its rows, an amount of 0 removes one, and a trial writes nothing', async () => {
  const footfall = await startAgain(shared, NOW)
  const first = [row({ amount: 1250 }), row({ campaign: 'autumn', amount: 300, currency: 'EUR' })]
  const trial = await record(footfall, first, true)
  assert.deepEqual([trial.created, trial.replaced, trial.removed, trial.is_written], [2, 0, 0, false])
  assert.deepEqual(await listed(footfall), [])

  assert.deepEqual((await record(footfall, first)).is_written, true)
  const again = await record(footfall, [row({ amount: 900, currency: 'CHF' }), row({ campaign: 'autumn', amount: 0 })])
  assert.deepEqual([again.created, again.replaced, again.removed], [0, 1, 1])
  assert.deepEqual(await listed(footfall), ['2026-11-18 google cpc spring 900 CHF'])

  await record(footfall, [row({ day: '2026-11-01' }), row({ day: '2026-11-02', source: 'bing' })])
  const remove = (body: object) => footfall.call('POST', at(footfall, 'costs/remove'), { body })
  const days = { from: '2026-11-01', to: '2026-11-02' }
  assert.deepEqual((await remove({ ...days, source: 'bing' })).json.data, { removed: 1 })
  assert.deepEqual((await remove(days)).json.data, { removed: 1 })
  for (const body of [
    { from: '2026-11-02', to: '2026-11-01' },
    { from: 'x', to: '2026-11-01' },
    { from: '2026-02-30', to: '2026-11-01' },
  ])
    assert.equal((await remove(body)).status, 422)
  assert.equal((await listed(footfall)).length, 1)
})

test('a file is read as advertising tools write it, and each problem is told by its line', async () => {
  const footfall = await startAgain(shared, NOW)
  const good = await importCsv(
    footfall,
    'Date;utm_source;UTM-Medium;Campaign name;Spend;Currency code;Clicks\n2026-11-18;google;cpc;spring;12,345;eur;7\n2026-11-19; google ;;;3;JPY;\n',
  )
  assert.deepEqual(good.json.data, {
    rows: 2,
    bad_rows: 0,
    faults: [],
    more_faults: 0,
    ignored_columns: ['clicks'],
    created: 2,
    replaced: 0,
    removed: 0,
    is_written: true,
  })
  assert.deepEqual(await listed(footfall), ['2026-11-19 google   3 JPY', '2026-11-18 google cpc spring 1235 EUR'])

  const bad = [
    'day,source,campaign,amount,currency',
    '2026-11-18,google,a,1.00,USD',
    '18.11.2026,google,b,1.00,USD',
    '2026-02-30,google,b,1.00,USD',
    '2027-01-01,google,b,1.00,USD',
    '2026-11-18,,b,1.00,USD',
    '2026-11-18,google,b,"1,000.00",USD',
    '2026-11-18,google,b,-1,USD',
    '2026-11-18,google,b,$1,USD',
    '2026-11-18,google,b,1.00,XXX',
    '2026-11-18,google,a,2.00,USD',
    '2026-11-18,google,a',
    `2026-11-18,google,${'c'.repeat(256)},1,USD`,
    '2026-11-18,google,d,99999999999999,USD',
  ]
  const { json } = await importCsv(footfall, bad.join('\r\n'))
  assert.deepEqual(
    json.data.faults.map(({ line, field }: { line: number; field: string }) => `${line} ${field}`),
    [
      '3 day',
      '4 day',
      '5 day',
      '6 source',
      '7 amount',
      '8 amount',
      '9 amount',
      '10 currency',
      '11 row',
      '12 row',
      '13 campaign',
      '14 amount',
    ],
  )
  assert.deepEqual([json.data.rows, json.data.bad_rows, json.data.is_written], [13, 12, false])
  assert.equal((await listed(footfall)).length, 2, 'of a file with a problem nothing is written')

  for (const file of ['', 'day,source\n', 'day,source,amount,Day\n', '"'])
    assert.equal((await importCsv(footfall, file)).status, 422, file)
  for (const rows of [[], [{}], [row({ amount: 0.5 })], [row({ amount: -1 })], 'x', null])
    assert.equal((await footfall.call('POST', at(footfall, 'costs'), { body: { rows } })).status, 422)
  const hostile = await record(footfall, [
    row({ source: '\u0000=HYPERLINK("x")', medium: '\u202e', campaign: '\ud800' }),
  ])
  assert.equal(hostile.is_written, true)
  assert.equal((await listed(footfall)).length, 3)
})

// ---------------------------------------------------------------- what came of it

interface Visited {
  readonly day: number
  readonly utm: readonly [source: string, medium: string, campaign: string]
  readonly cents: number
  readonly signups: number
}

/** By whom: an address each, so that each is a session. */
const visits: readonly Visited[] = [
  { day: 18, utm: ['google', 'cpc', 'spring'], cents: 5000, signups: 1 },
  { day: 18, utm: ['google', 'cpc', 'spring'], cents: 0, signups: 2 },
  { day: 19, utm: ['google', 'cpc', 'autumn'], cents: 700, signups: 0 },
  { day: 19, utm: ['newsletter', 'email', 'spring'], cents: 0, signups: 1 },
  { day: 12, utm: ['google', 'cpc', 'spring'], cents: 100, signups: 0 },
]

const costs: readonly Row[] = [
  row({ day: '2026-11-18', amount: 1000 }),
  row({ day: '2026-11-19', amount: 501 }),
  row({ day: '2026-11-19', campaign: 'autumn', amount: 200 }),
  row({ day: '2026-11-17', source: 'bing', campaign: 'never', amount: 300 }),
  row({ day: '2026-11-12', amount: 400 }),
  row({ day: '2026-11-20', source: 'facebook', medium: 'paid', campaign: '', amount: 50 }),
]

async function visitAll(footfall: Footfall): Promise<void> {
  for (const [index, { day, utm, cents, signups }] of visits.entries()) {
    footfall.clock.set(Date.parse(`2026-11-${day}T10:00:00Z`))
    const [utm_source, utm_medium, utm_campaign] = utm
    const query = new URLSearchParams({ utm_source, utm_medium, utm_campaign }).toString()
    const visitor = { address: `203.0.113.${index + 1}` }
    const { json } = await footfall.track.load({ ...visitor, page: `https://example.com/?${query}` })
    const { session_id } = json
    const post = (path: string, body: object) =>
      footfall.call('POST', `/v2/property/session/${path}`, { body: { session_id, ...body } })
    if (cents > 0) await post('acquisition', { value: cents, currency_code: 'USD' })
    for (let n = 0; n < signups; n++) await post('event', { name: 'signup' })
  }
  footfall.clock.set(NOW)
}

async function list(footfall: Footfall, id: string, body: object) {
  const { status, json, text } = await footfall.call('POST', at(footfall, `lists/${id}`), {
    body: { period: 'last_7', ...body },
  })
  assert.equal(status, 200, text)
  return json.data
}

async function overview(footfall: Footfall, body: object = {}) {
  const { status, json, text } = await footfall.call('POST', at(footfall, 'overview'), {
    body: { period: 'last_7', ...body },
  })
  assert.equal(status, 200, text)
  return json.data
}

interface Answered {
  readonly cards: readonly { readonly id: string; readonly current: number; readonly previous: number | null }[]
}
const cardOf = ({ cards }: Answered, id: string) => {
  const card = cards.find((each) => each.id === id)
  return card && [card.current, card.previous]
}

async function addGoal(footfall: Footfall, event_type: string, event_value: string | null): Promise<string> {
  const body = { name: event_type, event_type, event_value }
  const { status, json, text } = await footfall.call('POST', at(footfall, 'conversions'), { body })
  assert.equal(status, 200, text)
  return json.data.conversion.id
}

test('lists say what advertising with their values cost, what a conversion cost and what came back', async () => {
  const footfall = await startAgain(shared, NOW)
  await visitAll(footfall)
  await record(footfall, costs)
  const goal = await addGoal(footfall, 'event', 'signup')
  const metrics = ['value', 'conversions', 'cost', 'cost_per_conversion', 'return']
  const rowsOf = async (id: string, body: object = {}) => {
    const { rows } = await list(footfall, id, { metrics, goal, sort: 'cost', ...body })
    return rows.map(
      ({ id: value, value: sessions, metrics: figures }: { id: string; value: number; metrics: object }) => [
        value,
        sessions,
        ...metrics.map((metric) => (figures as Record<string, number | null>)[metric]),
      ],
    )
  }
  const spring = ['spring', 3, 5000, 4, 1501, 375, 3.33]
  const [never, autumn] = [
    ['never', 0, 0, 0, 300, null, 0],
    ['autumn', 1, 700, 0, 200, null, 3.5],
  ]
  assert.deepEqual(await rowsOf('utm_campaign'), [spring, never, autumn])
  assert.deepEqual(await rowsOf('utm_campaign', { order: 'asc' }), [autumn, never, spring])
  assert.deepEqual(await rowsOf('utm_campaign', { sort: 'return' }), [autumn, spring, never])
  assert.deepEqual(
    await rowsOf('utm_campaign', { sort: 'cost_per_conversion' }),
    [spring, autumn, never],
    'unknown ones last',
  )
  assert.deepEqual(await rowsOf('utm_campaign', { search: 'EVE' }), [never])
  assert.deepEqual(await rowsOf('source'), [
    ['Google', 3, 5700, 3, 1701, 567, 3.35],
    ['Bing', 0, 0, 0, 300, null, 0],
    ['Facebook', 0, 0, 0, 50, null, 0],
    ['newsletter', 1, 0, 1, null, null, null],
  ])
  assert.deepEqual(
    (await rowsOf('channel')).map(([value, , , , cost]: unknown[]) => [value, cost]),
    [
      ['paid_search', 2001],
      ['paid_social', 50],
      ['email', null],
    ],
  )
  assert.equal((await list(footfall, 'utm_campaign', { metrics: ['cost'] })).total, 3)
  assert.equal((await list(footfall, 'utm_campaign', {})).total, 2, 'nobody asked for costs')
  const one = { id: 'source', op: 'equals', value: 'Google' }
  assert.deepEqual(await rowsOf('utm_campaign', { clauses: [one] }), [['spring', 2, 5000, 3, 1501, 500, 3.33], autumn])
  const other = { id: 'country_code', op: 'is_not_set' }
  assert.deepEqual(
    (await rowsOf('utm_campaign', { clauses: [other] })).map((cells: unknown[]) => cells.slice(-3)),
    [
      [null, null, null],
      [null, null, null],
    ],
    'what a part of the visitors cost is not known',
  )
  assert.deepEqual(
    (await rowsOf('browser')).map((cells: unknown[]) => cells.at(-1)),
    [null],
  )
  const paged = await list(footfall, 'utm_campaign', { metrics, goal, sort: 'cost', per_page: 1, page: 2 })
  assert.deepEqual([paged.total, paged.rows.map(({ id }: { id: string }) => id)], [3, ['never']])
  const refused = await footfall.call('POST', at(footfall, 'lists/source'), {
    body: { metrics: ['cost_per_conversion'] },
  })
  assert.equal(refused.status, 422)

  const orders = await addGoal(footfall, 'acquisition', null)
  assert.deepEqual(
    (await rowsOf('utm_campaign', { goal: orders })).map((cells: unknown[]) => cells.at(-1)),
    [3.33, 0, 3.5],
  )

  const file = await footfall.call('POST', `${at(footfall, 'lists/utm_campaign')}?format=csv`, {
    body: { period: 'last_7', metrics, goal },
  })
  const cells = parse<Record<string, string>>(file.text, { columns: true })
  assert.deepEqual(
    cells.map((each) => [each['id'], each['sessions'], each['cost'], each['cost_per_conversion'], each['return']]),
    [
      ['spring', '3', '1501', '375', '3.33'],
      ['autumn', '1', '200', '', '3.5'],
      ['never', '0', '300', '', '0'],
    ],
  )

  await record(footfall, [row({ day: '2026-11-18', amount: 2000 })])
  assert.equal((await rowsOf('utm_campaign'))[0][4], 2501, 'an import is in the next answer')
})

test('the overview says cost, cost per conversion and return once costs are recorded; the summary in US cents', async (t) => {
  const footfall = await startAgain(shared, NOW)
  await visitAll(footfall)
  const before = await overview(footfall)
  assert.deepEqual([cardOf(before, 'cost'), before.costs], [[0, 0], undefined])
  await record(footfall, costs)
  const goal = await addGoal(footfall, 'event', 'signup')

  const plain = await overview(footfall)
  assert.deepEqual(cardOf(plain, 'cost'), [2051, 400])
  assert.deepEqual(plain.cards.find(({ id }: { id: string }) => id === 'cost').trend_color, 'danger')
  assert.deepEqual(plain.series.current.cost, [0, 0, 0, 300, 1000, 701, 50])
  assert.deepEqual(
    plain.series.previous.cost.reduce((sum: number, each: number) => sum + each, 0),
    400,
  )
  assert.deepEqual(
    plain.costs.cards.map(({ id }: { id: string }) => id),
    ['return'],
  )
  assert.deepEqual(cardOf(plain.costs, 'return'), [2.78, 0.25])
  assert.deepEqual(plain.costs.series.current.return, [null, null, null, 0, 5, 1, 0])
  assert.deepEqual(
    plain.costs.series.current.cost_per_conversion,
    Array.from({ length: 7 }, () => null),
  )

  const ofGoal = await overview(footfall, { goal })
  assert.deepEqual(cardOf(ofGoal.costs, 'cost_per_conversion'), [513, null])
  assert.deepEqual(ofGoal.costs.series.current.cost_per_conversion, [null, null, null, null, 333, 701, null])
  const hours = await overview(footfall, { period: 'yesterday' })
  assert.deepEqual([cardOf(hours, 'cost'), new Set(hours.series.current.cost)], [[701, 1000], new Set([null])])
  const filtered = await overview(footfall, { clauses: [{ id: 'browser', op: 'is_set' }] })
  assert.deepEqual([cardOf(filtered, 'cost'), filtered.costs], [[0, 0], undefined])
  const chosen = await overview(footfall, { clauses: [{ id: 'utm_campaign', op: 'not_contains', value: 'SPR' }] })
  assert.deepEqual(cardOf(chosen, 'cost'), [550, null])

  const summary = async (body: object) => {
    const ask = { body: { period: 'last_7', ...body } }
    const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', ask)
    const { current, previous } = json.analytics.period_metrics.summary.cost
    return [current, previous]
  }
  assert.deepEqual(await summary({}), [2051, 400])
  assert.deepEqual(await summary({ clauses: [{ id: 'browser', op: 'is_set' }] }), [0, 0])
  assert.deepEqual(await summary({ clauses: [{ id: 'source', op: 'equals', value: 'Facebook' }] }), [50, null])

  await t.test('money is told in the currency of the property, an amount in it as it came', async () => {
    await footfall.call('POST', `/manage/properties/${footfall.property.id}`, { body: { currency: 'EUR' } })
    await record(footfall, [row({ day: '2026-11-16', source: 'x', amount: 123_456_789, currency: 'EUR' })])
    const table = await footfall.context.rates.table()
    const perUsd = (day: string): number => table.at('EUR', Date.parse(day))!.perUsd
    const [current] = cardOf(
      await overview(footfall, { period: 'custom', date_from: '2026-11-16', date_to: '2026-11-17' }),
      'cost',
    )!
    assert.equal(current, 123_456_789 + Math.floor(300 * perUsd('2026-11-17') + 0.5))
    const [usd] = await summary({ period: 'custom', date_from: '2026-11-16', date_to: '2026-11-16' })
    assert.equal(usd, Math.round(123_456_789 / perUsd('2026-11-16')))
  })
})

test('a share link is told no cost, an export has all of them, and they go with their property', async () => {
  const footfall = await startAgain(shared, NOW)
  await visitAll(footfall)
  await record(footfall, costs)
  const share = await openShare(footfall, footfall.property.id)
  const body = { period: 'last_7' }
  const told = await footfall.call('POST', at(footfall, 'overview'), { ...share, body })
  assert.deepEqual([cardOf(told.json.data, 'cost')?.[0], told.json.data.costs], [0, undefined])
  const metrics = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { ...share, body })
  assert.equal(metrics.json.analytics.period_metrics.summary.cost.current, 0)

  const { records } = footfall.context
  const costsOf = (id: string) => records.selectFrom('costs').where('property_id', '=', id).select('day').execute()
  assert.equal((await costsOf(footfall.property.id)).length, costs.length)
  const other = await footfall.addProperty()
  const gone = await footfall.call('DELETE', `/manage/properties/${footfall.property.id}`)
  assert.equal(gone.status, 200, gone.text)
  await untilEqual(async () => (await costsOf(footfall.property.id)).length, 0)
  assert.equal((await footfall.call('GET', `/manage/properties/${other.id}/costs`)).json.data.total, 0)
})
