// While an installation is carried to other stores, no process of it writes: two nodes on shared stores, and
// one that starts while writes are paused.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addPerson, signIn } from '../test/support/accounts.ts'
import { addBlock, render } from '../test/support/content-calls.ts'
import { flowOf } from '../test/support/form-flow.ts'
import { ALLOW_LOOPBACK } from '../test/support/automation-calls.ts'
import { fillProperty } from '../test/support/full-property.ts'
import { fillPattern, operationsOf } from '../test/support/operations.ts'
import { newDataDir } from '../test/support/records.ts'
import { type Footfall, type Reply, startFootfall, testEnvironment } from '../test/support/server.ts'
import { openTwoNodes } from '../test/support/two-nodes.ts'
import { untilEqual } from '../test/support/until.ts'
import { addGroup, addLink, countedClicks, visit } from '../test/support/visits.ts'
import { readConfig } from './config.ts'
import { openContext } from './context.ts'
import { Paused } from './kernel/paused.ts'
import { beginPause, endPause, findAnyPause, keepPause, listWriters, renewPause } from './pause-records.ts'
import { besideGate } from './stores/records/gated.ts'

const noon = Date.UTC(2026, 10, 18, 12)
let one: Footfall
let two: Footfall

const nodes = await openTwoNodes(noon)
const without = { skip: nodes === undefined }

before(() => {
  if (nodes) [one, two] = nodes
})

/** Both nodes say that they have stopped writing. */
const untilKept = (id: string) =>
  untilEqual(
    async () => (await listWriters(one.context.records, 0)).map(({ pause_id }) => pause_id),
    Array<string>(2).fill(id),
  )

const untilWriting = async (): Promise<void> => {
  for (const node of [one, two]) await untilEqual(async () => (await node.track.load()).status, 200)
}

async function rowsOf({ context }: Footfall): Promise<unknown> {
  const counted = 'SELECT (SELECT count() FROM views) AS views, (SELECT count() FROM clicks) AS clicks'
  const facts = await context.facts.query('test.count', counted)
  const records: Record<string, unknown> = {}
  for (const table of ['contacts', 'form_sessions', 'submissions', 'tokens', 'user_sessions', 'sign_ins'] as const)
    records[table] = await context.records.selectFrom(table).selectAll().execute()
  return { facts, records }
}

function assertRefused({ status, json, headers, text }: Reply, what: string): void {
  assert.equal(status, 503, `${what}: ${text}`)
  assert.equal(json.error_code, 'unavailable')
  assert.match(json.message, /is being moved/)
  assert.equal(headers.get('retry-after'), '5')
}

test('while writes are paused, every node reads, sends on and refuses changes; then it goes on', without, async () => {
  const { records } = one.context
  const code = (await addLink(one, { group_id: await addGroup(one) })).code
  const block = await addBlock(records, one.property.id)
  const flow = flowOf(one)
  const form = await flow.create(one.property.id)
  const opened = await flow.open(form)
  const field = { name: 'name', type: 'text', label: 'Name' }
  const draft = await flow.create(one.property.id, { kind: 'managed', is_published: false, fields: [field] })
  const person = await addPerson(one, { isOwner: true })
  const session = (await one.track.load()).json.session_id
  const at = `/manage/properties/${one.property.id}`
  assert.ok(await beginPause(records, 'pa_one', noon + 60_000))
  await untilKept('pa_one')
  const before = await rowsOf(one)
  for (const node of [one, two]) {
    const { key, token } = one.property
    const refused: readonly (readonly [what: string, reply: Promise<Reply>])[] = [
      ['a page view', node.track.load({ key })],
      ['an event', node.track.event(session, 'signup', { key })],
      ['a form that is opened', flowOf(node).init(form)],
      ['a submission', flowOf(node).send(opened, { name: 'Ann', email: 'ann@example.com' })],
      ['a contact', node.call('POST', '/v2/property/contacts/identify', { token, body: { email: 'a@example.com' } })],
      ['a token', node.call('POST', `${at}/tokens`, { body: { name: 'new', scopes: ['signals:read'] } })],
      ['a sign-in', signIn(node, person.email)],
      ['a wrong sign-in', signIn(node, person.email, { password: 'a wrong password' })],
    ]
    for (const [what, reply] of refused) assertRefused(await reply, what)
    assert.equal((await flowOf(node).init(draft, {})).json.error_type, 2, 'and somebody tries a draft')
    const read: readonly Promise<Reply>[] = [
      node.call('POST', `${at}/overview`, { body: { period: 'today' } }),
      node.call('GET', `${at}/tracking`),
      node.call('GET', `${at}/forms`),
      node.call('GET', `${at}/forms/${draft.id}`),
      node.call('GET', '/v2/property/contacts', { token }),
      node.call('GET', '/manage/properties', { token: null, headers: { cookie: person.cookie } }),
      node.call('GET', '/readyz'),
      render(node, block.key),
    ]
    for (const reply of await Promise.all(read)) assert.equal(reply.status, 200, reply.text)
    assert.match((await node.call('GET', '/metrics')).text, /^footfall_writes_paused 1$/m)
    const { lost = 0 } = await countedClicks(node)
    assert.equal((await visit(node.url, `/a/${code}`)).status, 302)
    await untilEqual(async () => (await countedClicks(node))['lost'], lost + 1)
  }
  assert.deepEqual(await rowsOf(one), before)
  assert.ok(await endPause(records, 'pa_one'))
  await untilWriting()
  assert.equal((await flow.send(opened, { name: 'Ann', email: 'ann@example.com' })).status, 200)
})

test('a pause that nobody renews ends by itself, and whoever had asked for it can tell', without, async () => {
  const { records } = one.context
  assert.ok(await beginPause(records, 'pa_two', noon + 15_000))
  await untilKept('pa_two')
  assertRefused(await two.track.load(), 'a page view')
  for (const node of [one, two]) node.clock.set(noon + 15_001)
  await untilWriting()
  assert.equal(await findAnyPause(records), undefined)
  for (const node of [one, two]) node.clock.set(noon)
})

test(
  'what is acknowledged before a node says that it has stopped is in the store, and nothing later',
  without,
  async () => {
    const { records } = one.context
    let acknowledged = 0
    let isOver = false
    const send = async (node: Footfall, address: string): Promise<void> => {
      while (!isOver) {
        const { status } = await node.track.load({ address, key: one.property.key })
        if (status === 200) acknowledged++
        else assert.equal(status, 503)
      }
    }
    const countViews = async (): Promise<number> => {
      const [row] = await one.context.facts.query<{ views: string }>('test.views', 'SELECT count() AS views FROM views')
      return Number(row!.views)
    }
    const known = await countViews()
    const senders = [one, two].map((node, index) => send(node, `203.0.113.${index}`))
    const counting = async (): Promise<number> => {
      await untilEqual(() => acknowledged > 20, true)
      assert.ok(await beginPause(records, 'pa_three', noon + 60_000))
      await untilKept('pa_three')
      return countViews()
    }
    const stored = await counting().finally(() => {
      isOver = true
    })
    await Promise.all(senders)
    assert.equal(stored - known, acknowledged)
    assert.equal(await countViews(), stored)
    await endPause(records)
    await untilWriting()
  },
)

test('a process that starts while writes are paused does not write either', async (t) => {
  const dataDir = newDataDir(t)
  const footfall = await startFootfall(t, { dataDir })
  const { records } = footfall.context
  const row = await records.selectFrom('properties').selectAll().executeTakeFirstOrThrow()
  // Until somebody ends it.
  await records.insertInto('write_pauses').values({ name: 'move', id: 'pa_four', until_ms: null }).execute()
  await footfall.close()
  const context = await openContext(readConfig({ ...testEnvironment, DATA_DIR: dataDir }))
  try {
    const again = { ...row, id: 'pr_another', key: 'ff_another' }
    await assert.rejects(context.records.insertInto('properties').values(again).execute(), Paused)
    await assert.rejects(
      context.records.transaction().execute((tx) => tx.insertInto('properties').values(again).execute()),
      Paused,
    )
    await assert.rejects(context.facts.append('lib_errors', { property: row.id }), Paused)
    assert.equal((await context.records.selectFrom('properties').select('id').execute()).length, 1)
    // Its facts alone were moved: it is on the side where they are, and then on the one where they were.
    await keepPause(besideGate(context.records), 'pa_four', dataDir)
    await untilEqual(() => context.pause.isOn, false)
    await context.records.insertInto('properties').values(again).execute()
    await keepPause(besideGate(context.records), 'pa_four', 'http://clickhouse.example:8123/footfall')
    await untilEqual(() => context.pause.isOn, true)
    // They are moved on from there: that is a pause here as well, at every moment.
    assert.ok(await renewPause(besideGate(context.records), 'pa_four', 'pa_fifth', Date.now() + 600_000))
    await untilEqual(async () => (await listWriters(context.records, 0))[0]?.pause_id, 'pa_fifth')
    await assert.rejects(context.facts.append('lib_errors', { property: row.id }), Paused)
    await endPause(context.records)
    await untilEqual(() => context.pause.isOn, false)
    await context.records.deleteFrom('properties').where('id', '=', again.id).execute()
  } finally {
    await context.close()
  }
})

test('whatever only reads is answered while writes are paused', async (t) => {
  const footfall = await startFootfall(t, { env: ALLOW_LOOPBACK })
  const full = await fillProperty(footfall, 'lamp')
  const { records } = footfall.context
  const reading = operationsOf(await footfall.call('GET', '/openapi.json')).filter(
    ({ method, pattern }) => method === 'GET' && pattern !== '/v2/signal/load',
  )
  assert.ok(reading.length > 60, `${reading.length}`)
  assert.ok(await beginPause(records, 'pa_five', footfall.clock.now() + 600_000))
  await untilEqual(async () => (await listWriters(records, 0)).map(({ pause_id }) => pause_id), ['pa_five'])
  const refused: string[] = []
  for (const { pattern } of reading) {
    const path = fillPattern(pattern, (kind) => (kind === 'property' ? full.id : (full.ids[kind] ?? 'nothing')))
    const { status, text } = await footfall.call('GET', path, pattern.startsWith('/v2/') ? { token: full.token } : {})
    if (status >= 500) refused.push(`${pattern}: ${status} ${text}`)
  }
  assert.deepEqual(refused, [])
})
