// The form flow through the front door: what is held for a form session and for how long, how much of it one
// address may hold, by whom what was sent is found, and what a call waits for.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contactFields, flowOf, type Form, type FormFlow, sent, signature } from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { addFormSession } from '../../test/support/submissions.ts'
import type { Wait } from '../queues/deadline.ts'
import { validateForm } from './check.ts'
import { initForm } from './init.ts'
import { processForm } from './process.ts'
import { letFrozenGo } from '../submissions/retention.ts'
import { addressMac, type Caller } from './form-sessions.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const MINUTE = 60_000
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

const answers = { name: 'Ada', email: 'Ada@Example.com' }

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(3_600_000)
})

const frozenOf = (honeypot: string) =>
  footfall.context.records
    .selectFrom('form_sessions')
    .select(['fields', 'validation', 'success_html', 'frozen_bytes'])
    .where('honeypot', '=', honeypot)
    .executeTakeFirstOrThrow()

const nothing = { fields: '[]', validation: '{}', success_html: null, frozen_bytes: 0 }

test('what a form session has frozen goes with its use; a try that was refused leaves it', async () => {
  const opened = await flow.open(form, { fields: { name: 'text', email: 'email' }, successContent: '<b>ü</b>' })
  const { fields, validation, frozen_bytes } = await frozenOf(opened.hp)
  assert.equal(frozen_bytes, Buffer.byteLength(`${fields}${validation}<b>ü</b>`))
  footfall.clock.advance(30_000)
  assert.equal((await flow.send(opened, { ...answers, other: '' })).status, 419)
  assert.equal((await frozenOf(opened.hp)).frozen_bytes, frozen_bytes)
  assert.equal((await flow.send(opened, answers)).json.ty, '<b>ü</b>')
  assert.deepEqual(await frozenOf(opened.hp), nothing)
})

test('of one that is over it goes too, and of one that may still be sent it does not', async () => {
  const opened = await flow.open(form)
  footfall.clock.advance(10 * MINUTE)
  await letFrozenGo(footfall.context)
  assert.equal((await flow.send(opened, answers)).json.validated, true)
  const { hp } = await flow.open(form)
  footfall.clock.advance(12 * MINUTE)
  assert.equal(await letFrozenGo(footfall.context), 1)
  assert.deepEqual(await frozenOf(hp), nothing)
  assert.equal(await letFrozenGo(footfall.context), 0)
})

/** Form sessions as they are after that many calls of an address. */
async function hold(held: Form, count: number, frozen_bytes: number): Promise<void> {
  const { records, keys } = footfall.context
  const nowMs = footfall.clock.now()
  const propertyId = footfall.property.id
  const address_mac = addressMac(keys, propertyId, { address: '203.0.113.7' })
  const times = { opened_ms: nowMs, expires_ms: nowMs + 10 * MINUTE }
  for (let n = 0; n < count; n++)
    await addFormSession(records, propertyId, held.id, { address_mac, frozen_bytes, ...times })
}

test('an address that holds too much of a form open is told so, until that is over; nobody else and no other form is touched', async () => {
  const other = await flow.create(footfall.property.id)
  await hold(form, 199, 65_536)
  const opened = await flow.open(form)
  const { status, json } = await flow.init(form)
  assert.deepEqual([status, json.error_type, Object.keys(json)], [200, 2, ['error_type', 'message']])
  assert.match(json.message, /too often from this address/)
  await flow.open(other)
  await flow.open(form, undefined, { address: '203.0.113.8' })
  // What is sent makes room.
  footfall.clock.advance(30_000)
  assert.equal((await flow.send(opened, answers)).json.validated, true)
  await flow.open(form)
  assert.equal((await flow.init(form)).json.error_type, 2)
  footfall.clock.advance(10 * MINUTE)
  await flow.open(form)
})

test('an office opens ordinary forms, and a long one, as often as the rate limit lets it', async () => {
  const long = await flow.create(footfall.property.id)
  await hold(form, 1_200, 4_000)
  await hold(long, 150, 500_000)
  await flow.open(form)
  await flow.open(long)
})

test('success HTML of a page is kept as it came, and sanitised for who sends the form', async () => {
  const link = '<a href="/" onclick="x()">x</a>'
  const most = Math.floor(3_990 / link.length)
  const successContent = link.repeat(most)
  const opened = await flow.open(form, { ...contactFields, successContent: `${successContent}\0\ud800` })
  assert.equal((await frozenOf(opened.hp)).success_html, `${successContent}\ufffd`)
  footfall.clock.advance(30_000)
  const { json } = await flow.send(opened, { name: 'Ada', email: 'ada@example.com' })
  assert.equal(json.ty, `${'<a href="/" rel="noopener noreferrer nofollow">x</a>'.repeat(most)}\ufffd`)
})

test('a managed form keeps the order of its list, also with names that are numbers', async () => {
  const names = ['10', 'b', '2', 'a', '1']
  const fields = names.map((name) => ({ name, type: 'text', label: `L${name}` }))
  const managed = await flow.create(footfall.property.id, { kind: 'managed', fields })
  const { json } = await flow.init(managed, {})
  assert.deepEqual(
    json.form_blueprint.fields.map(({ name }: { name: string }) => name),
    names,
  )
  footfall.clock.advance(30_000)
  await flow.send(json, { a: 'A', '1': 'one', '2': 'two', '10': 'ten', b: 'B' })
  const path = `/manage/properties/${footfall.property.id}/forms/${managed.id}/submissions`
  const [submission] = (await footfall.call('GET', path)).json.data.data
  assert.deepEqual(
    submission.raw_fields.map(({ name, value }: { name: string; value: string }) => [name, value]),
    [
      ['10', 'ten'],
      ['b', 'B'],
      ['2', 'two'],
      ['a', 'A'],
      ['1', 'one'],
    ],
  )
})

test('a key or a token whose percent signs stand for nothing is an unknown one', async () => {
  for (const key of ['%ff', '%', '%zz$&', 'x%', '%E0%A4%A', '%ff%41']) {
    const { status, json, headers } = await flow.init({ id: '', key })
    assert.deepEqual([status, json], [200, { error_type: 1, message: 'Form not found' }], key)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    for (const call of [flow.validate, flow.process]) {
      const reply = await call(key, sent({ token: '', hp: 'x' }, answers))
      assert.deepEqual([reply.status, reply.json.error_code, reply.json.success], [419, 'session_expired', false], key)
      assert.equal((await call(key, {}, { signature: null })).status, 403)
    }
  }
  assert.equal((await footfall.call('GET', '/v2/form/%ff/init')).status, 405)
  for (const path of ['/v2/form/%ff/other', '/v2/form/x/init%ff', '/v2/form/a/%ff/init'])
    assert.equal((await footfall.call('POST', path, { body: {} })).status, 404, path)
})

test('whoever is erased takes along what they are in by any field, also of a list, and nothing else', async () => {
  const { property } = footfall
  const fields = { contact: 'text', friends: 'checkbox', note: 'textarea' }
  const send = async (data: object) => {
    const opened = await flow.open(form, { fields })
    footfall.clock.advance(30_000)
    assert.equal((await flow.send(opened, { contact: '', friends: [], note: '', ...data })).json.validated, true)
  }
  const count = async () => (await footfall.context.records.selectFrom('submissions').select('id').execute()).length
  const before = await count()
  await send({ contact: ' Eve@Example.com ' })
  await send({ contact: 'dan@example.com', friends: ['fay@example.com', 'eve@example.com'] })
  await send({ contact: 'dan@example.com', note: 'eve@EXAMPLE.com' })
  await send({ contact: 'dan@example.com', note: 'not eve@example.com herself' })
  const identified = await footfall.call('POST', '/v2/property/contacts/identify', {
    token: property.token,
    body: { external_id: 'eve', email: 'eve@example.com' },
  })
  const id: string = identified.json.data.contact.id
  assert.equal(await count(), before + 4)
  await footfall.call('DELETE', `/v2/property/contacts/${id}`, { token: property.token })
  assert.equal(await count(), before + 1)
  const keys = await footfall.context.records.selectFrom('submission_keys').select('email_key').execute()
  assert.ok(!keys.some(({ email_key }) => /^(eve|fay)@/.test(email_key)))
})

test('all waits of a call for the facts come out of its one allowance', { timeout: 20_000 }, async (t) => {
  let waits = 0
  /** As one that is used up: the work is not waited for. */
  const wait: Wait = async () => {
    waits++
    return undefined
  }
  const silent = () => new Promise<never>(() => undefined)
  const facts = { ...footfall.context.facts, append: silent, lookup: silent, query: silent }
  const visitors = { ...footfall.context.visitors, exists: silent }
  const context = { ...footfall.context, facts, visitors }
  const visitor = { address: '203.0.113.99', agent: 'Firefox', language: 'en' }
  const caller = (key: string): Caller => ({
    headers: {},
    signature: signature(key, footfall.clock.now()),
    lib: '',
    visitorOf: () => visitor,
    payFor: () => undefined,
    wait,
  })
  // A wait of its own would never end.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opened = await initForm(context, form.key, caller(form.key), () => ({ fields: { name: 'text' } }))
  assert.equal(waits, 2, 'the visit, the step')
  const data = { name: 'Ada' }
  await validateForm(context, opened.token, caller(opened.token), () => ({ data }))
  assert.equal(waits, 3, 'the step')
  const body = { map: data, data: { ...data, [opened.hp]: '' } }
  const done = await processForm(context, opened.token, caller(opened.token), () => body)
  assert.equal(done.validated, true)
  assert.equal(waits, 6, 'the visit, what is behind it, the step')
})
