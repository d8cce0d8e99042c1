// Sessions that their owner marks as invalid are in no figure, as if they had never come; taken back,
// everything is as it was. Two properties have the same visitors, one of them some more: once those are
// marked, both answer the same.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ALLOW_LOOPBACK, automationCalls } from '../../test/support/automation-calls.ts'
import { askOverview, seededPick } from '../../test/support/overview-world.ts'
import { startFootfall, type TestProperty } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { readPhaseFigures } from '../content-results/facts.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const FIRST = Date.parse('2026-03-02T08:00:00Z')
const footfall = await startFootfall({ after }, { now: FIRST, env: ALLOW_LOOPBACK })
const { context, track, clock } = footfall

const manage = (site: TestProperty, method: string, path: string, body?: object) =>
  footfall.call(method, `/manage/properties/${site.id}${path}`, body === undefined ? {} : { body })

const mark = async (site: TestProperty, session: string, is_invalid: boolean) => {
  const { status, text } = await manage(site, 'POST', `/sessions/${session}/mark`, { is_invalid })
  assert.equal(status, 200, text)
}

/** @returns the id of the marking, once it is done. */
async function markMany(site: TestProperty, body: object): Promise<string> {
  const { status, json, text } = await manage(site, 'POST', '/session-marks', body)
  assert.equal(status, 200, text)
  await untilState(site, json.data.marking.id, 'marked')
  return json.data.marking.id
}

const markingOf = async (site: TestProperty, id: string) =>
  (await manage(site, 'GET', `/session-marks/${id}`)).json.data.marking

const untilState = (site: TestProperty, id: string, state: string) =>
  untilEqual(async () => (await markingOf(site, id)).state, state)

async function undo(site: TestProperty, id: string): Promise<void> {
  const { status, text } = await manage(site, 'POST', `/session-marks/${id}/undo`)
  assert.equal(status, 200, text)
  await untilState(site, id, 'undone')
}

/** As they are stored. */
async function countMarks({ id }: TestProperty): Promise<number> {
  const [rows] = await context.facts.query<{ number: string }>(
    'test.marks',
    'SELECT count() AS number FROM marks WHERE property = {property:String}',
    { property: id },
  )
  return Number(rows!.number)
}

/** What a dashboard asks of a window. */
async function everything(site: TestProperty) {
  const window = { period: 'custom', date_from: '2026-02-01', date_to: '2026-05-01' }
  const ask = async (path: string, body: object) => {
    const { status, json, text } = await footfall.call('POST', `/v2/property/signals/${path}`, {
      token: site.token,
      body,
    })
    assert.equal(status, 200, text)
    return json
  }
  const { cards, series, lists, countries, meta } = await askOverview(footfall, window, site.id)
  const { analytics } = await ask('analytics/metrics', window)
  const timeless = JSON.stringify(analytics, (key, value: unknown) => (key === 'query_ms' ? undefined : value))
  const { graph } = await ask('analytics/graph', { ...window, metric: 'views' })
  const { data: sessions } = await ask('sessions', { ...window, limit: 100 })
  const live = (await manage(site, 'POST', '/live', {})).json.data
  return {
    overview: [cards, series, lists, countries, meta.first_view_ts],
    analytics: JSON.parse(timeless) as unknown,
    graph: graph.series,
    entries: sessions.map(({ entry_ts }: { entry_ts: number }) => entry_ts),
    live: [live.count, live.series, live.pages, live.countries],
  }
}

/**
 * Visits of weeks, the same in each of the properties; the strangers come to the first one alone. @returns
 * the strangers' sessions.
 */
async function visitBoth(own: TestProperty, other: TestProperty): Promise<string[]> {
  const pick = seededPick(7)
  const strangers: string[] = []
  for (const day of [0, 6, 7, 17]) {
    clock.set(FIRST + day * DAY)
    for (let n = 0; n < 3; n++) {
      clock.advance(pick(40) * MINUTE)
      const isStranger = n === 2
      const address = isStranger ? '198.51.100.7' : `203.0.113.${pick(9)}`
      const page = `https://${isStranger ? 'evil.test' : 'example.com'}/${['', 'a', 'b'][pick(3)]}`
      const value = isStranger ? 99_000_000 : pick(900)
      const visitOne = async ({ key }: TestProperty) => {
        const { json } = await track.load({ key, address, page })
        assert.equal(json.success, true)
        await Promise.all([
          track.ping(json.view_id, { key, address, tos: 20, max: 50 }),
          track.event(json.session_id, 'signup', { key, address }),
          track.acquisition(json.session_id, { value, tags: [isStranger ? 'junk' : 'vip'] }, { key, address }),
        ])
        if (isStranger) strangers.push(json.session_id)
      }
      await Promise.all((isStranger ? [own] : [own, other]).map(visitOne))
    }
  }
  return strangers
}

const add = (row: object = {}) => footfall.addProperty(row)
const span = { from_ts: FIRST / 1000 - 86_400, to_ts: FIRST / 1000 + 60 * 86_400 }

test('marked sessions are in no figure, also of settled weeks, and everything is as before once that is taken back', async () => {
  const [own, other] = [await add(), await add()]
  const strangers = await visitBoth(own, other)
  const before = await everything(own)
  const without = await everything(other)
  assert.notDeepEqual(before, without)
  // Copies of weeks that are over hold the strangers by now.
  await context.facts.settle(clock.now() + 30 * DAY, false)
  assert.deepEqual(await everything(own), before)

  const { json } = await manage(own, 'POST', '/session-marks', { ...span, host: 'evil.test', is_trial: true })
  assert.deepEqual([json.data.trial.sessions, json.data.trial.hosts], [4, [{ id: 'evil.test', sessions: 4 }]])
  assert.equal(await countMarks(own), 0, 'a trial changes nothing')

  const id = await markMany(own, { ...span, host: 'evil.test' })
  assert.deepEqual(await everything(own), without)
  const { state, sessions, done } = await markingOf(own, id)
  assert.deepEqual([state, sessions, done], ['marked', 4, 4])
  await context.facts.settle(clock.now() + 30 * DAY, false)
  assert.deepEqual(await everything(own), without, 'as copied anew')

  await undo(own, id)
  assert.deepEqual(await everything(own), before)
  await context.facts.settle(clock.now() + 30 * DAY, false)
  assert.deepEqual(await everything(own), before)

  await Promise.all(strangers.map((session) => mark(own, session, true)))
  assert.deepEqual(await everything(own), without, 'one by one')
  assert.deepEqual(await everything(other), without, 'nobody else has lost anything')
  await Promise.all(strangers.map((session) => mark(own, session, false)))
  assert.deepEqual(await everything(own), before)
})

test('whatever a marked session does later is not counted either', async () => {
  const site = await add()
  const { session_id: session } = (await track.load({ key: site.key })).json
  await mark(site, session, true)
  await track.load({ key: site.key })
  await track.acquisition(session, { value: 500 }, { key: site.key })
  const { cards } = await askOverview(footfall, {}, site.id)
  assert.ok(cards.every(({ current }: { current: number | null }) => !current))
  const { session: shown } = (await manage(site, 'GET', `/sessions/${session}`)).json.data
  assert.equal(shown.is_invalid, true, 'its own page still tells of it')
  await mark(site, session, false)
  assert.equal((await manage(site, 'GET', `/sessions/${session}`)).json.data.session.is_invalid, false)
})

test('clicks of a marked session, and its arrival, are none of their link', async () => {
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group })
  const site = footfall.property
  const path = `/links/${link.id}/statistics?period=last_7`
  const figures = async () => (await manage(site, 'GET', path)).json.data.statistics
  const nothing = await figures()
  await visit(footfall.url, new URL(link.short_url).pathname, { address: '198.51.100.9' })
  const { session_id: session } = (await track.load({ address: '198.51.100.9' })).json
  const before = await figures()
  assert.notDeepEqual(before, nothing)
  await mark(site, session, true)
  assert.deepEqual(await figures(), nothing)
  await mark(site, session, false)
  assert.deepEqual(await figures(), before)
})

test('form steps and impressions of a marked session are in none of the figures', async () => {
  const site = await add()
  const { session_id: session } = (await track.load({ key: site.key, address: '198.51.100.10' })).json
  const [row] = await context.facts.query<{ day: string; session: string }>(
    'test.session',
    'SELECT day, session FROM sessions FINAL WHERE property = {property:String}',
    { property: site.id },
  )
  const { json } = await manage(site, 'POST', '/forms', { name: 'F', kind: 'open', domains: ['example.com'] })
  const form = json.data.form.id
  const at = clock.now()
  const own = { property: site.id, day: row!.day, session_day: row!.day, session: row!.session, at, id: '7' }
  await context.facts.append('form_events', { ...own, form, kind: 'view' })
  await context.facts.append('impressions', { ...own, block: 'cb_1', phase: 1, version: 've_1', request: '7' })
  const phase = { propertyId: site.id, blockId: 'cb_1', number: 1, startedMs: at - DAY, endedMs: at + DAY }
  const views = async () => {
    const { byVersion, bots } = await readPhaseFigures(context.facts, { ...phase, versions: ['ve_1'] }, undefined)
    const forms = (await manage(site, 'GET', '/forms')).json.data.data
    const statistics = (await manage(site, 'GET', `/forms/${form}/statistics?period=today`)).json.data
    return { forms, statistics, content: byVersion.get('ve_1'), bots }
  }
  const before = await views()
  await mark(site, session, true)
  const marked = await views()
  assert.deepEqual([before.content?.n, before.content?.views, marked.content], [1, 1, undefined])
  assert.deepEqual(marked.bots, before.bots)
  assert.notDeepEqual(marked.statistics, before.statistics)
  assert.notDeepEqual(marked.forms, before.forms)
  await mark(site, session, false)
  assert.deepEqual(await views(), before)
})

test('a marked session is in no list of its contact, and the tracking check looks past it', async () => {
  const site = await add()
  const load = async () => (await track.load({ key: site.key, page: 'https://evil.test/' })).json.session_id as string
  const session = await load()
  const identified = await footfall.call('POST', '/v2/property/contacts/identify', {
    token: site.token,
    body: { session_id: session, email: 'ada@example.com' },
  })
  assert.equal(identified.status, 200, identified.text)
  const { id } = identified.json.data.contact
  const listed = async () =>
    (await footfall.call('GET', `/v2/property/contacts/${id}/sessions`, { token: site.token })).json.data.sessions.map(
      (one: { id: string }) => one.id,
    )
  const hosts = async () => (await manage(site, 'GET', '/tracking')).json.data.hosts.length
  assert.deepEqual([await listed(), await hosts()], [[session], 1])
  await mark(site, session, true)
  assert.deepEqual([await listed(), await hosts()], [[], 0])
  await mark(site, session, false)
  assert.deepEqual([await listed(), await hosts()], [[session], 1])
})

test('nothing is told of a marked session any more, and of one that is valid again it is', async () => {
  const calls = automationCalls(footfall)
  await calls.add('event', 'signup')
  await calls.news()
  const address = '198.51.100.11'
  const { session_id: session } = (await track.load({ address })).json
  await mark(footfall.property, session, true)
  await track.event(session, 'signup', { address })
  const [row] = await calls.news()
  assert.deepEqual(await calls.told(row!), { skipped: 'The session is marked as invalid.' })
  await mark(footfall.property, session, false)
  assert.equal((await calls.told(row!)).data.session.id, session)
})

test('a marking takes back no more than it did, and what came after it stays', async () => {
  const site = await add()
  const load = async (address: string) => (await track.load({ key: site.key, address })).json.session_id as string
  const [first, second, third] = [await load('198.51.100.1'), await load('198.51.100.2'), await load('198.51.100.3')]
  const isInvalid = async (session: string) =>
    (await manage(site, 'GET', `/sessions/${session}`)).json.data.session.is_invalid
  const states = async () => [await isInvalid(first), await isInvalid(second), await isInvalid(third)]
  const window = { from_ts: Math.floor(clock.now() / 1000) - 60, to_ts: Math.floor(clock.now() / 1000) + 3600 }
  await mark(site, first, true)
  const id = await markMany(site, window)
  assert.deepEqual(await states(), [true, true, true])
  assert.equal((await markingOf(site, id)).done, 2)
  await mark(site, second, false)
  await mark(site, second, true)
  await undo(site, id)
  assert.deepEqual(await states(), [true, true, false])
  assert.equal((await manage(site, 'POST', `/session-marks/${id}/undo`)).status, 422)
  assert.deepEqual(
    (await manage(site, 'GET', '/session-marks')).json.data.data.map((one: { id: string }) => one.id),
    [id],
  )
})

test('a marking that was broken off is gone on with, and marks each session once', async () => {
  const site = await add()
  await Promise.all([0, 1, 2, 3, 4].map((n) => track.load({ key: site.key, address: `198.51.100.${n}` })))
  const nowTs = Math.floor(clock.now() / 1000)
  const { json } = await manage(site, 'POST', '/session-marks', { from_ts: nowTs - 60, to_ts: nowTs + 60 })
  const { id } = json.data.marking
  await untilState(site, id, 'marked')
  // As a node leaves it that is killed after the facts and before the records.
  await context.records
    .updateTable('session_marks')
    .set({ state: 'marking', done: 0, finished_ms: null, claimed_until_ms: clock.now() + 1000 })
    .where('id', '=', id)
    .execute()
  await context.markings.work()
  assert.equal((await markingOf(site, id)).state, 'marking', 'somebody else is at it')
  clock.advance(2000)
  await context.markings.work()
  assert.equal((await markingOf(site, id)).state, 'marked')
  assert.equal(await countMarks(site), 5)
})

test('what cannot be marked is refused with a reason', async () => {
  const site = await add()
  const { session_id: foreign } = (await track.load()).json
  const refused = async (path: string, body: object) => (await manage(site, 'POST', path, body)).status
  assert.equal(await refused(`/sessions/${foreign}/mark`, { is_invalid: true }), 404)
  assert.equal(await refused('/sessions/nonsense/mark', { is_invalid: true }), 404)
  const nowTs = Math.floor(clock.now() / 1000)
  for (const wrong of [
    { from_ts: 10, to_ts: 10 },
    { from_ts: nowTs + 60, to_ts: nowTs + 120 },
    { from_ts: 0, to_ts: nowTs },
    { from_ts: nowTs - 60, to_ts: nowTs, host: 'https://x.test/' },
    { from_ts: nowTs - 60 },
  ])
    assert.equal(await refused('/session-marks', wrong), 422, JSON.stringify(wrong))
  const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
  const { session_id: bot } = (await track.load({ key: site.key, agent })).json
  assert.equal(await refused(`/sessions/${bot}/mark`, { is_invalid: true }), 404)
})

test('a session whose property is deleted while it is being marked is not there any more', async (t) => {
  const site = await footfall.addProperty()
  const { session_id } = (await track.load({ key: site.key })).json
  const { facts, records } = context
  for (const name of ['query', 'lookup'] as const) {
    const real = facts[name].bind(facts)
    t.mock.method(facts, name, async (...[title, sql, params]: Parameters<typeof real>) => {
      const rows = await real(title, sql, params)
      await records.deleteFrom('properties').where('id', '=', site.id).execute()
      return rows
    })
  }
  const { status, json } = await manage(site, 'POST', `/sessions/${session_id}/mark`, { is_invalid: true })
  assert.deepEqual([status, json.error_code], [404, 'not_found'])
})
