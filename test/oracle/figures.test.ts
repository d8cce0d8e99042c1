// The oracle itself, on examples small enough to be counted by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedStatistics } from './arrivals.ts'
import { holds, type Clause } from './clauses.ts'
import { differences, type Difference } from './compare.ts'
import { graphAnswer, liveAnswer, metricsAnswer } from './figures.ts'
import { describe, foldHits, pathOf, type Described } from './fold.ts'
import type { Click, Hit, Load, Visitor } from './hits.ts'
import { creditOf } from './lists.ts'
import { acceptedIntervals, bucketsOf, windowOf } from './windows.ts'
import type { World } from './world.ts'

const world: World = {
  places: new Map([
    ['1.1.1.1', { country: 'France', country_code: 'FR', region: 'IDF', city: 'Paris', timezone: 'Europe/Paris' }],
  ]),
  agents: new Map([['human', { browser: 'Firefox', os: 'Linux', device: 'desktop' }]]),
  languages: new Map([['fr', { language: 'fr-FR' }]]),
  origins: new Map([
    ['direct', { source: 'Direct', channel: 'direct', referrer_domain: '' }],
    ['google', { source: 'Google', channel: 'organic_search', referrer_domain: 'google.com' }],
  ]),
  forms: new Map([['Contact', { id: 'fm_contact', key: 'fk_contact' }]]),
  conversions: new Map([
    ['cv_docs', { type: 'page_view', value: '/docs/*' }],
    ['cv_buy', { type: 'event', value: 'buy' }],
    ['cv_paid', { type: 'acquisition', value: null }],
  ]),
  contacts: new Map([['ann', 'ct_ann']]),
  links: new Map([
    ['mail', { id: 'ln_mail', group: 'lg_one', path: '/a/mail' }],
    ['talk', { id: 'ln_talk', group: 'lg_two', path: '/b/talk' }],
  ]),
  rate: (currency) => ({ USD: 1, EUR: 1.1, JPY: 0.67 })[currency] ?? Number.NaN,
}
const visitor: Visitor = { address: '1.1.1.1', agent: 'human', language: 'fr' }
const at = (text: string) => Date.parse(`${text}Z`)

const load = (time: string, path = '/', landing = 'direct', who = visitor): Load => ({
  kind: 'load',
  at: at(time),
  visitor: who,
  url: `https://a.example${path}`,
  title: '',
  referrer: '',
  landing,
})
const ping = (time: string, of: Load, tos: number, max: number): Hit => ({
  kind: 'ping',
  at: at(time),
  visitor: of.visitor,
  load: of,
  tos,
  max,
})

const click = (time: string, link: string, how: Click['how'] = 'follow'): Click => ({
  kind: 'click',
  at: at(time),
  visitor,
  link,
  how,
})

const described = (hits: Hit[]): Described[] =>
  foldHits(hits, world).sessions.map((session) => describe(session, world))
function only(hits: Hit[]): Described {
  const [session, ...others] = described(hits)
  assert.ok(session && others.length === 0)
  return session
}
function agrees(expected: readonly unknown[], got: unknown): Difference[] {
  return expected.flatMap((each) => differences(each, got))
}

test('one visitor and one day are one session, with the first touch of its first view and the largest pings of each view', () => {
  const first = load('2026-03-02T10:00:00.500', '/in?x=1#top', 'google')
  const second = load('2026-03-02T10:00:30', '/out', 'direct')
  const session = only([
    first,
    second,
    ping('2026-03-02T10:01:00', first, 20, 40),
    ping('2026-03-02T10:02:00', first, 12, -1),
    ping('2026-03-02T10:01:30', second, 5, -1),
  ])
  assert.equal(session.seconds, 25)
  assert.equal(session.scroll, 40)
  assert.equal(session.texts['source'], 'Google')
  assert.deepEqual([session.texts['entry_path_full'], session.texts['exit_path_full']], ['/in', '/out'])
  assert.equal(session.session.lastAt, at('2026-03-02T10:02:00'))
})

test('a session carries on past midnight until thirty minutes pass, and a view of a day that is over takes no ping', () => {
  const night = load('2026-03-01T23:45:00')
  const carried = load('2026-03-02T00:14:00')
  const next = load('2026-03-02T00:50:00')
  const late = ping('2026-03-02T00:51:00', carried, 9, 9)
  const fold = foldHits([night, carried, next, late], world)
  assert.deepEqual(
    fold.sessions.map((session) => [session.day, session.views.length]),
    [
      [20513, 2],
      [20514, 1],
    ],
  )
  assert.equal(fold.target.get(late), undefined)
  assert.equal(foldHits([load('2026-03-01T23:29:00'), load('2026-03-02T00:00:00')], world).sessions.length, 2)
})

test('coming back after more than thirty minutes is a re-entry; after exactly thirty it is none', () => {
  assert.equal(only([load('2026-03-02T10:00:00'), load('2026-03-02T10:30:59')]).reEntries, 0)
  assert.equal(
    only([load('2026-03-02T10:00:59'), load('2026-03-02T10:31:00'), load('2026-03-02T12:00:00')]).reEntries,
    2,
  )
})

test('each visit is of its own first view, and one without a view is like the visit before it', () => {
  const first = load('2026-03-02T08:00:00', '/read')
  const session = only([
    first,
    load('2026-03-02T08:30:59', '/on', 'google'),
    ping('2026-03-02T12:00:00', first, 90, 50),
    click('2026-03-02T13:59:30', 'mail'),
    ping('2026-03-02T13:59:40', first, 95, 50),
    load('2026-03-02T14:00:00', '/news', 'google'),
    load('2026-03-02T14:10:00', '/more'),
    ping('2026-03-02T18:00:00', first, 99, 50),
  ])
  const told = session.visits.map((visit) => [visit['entry_path_full'], visit['source'], visit['link']])
  assert.deepEqual(told, [
    ['/read', 'Direct', ''],
    ['/read', 'Direct', ''],
    ['/news', 'Google', 'ln_mail'],
    ['/news', 'Google', 'ln_mail'],
  ])
  assert.equal(session.reEntries, 3)
})

test('a session began through the last link clicked in the minute before its entry, and by a person', () => {
  const entered = (...clicks: Click[]) => {
    const hits = [...clicks, load('2026-03-04T10:00:00')].toSorted((a, b) => a.at - b.at)
    const [session] = foldHits(hits, world).sessions
    const { link, link_group: group, channel_method: method } = describe(session!, world).texts
    return [link, group, method]
  }
  const [mail, talk, none] = [
    ['ln_mail', 'lg_one', 'link'],
    ['ln_talk', 'lg_two', 'link'],
    ['', '', 'none'],
  ]
  assert.deepEqual(entered(), none)
  assert.deepEqual(entered(click('2026-03-04T09:59:00', 'mail')), mail)
  assert.deepEqual(entered(click('2026-03-04T09:58:59', 'mail')), none)
  assert.deepEqual(entered(click('2026-03-04T09:59:30', 'mail', 'head')), none)
  assert.deepEqual(entered(click('2026-03-04T09:59:10', 'mail'), click('2026-03-04T09:59:50', 'talk')), talk)
  assert.deepEqual(entered(click('2026-03-04T09:59:10', 'mail'), click('2026-03-04T10:00:01', 'talk')), mail)
  assert.deepEqual(entered(click('2026-03-04T10:00:02', 'mail')), mail, 'clocks differ')
  assert.deepEqual(entered(click('2026-03-04T10:00:03', 'mail')), none)
})

test('a form is activity of the session that is current, ends a bounce and is found by its id', () => {
  const first = load('2026-03-02T10:00:00')
  const form = (time: string): Hit => ({ kind: 'form', at: at(time), visitor, load: first, form: 'Contact' })
  const isForm = (op: string, value?: string): Clause => ({ id: 'form', op, ...(value !== undefined && { value }) })
  const sent = only([first, form('2026-03-02T10:07:00')])
  assert.deepEqual([sent.bounced, sent.session.lastAt, sent.views], [false, at('2026-03-02T10:07:00'), 1])
  assert.equal(holds(sent, [isForm('equals', 'fm_contact'), isForm('starts_with', 'FM_')]), true)
  assert.equal(holds(sent, [isForm('not_equals', 'fm_contact')]), false)
  assert.equal(holds(only([first]), [isForm('is_not_set')]), true)
  // The next day nobody is there to whom it could be tied.
  assert.deepEqual(only([first, form('2026-03-03T10:00:00')]).forms, [])
})

test('bounced: one view, no event, under ten seconds', () => {
  const one = load('2026-03-02T10:00:00')
  assert.equal(only([one, ping('2026-03-02T10:00:20', one, 9, 50)]).bounced, true)
  assert.equal(only([one, ping('2026-03-02T10:00:20', one, 10, 50)]).bounced, false)
  assert.equal(
    only([one, { kind: 'event', at: one.at, visitor, load: one, by: 'server', name: 'a', value: null, meta: {} }])
      .bounced,
    false,
  )
  assert.equal(only([one, load('2026-03-02T10:00:01')]).bounced, false)
})

test('money is rounded for each event; the amount is in the currency named last', () => {
  const one = load('2026-03-02T10:00:00')
  const pay = (time: string, value: number, currency?: string): Hit => ({
    kind: 'acquisition',
    at: at(time),
    visitor,
    load: one,
    by: 'server',
    value,
    ...(currency && { currency }),
  })
  const session = only([
    one,
    pay('2026-03-02T11:00:00', 5, 'EUR'),
    pay('2026-03-02T12:00:00', 5),
    pay('2026-03-02T13:00:00', 100, 'JPY'),
  ])
  assert.equal(session.amountUsd, 6 + 6 + 67) // 5.5 cents are 6, twice
  assert.equal(session.amount, 8 + 8 + 100) // 5.5 cents are 8.2 yen
})

test('a fragment that is a route belongs to the path', () => {
  const paths = ['/a?b#c', '/a#/c', '/a#!/c', '/a#!c', ''].map((end) => pathOf(`https://a.example${end}`))
  assert.deepEqual(paths, ['/a', '/a#/c', '/a#!/c', '/a', '/'])
})

test('windows end at the next whole second and are cut into the calendar', () => {
  const now = at('2026-03-02T14:20:00.000')
  const window = windowOf({ period: 'last_7' }, now)
  assert.deepEqual([window.from, window.to], [at('2026-02-24T00:00:00'), at('2026-03-02T14:20:01')])
  assert.deepEqual(acceptedIntervals(window), ['day'])
  assert.equal(bucketsOf(window, 'day').length, 7)
  assert.equal(windowOf({ period: 'last_12_months' }, now).from, at('2025-04-01T00:00:00'))
  const custom = windowOf({ period: 'custom', date_from: '2026-02-20', date_to: '2026-03-02' }, now)
  assert.deepEqual(
    bucketsOf(custom, 'week').map((bucket) => bucket.to),
    [at('2026-02-27T00:00:00'), at('2026-03-03T00:00:00')],
  )
  assert.deepEqual(
    bucketsOf(custom, 'month').map((bucket) => bucket.to),
    [at('2026-03-01T00:00:00'), at('2026-03-03T00:00:00')],
  )
})

test('clauses: any of several values, none of them for negatives, one event for all event clauses', () => {
  const one = load('2026-03-02T10:00:00', '/Docs')
  const event = (name: string, value: string | number | null, meta: Record<string, string> = {}): Hit => ({
    kind: 'event',
    at: one.at,
    visitor,
    load: one,
    by: 'browser',
    name,
    value,
    meta,
  })
  const session = only([
    one,
    load('2026-03-02T10:01:00', '/b'),
    event('buy', 12, { plan: 'Pro', note: '' }),
    event('look', 'Gold'),
  ])
  const verdicts: [Clause[], boolean][] = [
    [[{ id: 'page_path', op: 'equals', value: ['/x', '/b'] }], true],
    [[{ id: 'page_path', op: 'not_equals', value: '/b' }], false],
    [[{ id: 'page_path', op: 'equals', value: '/docs' }], false],
    [[{ id: 'page_path', op: 'starts_with', value: '/docs' }], true],
    [[{ id: 'conversion', op: 'equals', value: ['cv_paid', 'cv_buy'] }], true],
    [[{ id: 'conversion', op: 'not_equals', value: 'cv_paid' }], true],
    [[{ id: 'conversion', op: 'equals', value: 'cv_docs' }], false],
    [[{ id: 'event_meta', op: 'contains', value: 'PLAN:p' }], true],
    [[{ id: 'event_meta', op: 'equals', value: 'plan:pro' }], false],
    [[{ id: 'event_meta', op: 'equals', value: 'note:' }], true],
    [
      [
        { id: 'event_name', op: 'equals', value: 'look' },
        { id: 'event_meta', op: 'is_not_set' },
      ],
      true,
    ],
    [
      [
        { id: 'event_name', op: 'equals', value: 'buy' },
        { id: 'event_meta', op: 'not_equals', value: 'plan:Pro' },
      ],
      false,
    ],
    [[{ id: 'country', op: 'not_contains', value: ['fra', 'x'] }], false],
    [
      [
        { id: 'utm_term', op: 'is_not_set' },
        { id: 'tag', op: 'is_not_set' },
      ],
      true,
    ],
    [
      [
        { id: 'event_name', op: 'equals', value: 'buy' },
        { id: 'event_value_num', op: 'gte', value: 12 },
      ],
      true,
    ],
    [
      [
        { id: 'event_name', op: 'equals', value: 'look' },
        { id: 'event_value_num', op: 'gte', value: 12 },
      ],
      false,
    ],
    [
      [
        { id: 'event_name', op: 'not_equals', value: 'buy' },
        { id: 'event_value', op: 'contains', value: 'GOLD' },
      ],
      true,
    ],
  ]
  for (const [clauses, expected] of verdicts) assert.equal(holds(session, clauses), expected, JSON.stringify(clauses))
})

test('a conversion is credited to the first session of its contact, whichever was named first, or to its own', () => {
  const days = ['2026-03-01', '2026-03-03', '2026-03-05'].map((day) => load(`${day}T10:00:00`))
  const [, , last] = days
  const named = (of: Load): Hit => ({ kind: 'identify', at: of.at, visitor, load: of, by: 'server', person: 'ann' })
  const buy: Hit = {
    kind: 'event',
    at: last!.at,
    visitor,
    load: last!,
    by: 'server',
    name: 'buy',
    value: null,
    meta: {},
  }
  const credited = (hits: Hit[], attribution: 'first' | 'last') => {
    const credit = creditOf(described(hits.toSorted((one, other) => one.at - other.at)), 'cv_buy', attribution)
    return [...credit].filter(([, times]) => times > 0).map(([session, times]) => [session.entryAt, times])
  }
  const [first, second, third] = days.map(({ at: entry }) => [[entry, 1]])
  const known = [...days, buy, named(days[1]!), named(last!)]
  assert.deepEqual(credited([...days, buy], 'first'), third, 'nobody knows whose it is')
  assert.deepEqual(credited(known, 'first'), second)
  assert.deepEqual(credited(known, 'last'), third)
  assert.deepEqual(credited([...known, named(days[0]!)], 'first'), first)
})

test('a right summary agrees, and one figure that is off is found and named', () => {
  const one = load('2026-03-02T10:00:00')
  const other = load('2026-03-01T09:00:00', '/', 'google')
  const sessions = described([other, ping('2026-03-01T09:00:09', other, 4, 30), one, load('2026-03-02T10:05:00')])
  const expected = metricsAnswer(
    { sessions, costs: [], now: at('2026-03-02T12:00:00') },
    { period: 'custom', date_from: '2026-03-02', date_to: '2026-03-02' },
    [],
  )
  const entry = (current: number, previous: number, percent: number | null, trend: string, trend_color: string) => ({
    current,
    previous,
    difference: current - previous,
    percent,
    percent_abs: percent === null ? null : Math.abs(percent),
    trend,
    trend_color,
  })
  const summary = {
    sessions: entry(1, 1, 0, 'flat', 'base'),
    views: entry(2, 1, 1, 'up', 'success'),
    views_session: entry(2, 1, 1, 'up', 'success'),
    bounce: entry(0, 1, -1, 'down', 'success'),
    duration: entry(0, 4, -1, 'down', 'danger'),
    scroll: entry(0, 30, -1, 'down', 'danger'),
    cost: entry(0, 0, 0, 'flat', 'base'),
    value: entry(0, 0, 0, 'flat', 'base'),
  }
  const answer = (changed: object) => ({
    analytics: { period_metrics: { can_compare: true, summary: { ...summary, ...changed } } },
  })
  const about = (got: unknown) => agrees(expected, got).filter((each) => each.path.includes('period_metrics'))
  assert.deepEqual(about(answer({})), [])
  assert.deepEqual(
    about(answer({ bounce: entry(0, 0, 0, 'flat', 'base') })).map((each) => each.path),
    ['analytics.period_metrics.summary.bounce.previous'],
  )
  assert.equal(about(answer({ views: entry(2, 1, 1, 'up', 'danger') })).length, 1)
})

test('an arrival is a page view within a minute after a click, and engaged is told by what came from there on', () => {
  const early = load('2026-03-04T08:00:00')
  const again = load('2026-03-04T10:00:05')
  const hits = [
    early,
    ping('2026-03-04T08:01:00', early, 40, -1),
    click('2026-03-04T10:00:00', 'mail'),
    click('2026-03-04T10:00:04', 'talk'),
    again,
    click('2026-03-04T11:00:00', 'talk'),
    click('2026-03-04T11:00:01', 'talk', 'head'),
  ]
  const told = (sent: readonly Hit[], path: string) => {
    const now = at('2026-03-04T12:00:00')
    const past = { hits: sent, fold: foldHits(sent, world), world, now }
    return expectedStatistics(past, windowOf({ period: 'today' }, now)).get(path)
  }
  const figures = { clicks: 1, visitors: 1, count_bots: 0, arrived: 1, already_on_site: 1, engaged: 0 }
  const rates = { arrival_rate: 1, engagement_rate: 0 }
  assert.deepEqual(agrees([told(hits, 'links/ln_mail')], { ...figures, ...rates }), [])
  assert.deepEqual(agrees([told(hits, 'link-groups/lg_two')], { ...figures, ...rates, clicks: 2, count_bots: 1 }), [])
  const stayed = [...hits, ping('2026-03-04T11:30:00', again, 10, -1)]
  assert.deepEqual(
    agrees([told(stayed, 'links/ln_mail')], { ...figures, engaged: 1, arrival_rate: 1, engagement_rate: 1 }),
    [],
  )
  const late = [early, click('2026-03-04T10:00:00', 'mail'), load('2026-03-04T10:01:00.001')]
  const nobody = { ...figures, arrived: 0, already_on_site: 0, arrival_rate: 0, engagement_rate: 0 }
  assert.deepEqual(agrees([told(late, 'links/ln_mail')], nobody), [])
})

test('a graph compares bucket by bucket and extrapolates the running one; live counts loads', () => {
  const sessions = described([load('2026-03-01T11:00:00'), load('2026-03-02T10:00:00'), load('2026-03-02T11:58:00')])
  const now = at('2026-03-02T11:59:59.200')
  const point = (label: string, value: number) => ({ label, value })
  const graph = graphAnswer(sessions, { period: 'month_to_date' }, [], { metric: 'views', compare: true }, now)
  const day = { inputs: { interval: 'day' }, options: { intervals: [{ id: 'day' }] } }
  const series = [point("Mar 1 '26", 1), point("Mar 2 '26", 2)]
  const projectedSeries = [point("Mar 1 '26", 1), point("Mar 2 '26", 4)]
  const previousSeries = [point("Mar 1 '26", 0), point("Mar 2 '26", 0)]
  assert.deepEqual(agrees(graph, { graph: { metric: 'views', series, previousSeries, projectedSeries }, ...day }), [])
  assert.equal(
    agrees(graph, {
      graph: { metric: 'views', series, previousSeries, projectedSeries: [] },
      ...day,
    }).length,
    3,
  )
  const live = liveAnswer(sessions, [], 'views_session', now)
  const labels = Array.from({ length: 10 }, (_, i) =>
    new Date(at('2026-03-02T11:55:00') + i * 30_000).toISOString().slice(11, 19),
  )
  const expected = labels.map((label) => point(label, label === '11:58:00' ? 1 : 0))
  assert.deepEqual(agrees(live, { graph: { metric: 'views_session', series: expected } }), [])
})
