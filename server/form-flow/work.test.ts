// The form flow through the front door: what strangers may have computed. A call that costs as much as many
// others uses up the minute of its address sooner, and nobody else's.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { flowOf, type Form, type FormFlow, type From, PAGE, personSignals } from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { openWorkLimit } from '../http/work.ts'
import { Problem } from '../kernel/problem.ts'

const CALLS = 120
const MINUTE = 60_000
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

before(async () => {
  const env = { PUBLIC_RATE_LIMIT: String(CALLS) }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12), env })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(MINUTE)
})

const fields = { name: 'text' }
const stranger: From = { address: '203.0.113.50' }
const neighbour: From = { address: '203.0.113.51' }
/** What cannot be had from memory: each is another text. */
const costly = (n: number): string => '<a>'.repeat(1_300) + String(n).padStart(6, '0')

/** One submission that passes, and success HTML that costs as much as any. @returns the status. */
async function sendCostly(n: number, from: From): Promise<number> {
  const { token, hp } = await flow.open(form, { fields }, from)
  const body = { map: fields, data: { name: 'Ada', [hp]: '' }, ty: costly(n), _sig: personSignals }
  return (await flow.process(token, body, from)).status
}

test('success HTML of strangers is sanitised for some calls of the minute, and what is refused is not stored', async () => {
  let sentOn = 0
  while ((await sendCostly(sentOn, stranger)) === 200) sentOn++
  assert.ok(sentOn < CALLS / 2, `${sentOn} of ${CALLS / 2}`)
  assert.ok(sentOn > 10, `${sentOn}: an ordinary visitor never comes near it`)
  const { json } = await footfall.call(
    'GET',
    `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions?show=all`,
  )
  assert.equal(json.data.total, sentOn)
  assert.equal(await sendCostly(9_999, neighbour), 200, 'another address has a minute of its own')
  const { status, json: plain } = await flow.init(form, { fields }, stranger)
  assert.deepEqual([status, plain.error_type], [200, false], 'what costs nothing goes on')
  footfall.clock.advance(MINUTE)
  assert.equal(await sendCostly(10_000, stranger), 200, 'the next minute')
})

test('the same words for every visitor are sanitised once', async () => {
  assert.equal(await sendCostly(0, neighbour), 200)
  const more = await Promise.all(Array.from({ length: CALLS / 2 - 1 }, () => sendCostly(0, neighbour)))
  assert.deepEqual(new Set(more), new Set([200]))
})

test('a page that only shows a form has nothing sanitised', async () => {
  const shown = Array.from({ length: CALLS }, async (_, n) => {
    const { status, json } = await flow.init(form, { fields, successContent: costly(20_000 + n) }, stranger)
    assert.deepEqual([status, json.error_type], [200, false])
  })
  await Promise.all(shown)
})

const patternsOf = (n: number) => ({ name: { [`regex[^${'a{100}'.repeat(12)}${n}$]`]: null } })

test('patterns that have to be compiled use up the minute; those that are known do not', async () => {
  let opened = 0
  for (; opened < CALLS; opened++) {
    const { status } = await flow.init(form, { fields, validation: patternsOf(opened) }, stranger)
    if (status !== 200) {
      assert.equal(status, 429)
      break
    }
  }
  assert.ok(opened > 3 && opened < 20, String(opened))
  footfall.clock.advance(MINUTE)
  for (let n = 0; n < 30; n++)
    assert.equal((await flow.init(form, { fields, validation: patternsOf(0) }, stranger)).status, 200)
})

test('matching long texts uses up the minute as well, in validate as in process', async () => {
  const { token } = await flow.open(form, { fields, validation: { name: { 'regex[a{400}b]': null } } }, stranger)
  const data = { name: 'a'.repeat(1_000) }
  const statuses = []
  for (let n = 0; n < 60; n++) statuses.push((await flow.validate(token, { data }, stranger)).status)
  const refused = statuses.indexOf(429)
  assert.ok(refused > 2 && refused < 20, String(refused))
  assert.ok(statuses.slice(refused).every((status) => status === 429))
  const { status, headers, json } = await flow.process(token, { map: fields, data }, stranger)
  assert.deepEqual([status, json.error_code], [429, 'rate_limited'])
  assert.equal(Number(headers.get('retry-after')) > 0, true)
})

test('behind a proxy each visitor has a minute of their own', async () => {
  const sending = Array.from({ length: CALLS / 2 }, async (_, n) => {
    const headers = { 'x-proxy-ip': `198.51.100.${n}`, origin: PAGE }
    const from = { address: '127.0.0.1', headers: { ...headers, 'x-forwarded-for': `198.51.100.${n}` } }
    assert.equal(await sendCostly(30_000 + n, from), 200)
  })
  await Promise.all(sending)
})

test('no single piece of work is refused for its size, and who has had too much pushes nobody out', () => {
  const limit = openWorkLimit(10, 2)
  limit.pay('a', 1_000, 0)
  assert.throws(
    () => limit.pay('a', 0, 59_999),
    (error) => error instanceof Problem && error.kind === 'rate_limited',
  )
  limit.pay('b', 9, 0)
  limit.pay('b', 9, 0)
  assert.throws(() => limit.pay('b', 0, 0))
  limit.pay('a', 1, MINUTE)
  const none = openWorkLimit(0)
  for (let n = 0; n < 5; n++) none.pay('a', 1_000, 0)
})
