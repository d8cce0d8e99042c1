// The story of a session, and the check of the tracking.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ALLOW_LOOPBACK, automationCalls } from '../../test/support/automation-calls.ts'
import { addBlock, renderIds, track as trackContent } from '../../test/support/content-calls.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import { readSessionId, sessionId } from '../kernel/ids.ts'
import { isOldLibrary, SERVED_LIBRARY } from '../tracking-check/tracking.ts'

const NOW = Date.parse('2026-11-20T13:05:00Z')
const ann = { address: '203.0.113.1' }
const HOSTILE = '<img src=x onerror=alert(1)>'

const callOf =
  (footfall: Footfall): Footfall['call'] =>
  (...asked) =>
    footfall.call(...asked)

test('the story of a session', async (t) => {
  const footfall = await startFootfall(t, { now: NOW, env: ALLOW_LOOPBACK })
  const { track, clock, property, context } = footfall
  const call = callOf(footfall)
  const automation = await automationCalls(footfall).add('event', 'signup', { name: 'Tell sales' })
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group, name: 'Flyer', destination_url: 'https://example.com/start' })
  const block = await addBlock(context.records, property.id, { versions: [{ label: 'Blue', html: '<p>Hi</p>' }] })
  const form = (
    await call('POST', `/manage/properties/${property.id}/forms`, { body: { name: 'Contact', kind: 'open' } })
  ).json.data.form

  const step = (work: () => Promise<unknown>) => work().finally(() => clock.advance(1_000))
  await step(() => visit(footfall.url, `/a/${link.code}`, ann))
  const entry = await track.load({ ...ann, page: 'https://example.com/start', title: HOSTILE })
  const session: string = entry.json.session_id
  await step(() => track.ping(entry.json.view_id, { ...ann, tos: 42, max: 80 }))
  await step(() => track.load({ ...ann, page: 'https://example.com/pricing', props: { plan: HOSTILE } }))
  const ids = await renderIds(footfall, block.key, ann)
  await step(() => trackContent(footfall, { ...ids, action: 'view', dwell_ms: 2600 }, ann))
  const { day, hash } = readSessionId(context.keys, property.id, session)!
  const sent = {
    property: property.id,
    form: form.id,
    form_name: 'Contact',
    id: '7',
    day: '2026-11-20',
    session_day: dayText(day),
    session: String(hash),
  }
  await step(() =>
    context.facts.append('form_events', { ...sent, kind: 'submit', at: clock.now(), submission: 'fs_1' }),
  )
  await step(() =>
    track.event(session, 'signup', { ...ann, value: HOSTILE, meta: { plan: 'pro', __proto__x: HOSTILE } }),
  )
  await step(() => track.acquisition(session, { value: 1999, currency_code: 'EUR', tags: ['shop:order:7'] }, ann))
  await step(() =>
    call('POST', '/v2/property/contacts/identify', {
      body: { session_id: session, email: 'ada@example.com' },
    }),
  )
  const path = (id: string, of = property.id) => `/manage/properties/${of}/sessions/${id}`

  await t.test('tells everything in the order of time, with the names that things have now', async () => {
    const { status, json, text } = await call('GET', path(session))
    assert.equal(status, 200, text)
    const at = (seconds: number) => NOW / 1000 + seconds
    const contact = json.data.session.contact_id
    assert.deepEqual(
      [json.data.session.contact_name, json.data.story.at(-1).title],
      ['ada@example.com', 'ada@example.com'],
    )
    const name = { first_name: 'Ada', last_name: 'Lovelace' }
    await call('POST', `/v2/property/contacts/${json.data.session.contact_id}`, { body: name })
    const { session: document, story: named } = (await call('GET', path(session))).json.data
    const told = named.map((one: { kind: string; id?: string }) => (one.kind === 'webhook' ? { ...one, id: '' } : one))
    assert.deepEqual(told, [
      { ts: at(0), kind: 'link', title: 'Flyer', detail: 'https://example.com/start', id: link.id },
      { ts: at(1), kind: 'page', title: HOSTILE, detail: 'https://example.com/start', seconds: 42, scroll: 80 },
      {
        ts: at(2),
        kind: 'page',
        title: '/pricing',
        detail: 'https://example.com/pricing',
        seconds: 0,
        properties: [{ key: 'plan', value: HOSTILE }],
      },
      { ts: at(3), kind: 'content', title: 'Banner', detail: 'Blue', id: block.id, status: 'view', seconds: 3 },
      { ts: at(4), kind: 'form', title: 'Contact', status: 'submit', detail: form.id, id: 'fs_1' },
      {
        ts: at(5),
        kind: 'event',
        title: 'signup',
        detail: HOSTILE,
        properties: [
          { key: '__proto__x', value: HOSTILE },
          { key: 'plan', value: 'pro' },
        ],
      },
      {
        ts: at(5),
        kind: 'webhook',
        title: 'Tell sales',
        detail: automation.actions[0]!.url,
        id: '',
        automation_id: automation.id,
        status: 'pending',
      },
      { ts: at(6), kind: 'money', title: '7', detail: 'shop:order:7', amount_cents: 1999, currency: 'EUR' },
      { ts: at(7), kind: 'contact', title: 'Ada Lovelace', id: contact },
    ])
    assert.deepEqual(
      [document.id, document.contact_name, document.views, document.channel_method],
      [session, 'Ada Lovelace', 2, 'link'],
    )
    await call('DELETE', `/v2/property/contacts/${contact}`)
    const { session: after, story } = (await call('GET', path(session))).json.data
    assert.deepEqual([after.contact_name, story.at(-1).title, JSON.stringify(story).includes('Ada')], [null, '', false])
  })

  await t.test('of no other property, of no bot, and of none that never was', async () => {
    const other = await footfall.addProperty()
    const bot = await track.load({ address: '203.0.113.9', agent: 'Googlebot/2.1' })
    const neverSeen = sessionId(context.keys, property.id, { day, hash: 5n })
    for (const [id, of] of [
      [session, other.id],
      [bot.json.session_id, property.id],
      [neverSeen, property.id],
      ['x', property.id],
      ['%00', property.id],
      ['a'.repeat(500), property.id],
    ])
      assert.equal((await call('GET', path(id, of))).status, 404, id)
    assert.equal((await call('GET', path(session), { token: null })).status, 401)
    assert.equal((await call('GET', path(session), { token: property.token })).status, 401)
  })
})

test('a view counts once in the check of the tracking, however often its row is sent in again', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { property, context } = footfall
  const rows = [1, 2, 3].map((view) => ({
    property: property.id,
    day: dayText(dayOf(NOW)),
    session: '7',
    view,
    at: NOW - view * 1000,
    seen: NOW,
    hostname: 'example.com',
  }))
  for (let start = 0; start < 3; start++) await context.facts.appendAll('views', rows)
  const { json } = await callOf(footfall)('GET', `/manage/properties/${property.id}/tracking`)
  assert.deepEqual(
    [json.data.views_24h, json.data.hosts, json.data.first_view_ts],
    [3, [{ host: 'example.com', views: 3, is_own: true }], NOW / 1000 - 3],
  )
})

test('the check of the tracking', async (t) => {
  const footfall = await startFootfall(t, { now: NOW - 10 * 86_400_000 })
  const { track, clock, property } = footfall
  const call = callOf(footfall)
  const look = async (headers: Record<string, string> = {}) => {
    const { status, json, text } = await call('GET', `/manage/properties/${property.id}/tracking`, { headers })
    assert.equal(status, 200, text)
    return json.data
  }
  const codesOf = ({ advice }: { advice: { code: string; text: string }[] }) => advice.map(({ code }) => code)
  const [nothing, empty] = [
    { first_view_ts: null, last_view_ts: null, views_24h: 0, hosts: [], libraries: [], refused: [], errors_24h: 0 },
    await look(),
  ]
  assert.deepEqual({ ...empty, advice: [] }, { ...nothing, advice: [] })
  assert.deepEqual(codesOf(empty), ['no_view'])

  await track.load({ address: '203.0.113.9', agent: 'Googlebot/2.1' })
  assert.deepEqual(codesOf(await look()), ['only_bots'])
  await track.load({ ...ann, library: '1.0.3' })
  const first = await look()
  assert.deepEqual(
    [first.first_view_ts, first.last_view_ts, first.views_24h],
    [clock.now() / 1000, clock.now() / 1000, 1],
  )
  assert.deepEqual(first.libraries, [{ version: '1.0.3', views: 1 }])
  assert.deepEqual(codesOf(first), ['old_library'])
  clock.advance(2 * 86_400_000)
  assert.deepEqual(codesOf(await look()), ['quiet', 'old_library'])

  clock.set(NOW)
  await track.load({ ...ann, library: `signals/${SERVED_LIBRARY}` })
  const now = await look()
  assert.deepEqual(
    [now.advice, now.libraries, now.hosts],
    [[], [{ version: SERVED_LIBRARY, views: 1 }], [{ host: 'example.com', views: 1, is_own: true }]],
  )
  await track.load({ ...ann, page: 'https://shop.example.com/', library: 'own script' })
  await track.load({ ...ann, page: 'https://example.com.evil.example/' })
  await call('POST', '/v2/lib/error', {
    headers: {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    },
    body: { property_id: property.id, lib: 'signals', error: 'TypeError: x' },
  })
  const later = await look()
  assert.deepEqual(later.hosts, [
    { host: 'example.com', views: 1, is_own: true },
    { host: 'example.com.evil.example', views: 1, is_own: false },
    { host: 'shop.example.com', views: 1, is_own: true },
  ])
  assert.deepEqual(
    [codesOf(later), later.errors_24h, later.first_view_ts],
    [['foreign_hosts', 'library_errors'], 1, first.first_view_ts],
  )
  assert.match(later.advice.at(-1)?.text ?? '', /under Bots, as “Library errors”/)
  await call('POST', `/manage/properties/${property.id}`, { body: { excluded_addresses: ['198.51.100.0/24'] } })
  assert.ok(codesOf(await look({ 'x-forwarded-for': '198.51.100.9' })).includes('excluded_self'))
  assert.ok(!codesOf(await look({ 'x-forwarded-for': '198.51.101.9' })).includes('excluded_self'))
  assert.equal((await call('GET', '/manage/properties/pr_none/tracking')).status, 404)
})

test('the library that is handed out is the one that counts as current', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../browser/package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  assert.equal(SERVED_LIBRARY, version)
  for (const [text, isOld] of [
    ['1.0.9', true],
    ['1.1.0', false],
    ['1.1', false],
    ['1', true],
    ['1.10.0', false],
    ['0.9', true],
    ['2', false],
    ['', false],
  ] as const)
    assert.equal(isOldLibrary(text), isOld, text)
})
