// The score and the figures of a form through the front door: who sends it, what becomes of it, what its
// owner is told.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Form, type FormFlow, flowOf, type From, personSignals, sent } from '../../test/support/form-flow.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const MESSAGE = 'Could you tell me what a lovelace costs this year, and whether there are any left of the last one?'
const fields = { fields: { name: 'text', email: 'email', message: 'textarea' } }

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON })
  flow = flowOf(footfall)
})
after(async () => {
  for (const close of closers) await close()
})

interface Sending extends From {
  readonly waitMs?: number
  readonly signals?: object | null
  readonly data?: Readonly<Record<string, unknown>>
  /** False: the invisible field is left out. */
  readonly hasTrap?: boolean
}

const person = { name: 'Ada Byron', email: 'ada@example.com', message: MESSAGE }

let durations = 21_000

/** One form session from init to process. @returns what was stored of it. */
async function send(form: Form, { waitMs = 45_000, signals = {}, data = person, hasTrap = true, ...from }: Sending) {
  const opened = await flow.open(form, fields, from)
  footfall.clock.advance(waitMs)
  const body = sent(opened, data)
  const { [opened.hp]: trap, ...bare } = body.data
  const all = {
    map: body.map,
    data: hasTrap ? { ...bare, [opened.hp]: trap } : bare,
    ...(signals && { _sig: { ...personSignals, dur: ++durations, ...signals } }),
  }
  const reply = await flow.process(opened.token, all, from)
  assert.deepEqual([reply.status, reply.json.validated], [200, true], reply.text)
  const stored = await footfall.context.records
    .selectFrom('submissions')
    .select(['verdict', 'score', 'reasons'])
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  const reasons = JSON.parse(stored.reasons) as { reason: string }[]
  return { verdict: stored.verdict, score: stored.score, reasons: reasons.map(({ reason }) => reason) }
}

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`

test('a person is clean; a request under its own name is dropped; each with its reasons', async () => {
  const form = await flow.create(footfall.property.id)
  assert.deepEqual(await send(form, { address: newAddress() }), { verdict: 'clean', score: 0, reasons: [] })
  const bare = { waitMs: 50, signals: null, hasTrap: false, agent: 'python-requests/2.32' }
  const data = { ...person, message: '<a href="https://x.example">x</a>' }
  assert.deepEqual(await send(form, { ...bare, data, address: newAddress() }), {
    verdict: 'dropped',
    score: 100,
    reasons: ['bot_agent', 'instant', 'trap_absent', 'no_signals', 'link_markup'],
  })
})

test('an autofilled form that is sent at once by a browser without a visit is clean', async () => {
  const form = await flow.create(footfall.property.id)
  await footfall.track.load({ address: '192.0.2.1' }) // pages are measured
  const found = await send(form, {
    address: newAddress(),
    waitMs: 150,
    data: { name: 'Ida Rhodes', email: 'ida@example.com' },
    signals: { dur: 90, k: 1, f: 1, m: 0, s: 0, t: 2, p: 0, l: 0 },
  })
  assert.deepEqual(found, { verdict: 'clean', score: 31, reasons: ['quick', 'no_plugins', 'no_languages', 'no_visit'] })
})

test('the visit behind a form speaks for its visitor', async () => {
  const form = await flow.create(footfall.property.id)
  const visitor = { address: newAddress(), language: 'en-GB,en;q=0.9' }
  const { json } = await footfall.track.load(visitor)
  await footfall.track.ping(json.view_id, { ...visitor, tos: 30 })
  const data = { ...person, name: 'Edith' }
  const { reasons, score } = await send(form, {
    ...visitor,
    data,
    signals: null,
    headers: { 'x-svc-sid': json.session_id },
  })
  assert.deepEqual([reasons, score], [['no_signals', 'engaged'], 5])
})

test('one text in bulk from many addresses is told apart from the first of it', async () => {
  const form = await flow.create(footfall.property.id)
  const data = { ...person, message: `${MESSAGE} Buy!` }
  const found = []
  for (let n = 0; n < 5; n++)
    found.push((await send(form, { address: newAddress(), data, waitMs: 100, signals: null })).verdict)
  assert.deepEqual(found, ['flagged', 'flagged', 'flagged', 'dropped', 'dropped'])
})

test('recorded signals that come with ever other texts are told apart from the second on', async () => {
  const form = await flow.create(footfall.property.id)
  const found = []
  for (let n = 0; n < 3; n++) {
    const data = { ...person, message: `${n} ${MESSAGE}` }
    const { reasons } = await send(form, { address: newAddress(), data, signals: { dur: 31_337 } })
    found.push(reasons.filter((reason) => reason.startsWith('replayed')))
  }
  assert.deepEqual(found, [[], ['replayed'], ['replayed_often']])
})

test('who fills in the invisible field and comes back without it is known', async () => {
  const form = await flow.create(footfall.property.id)
  const from = { address: newAddress() }
  const opened = await flow.open(form, fields, from)
  const { data, ...rest } = sent(opened, person)
  const trapped = await flow.process(opened.token, { ...rest, data: { ...data, [opened.hp]: 'x' } }, from)
  assert.equal(trapped.status, 403)
  const message = `${MESSAGE} Again.`
  const { verdict, reasons } = await send(form, { ...from, waitMs: 200, data: { ...person, message } })
  assert.deepEqual([verdict, reasons.slice(0, 2)], ['dropped', ['instant', 'trap_before']])
})

test('an owner sees what became of a form, and of no other one', async () => {
  const form = await flow.create(footfall.property.id)
  const other = await footfall.addProperty()
  const statistics = async (query: Record<string, string> = {}, of = footfall.property.id, id = form.id) =>
    footfall.call('GET', `/manage/properties/${of}/forms/${id}/statistics`, { query })
  const visitor = { address: newAddress(), language: 'en-GB,en;q=0.9' }
  const { json: loaded } = await footfall.track.load(visitor)
  const at = (day: number) => new Date(day).toISOString().slice(0, 10)
  await send(form, { address: newAddress(), data: { ...person, name: 'Grace' } })
  await send(form, { address: newAddress(), data: { ...person, name: 'Joan' }, waitMs: 0, signals: null })
  await send(form, { address: newAddress(), waitMs: 0, signals: { w: 1 }, data: { ...person, name: 'Bot' } })
  await flow.open(form, fields, { address: newAddress() })
  const opened = await flow.open(form, fields, { address: newAddress() })
  assert.equal((await flow.validate(opened.token, { data: {} }, { address: `198.51.100.${addresses}` })).status, 200)
  await flow.open(form, fields, { address: newAddress(), agent: 'curl/8.9.1' })
  await send(form, { ...visitor, headers: { 'x-svc-sid': loaded.session_id }, data: { ...person, name: 'Ida' } })

  const { status, json } = await statistics({ period: 'today' })
  assert.equal(status, 200)
  assert.deepEqual(json.data.statistics, {
    period: 'today',
    date_from: null,
    date_to: null,
    showing: 'Today',
    views: 6,
    opened: 5,
    submitted: 3,
    flagged: 1,
    dropped: 1,
    bots: { views: 1, opened: 0, submitted: 0 },
    rate: 0.5,
    rate_opened: 0.8333,
    by_source: [{ source: '', views: 6, opened: 5, submitted: 3, rate: 0.5 }],
    by_country: [],
  })
  assert.equal((await statistics()).json.data.statistics.period, 'last_7')
  const custom = { period: 'custom', date_from: at(NOON - 86_400_000), date_to: at(NOON - 86_400_000) }
  assert.equal((await statistics(custom)).json.data.statistics.views, 0)
  assert.equal((await statistics({ period: 'never' })).status, 422)
  assert.equal((await statistics({}, other.id)).status, 404)
  assert.equal((await statistics({}, footfall.property.id, 'fm_none')).status, 404)
  const path = `/manage/properties/${footfall.property.id}/forms/${form.id}/statistics`
  assert.equal((await footfall.call('GET', path, { token: null })).status, 401)
  assert.equal((await footfall.call('GET', path, { token: footfall.token })).status, 401)

  const sessions = async (...clauses: object[]) => {
    const reply = await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today', clauses } })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json.data as { id: string }[]).map(({ id }) => id)
  }
  assert.deepEqual(await sessions({ id: 'form', op: 'equals', value: form.id }), [loaded.session_id])
  assert.deepEqual(await sessions({ id: 'form', op: 'equals', value: 'fm_none' }), [])
  assert.equal((await sessions({ id: 'form', op: 'is_set' })).includes(loaded.session_id), true)
  const without = await sessions({ id: 'form', op: 'not_equals', value: form.id })
  assert.deepEqual([without.includes(loaded.session_id), without.length > 0], [false, true])
})
