// The form flow when something is not as it should be: stores that are away, addresses that are made up, too
// many calls.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Call, flowOf, type Form, type FormFlow, openFormFlow, type Opened } from '../../test/support/form-flow.ts'
import { type CallOptions, startFootfall, type Footfall, type Reply } from '../../test/support/server.ts'
import { openApp } from '../app.ts'
import { type Context, usualDeadlines } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { noteSubmissions } from './note.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

const answers = { name: 'Ada', email: 'ada@example.com' }

before(async () => {
  const env = { TRUST_PROXY: '', LOG_LEVEL: 'silent', PUBLIC_RATE_LIMIT: '120' }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON, env })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers.toReversed()) await close()
})

/** The same server once more, with something in the place of a store. */
async function flowWith(changed: Partial<Context>): Promise<FormFlow> {
  const app = await openApp({ ...footfall.context, ...changed })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const call: Call = async (method, path, { body, headers }: CallOptions = {}): Promise<Reply> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) as unknown }
  }
  return openFormFlow(call, footfall.clock.now)
}

const lastSubmission = () =>
  footfall.context.records.selectFrom('submissions').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()

const kinds = async (factId: string): Promise<string[]> => {
  const rows = await footfall.context.facts.query<{ kind: string }>(
    'test',
    'SELECT kind FROM form_events FINAL WHERE id = {id:UInt64} ORDER BY kind',
    { id: factId },
  )
  return rows.map(({ kind }) => kind)
}

test('X-Forwarded-For of a stranger moves nothing: neither the pin nor the address that is stored', async () => {
  const keeping = await flow.create(footfall.property.id, { is_ip_kept: true })
  const opened = await flow.open(keeping, undefined, { address: '203.0.113.1' })
  footfall.clock.advance(30_000)
  const forged = { address: '203.0.113.2', headers: { 'x-proxy-ip': '203.0.113.3', 'x-real-ip': '203.0.113.4' } }
  assert.equal((await flow.send(opened, answers, forged)).json.validated, true)
  assert.equal((await lastSubmission()).ip, '127.0.0.1')
})

const away = () => Promise.reject(new Problem('unavailable', 'away'))
const silent = () => new Promise<never>(() => undefined)

for (const [how, answer] of [
  ['fail', away],
  ['never answer', silent],
] as const)
  test(`facts that ${how} cost no submission: it is stored and answered, and noted later`, async () => {
    const facts = { ...footfall.context.facts, append: answer, lookup: answer, query: answer }
    const broken = await flowWith({ facts, deadlines: usualDeadlines })
    const opened = await broken.open(form)
    footfall.clock.advance(30_000)
    assert.equal((await broken.validate(opened.token, { data: answers })).json.validated, true)
    const { json } = await broken.send(opened, answers)
    assert.equal(json.validated, true)
    const row = await lastSubmission()
    assert.deepEqual([row.is_noted, row.submitted_ms, await kinds(row.fact_id)], [0, footfall.clock.now(), []])
    assert.equal(await noteSubmissions(footfall.context), 1)
    assert.equal((await lastSubmission()).is_noted, 1)
    assert.equal(await noteSubmissions(footfall.context), 0)
    assert.deepEqual(await kinds(row.fact_id), ['submit'])
  })

test('records that are away: 503 with Retry-After at every step, and nothing is said to be stored', async () => {
  const opened: Opened = await flow.open(form)
  const gone = () => {
    throw new Problem('unavailable', 'The records cannot be read or written at the moment.', { retryAfterSeconds: 5 })
  }
  const records = Object.assign(Object.create(footfall.context.records) as Context['records'], {
    getExecutor: gone,
    selectFrom: gone,
    insertInto: gone,
    updateTable: gone,
    transaction: gone,
  })
  const broken = await flowWith({ records })
  for (const reply of [
    await broken.init(form),
    await broken.validate(opened.token, { data: answers }),
    await broken.send(opened, answers),
  ]) {
    assert.deepEqual([reply.status, reply.json.error_code, reply.json.success], [503, 'unavailable', false])
    assert.equal(reply.headers.get('retry-after'), '5')
  }
  footfall.clock.advance(30_000)
  assert.equal((await flow.send(opened, answers)).json.validated, true)
})

test('too many calls of an address in a minute: 429, at init too', async () => {
  footfall.clock.advance(60_000)
  const opened = await flow.open(form)
  for (let n = 1; n < 120; n++) await flow.validate('nothing', {})
  const replies = [await flow.init(form), await flow.validate(opened.token, {}), await flow.send(opened, answers)]
  for (const { status, headers } of replies) {
    assert.equal(status, 429)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  footfall.clock.advance(60_000)
  assert.equal((await flow.send(opened, answers)).json.validated, true)
})
