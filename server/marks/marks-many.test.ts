// Marking and taking back thousands of sessions, in several steps: whatever breaks off in the middle is gone
// on with, and nothing stays half marked. What contacts count follows, and so does whoever is linked to a
// session that is invalid already.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askOverview } from '../../test/support/overview-world.ts'
import { startFootfall, type TestProperty } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { dayText } from '../kernel/days.ts'
import { openMarkings } from './work.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-03-18T12:00:00Z')
const footfall = await startFootfall({ after }, { now: NOW })
const { context, track, clock } = footfall
const { facts, records } = context

const manage = (site: TestProperty, method: string, path: string, body?: object) =>
  footfall.call(method, `/manage/properties/${site.id}${path}`, body === undefined ? {} : { body })

/** Three days with so many sessions each: more than two steps, none of which ends with a day. */
const EACH = 900
const ALL = 3 * EACH

async function fill(site: TestProperty): Promise<void> {
  const first = NOW - 3 * DAY
  const rows = Array.from({ length: ALL }, (_, n) => {
    const at = first + (n % 3) * DAY
    const day = dayText(Math.floor(at / DAY))
    return { property: site.id, day, session: String(n + 1), view: 1, at, seen: at, network: n < 5 ? 'Good' : 'Evil' }
  })
  await facts.appendAll('views', rows)
}

async function counted(site: TestProperty): Promise<number> {
  const body = { period: 'last_7', limit: 1 }
  return (await footfall.call('POST', '/v2/property/signals/sessions', { token: site.token, body })).json.total
}

const span = { from_ts: (NOW - 10 * DAY) / 1000, to_ts: NOW / 1000 }

async function begin(site: TestProperty, body: object = {}): Promise<string> {
  const { status, json, text } = await manage(site, 'POST', '/session-marks', { ...span, ...body })
  assert.equal(status, 200, text)
  return json.data.marking.id
}

const markingOf = async (site: TestProperty, id: string) => {
  const { state, done, finished_ts } = (await manage(site, 'GET', `/session-marks/${id}`)).json.data.marking
  return { state, done, isFinished: finished_ts !== null }
}

const isDone = (site: TestProperty, id: string, state: string, done: number) =>
  untilEqual(() => markingOf(site, id), { state, done, isFinished: true })

test('thousands are marked and taken back in steps, each once', async () => {
  const site = await footfall.addProperty()
  await fill(site)
  assert.equal(await counted(site), ALL)
  const id = await begin(site, { network: 'Evil' })
  await isDone(site, id, 'marked', ALL - 5)
  assert.equal(await counted(site), 5)
  await manage(site, 'POST', `/session-marks/${id}/undo`)
  await isDone(site, id, 'undone', 0)
  assert.equal(await counted(site), ALL)
  const [row] = await facts.query<{ rows: string }>(
    'test.marks',
    'SELECT count() AS rows FROM marks WHERE property = {property:String}',
    { property: site.id },
  )
  assert.equal(Number(row?.rows), 2 * (ALL - 5))
})

type Stage = 'before the facts' | 'after the facts'

/**
 * The second insert of marks from now on breaks off, as when a process dies or the store goes away;
 * everything after it too.
 */
function breakOff(t: { mock: typeof test.mock }, stage: Stage) {
  const append = facts.appendAll.bind(facts)
  let inserts = 0
  return t.mock.method(facts, 'appendAll', async (...row: Parameters<typeof append>) => {
    if (row[0] !== 'marks') return append(...row)
    inserts++
    if (inserts === 2 && stage === 'after the facts') await append(...row)
    if (inserts >= 2) throw new Error('broken off')
    return append(...row)
  })
}

for (const stage of ['before the facts', 'after the facts'] as const)
  test(`what breaks off in a second step, ${stage}, is gone on with, and everything is marked or nothing is`, async (t) => {
    const site = await footfall.addProperty()
    await fill(site)
    const onlyOneStep = breakOff(t, stage)
    const id = await begin(site)
    const left = stage === 'before the facts' ? ALL - 1000 : ALL - 2000
    await untilEqual(() => counted(site), left)
    assert.deepEqual(await markingOf(site, id), { state: 'marking', done: 1000, isFinished: false })
    onlyOneStep.mock.restore()
    await context.markings.work()
    assert.equal((await markingOf(site, id)).state, 'marking', 'whoever was at it may still be')
    clock.advance(31_000)
    await context.markings.work()
    await isDone(site, id, 'marked', ALL)
    assert.equal(await counted(site), 0)

    const undoing = breakOff(t, stage)
    await manage(site, 'POST', `/session-marks/${id}/undo`)
    await untilEqual(() => counted(site), ALL - left)
    undoing.mock.restore()
    clock.advance(31_000)
    await context.markings.work()
    await isDone(site, id, 'undone', 0)
    assert.equal(await counted(site), ALL)
  })

test('a node that stops in the middle leaves the rest to whoever comes next, at once', async (t) => {
  const site = await footfall.addProperty()
  await fill(site)
  const counts = { takeIn: async () => undefined, takeInFrom: async () => undefined }
  const node = openMarkings({ ...context, counts })
  const append = facts.appendAll.bind(facts)
  let closed: Promise<void> | undefined
  const watched = t.mock.method(facts, 'appendAll', async (...row: Parameters<typeof append>) => {
    await append(...row)
    if (row[0] === 'marks') closed ??= node.close()
  })
  t.mock.method(context.markings, 'work', () => node.work())
  const id = await begin(site)
  await untilEqual(() => counted(site), ALL - 1000)
  t.mock.restoreAll()
  watched.mock.restore()
  await closed
  await context.markings.work()
  await isDone(site, id, 'marked', ALL)
  assert.equal(await counted(site), 0)
})

// ---------------------------------------------------------------- contacts

async function visit(site: TestProperty, address: string): Promise<string> {
  return (await track.load({ key: site.key, address })).json.session_id
}

async function identify(site: TestProperty, session_id: string, external_id = '1') {
  const { status, json, text } = await footfall.call('POST', '/v2/property/contacts/identify', {
    token: site.token,
    body: { session_id, external_id },
  })
  assert.equal(status, 200, text)
  return json.data.contact
}

async function told(site: TestProperty, id: string) {
  const { contact } = (await footfall.call('GET', `/v2/property/contacts/${id}`, { token: site.token })).json.data
  const list = (await footfall.call('GET', `/v2/property/contacts/${id}/sessions`, { token: site.token })).json.data
  const { session_count, first_seen_ts, last_seen_ts } = contact
  return { session_count, first_seen_ts, last_seen_ts, listed: list.sessions.length }
}

const mark = async (site: TestProperty, session: string, is_invalid: boolean) => {
  const { status, text } = await manage(site, 'POST', `/sessions/${session}/mark`, { is_invalid })
  assert.equal(status, 200, text)
}

test('a contact counts its valid sessions alone, whichever way they are marked, and is seen in no other', async () => {
  const site = await footfall.addProperty()
  const first = await visit(site, '198.51.100.1')
  const firstTs = Math.floor(clock.now() / 1000)
  clock.advance(60_000)
  const second = await visit(site, '198.51.100.2')
  clock.advance(60_000)
  const { id } = await identify(site, first)
  await identify(site, second)
  const identifiedTs = Math.floor(clock.now() / 1000)
  clock.advance(60_000)
  await track.event(second, 'late', { key: site.key, address: '198.51.100.2' })
  const lateTs = Math.floor(clock.now() / 1000)
  const before = await told(site, id)
  assert.deepEqual(before, { session_count: 2, first_seen_ts: firstTs, last_seen_ts: lateTs, listed: 2 })

  await mark(site, first, true)
  await mark(site, first, true)
  assert.deepEqual(await told(site, id), { ...before, session_count: 1, first_seen_ts: firstTs + 60, listed: 1 })
  await mark(site, second, true)
  const none = { session_count: 0, first_seen_ts: identifiedTs, last_seen_ts: identifiedTs, listed: 0 }
  assert.deepEqual(await told(site, id), none)
  await mark(site, first, false)
  await mark(site, second, false)
  assert.deepEqual(await told(site, id), before)

  const marking = await begin(site, { to_ts: Math.floor(clock.now() / 1000) + 60 })
  await isDone(site, marking, 'marked', 2)
  assert.deepEqual(await told(site, id), none)
  await manage(site, 'POST', `/session-marks/${marking}/undo`)
  await isDone(site, marking, 'undone', 0)
  assert.deepEqual(await told(site, id), before)
})

test('a session that is invalid when it gets its contact is not counted, until it is valid', async () => {
  const site = await footfall.addProperty()
  const session = await visit(site, '198.51.100.3')
  await mark(site, session, true)
  const { id, session_count } = await identify(site, session)
  assert.deepEqual([session_count, (await told(site, id)).session_count], [0, 0])
  await mark(site, session, false)
  assert.equal((await told(site, id)).session_count, 1)
})

test('a contact that was not told before a crash is told later', async (t) => {
  const site = await footfall.addProperty()
  const session = await visit(site, '198.51.100.4')
  const { id } = await identify(site, session)
  const shown = t.mock.method(facts, 'marksShown', async () => {
    throw new Error('the process died here')
  })
  assert.equal((await manage(site, 'POST', `/sessions/${session}/mark`, { is_invalid: true })).status, 500)
  shown.mock.restore()
  assert.equal((await told(site, id)).session_count, 1)
  clock.advance(31_000)
  await context.markings.work()
  assert.equal((await told(site, id)).session_count, 0)
  const left = await records.selectFrom('session_marks').selectAll().where('property_id', '=', site.id).execute()
  assert.deepEqual(left, [])
})

test('the first visit is the first one that counts', async () => {
  const site = await footfall.addProperty()
  const firstTs = async () => (await askOverview(footfall, { period: 'today' }, site.id)).meta.first_view_ts
  const [atTs, first] = [Math.floor(clock.now() / 1000), await visit(site, '198.51.100.7')]
  assert.equal(await firstTs(), atTs)
  clock.advance(60_000)
  const second = await visit(site, '198.51.100.8')
  await mark(site, first, true)
  assert.equal(await firstTs(), atTs + 60)
  await mark(site, second, true)
  assert.equal(await firstTs(), null)
  await mark(site, second, false)
  await mark(site, first, false)
  assert.equal(await firstTs(), atTs)
})

test('sessions that were marked by themselves are listed, the last one first, until they are taken back', async () => {
  const site = await footfall.addProperty()
  const listed = async () =>
    (await manage(site, 'GET', '/marked-sessions')).json.data.data.map((one: { session_id: string }) => one.session_id)
  const [first, second] = [await visit(site, '198.51.100.5'), await visit(site, '198.51.100.6')]
  await mark(site, first, true)
  clock.advance(5000)
  await mark(site, second, true)
  assert.deepEqual(await listed(), [second, first])
  const { data } = (await manage(site, 'GET', '/marked-sessions')).json.data
  assert.deepEqual(
    [data[0].marked_ts, data[0].host, data[0].path],
    [Math.floor(clock.now() / 1000), 'example.com', '/'],
  )
  await mark(site, second, false)
  assert.deepEqual(await listed(), [first])
  await begin(site, { to_ts: Math.floor(clock.now() / 1000) + 60 })
  await untilEqual(() => counted(site), 0)
  assert.deepEqual(await listed(), [first], 'the other is of a marking')
  assert.deepEqual((await manage(await footfall.addProperty(), 'GET', '/marked-sessions')).json.data.data, [])
})
