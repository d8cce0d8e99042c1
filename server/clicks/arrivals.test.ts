// Sessions that begin through a short link: recognised, told from others, counted for the link, and previewed
// before there is one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import {
  CHROME,
  type Footfall,
  type Reply,
  startAgain,
  startFootfall,
  type Visitor,
} from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { utmNames } from '../links/link-model.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const SECOND = 1000

/** With a property for each test. */
const shared = await startFootfall({ after }, { now: NOON })

interface Made {
  readonly id: string
  readonly groupId: string
  readonly path: string
}

async function makeLink(footfall: Footfall, groupId: string, more: Record<string, unknown> = {}): Promise<Made> {
  const body = { group_id: groupId, destination_url: 'https://example.com/offer', domain: 'link-a', ...more }
  const { status, json, text } = await footfall.call('POST', '/v2/property/links', { body })
  assert.equal(status, 200, text)
  const { link } = json.data
  return { id: link.id, groupId, path: new URL(link.short_url).pathname }
}

async function makeGroup(footfall: Footfall, name: string): Promise<string> {
  return (await footfall.call('POST', '/v2/property/link-groups', { body: { name } })).json.data.group.id
}

/** @returns where the visitor was sent. */
async function click(
  footfall: Footfall,
  { path }: Made,
  visitor: Visitor,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await fetch(footfall.url + path, {
    redirect: 'manual',
    headers: {
      'x-forwarded-for': visitor.address ?? '203.0.113.7',
      'user-agent': visitor.agent ?? CHROME,
      'accept-language': visitor.language ?? 'en-GB,en;q=0.9',
      ...headers,
    },
  })
  assert.equal(answer.status, 302)
  return answer.headers.get('location')!
}

interface Document {
  readonly id: string
  readonly views: number
  readonly entry_ts: number
  readonly channel: object
  readonly channel_method: string
  readonly source_name: string
  readonly utm_source?: string
  readonly utm_medium?: string
  readonly utm_campaign?: string
}

async function documentsOf(footfall: Footfall, clauses: readonly object[] = []): Promise<readonly Document[]> {
  const { json } = await footfall.call('POST', '/v2/property/signals/sessions', {
    body: { period: 'last_7', clauses, limit: 100 },
  })
  return json.data
}

const idsOf = (documents: readonly { id: string }[]) => documents.map(({ id }) => id).toSorted()

const statisticsOf = (footfall: Footfall, what: string, query: Record<string, string> = {}): Promise<Reply> =>
  footfall.call('GET', `/manage/properties/${footfall.property.id}/${what}/statistics`, { query })

const callsOf =
  (footfall: Footfall): Footfall['call'] =>
  (...request) =>
    footfall.call(...request)

test('a session belongs to the link that its visitor clicked in the minute before its entry', async (t) => {
  const footfall = await startAgain(shared, NOON)
  const { clock, track } = footfall
  const group = await makeGroup(footfall, 'Spring')
  const [one, other] = [await makeLink(footfall, group), await makeLink(footfall, group, { domain: 'link-b' })]
  const cases: readonly {
    name: string
    clicks: readonly (readonly [after: number, link: Made, purpose?: string])[]
    at: number
    expected: Made | undefined
  }[] = [
    { name: 'at once', clicks: [[0, one]], at: 1, expected: one },
    { name: 'a whole minute later', clicks: [[0, one]], at: 60_000, expected: one },
    { name: 'more than a minute later', clicks: [[0, one]], at: 60_001, expected: undefined },
    {
      name: 'of two the last one',
      clicks: [
        [0, one],
        [20_000, other],
      ],
      at: 25_000,
      expected: other,
    },
    {
      name: 'of two the one in time',
      clicks: [
        [0, one],
        [600_000, other],
      ],
      at: 601_000,
      expected: other,
    },
    {
      name: 'a click after the entry',
      clicks: [
        [0, one],
        [70_000, other],
      ],
      at: 5_000,
      expected: one,
    },
    {
      name: 'of many the one before the entry, whatever is clicked later',
      clicks: [
        [0, one],
        [300_000, other],
        [301_500, one],
        [600_000, one],
      ],
      at: 301_000,
      expected: other,
    },
    { name: 'no click', clicks: [], at: 0, expected: undefined },
    { name: 'a click of a browser that fetches ahead', clicks: [[0, one, 'prefetch']], at: 2_000, expected: undefined },
  ]
  const expected = new Map<string, Made | undefined>()
  const sessions = new Map<string, string>()
  // Every case is a visitor of its own: what they do at the same moment they do together.
  const moments = cases.flatMap(({ name, clicks, at, expected: link }, index) => {
    const visitor = { address: `203.0.113.${index + 1}` }
    const load = async () => {
      const { json } = await track.load({ ...visitor, page: 'https://example.com/offer?utm_source=x' })
      expected.set(json.session_id, link)
      sessions.set(name, json.session_id)
    }
    const follow = (clicked: Made, purpose?: string) => () =>
      click(footfall, clicked, visitor, purpose === undefined ? {} : { 'sec-purpose': purpose })
    return [
      ...clicks.map(([after, clicked, purpose]) => ({ after, go: follow(clicked, purpose) })),
      { after: at, go: load },
    ]
  })
  for (const now of [...new Set(moments.map(({ after }) => after))].toSorted((a, b) => a - b)) {
    clock.set(NOON + now)
    await Promise.all(moments.filter(({ after }) => after === now).map(async ({ go }) => go()))
  }
  clock.advance(60_000)
  const documents = new Map((await documentsOf(footfall)).map((document) => [document.id, document]))
  for (const { name, expected: link } of cases)
    await t.test(name, () => {
      const document = documents.get(sessions.get(name)!)!
      assert.equal(document.channel_method, link ? 'link' : 'utm')
      assert.equal(document.source_name, 'X', 'where it comes from is told by its tags as ever')
    })

  await t.test('the link and its group are clauses like any other', async () => {
    const of = (wanted: (link: Made | undefined) => boolean) =>
      [...expected]
        .filter(([, link]) => wanted(link))
        .map(([id]) => id)
        .toSorted()
    const ask = async (...clauses: object[]) => idsOf(await documentsOf(footfall, clauses))
    assert.deepEqual(
      await ask({ id: 'link', op: 'equals', value: one.id }),
      of((link) => link === one),
    )
    assert.deepEqual(
      await ask({ id: 'link', op: 'equals', value: [one.id, other.id] }),
      of((link) => link !== undefined),
    )
    assert.deepEqual(
      await ask({ id: 'link', op: 'not_equals', value: one.id }),
      of((link) => link !== one),
    )
    assert.deepEqual(
      await ask({ id: 'link', op: 'is_set' }),
      of((link) => link !== undefined),
    )
    assert.deepEqual(
      await ask({ id: 'link_group', op: 'is_not_set' }),
      of((link) => link === undefined),
    )
    assert.deepEqual(
      await ask({ id: 'link_group', op: 'equals', value: group }),
      of((link) => link !== undefined),
    )
    assert.deepEqual(await ask({ id: 'link_group', op: 'equals', value: 'lg_other' }), [])
    assert.equal(of((link) => link === one).length, 3)
    assert.equal(of((link) => link === other).length, 3)
  })
})

test('a click without a page view is no session, anywhere', async () => {
  const footfall = await startAgain(shared, NOON)
  const { clock, track } = footfall
  const call = callsOf(footfall)
  const link = await makeLink(footfall, await makeGroup(footfall, 'Spring'))
  await click(footfall, link, {})
  clock.advance(5 * SECOND)
  const base = '/v2/property/signals'
  assert.deepEqual(await documentsOf(footfall), [])
  const metrics = (await call('POST', `${base}/analytics/metrics`, { body: { period: 'today' } })).json.analytics
  assert.equal(metrics.period_metrics.summary.sessions.current, 0)
  assert.equal(metrics.period_top_dimensions.count, 0)
  const live = (await call('POST', `${base}/analytics/live`, { body: {} })).json.graph.series
  assert.ok(live.every((point: { value: number }) => point.value === 0))
  const far = (
    await call('POST', `${base}/analytics/metrics`, {
      body: { period: 'custom', date_from: '2095-01-01', date_to: '2099-12-31' },
    })
  ).json
  assert.equal(far.analytics.period_top_dimensions.count, 0)
  const resolved = await track.resolve()
  assert.ok(!resolved.json.session_id && !resolved.json.data?.session_id, resolved.text)
  const { json } = await statisticsOf(footfall, `links/${link.id}`)
  assert.deepEqual([json.data.statistics.clicks, json.data.statistics.arrived], [1, 0])

  clock.advance(5 * SECOND)
  await track.load({ page: 'https://example.com/offer' })
  const session = (await documentsOf(footfall))[0]!
  assert.deepEqual([session.views, session.channel_method, session.entry_ts], [1, 'link', (NOON + 10 * SECOND) / 1000])
})

test('what became of the clicks of a link and of a group', async (t) => {
  const footfall = await startAgain(shared, NOON - 86_400_000 * 3)
  const { clock, track, property } = footfall
  const call = callsOf(footfall)
  const group = await makeGroup(footfall, 'Spring')
  const [one, two] = [await makeLink(footfall, group), await makeLink(footfall, group)]
  const visit = async (link: Made, address: string, more: { arrives?: boolean; stays?: boolean } = {}) => {
    await click(footfall, link, { address })
    clock.advance(SECOND)
    if (!more.arrives) return
    await track.load({ address })
    if (more.stays) await track.load({ address, page: 'https://example.com/more' })
  }
  await visit(one, '203.0.113.1', { arrives: true, stays: true }) // three days ago
  clock.set(NOON)
  await visit(one, '203.0.113.1')
  await visit(one, '203.0.113.1', { arrives: true, stays: true })
  await visit(one, '203.0.113.2', { arrives: true })
  await visit(one, '203.0.113.3')
  await visit(two, '203.0.113.4', { arrives: true, stays: true })
  await click(footfall, one, { address: '203.0.113.5', agent: SLACK })
  await click(footfall, one, { address: '203.0.113.6', agent: 'curl/8.9.1' })
  await click(footfall, one, { address: '203.0.113.6', agent: 'curl/8.9.1' })
  await track.load({ address: '203.0.113.7' }) // through no link
  clock.advance(SECOND)

  const today = { period: 'today' }
  const around = { period: 'today', date_from: null, date_to: null, showing: 'Today' }
  assert.deepEqual((await statisticsOf(footfall, `links/${one.id}`, today)).json.data.statistics, {
    ...around,
    clicks: 4,
    visitors: 3,
    bots: { agent: 2, preview: 1 },
    count_bots: 3,
    arrived: 2,
    already_on_site: 0,
    engaged: 1,
    arrival_rate: 0.6667,
    engagement_rate: 0.5,
  })
  assert.deepEqual((await statisticsOf(footfall, `link-groups/${group}`, today)).json.data.statistics, {
    ...around,
    clicks: 5,
    visitors: 4,
    bots: { agent: 2, preview: 1 },
    count_bots: 3,
    arrived: 3,
    already_on_site: 0,
    engaged: 2,
    arrival_rate: 0.75,
    engagement_rate: 0.6667,
  })
  const dates = { period: 'custom', date_from: '2026-11-17', date_to: '2026-11-17' }
  const earlier = (await statisticsOf(footfall, `links/${one.id}`, dates)).json.data.statistics
  assert.deepEqual([earlier.clicks, earlier.visitors, earlier.arrived, earlier.engaged, earlier.bots], [1, 1, 1, 1, {}])
  assert.deepEqual([earlier.date_from, earlier.date_to, earlier.showing], ['2026-11-17', '2026-11-17', '17 Nov 2026'])
  const week = (await statisticsOf(footfall, `links/${one.id}`)).json.data.statistics
  assert.deepEqual([week.period, week.clicks, week.visitors], ['last_7', 5, 4], 'a visitor of two days is two')
  const empty = (await statisticsOf(footfall, `links/${two.id}`, { period: 'yesterday' })).json.data.statistics
  assert.deepEqual([empty.clicks, empty.arrival_rate, empty.engagement_rate, empty.bots], [0, 0, 0, {}])

  await t.test('what cannot be is refused, and what is not there is not found', async () => {
    for (const query of [
      { period: 'fortnight' },
      { period: 'custom' },
      { period: 'custom', date_from: '2026-11-17', date_to: '1' },
    ]) {
      const { status, json } = await statisticsOf(footfall, `links/${one.id}`, query)
      assert.equal(status, 422, JSON.stringify(json))
    }
    const stranger = await footfall.addProperty()
    const paths = [
      `/manage/properties/${property.id}/links/ln_unknown/statistics`,
      `/manage/properties/${property.id}/link-groups/lg_unknown/statistics`,
      `/manage/properties/${stranger.id}/links/${one.id}/statistics`,
      `/manage/properties/${stranger.id}/link-groups/${group}/statistics`,
      `/manage/properties/pr_unknown/links/${one.id}/statistics`,
      `/manage/properties/%00/links/%00/statistics`,
    ]
    for (const path of paths) assert.equal((await call('GET', path)).status, 404, path)
    const path = `/manage/properties/${property.id}/links/${one.id}/statistics`
    assert.equal((await call('GET', path, { token: property.token })).status, 401)
    assert.equal((await call('GET', path, { token: null })).status, 401)
  })
})

test('the preview tells what a session through the link is counted as', async (t) => {
  const footfall = await startAgain(shared, NOON)
  const { clock, track } = footfall
  const call = callsOf(footfall)
  const group = await makeGroup(footfall, 'Spring')
  const rows: readonly { utm?: Record<string, string | null>; destination?: string; referrer?: string }[] = [
    {},
    { utm: {} },
    { utm: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'Spring Sale' } },
    { utm: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'brand', utm_term: 'shoes', utm_content: 'ad-7' } },
    { utm: { utm_source: 'facebook', utm_medium: 'paid_social' } },
    { utm: { utm_source: 'Partner & Söhne', utm_medium: 'affiliate' } },
    { utm: { utm_medium: 'social' }, referrer: 'https://t.co/abc' },
    { utm: { utm_campaign: 'alone' } },
    { utm: { utm_term: 'term alone' }, referrer: 'https://www.bing.com/' },
    { utm: { utm_source: 'sms', utm_medium: 'sms' } },
    { utm: { utm_source: 'new', utm_medium: 'push' }, destination: 'https://example.com/p?utm_source=old&a=%20b#part' },
    { destination: 'https://example.com/p?gclid=123' },
    { destination: 'https://elsewhere.example.org/p', referrer: 'https://example.com/own' },
    { referrer: 'https://chatgpt.com/' },
    { referrer: 'https://example.com/inside' },
    { referrer: 'https://mail.google.com/mail/u/0/' },
    { utm: { utm_source: '', utm_medium: null }, referrer: 'no address' },
    { utm: { utm_source: '日本', utm_campaign: '+%26&=#' }, destination: 'https://münchen.example/straße?q=ä' },
  ]
  // Each of a visitor of its own, who do the same at the same moments.
  const visits = await Promise.all(
    rows.map(async (row, index) => {
      const { utm, destination } = row
      const link = await makeLink(footfall, group, {
        destination_url: destination ?? 'https://example.com/',
        ...(utm && { utm }),
      })
      return { ...row, link, name: JSON.stringify(row), visitor: { address: `203.0.113.${index + 1}` } }
    }),
  )
  const clicked = await Promise.all(
    visits.map(async ({ link, visitor, referrer, ...visited }) => {
      const location = await click(footfall, link, visitor, referrer === undefined ? {} : { referer: referrer })
      return { ...visited, visitor, referrer, location }
    }),
  )
  clock.advance(SECOND)
  const loaded = await Promise.all(
    clicked.map(async ({ visitor, referrer, location, ...visited }) => {
      // What the browser has in its address bar, and the page on which the link stood.
      const page = { page: new URL(location).href, ...(referrer && { referrer }) }
      const { json } = await track.load({ ...visitor, ...page })
      return { ...visited, referrer, location, session: json.session_id }
    }),
  )
  const documents = await documentsOf(footfall)
  for (const { name, utm, destination, referrer, location, session } of loaded) {
    const ask = {
      ...(utm && { utm }),
      ...(destination && { destination_url: destination }),
      ...(referrer && { referrer }),
    }
    const preview = await call('POST', '/v2/property/attribution/preview', { body: ask })
    assert.equal(preview.status, 200, preview.text)
    const document = documents.find(({ id }) => id === session)!
    assert.equal(document.channel_method, 'link', name)
    const { data } = preview.json
    assert.deepEqual(data.channel, document.channel, name)
    assert.equal(data.source_name, document.source_name, name)
    assert.equal(data.destination_url, location, name)
    for (const key of ['utm_source', 'utm_medium', 'utm_campaign'] as const)
      assert.equal(data.utm[key], document[key] ?? null, name)
    assert.deepEqual(Object.keys(data.utm), ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'])
  }

  await t.test('what no link could have is refused by its name', async () => {
    const wrong: readonly [field: string, body: unknown][] = [
      ['destination_url', { destination_url: 'ftp://example.com/' }],
      ['destination_url', { destination_url: 'https://user:secret@example.com/' }],
      ['destination_url', { destination_url: `${footfall.context.config.baseUrl}/a/abcdefg` }],
      ['destination_url', { destination_url: ' ' }],
      ['destination_url', { destination_url: `https://example.com/${'🎉'.repeat(2020)}` }],
      ['destination_url', { destination_url: 'http://127.0.0.1/a/abcdefg' }],
      ['destination_url', { destination_url: `https://example.com/${'x'.repeat(2048)}` }],
      ['utm', { utm: 'newsletter' }],
      ['utm.utm_source', { utm: { utm_source: 'x'.repeat(256) } }],
      ['utm.utm_term', { utm: { utm_term: 7 } }],
      ['referrer', { referrer: 7 }],
      ['referrer', { referrer: 'x'.repeat(2049) }],
    ]
    for (const [field, body] of wrong) {
      const { status, json } = await call('POST', '/v2/property/attribution/preview', { body })
      assert.equal(status, 422, JSON.stringify(body))
      assert.deepEqual(Object.keys(json.errors), [field])
    }
    const said = async (body: unknown) =>
      (await call('POST', '/v2/property/attribution/preview', { body })).json.data.destination_url
    assert.equal(await said({ destination_url: '' }), await said({ destination_url: null }))
    const bare = await footfall.addProperty({ domains: '[]' })
    const nowhere = await call('POST', '/v2/property/attribution/preview', { body: {}, token: bare.token })
    assert.deepEqual([nowhere.status, Object.keys(nowhere.json.errors)], [422, ['destination_url']])
    const blind = await footfall.addToken(footfall.property.id, ['shortlinks:write'])
    assert.equal((await call('POST', '/v2/property/attribution/preview', { body: {}, token: blind })).status, 403)
  })

  await t.test('whatever is asked is previewed or refused', async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.constantFrom(
        'https://example.com/?%',
        'https://[::1]/',
        'https://x/?utm_source=%ff',
        'javascript:alert(1)',
        'http://a\r\nb',
      ),
    )
    const any = fc.oneof(text, text, fc.constant(null), fc.integer())
    const utm = fc.dictionary(fc.constantFrom(...utmNames, '__proto__', 'utm_id'), any)
    const body = fc.record({ utm: fc.oneof(utm, any), destination_url: any, referrer: any }, { requiredKeys: [] })
    clock.advance(60 * SECOND)
    await fc.assert(
      fc.asyncProperty(body, async (ask) => {
        const { status, json, text: answer } = await call('POST', '/v2/property/attribution/preview', { body: ask })
        assert.ok(status === 200 || status === 422, answer)
        if (status === 200) assert.ok(URL.canParse(json.data.destination_url) && json.data.channel.label !== '', answer)
      }),
      { numRuns: rounds(60, 3_000) },
    )
  })
})
