// Which visit a submission belongs to: the one that the page names, or the visitor's own; never another
// property's, and none for who asks not to be followed.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { flowOf, type Form, type FormFlow, type From } from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { readSessionId } from '../kernel/ids.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(60_000)
})

/** @returns the session that the submission belongs to, as its decimal hash. */
async function submitted(initFrom: From, processFrom: From = initFrom): Promise<string | null> {
  const opened = await flow.open(form, undefined, initFrom)
  footfall.clock.advance(30_000)
  const { json } = await flow.send(opened, { name: 'Ada', email: 'ada@example.com' }, processFrom)
  assert.equal(json.validated, true)
  const { records } = footfall.context
  const row = await records.selectFrom('submissions').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()
  return row.session
}

const hashIn = (id: string, propertyId = footfall.property.id) =>
  readSessionId(footfall.context.keys, propertyId, id)?.hash.toString()

async function load(address: string, key = footfall.property.key): Promise<string> {
  return (await footfall.track.load({ address, key })).json.session_id
}

test('the session that the page names, and its visitor was active there', async () => {
  const id = await load('203.0.113.20')
  assert.equal(await submitted({ address: '203.0.113.21', headers: { 'x-svc-sid': id } }), hashIn(id))
  const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })
  const session = json.data.find((one: { id: string }) => one.id === id)
  assert.equal(session.bounced, false, 'who sends a form has not bounced')
  assert.equal(session.last_ts, Math.floor(footfall.clock.now() / 1000))
})

test("without one the visitor's own, if there is a page view of it; asked once more when the form is sent", async () => {
  assert.equal(await submitted({ address: '203.0.113.22' }), null)
  const id = await load('203.0.113.23')
  assert.equal(await submitted({ address: '203.0.113.23' }), hashIn(id))
  const opened = await flow.open(form, undefined, { address: '203.0.113.24' })
  footfall.clock.advance(30_000)
  const later = await load('203.0.113.24')
  await flow.send(opened, { name: 'Ada', email: 'ada@example.com' }, { address: '203.0.113.24' })
  const { records } = footfall.context
  const row = await records.selectFrom('submissions').select('session').orderBy('seq', 'desc').executeTakeFirstOrThrow()
  assert.equal(row.session, hashIn(later))
})

test('an id of another property, a made-up one and one of a day that is over stand for nobody', async () => {
  const other = await footfall.addProperty()
  const foreign = await load('203.0.113.25', other.key)
  const old = await load('203.0.113.26')
  footfall.clock.advance(26 * 3_600_000)
  for (const id of [foreign, old, 'x'.repeat(32), '%00', '__proto__'])
    assert.equal(await submitted({ address: '203.0.113.27', headers: { 'x-svc-sid': id } }), null, id)
})

test('with Sec-GPC the form works and belongs to no visit', async () => {
  const id = await load('203.0.113.28')
  const named = { 'x-svc-sid': id }
  const asks = { 'sec-gpc': '1', ...named }
  const address = '203.0.113.28'
  assert.equal(await submitted({ address, headers: asks }), null)
  assert.equal(await submitted({ address, headers: named }, { address, headers: asks }), null)
})

test('who sends a form after midnight carries on with the visit from before it', async () => {
  const address = '203.0.113.29'
  const midnight = Date.UTC(2026, 10, 22)
  const at = (minutes: number) => footfall.clock.set(midnight + minutes * 60_000)
  at(-10)
  const id = await load(address)
  at(9)
  const session = await submitted({ address, headers: { 'x-svc-sid': id } })
  assert.equal(session, hashIn(id))
  // Half an hour after the page view and more, but not after the form.
  at(35)
  assert.equal(await load(address), id)
})
