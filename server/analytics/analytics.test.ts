import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askOverview } from '../../test/support/overview-world.ts'
import { type Footfall, startAgain, startFootfall } from '../../test/support/server.ts'
import { MAX_CLAUSES, textOperators } from './clauses.ts'
import { dimensions as dimensionsOfOracle } from '../../test/oracle/dimensions.ts'
import { dimensions } from './dimensions.ts'

const NOW = '2026-11-20T13:05:07Z'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const visitors = {
  ann: { address: '203.0.113.1' },
  bob: { address: '203.0.113.2' },
  cid: { address: '203.0.113.3', language: 'de-CH' },
  dan: { address: '203.0.113.4' },
}

/** With a property for each test. */
const shared = await startFootfall({ after }, { now: Date.parse(NOW) })
const startNow = () => startAgain(shared, Date.parse(NOW))

/**
 * Four people and a bot: Dan before the window, Ann yesterday with everything, Bob bounces today, Cid is here
 * right now.
 */
async function visit(): Promise<Footfall & { ids: { ann: string; cid: string } }> {
  const footfall = await startAgain(shared, Date.parse('2026-11-10T12:00:00Z'))
  const { track, clock } = footfall
  const at = (text: string) => clock.set(Date.parse(text))
  await track.load({ ...visitors.dan, page: 'https://example.com/old' })

  at('2026-11-19T09:00:00Z')
  const entry = await track.load({
    ...visitors.ann,
    title: 'Begin ✓',
    page: 'https://example.com/start?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring',
  })
  const ann: string = entry.json.session_id
  await track.event(ann, 'signup', { ...visitors.ann, value: 'Gold' })
  await track.event(ann, 'score', { ...visitors.ann, value: 42 })
  await track.acquisition(ann, { value: 1000, currency_code: 'USD', tags: ['shop:order:7', 'vip'] }, visitors.ann)
  at('2026-11-19T09:00:30Z')
  const pricing = await track.load({ ...visitors.ann, page: 'https://example.com/pricing' })
  await track.ping(entry.json.view_id, { ...visitors.ann, tos: 12, max: 50 })
  await track.ping(pricing.json.view_id, { ...visitors.ann, tos: 3, max: 100 })
  at('2026-11-19T10:05:00Z')
  await track.load({ ...visitors.ann, page: 'https://example.com/pricing' })

  at('2026-11-20T13:00:00Z')
  await track.load({ address: '203.0.113.9', agent: BOT, page: 'https://example.com/start' })
  const short = await track.load({
    ...visitors.bob,
    page: 'https://example.com/start',
    referrer: 'https://www.google.com/',
  })
  await track.ping(short.json.view_id, { ...visitors.bob, tos: 4, max: -1 })

  at('2026-11-20T13:04:50Z')
  await track.load({ address: '203.0.113.9', agent: BOT, page: 'https://example.com/start' })
  const blog = await track.load({ ...visitors.cid, page: 'https://example.com/Blog' })
  await track.event(blog.json.session_id, 'score', { ...visitors.cid, value: '7' })
  at(NOW)
  return { ...footfall, ids: { ann, cid: blog.json.session_id } }
}

type Body = Readonly<Record<string, unknown>>

const paths = {
  metrics: '/v2/property/signals/analytics/metrics',
  graph: '/v2/property/signals/analytics/graph',
  live: '/v2/property/signals/analytics/live',
  sessions: '/v2/property/signals/sessions',
}

test('analytics', async (t) => {
  const footfall = await visit()
  const ask = async (path: keyof typeof paths, body?: Body, query?: Record<string, string | number>) => {
    const reply = await footfall.call('POST', paths[path], { body, ...(query ? { query } : {}) })
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const valuesOf = (series: { value: number }[]) => series.map((point) => point.value)

  await t.test(
    'metrics answers every key of the contract, without bots, compared with the preceding window',
    async () => {
      const answer = await ask('metrics', {})
      assert.deepEqual(answer.inputs, {
        period: 'last_7',
        date_from: null,
        date_to: null,
        clauses: [],
        filter: null,
        show_devices: false,
      })
      assert.equal(answer.meta.showing, 'Last 7 Days')
      assert.deepEqual(answer.meta.filters, [])
      assert.equal(typeof answer.meta.took_ms, 'number')
      assert.deepEqual(answer.options.periods[0], { id: 'today', name: 'Today' })
      const {
        period_metrics: { summary, can_compare, metrics, query_ms },
        period_top_dimensions: top,
        period_country_lang: places,
      } = answer.analytics
      assert.equal(can_compare, true)
      assert.deepEqual(
        metrics.map((metric: { key: string }) => metric.key),
        Object.keys(summary),
      )
      assert.deepEqual(metrics[3], { key: 'bounce', label: 'Bounce rate', format: 'fraction', is_reverse: true })
      for (const ms of [query_ms, top.query_ms, places.query_ms]) assert.equal(typeof ms, 'number')
      const row = (
        current: number,
        previous: number,
        difference: number,
        percent: number | null,
        trend: string,
        trend_color: string,
      ) => ({
        current,
        previous,
        difference,
        percent,
        percent_abs: percent === null ? null : Math.abs(percent),
        trend,
        trend_color,
      })
      assert.deepEqual(summary, {
        sessions: row(3, 1, 2, 2, 'up', 'success'),
        views: row(5, 1, 4, 4, 'up', 'success'),
        views_session: row(1.67, 1, 0.67, 0.67, 'up', 'success'),
        bounce: row(0.3333, 1, -0.6667, -0.6667, 'down', 'success'),
        duration: row(6, 0, 6, null, 'up', 'success'),
        scroll: row(75, 0, 75, null, 'up', 'success'),
        cost: row(0, 0, 0, 0, 'flat', 'base'),
        value: row(1000, 0, 1000, null, 'up', 'success'),
      })
    },
  )

  await t.test('the lists are ordered by sessions and then by value, with shares of what is shown', async () => {
    const { period_top_dimensions: top, period_country_lang: places } = (await ask('metrics', { period: 'last_7' }))
      .analytics
    assert.equal(top.count, 3)
    assert.deepEqual(Object.keys(top.dimensions), dimensionsOfOracle)
    const { id, field, type, label, category, data } = top.dimensions.entry_path_full
    assert.deepEqual(
      [id, field, type, label, category],
      ['entry_path_full', 'entry_path', 'string', 'Entry page', 'Pages'],
    )
    assert.deepEqual(data, [
      { id: '/start', label: '/start', value: 2, order: 1, percent: 0.6667 },
      { id: '/Blog', label: '/Blog', value: 1, order: 2, percent: 0.3333 },
    ])
    assert.deepEqual(
      top.dimensions.exit_path_full.data.map((row: { id: string }) => row.id),
      ['/Blog', '/pricing', '/start'],
    )
    assert.deepEqual(top.dimensions.referrer_domain.data, [
      {
        id: 'google.com',
        label: 'google.com',
        value: 1,
        order: 1,
        percent: 1,
        favicon: 'http://footfall.test/icons/google.com.svg',
      },
    ])
    assert.ok(
      top.dimensions.channel.data.some(
        (row: { id: string; label: string }) => row.id === 'email' && row.label === 'Email',
      ),
    )
    assert.deepEqual(top.deviceSizes, { desktop: 3 })
    assert.deepEqual(places.countries, {})
    assert.deepEqual(places.languages, { EN: 2, DE: 1 })
  })

  await t.test('inputs repeat what was sent for filter and show_devices', async () => {
    for (const sent of [
      { filter: { devices: ['desktop', null] }, show_devices: true },
      { filter: 0, show_devices: 'all' },
      { filter: [''], show_devices: false },
    ]) {
      const { inputs } = await ask('metrics', sent)
      assert.deepEqual({ filter: inputs.filter, show_devices: inputs.show_devices }, sent)
    }
    const { inputs } = await ask('metrics', { filter: null, show_devices: null })
    assert.deepEqual([inputs.filter, inputs.show_devices], [null, false])
  })

  await t.test('without sessions before there is nothing to compare with', async () => {
    const { summary, can_compare } = (
      await ask('metrics', { period: 'custom', date_from: '2026-11-10', date_to: '2026-11-10' })
    ).analytics.period_metrics
    assert.equal(can_compare, false)
    assert.deepEqual(summary.bounce, {
      current: 1,
      previous: null,
      difference: null,
      percent: null,
      percent_abs: null,
      trend: null,
      trend_color: 'base',
    })
  })

  await t.test('each metric of the graph has its value in each bucket', async () => {
    const expected = {
      sessions: [0, 0, 0, 0, 0, 1, 2],
      views: [0, 0, 0, 0, 0, 3, 2],
      views_session: [0, 0, 0, 0, 0, 3, 1],
      bounce: [0, 0, 0, 0, 0, 0, 50],
      duration: [0, 0, 0, 0, 0, 15, 2],
      scroll: [0, 0, 0, 0, 0, 75, 0],
    }
    for (const [metric, values] of Object.entries(expected)) {
      const { graph, inputs } = await ask('graph', { metric })
      assert.deepEqual([graph.metric, valuesOf(graph.series), graph.previousSeries], [metric, values, []])
      assert.deepEqual([inputs.metric, inputs.interval, inputs.compare], [metric, 'day', false])
      // 13:05:08 of a day: 2 sessions so far are 3.67 at its end.
      assert.deepEqual(
        valuesOf(graph.projectedSeries),
        metric === 'sessions' ? [1, 4] : metric === 'views' ? [3, 4] : [],
      )
    }
  })

  await t.test('a custom window that ends today is projected as the same days are by last_7', async () => {
    for (const metric of ['sessions', 'views', 'bounce']) {
      const window = { period: 'custom', date_from: '2026-11-14', date_to: '2026-11-20' }
      const [custom, last7] = [await ask('graph', { metric, ...window }), await ask('graph', { metric })]
      assert.deepEqual(custom.graph.projectedSeries, last7.graph.projectedSeries, metric)
    }
    const over = await ask('graph', { period: 'custom', date_from: '2026-11-13', date_to: '2026-11-19' })
    assert.deepEqual(over.graph.projectedSeries, [])
  })

  await t.test('the preceding series is cut at the same distances and carries the labels of this one', async () => {
    const { graph, options } = await ask('graph', {
      period: 'custom',
      date_from: '2026-11-18',
      date_to: '2026-11-25',
      compare: true,
    })
    assert.deepEqual(graph.series.map((point: { label: string }) => point.label).slice(0, 2), [
      "Nov 18 '26",
      "Nov 19 '26",
    ])
    assert.deepEqual(valuesOf(graph.series), [0, 1, 2, 0, 0, 0, 0, 0])
    assert.deepEqual(
      graph.previousSeries.map((point: { label: string }) => point.label),
      graph.series.map((point: { label: string }) => point.label),
    )
    assert.deepEqual(valuesOf(graph.previousSeries), [1, 0, 0, 0, 0, 0, 0, 0])
    assert.deepEqual(options.intervals, [
      { id: 'day', name: 'Day', seconds: 86_400, buckets: 8 },
      { id: 'week', name: 'Week', seconds: 604_800, buckets: 2 },
    ])
    assert.deepEqual(options.metrics[1], { id: 'views', label: 'Views' })
    const hours = await ask('graph', { period: 'today', metric: 'views' })
    assert.deepEqual([hours.graph.series.length, hours.graph.series.at(-1)], [14, { label: '13h', value: 2 }])
  })

  await t.test('whatever the interval, the buckets hold all sessions of the window', async () => {
    for (const [period, accepted] of [
      ['last_12_months', ['week', 'month']],
      ['last_28', ['day', 'week']],
      ['today', ['hour', 'day']],
    ] as const) {
      for (const interval of accepted) {
        const { graph } = await ask('graph', { period, interval })
        assert.equal(
          valuesOf(graph.series).reduce((sum, value) => sum + value, 0),
          period === 'today' ? 2 : 4,
          `${period} ${interval}`,
        )
      }
    }
  })

  await t.test('live shows the last five minutes in ten buckets', async () => {
    const answer = await ask('live', { metric: 'views' })
    assert.equal(answer.meta.showing, 'Live - last 5 minutes')
    const isAnybody = [{ id: 'hostname', op: 'equals', value: 'example.com' }]
    for (const metric of answer.options.metrics.map((choice: { id: string }) => choice.id)) {
      const [all, matching] = [await ask('live', { metric }), await ask('live', { metric, clauses: isAnybody })]
      assert.deepEqual(all.graph.series, matching.graph.series, metric)
    }
    assert.deepEqual(valuesOf(answer.graph.series), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    assert.deepEqual([answer.graph.series[0].label, answer.graph.series[9].label], ['13:00:08', '13:04:38'])
    assert.deepEqual([answer.graph.previousSeries, answer.graph.projectedSeries], [[], []])
    assert.deepEqual(answer.options.intervals, [{ id: '30_seconds', name: '30 Seconds', seconds: 30, buckets: 10 }])
    assert.deepEqual(
      valuesOf(
        (await ask('live', { clauses: [{ id: 'entry_path_full', op: 'equals', value: '/start' }] })).graph.series,
      ),
      Array.from({ length: 10 }, () => 0),
    )
  })

  await t.test('a session document holds what is known and leaves out what is not', async () => {
    const { data } = await ask('sessions', { clauses: [{ id: 'event_name', op: 'equals', value: 'signup' }] })
    const { event_tags: events, source_name: source } = data[0]
    assert.deepEqual(data, [
      {
        id: footfall.ids.ann,
        type: 'user',
        entry_ts: 1795078800,
        last_ts: 1795082700,
        entry_date: '2026-11-19 09:00:00',
        time_on_site: 15,
        views: 3,
        bounced: false,
        avg_max_scroll: 75,
        re_entry_count: 1,
        entry_url: 'https://example.com/start?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring',
        entry_path: '/start',
        entry_title: 'Begin ✓',
        exit_path: '/pricing',
        channel_category: 'email',
        channel_name: 'Email',
        channel_method: 'utm',
        utm_source: 'Newsletter',
        utm_medium: 'email',
        utm_campaign: 'Spring',
        source_name: source,
        request_device: 'desktop',
        request_browser_name: 'Chrome',
        request_platform: 'Windows',
        request_lang: 'en-GB',
        channel: { category: 'email', label: 'Email' },
        page_tags: [
          {
            url: 'https://example.com/start?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring',
            path: '/start',
            count: 1,
          },
          { url: 'https://example.com/pricing', path: '/pricing', count: 2 },
        ],
        event_tags: events,
        tags: [
          { key: 'shop', value: 'order:7' },
          { key: 'vip', value: '' },
        ],
        signal_value_amount: 1000,
        signal_value_amount_usd: 1000,
        signal_value_currency: 'USD',
      },
    ])
    assert.deepEqual(
      events.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)),
      [
        { name: 'score', value: '42', value_float: 42 },
        { name: 'signup', value: 'Gold' },
      ],
    )
  })

  await t.test('sessions come newest first, page by page, and pages name their neighbours', async () => {
    const first = await ask('sessions', { limit: 2 }, { keep: 'this' })
    const second = await ask('sessions', { limit: 2 }, { page: 2 })
    assert.deepEqual(
      [...first.data, ...second.data].map((session) => session.entry_path),
      ['/Blog', '/start', '/start'],
    )
    assert.equal(first.data[0].id, footfall.ids.cid)
    const one = async (page: number) => (await ask('sessions', { limit: 1 }, { page })).data[0]?.entry_ts
    assert.deepEqual(
      [await one(1), await one(2), await one(3), await one(4)],
      [1795179890, 1795179600, 1795078800, undefined],
    )
    const { data: _, query_ms, inputs, meta, options, ...keys } = first
    assert.deepEqual(keys, {
      current_page: 1,
      per_page: 2,
      total: 3,
      last_page: 2,
      from: 1,
      to: 2,
      next_page_url: `http://footfall.test${paths.sessions}?keep=this&page=2`,
      prev_page_url: null,
    })
    assert.deepEqual(
      [typeof query_ms, inputs.limit, meta.showing, options.periods.length],
      ['number', 2, 'Last 7 Days', 8],
    )
    assert.deepEqual([second.from, second.to, second.next_page_url], [3, 3, null])
    const past = await ask('sessions', {}, { page: 1_000_000_000 })
    assert.deepEqual([past.data, past.total, past.from, past.to], [[], 3, null, null])
  })

  await t.test('the answer to every clause is the sessions for which it holds', async () => {
    const people = async (...clauses: unknown[]) => {
      const { data } = await ask('sessions', { clauses })
      const names: Record<string, string> = { '/start': 'bob', '/Blog': 'cid' }
      return data
        .map((session: { id: string; entry_path: string }) =>
          session.id === footfall.ids.ann ? 'ann' : names[session.entry_path],
        )
        .join(' ')
    }
    const rows: [id: string, op: string, value: unknown, expected: string][] = [
      ['entry_path_full', 'equals', '/start', 'bob ann'],
      ['entry_path_full', 'equals', '/START', ''],
      ['entry_path_full', 'equals', ['/start', '/Blog'], 'cid bob ann'],
      ['entry_path_full', 'not_equals', ['/start', '/x'], 'cid'],
      ['entry_path_full', 'contains', 'BLO', 'cid'],
      ['entry_path_full', 'contains', '', 'cid bob ann'],
      ['entry_path_full', 'not_contains', ['LOG', 'zzz'], 'bob ann'],
      ['entry_path_full', 'starts_with', ['/S', '/x'], 'bob ann'],
      ['entry_path_full', 'ends_with', 'OG', 'cid'],
      ['entry_path_full', 'equals', "/start' OR 1=1 --", ''],
      ['exit_path_full', 'equals', '/pricing', 'ann'],
      ['utm_source', 'is_set', undefined, 'ann'],
      ['utm_source', 'is_not_set', undefined, 'cid bob'],
      ['utm_campaign', 'contains', 'spring', 'ann'],
      ['hostname', 'equals', 'example.com', 'cid bob ann'],
      ['channel', 'equals', 'email', 'ann'],
      ['language', 'starts_with', 'DE', 'cid'],
      ['country', 'equals', 'Germany', ''],
      ['country', 'not_equals', 'Germany', 'cid bob ann'],
      ['contact_id', 'is_set', undefined, ''],
      ['referrer_domain', 'equals', 'google.com', 'bob'],
      ['page_path', 'equals', '/pricing', 'ann'],
      ['page_path', 'not_equals', '/pricing', 'cid bob'],
      ['page_path', 'contains', 'START', 'bob ann'],
      ['page_path', 'not_contains', 'pric', 'cid bob'],
      ['page_path', 'is_set', undefined, 'cid bob ann'],
      ['page_path', 'is_not_set', undefined, ''],
      ['page_path', 'equals', '', ''],
      ['tag', 'equals', 'vip', 'ann'],
      ['tag', 'not_equals', 'vip', 'cid bob'],
      ['tag', 'starts_with', 'SHOP:', 'ann'],
      ['tag', 'is_set', undefined, 'ann'],
      ['tag', 'is_not_set', undefined, 'cid bob'],
      ['event_name', 'equals', 'score', 'cid ann'],
      ['event_name', 'not_equals', 'score', 'ann'],
      ['event_name', 'is_set', undefined, 'cid ann'],
      ['event_value', 'contains', 'gOL', 'ann'],
      ['event_value', 'equals', 42, 'ann'],
      ['event_value', 'equals', '42.0', ''],
      ['event_value', 'is_not_set', undefined, ''],
      ['event_value_num', 'equals', '42.0', 'ann'],
      ['event_value_num', 'gt', 7, 'ann'],
      ['event_value_num', 'gte', [7, 1000], 'cid ann'],
      ['event_value_num', 'lt', 42, 'cid'],
      ['event_value_num', 'lte', 6, ''],
      ['event_value_num', 'not_equals', [7, 42], 'ann'],
      ['event_value_num', 'is_set', undefined, 'cid ann'],
      ['event_value_num', 'is_not_set', undefined, 'ann'],
    ]
    for (const [id, op, value, expected] of rows)
      assert.equal(await people({ id, op, value }), expected, `${id} ${op} ${JSON.stringify(value)}`)
    const score = { id: 'event_name', op: 'equals', value: 'score' }
    assert.equal(
      await people(score, { id: 'event_value', op: 'equals', value: 'Gold' }),
      '',
      'two event clauses speak of one event',
    )
    assert.equal(
      await people(
        score,
        { id: 'event_value_num', op: 'gt', value: 10 },
        { id: 'page_path', op: 'equals', value: '/start' },
      ),
      'ann',
    )
  })

  await t.test('clauses narrow metrics and graphs alike, and are shown as filters', async () => {
    const clauses = [
      { id: 'page_path', op: 'equals', value: '/start' },
      { id: 'event_value_num', op: 'gte', value: 42 },
    ]
    const metrics = await ask('metrics', { clauses })
    assert.equal(metrics.analytics.period_top_dimensions.count, 1)
    assert.deepEqual(metrics.inputs.clauses, clauses)
    assert.deepEqual(metrics.meta.filters[1], {
      id: 'event_value_num',
      op: 'gte',
      value: '42',
      label: 'Event number is at least 42',
    })
    assert.deepEqual(valuesOf((await ask('graph', { clauses })).graph.series), [0, 0, 0, 0, 0, 1, 0])
  })

  await t.test('every id takes every operator of its kind', async () => {
    const clausesOf = (id: string) => {
      const operators = id === 'event_value_num' ? ['equals', 'gt', 'is_set'] : textOperators
      return operators.map((op) => ({ id, op, value: ['7', '8'] }))
    }
    // A conversion has to be one of the property: server/lists/metrics.test.ts asks for it.
    const entries = Object.entries(dimensions).filter(([id]) => id !== 'conversion')
    const ofSessions = entries.filter(([, { target }]) => target.on === 'session').map(([id]) => clausesOf(id))
    const ofFacts = entries.filter(([, { target }]) => target.on !== 'session').map(([id]) => clausesOf(id))
    // As many as one question may have: in pages, events and forms it may look for a few only.
    const perQuestion = Math.floor(MAX_CLAUSES / textOperators.length)
    const asked = [
      ...Array.from({ length: Math.ceil(ofSessions.length / perQuestion) }, (_, n) =>
        ofSessions.slice(n * perQuestion, (n + 1) * perQuestion).flat(),
      ),
      ...ofFacts,
    ]
    assert.equal(new Set(asked.flat().map(({ id }) => id)).size, entries.length)
    for (const clauses of asked)
      for (const path of ['metrics', 'live', 'sessions'] as const) await ask(path, { clauses })
  })

  await t.test('no body asks for the defaults', async () => {
    assert.equal((await ask('sessions')).total, 3)
    assert.equal((await ask('metrics', { period: null, date_from: null, clauses: null })).inputs.period, 'last_7')
  })

  await t.test('what cannot be answered is refused by the name of the field', async () => {
    const wrong: [path: keyof typeof paths, field: string, body: Body, query?: Record<string, string>][] = [
      ['metrics', 'period', { period: 'last_9' }],
      ['metrics', 'period', { period: 7 }],
      ['metrics', 'period', { period: 'live' }],
      ['metrics', 'date_from', { period: 'custom' }],
      ['graph', 'date_to', { period: 'custom', date_from: '2026-02-01', date_to: '2026-02-30' }],
      ['metrics', 'filter', { filter: ['x'.repeat(10_000)] }],
      ['metrics', 'show_devices', { show_devices: 'x'.repeat(10_000) }],
      ['metrics', 'clauses', { clauses: {} }],
      ['metrics', 'clauses.0.id', { clauses: [{ op: 'equals', value: 'x' }] }],
      ['live', 'clauses.0.op', { clauses: [{ id: 'city', op: '; DROP', value: 'x' }] }],
      ['graph', 'metric', { metric: 'value' }],
      ['graph', 'interval', { interval: 'hour' }],
      ['graph', 'interval', { interval: 'minute' }],
      ['graph', 'compare', { compare: 'yes' }],
      ['live', 'metric', { metric: '' }],
      ['sessions', 'limit', { limit: 0 }],
      ['sessions', 'limit', { limit: 1001 }],
      ['sessions', 'limit', { limit: '20' }],
      ['sessions', 'limit', { limit: 1.5 }],
      ['sessions', 'page', {}, { page: '0' }],
      ['sessions', 'page', {}, { page: 'two' }],
    ]
    for (const [path, field, body, query] of wrong) {
      const reply = await footfall.call('POST', paths[path], { body, ...(query ? { query } : {}) })
      assert.equal(reply.status, 422, `${path} ${JSON.stringify(body)} ${reply.text}`)
      assert.equal(reply.json.error_code, 'validation_failed')
      assert.ok(field in reply.json.errors, `${field} of ${path}: ${reply.text}`)
    }
  })

  await t.test('only a token with signals:read is answered, and of its own property alone', async () => {
    const other = await footfall.addProperty({ default_period: 'last_28' })
    const writer = await footfall.addToken(footfall.property.id, ['signals:write'])
    for (const path of Object.values(paths)) {
      assert.equal((await footfall.call('POST', path, { token: null })).status, 401)
      assert.equal((await footfall.call('POST', path, { token: writer })).status, 403)
    }
    const foreign = await footfall.call('POST', paths.metrics, { token: other.token })
    assert.deepEqual([foreign.json.analytics.period_top_dimensions.count, foreign.json.inputs.period], [0, 'last_28'])
    assert.equal((await footfall.call('POST', paths.sessions, { token: other.token })).json.total, 0)
  })

  await t.test('icons are pictures and nothing else', async () => {
    const icon = await footfall.call('GET', '/icons/google.com.svg')
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'])
    assert.match(icon.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal((await footfall.call('GET', `/icons/${'x'.repeat(300)}.svg`)).status, 422)
    assert.doesNotMatch((await footfall.call('GET', `/icons/${encodeURIComponent('"><script>')}.svg`)).text, /script/)
  })
})

test('a value beyond what a number says exactly stays at the largest that it does, on cards, graphs and lists', async () => {
  const footfall = await startNow()
  const sessions = 1100
  await addSessions(footfall, sessions, ['/'])
  const row = { property: footfall.property.id, day: '2026-11-20', at: Date.parse(NOW) }
  const amounts = { amount: 1, currency: 'USD', amount_usd: 9_000_000_000_000_000 }
  for (const more of [
    { kind: 'acquisition' as const, ...amounts },
    { kind: 'event' as const, name: 'buy' },
  ]) {
    const rows = Array.from({ length: sessions }, (_, n) => ({ ...row, ...more, session: `${n + 1}`, id: `${n + 1}` }))
    await footfall.context.facts.appendAll('events', rows)
  }
  const { json } = await footfall.call('POST', paths.metrics, { body: { period: 'today' } })
  assert.equal(json.analytics.period_metrics.summary.value.current, Number.MAX_SAFE_INTEGER)
  const overview = await askOverview(footfall, { period: 'today' })
  assert.equal(overview.cards.find(({ id }: { id: string }) => id === 'value').current, Number.MAX_SAFE_INTEGER)
  assert.equal(overview.outcomes.events[0].value_cents, Number.MAX_SAFE_INTEGER)
  assert.deepEqual(overview.series.current.value.slice(12, 14), [0, Number.MAX_SAFE_INTEGER])
})

/** Sessions with so many views each, all of one second. */
async function addSessions(footfall: Footfall, sessions: number, views: readonly string[]): Promise<void> {
  const at = Date.parse(NOW)
  const row = { property: footfall.property.id, day: '2026-11-20', at, seen: at }
  const rows = Array.from({ length: sessions }, (_, session) =>
    views.map((url, view) => ({ ...row, session: String(session + 1), view, url, path: url })),
  )
  await footfall.context.facts.appendAll('views', rows.flat())
}

test('a page of the list of sessions holds a thousand of them, in the order of the small pages', async () => {
  const footfall = await startNow()
  await addSessions(footfall, 1003, ['/'])
  const list = async (limit: number, page: number) => {
    const body = { period: 'today', limit }
    const reply = await footfall.call('POST', paths.sessions, { body, query: { page: String(page) } })
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const whole = await list(1000, 1)
  assert.deepEqual([whole.per_page, whole.total, whole.last_page, whole.to], [1000, 1003, 2, 1000])
  const ids = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id)
  const small = []
  for (let page = 1; page <= 11; page++) small.push(...ids(await list(100, page)))
  assert.deepEqual([...ids(whole), ...ids(await list(1000, 2))], small)
  assert.equal(new Set(small).size, 1003)
})

test('a large page of sessions that hold too much is refused, and small pages of them are not', async () => {
  const footfall = await startNow()
  await addSessions(
    footfall,
    101,
    Array.from({ length: 100 }, (_, n) => `/${n}/${'x'.repeat(2000)}`),
  )
  const refused = await footfall.call('POST', paths.sessions, { body: { period: 'today', limit: 101 } })
  assert.equal(refused.status, 422, refused.text.slice(0, 500))
  assert.match(refused.json.errors.limit[0], /fewer/)
  const small = await footfall.call('POST', paths.sessions, { body: { period: 'today', limit: 100 } })
  assert.deepEqual([small.status, small.json.data.length, small.json.data[0].page_tags.length], [200, 100, 100])
})

test('live leaves out a session of which a single view gave the bot away, in every metric', async () => {
  const footfall = await startNow()
  const at = Date.parse(NOW)
  const row = { property: footfall.property.id, day: '2026-11-20', at, seen: at, path: '/' }
  await footfall.context.facts.appendAll('views', [
    { ...row, session: '1', view: 0 },
    { ...row, session: '2', view: 0 },
    { ...row, session: '2', view: 1, at: at - 400_000, is_bot: 1 },
  ])
  const last = async (metric: string) =>
    (await footfall.call('POST', paths.live, { body: { metric } })).json.graph.series.at(-1).value
  assert.deepEqual([await last('sessions'), await last('views'), await last('bounce')], [1, 1, 100])
})

test('form submissions are listed beside as many custom events as there may be', async () => {
  const footfall = await startNow()
  const load = await footfall.track.load()
  const [session] = await footfall.context.facts.query<{ day: string; session: string }>(
    'test',
    'SELECT day, session FROM sessions WHERE property = {property:String}',
    { property: footfall.property.id },
  )
  const at = Date.parse(NOW)
  const row = { property: footfall.property.id, ...session, at }
  const many = Array.from({ length: 120 }, (_, n) => ({ ...row, id: String(n), name: 'many' }))
  await footfall.context.facts.appendAll('events', many)
  const form = {
    property: footfall.property.id,
    form: 'fm_1',
    form_name: 'newsletter',
    kind: 'submit',
    id: '1',
  } as const
  const when = { day: NOW.slice(0, 10), session_day: session!.day, session: session!.session, at: at + 1 }
  await footfall.context.facts.append('form_events', { ...form, ...when })
  const { json } = await footfall.call('POST', paths.sessions)
  assert.equal(json.data[0].id, load.json.session_id)
  assert.equal(json.data[0].event_tags.length, 100)
  assert.deepEqual(json.data[0].form_tags, [
    { form_id: 'fm_1', name: 'newsletter', submitted_ts: Math.floor((at + 1) / 1000) },
  ])
})
