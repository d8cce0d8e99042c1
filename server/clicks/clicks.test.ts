import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { CHROME, type Footfall, startFootfall } from '../../test/support/server.ts'
import { DAY_MS, dayOf, dayText } from '../kernel/days.ts'
import type { ClickRow } from '../stores/tables.ts'
import { clickId, readClickId } from './clicks.ts'

const NOW = Date.parse('2026-11-20T13:05:07.250Z')
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

type Row = Partial<ClickRow> & { at: number; id: string }

/** Straight into the store, as the redirect would. */
async function store(footfall: Footfall, propertyId: string, rows: readonly Row[]): Promise<void> {
  const whole = rows.map((row) => ({
    property: propertyId,
    day: dayText(dayOf(row.at)),
    session_day: dayText(dayOf(row.at)),
    link: 'ln_one',
    link_group: 'lg_one',
    session: row.id,
    ...row,
  }))
  await footfall.context.facts.appendAll('clicks', whole)
}

const asVisitor = (address: string, agent = CHROME) => ({
  'x-forwarded-for': address,
  'user-agent': agent,
  'accept-language': 'en-GB,en;q=0.9',
})

const callsOf =
  (footfall: Footfall): Footfall['call'] =>
  (...request) =>
    footfall.call(...request)

test('each click has one id, and nothing else is one', () => {
  const day = fc.integer({ min: 0, max: 65_535 }).map(dayText)
  const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
  fc.assert(
    fc.property(day, number, (of, id) => {
      const text = clickId({ day: of, id })
      assert.match(text, /^ck_[0-9a-z]+_[0-9a-z]+$/)
      assert.deepEqual(readClickId(text), { day: of, id })
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^ck_[0-9a-zA-Z]{0,5}_[0-9a-zA-Z]{0,14}$/)), (text) => {
      const key = readClickId(text)
      if (key) assert.equal(clickId(key), text)
    }),
  )
  const wrong = [
    'ck_0_00',
    'ck_00_0',
    'ck_1ekg_0',
    'ck_0_3w5e11264sgsg',
    'ck_zzzz_0',
    'ck_0_3W5',
    'ck_0',
    '',
    'ck__',
    'ck_0_0\n',
  ]
  assert.deepEqual(
    wrong.map(readClickId),
    wrong.map(() => undefined),
  )
  assert.ok(readClickId('ck_1ekf_3w5e11264sgsf'), 'the last day and the largest number')
})

test('clicks', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { property } = footfall
  const call = callsOf(footfall)
  const list = async (query: Record<string, string | number> = {}) => {
    const reply = await call('GET', '/v2/property/clicks', { query })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }

  const secondOf = (text: string) => Date.parse(text) / 1000
  const rows: Row[] = [
    { id: '1', at: Date.parse('2026-11-18T23:59:59.999Z'), link: 'ln_a', link_group: 'lg_x' },
    {
      id: '2',
      at: Date.parse('2026-11-19T00:00:00.000Z'),
      link: 'ln_a',
      link_group: 'lg_x',
      is_bot: 1,
      bot_reason: 'preview',
      bot_name: 'Slackbot',
    },
    { id: '9', at: Date.parse('2026-11-19T10:00:00.500Z'), link: 'ln_b', link_group: 'lg_x' },
    { id: '10', at: Date.parse('2026-11-19T10:00:00.500Z'), link: 'ln_b', link_group: 'lg_x' },
    { id: '18446744073709551615', at: Date.parse('2026-11-19T10:00:00.750Z'), link: 'ln_c', link_group: 'lg_y' },
  ]
  await store(footfall, property.id, rows)
  const stranger = await footfall.addProperty()
  await store(footfall, stranger.id, [{ id: '77', at: rows[0]!.at, link: 'ln_a', link_group: 'lg_x' }])
  const idOf = (id: string) => clickId({ day: dayText(dayOf(rows.find((row) => row.id === id)!.at)), id })
  const order = ['18446744073709551615', '9', '10', '2', '1'].map(idOf)
  const idsIn = (page: { data: { id: string }[] }) => page.data.map((click) => click.id)

  await t.test(
    'the latest comes first, those of one millisecond by their number, on pages that name each other',
    async () => {
      const whole = await list()
      assert.deepEqual(idsIn(whole), order)
      assert.deepEqual([whole.total, whole.per_page, whole.last_page, whole.from, whole.to], [5, 25, 1, 1, 5])
      const pages = await Promise.all([1, 2, 3].map((page) => list({ page, per_page: 2 })))
      assert.deepEqual(pages.flatMap(idsIn), order)
      assert.equal(pages[0].next_page_url, 'http://footfall.test/v2/property/clicks?per_page=2&page=2')
      assert.equal(pages[2].prev_page_url, 'http://footfall.test/v2/property/clicks?per_page=2&page=2')
      assert.equal(pages[0].last_page_url, 'http://footfall.test/v2/property/clicks?per_page=2&page=3')
      assert.equal(pages[0].path, 'http://footfall.test/v2/property/clicks')
      assert.ok(Array.isArray(pages[0].links))
      const beyond = await list({ page: 1_000_000_000, per_page: 100 })
      assert.deepEqual([beyond.data, beyond.total, beyond.from], [[], 5, null])
    },
  )

  await t.test('filters hold together, and both ends of a window belong to it whole', async () => {
    const found = async (query: Record<string, string | number>) => idsIn(await list(query))
    assert.deepEqual(await found({ link_id: 'ln_a' }), ['2', '1'].map(idOf))
    assert.deepEqual(await found({ group_id: 'lg_x' }), order.slice(1))
    assert.deepEqual(await found({ group_id: 'lg_y', link_id: 'ln_a' }), [])
    assert.deepEqual(await found({ type: 'bot' }), [idOf('2')])
    assert.deepEqual(await found({ type: 'user', link_id: 'ln_a' }), [idOf('1')])
    const [midnight, ten] = [secondOf('2026-11-19T00:00:00Z'), secondOf('2026-11-19T10:00:00Z')]
    assert.deepEqual(await found({ from_ts: ten }), order.slice(0, 3))
    assert.deepEqual(await found({ from_ts: ten, to_ts: ten }), order.slice(0, 3), 'the last second with its fractions')
    assert.deepEqual(await found({ to_ts: ten - 1 }), order.slice(3))
    assert.deepEqual(await found({ from_ts: midnight, to_ts: midnight }), [idOf('2')])
    assert.deepEqual(await found({ from_ts: midnight - 1, to_ts: midnight - 1 }), [idOf('1')])
    assert.deepEqual(await found({ from_ts: ten + 1, to_ts: midnight }), [], 'no second is in it')
    assert.deepEqual(await found({ from_ts: 0, to_ts: 9_999_999_999 }), order)
    assert.deepEqual(await found({ from_ts: '', to_ts: '', link_id: '', group_id: '' }), order, 'left alone in a form')
    assert.deepEqual(await found({ type: '', page: '', per_page: '' }), order, 'and these')
    for (const id of ['ln_unknown', "'", '\0', 'x'.repeat(3000), '%', '🎉']) {
      assert.deepEqual(await found({ link_id: id }), [], JSON.stringify(id))
      assert.deepEqual(await found({ group_id: id }), [], JSON.stringify(id))
    }
    const { data } = await list({ group_id: 'lg_x', per_page: 1 })
    assert.equal(data.length, 1)
    const paged = await list({ group_id: 'lg_x', per_page: 1, type: 'user' })
    assert.equal(
      paged.next_page_url,
      'http://footfall.test/v2/property/clicks?group_id=lg_x&per_page=1&type=user&page=2',
    )
  })

  await t.test('what cannot be asked is refused by its name', async () => {
    const wrong: Record<string, readonly string[]> = {
      type: ['human', 'USER', ' '],
      from_ts: ['-1', '1.5', 'yesterday', '99999999999'],
      to_ts: ['-1', '1e3'],
      per_page: ['0', '101', 'all'],
      page: ['0', 'x'],
    }
    for (const [field, texts] of Object.entries(wrong)) {
      for (const text of texts) {
        const { status, json } = await call('GET', '/v2/property/clicks', { query: { [field]: text } })
        assert.equal(status, 422, `${field}=${text}`)
        assert.deepEqual(Object.keys(json.errors), [field])
      }
    }
    assert.equal((await call('GET', '/v2/property/clicks?link_id=a&link_id=b')).status, 422)
  })

  await t.test('a click is found by its id in its own property alone', async () => {
    const { status, json } = await call('GET', `/v2/property/clicks/${idOf('18446744073709551615')}`)
    assert.equal(status, 200)
    assert.equal(json.data.click.short_link_id, 'ln_c')
    const other = clickId({ day: '2026-11-18', id: '77' })
    assert.equal((await call('GET', `/v2/property/clicks/${other}`, { token: stranger.token })).status, 200)
    for (const id of [
      other,
      clickId({ day: '2026-11-17', id: '1' }),
      'ck_0_0',
      'ck_',
      'x',
      '%00',
      "ck_0_0'--",
      'x'.repeat(900),
    ]) {
      const reply = await call('GET', `/v2/property/clicks/${id}`)
      assert.equal(reply.status, 404, id)
      assert.equal(reply.json.error_code, 'not_found')
      assert.equal(reply.json.message, 'The click is not in this property.')
    }
    assert.equal((await list({ link_id: 'ln_a' })).total, 2, 'those of the other property are not among ours')
  })

  await t.test('both ask for the scope of reading', async () => {
    const blind = await footfall.addToken(property.id, ['shortlinks:write', 'signals:read'])
    for (const path of ['/v2/property/clicks', `/v2/property/clicks/${order[0]}`]) {
      assert.equal((await call('GET', path, { token: blind })).status, 403)
      assert.equal((await call('GET', path, { token: null })).status, 401)
    }
  })

  await t.test('a row that came twice is one click, in the list and in the counters', async () => {
    const twice: Row = { id: '5', at: NOW - DAY_MS * 3, link: 'ln_twice', link_group: 'lg_twice' }
    await store(footfall, property.id, [twice])
    await store(footfall, property.id, [twice, twice])
    const page = await list({ link_id: 'ln_twice' })
    assert.deepEqual([page.total, page.data.length], [1, 1])
  })
})

test('a click through the short link is shown with what is known of it, counts at once, and outlives its link', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { url } = footfall
  const call = callsOf(footfall)
  const group = (await call('POST', '/v2/property/link-groups', { body: { name: 'Spring' } })).json.data.group
  const made = await call('POST', '/v2/property/links', {
    body: {
      group_id: group.id,
      destination_url: 'https://example.com/offer',
      domain: 'link-a',
      utm: { utm_source: 'newsletter' },
    },
  })
  const { link } = made.json.data
  const visit = (headers: Record<string, string>, method = 'GET') =>
    fetch(`${url}/a/${link.code}`, { method, headers, redirect: 'manual' })
  const counts = async () => {
    const { json: one } = await call('GET', `/v2/property/links/${link.id}`)
    const { json: all } = await call('GET', '/v2/property/links')
    const { json: groups } = await call('GET', '/v2/property/link-groups')
    return [one.data.link.clicks, all.data.data[0].clicks, groups.data.groups[0].count_clicks]
  }

  assert.deepEqual(await counts(), [0, 0, 0])
  await visit({ ...asVisitor('203.0.113.1'), referer: 'https://www.google.com/search?q=offer' })
  assert.deepEqual(await counts(), [1, 1, 1])
  await visit(asVisitor('203.0.113.2'))
  await visit(asVisitor('203.0.113.3', SLACK))
  await visit(asVisitor('203.0.113.1'), 'HEAD')
  assert.deepEqual(await counts(), [2, 2, 2], 'programs are not counted')

  const page = (await call('GET', '/v2/property/clicks', { query: { link_id: link.id } })).json.data
  assert.equal(page.total, 4)
  const of = (key: string, value: unknown) => page.data.find((click: Record<string, unknown>) => click[key] === value)
  const person = of('referrer_domain', 'google.com')
  assert.deepEqual(person, {
    id: person.id,
    short_link_id: link.id,
    short_link_group_id: group.id,
    click_ts: Math.floor(NOW / 1000),
    type: 'user',
    referrer_domain: 'google.com',
    referrer_url: 'https://www.google.com/search?q=offer',
    country: null,
    country_code: null,
    region: null,
    city: null,
    device: 'desktop',
    browser: 'Chrome',
    os: 'Windows',
    is_bot: false,
    bot_name: null,
    bot_reason: null,
    count: 1,
    rule_id: null,
    is_scan: false,
    destination_url: 'https://example.com/offer?utm_source=newsletter',
  })
  const preview = of('bot_reason', 'preview')
  assert.deepEqual([preview.type, preview.is_bot, preview.bot_name], ['bot', true, 'Slackbot-LinkExpanding'])
  assert.equal(of('bot_reason', 'head').type, 'bot')
  assert.deepEqual((await call('GET', `/v2/property/clicks/${person.id}`)).json.data.click, person)

  assert.equal((await call('DELETE', `/v2/property/links/${link.id}`)).status, 200)
  assert.equal((await call('GET', '/v2/property/clicks', { query: { link_id: link.id } })).json.data.total, 4)
  assert.equal((await call('DELETE', `/v2/property/link-groups/${group.id}`)).status, 200)
  assert.equal((await call('GET', '/v2/property/clicks', { query: { group_id: group.id } })).json.data.total, 4)
  assert.equal((await call('GET', `/v2/property/clicks/${person.id}`)).status, 200)
})
