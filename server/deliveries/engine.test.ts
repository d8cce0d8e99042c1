// How deliveries are sent: claimed once, with bytes that never change, tried again after their delays,
// counted for their automation; on SQLite and on PostgreSQL, by the production client, to real endpoints.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { NOON, openDeliveries, until } from '../../test/support/delivery-nodes.ts'
import { certificateFor, type Endpoint, openEndpoint, type Received } from '../../test/support/endpoint.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { Problem } from '../kernel/problem.ts'
import type { Tx } from '../stores/records.ts'
import { holdDeliveries, putRight, releaseDeliveries } from './state-records.ts'

const { homes } = await openHomes()
const certificate = await certificateFor(['127.0.0.1'])

type Answer = (response: ServerResponse, received: Received) => void

const answering =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status).end('no')

const endpointOf = (t: TestContext, answer?: Answer) => openEndpoint(t, certificate, answer)
const urlOf = ({ port }: Endpoint, path = '/hook'): string => `https://127.0.0.1:${port}${path}`

/** How many statements wait for another transaction, of all databases of the server. */
async function waitingForLocks(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted`.execute(tx)
  return rows[0]?.count ?? 0
}

function promise(text: string, check: Parameters<typeof testOnEach>[2]): void {
  testOnEach(homes, text, check)
}

promise(
  'a delivery arrives once, with the headers and the signature of the contract, and is written down',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const endpoint = await endpointOf(t)
    const automation = await world.addAutomation()
    const node = world.node(certificate.cert)
    const [id = ''] = await world.put(automation.id, urlOf(endpoint))
    node.wake()
    await until(async () => (await world.delivery(id)).state === 'delivered')

    const [received] = endpoint.received
    assert.ok(received)
    assert.equal(endpoint.received.length, 1)
    const { headers } = received
    const ts = NOON / 1000
    const v1 = createHmac('sha256', automation.secret).update(`${ts}.${received.body}`).digest('hex')
    assert.deepEqual(
      {
        type: headers['content-type'],
        agent: headers['user-agent'],
        event: headers['x-service-event'],
        eventId: headers['x-service-event-id'],
        delivery: headers['x-service-delivery'],
        signature: headers['x-service-signature'],
      },
      {
        type: 'application/json',
        agent: 'Service-Webhooks/1',
        event: 'event',
        eventId: id,
        delivery: id,
        signature: `t=${ts},v1=${v1}`,
      },
    )
    const row = await world.delivery(id)
    assert.deepEqual([row.attempts, row.claim, row.body, row.finished_ms], [1, null, received.body, NOON])
    const attempts = await world.records.selectFrom('delivery_attempts').selectAll().execute()
    assert.deepEqual(
      attempts.map((attempt) => [
        attempt.delivery_id,
        attempt.number,
        attempt.is_manual,
        attempt.status,
        attempt.error,
      ]),
      [[id, 1, 0, 200, null]],
    )
    assert.equal(JSON.parse(attempts[0]!.request_headers)['X-Service-Signature'], headers['x-service-signature'])
    assert.equal(attempts[0]!.response_body, 'ok')
    assert.deepEqual(node.counted, ['delivered'])
  },
)

promise(
  'it is tried after 2 and after 15 minutes, with the same bytes and a signature of its own, and then has failed',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const endpoint = await endpointOf(t, answering(503))
    const { id: automationId } = await world.addAutomation()
    let made = 0
    const node = world.node(certificate.cert, { makeBody: async () => ({ body: JSON.stringify({ made: ++made }) }) })
    const [id = ''] = await world.put(automationId, urlOf(endpoint))
    const attempted = (count: number) => async () => {
      node.wake()
      const { attempts, claim } = await world.delivery(id)
      return attempts === count && claim === null
    }
    await until(attempted(1))
    assert.equal((await world.delivery(id)).next_attempt_ms, NOON + 120_000)
    world.clock.ms = NOON + 119_999
    node.wake()
    await pause(50)
    assert.equal(endpoint.received.length, 1, 'too soon')
    world.clock.ms = NOON + 120_000
    await until(attempted(2))
    assert.equal((await world.delivery(id)).next_attempt_ms, NOON + 1_020_000)
    world.clock.ms = NOON + 1_020_000
    await until(attempted(3))

    const row = await world.delivery(id)
    assert.deepEqual([row.state, row.finished_ms], ['failed', NOON + 1_020_000])
    assert.deepEqual(new Set(endpoint.received.map(({ body }) => body)), new Set(['{"made":1}']))
    assert.equal(new Set(endpoint.received.map(({ headers }) => headers['x-service-signature'])).size, 3)
    assert.equal(new Set(endpoint.received.map(({ headers }) => headers['x-service-event-id'])).size, 1)
    const errors = await world.records.selectFrom('delivery_attempts').select(['number', 'status', 'error']).execute()
    assert.deepEqual(
      errors.map(({ number, status, error }) => [number, status, error]),
      [1, 2, 3].map((number) => [number, 503, 'status 503']),
    )
    const { failures, is_active } = await world.records
      .selectFrom('automations')
      .select(['failures', 'is_active'])
      .executeTakeFirstOrThrow()
    assert.deepEqual([failures, is_active], [1, 1])
    assert.deepEqual(node.counted, ['retry', 'retry', 'failed'])
  },
)

promise('two nodes that claim at the same time send each delivery exactly once', async (t, home) => {
  // A file has one server; two handles on it are tried below all the same by the crash test.
  if (home.kind === 'sqlite') return
  const world = await openDeliveries(t, home)
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  const nodes = [world.node(certificate.cert), world.node(certificate.cert, { records: await world.another() })]
  const ids: string[] = []
  for (let lane = 0; lane < 30; lane++) ids.push(...(await world.put(automationId, urlOf(endpoint, `/${lane}`), 12)))
  for (const node of nodes) node.wake()
  await until(async () => (await world.states())['delivered'] === ids.length)
  const arrived = endpoint.received.map(({ headers }) => headers['x-service-delivery'])
  assert.equal(arrived.length, ids.length, 'one was sent twice')
  assert.deepEqual(new Set(arrived), new Set(ids))
  assert.ok(
    nodes.every(({ counted }) => counted.length > 0),
    'one node did it all',
  )
})

promise(
  'ten failed deliveries in a row switch the automation off with its reason, and what waits is held until it is on',
  async (t, home) => {
    const world = await openDeliveries(t, home, '1')
    let status = 500
    const endpoint = await endpointOf(t, (response) => response.writeHead(status).end())
    const { id: automationId } = await world.addAutomation()
    const other = await world.addAutomation()
    const node = world.node(certificate.cert)
    const last = { attempts: 1 }
    await world.put(automationId, urlOf(endpoint), 9, last)
    node.wake()
    await until(async () => (await world.states())['failed'] === 9)
    status = 204
    await world.put(automationId, urlOf(endpoint), 1, last)
    node.wake()
    await until(async () => (await world.states())['delivered'] === 1)
    const automationOf = (id: string) =>
      world.records.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal((await automationOf(automationId)).failures, 0, 'one that arrives makes good for nine')

    status = 500
    const ids = await world.put(automationId, urlOf(endpoint), 30, last)
    const later = await world.put(automationId, urlOf(endpoint), 500, {
      next_attempt_ms: NOON + 60_000,
      created_ms: NOON,
    })
    const [foreign = ''] = await world.put(other.id, urlOf(endpoint, '/other'), 1, { next_attempt_ms: NOON + 60_000 })
    node.wake()
    await until(async () => (await world.states())['held'] === ids.length - 10 + later.length)
    const row = await automationOf(automationId)
    assert.deepEqual([row.is_active, row.failures, row.disabled_ts], [0, 10, NOON / 1000])
    assert.equal(
      row.disabled_reason,
      `10 deliveries in a row failed, the last one to 127.0.0.1:${endpoint.port}: status 500.`,
    )
    assert.deepEqual(node.disabled, [{ automationId, propertyId: world.propertyId }])
    assert.equal((await world.delivery(foreign)).state, 'pending', "another automation's is left alone")

    status = 200
    await world.records
      .updateTable('automations')
      .set({ is_active: 1, failures: 0 })
      .where('id', '=', automationId)
      .execute()
    await releaseDeliveries(world.records, automationId)
    world.clock.ms = NOON + 60_000
    node.wake()
    await until(async () => (await world.states())['delivered'] === 1 + ids.length - 10 + later.length + 1)
    assert.deepEqual(await world.states(), { delivered: 1 + 20 + 500 + 1, failed: 19 })
  },
)

promise(
  'failures that several nodes count at once are all counted, and the tenth switches off once',
  async (t, home) => {
    const world = await openDeliveries(t, home, '1')
    const endpoint = await endpointOf(t, answering(500))
    const { id: automationId } = await world.addAutomation()
    const nodes = [world.node(certificate.cert), world.node(certificate.cert, { records: await world.another() })]
    for (let lane = 0; lane < 40; lane++) await world.put(automationId, urlOf(endpoint, `/${lane}`), 1, { attempts: 1 })
    for (const node of nodes) node.wake()
    await until(async () => (await world.states())['pending'] === undefined)
    const { failed = 0, held = 0 } = await world.states()
    const { failures } = await world.records.selectFrom('automations').select('failures').executeTakeFirstOrThrow()
    assert.equal(failures, failed)
    assert.equal(failed + held, 40)
    assert.equal(nodes.flatMap(({ disabled }) => disabled).length, 1)
  },
)

promise('a dead endpoint has one call at a time, and every other delivery arrives meanwhile', async (t, home) => {
  const world = await openDeliveries(t, home)
  const hanging = new Set<ServerResponse>()
  let most = 0
  const dead = await endpointOf(t, (response) => {
    hanging.add(response)
    response.on('close', () => hanging.delete(response))
    most = Math.max(most, hanging.size)
  })
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  await world.put(automationId, urlOf(dead), 300, { created_ms: NOON - 1000, next_attempt_ms: NOON - 1000 })
  for (let lane = 0; lane < 99; lane++) await world.put(automationId, urlOf(endpoint, `/${lane}`), 3)
  world.node(certificate.cert)
  await until(async () => (await world.states())['delivered'] === 297)
  assert.equal(endpoint.received.length, 297)
  assert.equal(most, 1)
  for (const response of hanging) response.destroy()
})

promise('a burst of contact changes holds up no lead, not even of the same endpoint', async (t, home) => {
  const world = await openDeliveries(t, home)
  const endpoint = await endpointOf(t, (response) => setTimeout(() => response.end('ok'), 20))
  const { id: automationId } = await world.addAutomation()
  await world.put(automationId, urlOf(endpoint), 2_000, { priority: 3, event_type: 'contact' })
  const node = world.node(certificate.cert)
  await until(() => endpoint.received.length > 10)
  const lead = { priority: 0, event_type: 'form_submit', next_attempt_ms: NOON }
  const before = endpoint.received.length
  await world.put(automationId, urlOf(endpoint), 1, lead)
  await world.put(automationId, urlOf(endpoint, '/other'), 1, lead)
  node.wake()
  const leads = () => endpoint.received.filter(({ headers }) => headers['x-service-event'] === 'form_submit')
  await until(() => leads().length === 2)
  // Each call takes 20 ms: those that went before can be counted.
  assert.ok(endpoint.received.length - before < 60, `${endpoint.received.length - before} went before the leads`)
})

promise('an endpoint that answers has four calls at a time and no more', async (t, home) => {
  const world = await openDeliveries(t, home)
  let now = 0
  let most = 0
  const endpoint = await endpointOf(t, (response) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      response.end('ok')
    }, 5)
  })
  const { id: automationId } = await world.addAutomation()
  await world.put(automationId, urlOf(endpoint), 100)
  world.node(certificate.cert)
  await until(async () => (await world.states())['delivered'] === 100)
  assert.equal(most, 4)
})

promise('while the facts are away a delivery waits, and no attempt is counted', async (t, home) => {
  const world = await openDeliveries(t, home)
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  let asked = 0
  const node = world.node(certificate.cert, {
    awayMs: 100,
    makeBody: async ({ id }) => {
      if (asked++ === 0) throw new Problem('unavailable', 'The facts store is not responding.')
      return { body: JSON.stringify({ id }) }
    },
  })
  const [id = ''] = await world.put(automationId, urlOf(endpoint))
  node.wake()
  await until(async () => asked === 1 && (await world.delivery(id)).claim === null)
  const row = await world.delivery(id)
  assert.deepEqual([row.state, row.attempts, row.next_attempt_ms], ['pending', 0, NOON + 5_000])
  world.clock.ms = NOON + 5_000
  await until(async () => (await world.delivery(id)).state === 'delivered')
  assert.equal((await world.delivery(id)).attempts, 1)
})

promise('what is skipped, what lost its automation, and what cannot be made', async (t, home) => {
  const world = await openDeliveries(t, home, '60')
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  const node = world.node(certificate.cert, {
    makeBody: async ({ event_type }) => {
      if (event_type === 'identify') throw new TypeError('a fault of ours')
      return { skipped: 'The session has not met the condition.' }
    },
  })
  const [skipped = ''] = await world.put(automationId, urlOf(endpoint))
  const [broken = ''] = await world.put(automationId, urlOf(endpoint, '/b'), 1, { event_type: 'identify' })
  await world.put('au_gone', urlOf(endpoint, '/c'))
  node.wake()
  await until(async () => (await world.delivery(skipped)).state === 'skipped')
  await until(async () => (await world.delivery(broken)).attempts === 1)
  assert.equal((await world.delivery(broken)).next_attempt_ms, NOON + 60_000)
  const error = await world.records.selectFrom('delivery_attempts').select('error').executeTakeFirstOrThrow()
  assert.equal(error.error, 'its body could not be made')
  await until(async () => Object.values(await world.states()).reduce((a, b) => a + b) === 2)
  assert.equal(endpoint.received.length, 0)
  assert.ok(node.counted.includes('skipped'))
})

promise(
  'test sends go although their automation is off, are not tried again, and count for nothing',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const endpoint = await endpointOf(t, answering(500))
    const { id: automationId } = await world.addAutomation({ is_active: 0, failures: 9 })
    const node = world.node(certificate.cert)
    const [held = ''] = await world.put(automationId, urlOf(endpoint))
    const [id = ''] = await world.put(automationId, urlOf(endpoint, '/t'), 1, {
      is_test: 1,
      max_attempts: 1,
      event: null,
    })
    node.wake()
    await until(async () => (await world.delivery(id)).state === 'failed')
    await until(async () => (await world.delivery(held)).state === 'held')
    assert.equal(endpoint.received.length, 1)
    const row = await world.records.selectFrom('automations').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.failures, row.is_active], [9, 0])
  },
)

promise('what a call that was cut short left on hold, or on its way, is put right', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { id: automationId } = await world.addAutomation({ is_active: 0 })
  const url = 'https://hooks.example/'
  await world.put(automationId, url, 1_500, { next_attempt_ms: NOON + 1e6 })
  await world.records.transaction().execute((tx) => holdDeliveries(tx, automationId))
  const { held = 0, pending = 0 } = await world.states()
  assert.ok(held > 0 && pending > 0, 'a transaction takes some and not all')
  await putRight(world.records)
  assert.deepEqual(await world.states(), { held: 1_500 })
  await world.records.updateTable('automations').set({ is_active: 1 }).execute()
  await putRight(world.records)
  assert.deepEqual(await world.states(), { pending: 1_500 })
  await holdDeliveries(world.records, automationId)
  assert.deepEqual(await world.states(), { pending: 1_500 }, 'one that was switched on meanwhile holds nothing')
})

promise('a delivery that a node claims while others are held stays with that node', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { id: automationId } = await world.addAutomation({ is_active: 0 })
  const [claimed = '', other = ''] = await world.put(automationId, 'https://hooks.example/', 2)
  let holding: Promise<void> | undefined
  await world.records.transaction().execute(async (tx) => {
    await tx.updateTable('deliveries').set({ claim: 'a node' }).where('id', '=', claimed).execute()
    holding = holdDeliveries(home.kind === 'sqlite' ? world.records : await world.another(), automationId)
    if (home.kind === 'postgres') await until(async () => (await waitingForLocks(tx)) > 0)
  })
  await holding
  const { state, claim } = await world.delivery(claimed)
  assert.deepEqual([state, claim], ['pending', 'a node'])
  assert.equal((await world.delivery(other)).state, 'held')
})

promise('one that is held with a claim that was lost goes when its automation is switched on', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { id: automationId } = await world.addAutomation()
  const [id = ''] = await world.put(automationId, 'https://hooks.example/', 1, { state: 'held', claim: 'gone' })
  await releaseDeliveries(world.records, automationId)
  const { state, claim } = await world.delivery(id)
  assert.deepEqual([state, claim], ['pending', null])
})

promise(
  'a node that is gone gives its deliveries back with the end of the lease, with the same id and bytes',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    let isDead = true
    const endpoint = await endpointOf(t, (response) => {
      if (!isDead) response.end('ok')
    })
    const { id: automationId } = await world.addAutomation()
    let made = 0
    const makeBody = async () => ({ body: JSON.stringify({ made: ++made }) })
    const [id = ''] = await world.put(automationId, urlOf(endpoint))
    const gone = world.node(certificate.cert, { makeBody, closeWaitMs: 0 })
    await until(() => endpoint.received.length === 1)
    await gone.close() // as if it had died: the outcome is never written
    isDead = false
    const next = world.node(certificate.cert, { makeBody })
    world.clock.ms = NOON + 29_999
    next.wake()
    await pause(50)
    assert.equal(endpoint.received.length, 1, 'the lease holds')
    world.clock.ms = NOON + 30_000
    next.wake()
    await until(async () => (await world.delivery(id)).state === 'delivered')
    assert.deepEqual(
      endpoint.received.map(({ body, headers }) => [body, headers['x-service-event-id']]),
      [
        ['{"made":1}', id],
        ['{"made":1}', id],
      ],
    )
    assert.equal((await world.delivery(id)).attempts, 1, 'an attempt that nobody knows the end of is not counted')
  },
)

promise(
  'an outcome that comes after the lease was lost is not written over what somebody else has written',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const waiting: ServerResponse[] = []
    const endpoint = await endpointOf(t, (response) => waiting.push(response))
    const { id: automationId } = await world.addAutomation()
    const [id = ''] = await world.put(automationId, urlOf(endpoint))
    const node = world.node(certificate.cert)
    await until(() => waiting.length === 1)
    await world.records.updateTable('deliveries').set({ claim: 'another/1' }).execute()
    waiting[0]!.end('ok')
    const [second = ''] = await world.put(automationId, urlOf(endpoint, '/second'))
    node.wake()
    await until(() => waiting.length === 2)
    waiting[1]!.end('ok')
    await until(async () => (await world.delivery(second)).state === 'delivered')
    const row = await world.delivery(id)
    assert.deepEqual([row.state, row.claim, row.attempts], ['pending', 'another/1', 0])
    const { count } = await world.records
      .selectFrom('delivery_attempts')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('delivery_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(count, 0)
  },
)

promise('a node that is closed ends what is under way and gives back what it had not sent', async (t, home) => {
  const world = await openDeliveries(t, home)
  const waiting: ServerResponse[] = []
  let isHanging = false
  const endpoint = await endpointOf(t, (response) => (isHanging ? waiting.push(response) : response.end('ok')))
  const { id: automationId } = await world.addAutomation()
  await world.put(automationId, urlOf(endpoint))
  const node = world.node(certificate.cert)
  await until(async () => (await world.states())['delivered'] === 1)
  isHanging = true
  await world.put(automationId, urlOf(endpoint), 30)
  node.wake()
  const claimed = () => world.records.selectFrom('deliveries').select('body').where('claim', 'is not', null).execute()
  await until(async () => waiting.length === 4 && (await claimed()).length > 4)
  const closed = node.close()
  await pause(20)
  for (const response of waiting) response.end('ok')
  await closed
  assert.deepEqual(await world.states(), { delivered: 5, pending: 26 })
  assert.deepEqual(await claimed(), [])
  await pause(50)
  assert.equal(endpoint.received.length, 5, 'nothing is sent any more')
})

promise('lanes that wait for their time hide none behind them', async (t, home) => {
  const world = await openDeliveries(t, home)
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  const later = { next_attempt_ms: NOON + 1e6 }
  for (let n = 0; n < 450; n++) await world.put(automationId, urlOf(endpoint), 1, { ...later, lane: `a${n}` })
  const [id = ''] = await world.put(automationId, urlOf(endpoint), 1, { lane: 'z' })
  world.node(certificate.cert)
  await until(async () => (await world.delivery(id)).state === 'delivered')
  assert.equal(endpoint.received.length, 1)
})

promise('many lanes are all served, however many there are', async (t, home) => {
  const world = await openDeliveries(t, home)
  const endpoint = await endpointOf(t)
  const { id: automationId } = await world.addAutomation()
  for (let lane = 0; lane < 450; lane++) await world.put(automationId, urlOf(endpoint, `/${lane}`))
  world.node(certificate.cert)
  await until(async () => (await world.states())['delivered'] === 450)
  assert.equal(endpoint.received.length, 450)
})
