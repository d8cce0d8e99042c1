// Who keeps whom waiting, and what a delivery that had to wait is sent as: over real records, to endpoints
// that answer when they are told to.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DeliveryWorld, NOON, openDeliveries, until } from '../../test/support/delivery-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { Problem } from '../kernel/problem.ts'
import type { Outcome } from '../webhooks/client.ts'
import { NOT_BEGUN } from '../webhooks/reasons.ts'
import type { Client } from './attempt.ts'
import { DueLanes } from './due-lanes.ts'
import { requestRetry } from './records.ts'
import { eraseAhead, eraseDeliveries } from './erasure-records.ts'
import { deleteDeliveries } from '../automations/records.ts'
import { newSecret } from '../automations/secrets.ts'

const { homes } = await openHomes()

function promise(text: string, check: Parameters<typeof testOnEach>[2]): void {
  testOnEach(homes, text, check)
}

const outcome = (status: number | null, error: string | null = null, durationMs = 1): Outcome => ({
  status,
  error,
  headers: {},
  body: '',
  durationMs,
})

interface Call {
  readonly url: string
  readonly body: string
  readonly signature: string
  readonly answer: (outcome: Outcome) => void
}

/** Calls that are answered by `answer`, at once or when the test likes. */
function openCalled(answer: (call: Call) => void): { client: Client; calls: Call[] } {
  const calls: Call[] = []
  const client: Client = {
    post: (url, body, headers) =>
      new Promise((resolve) => {
        const call = { url, body, signature: headers['X-Service-Signature'] ?? '', answer: resolve }
        calls.push(call)
        answer(call)
      }),
  }
  return { client, calls }
}

const arrive = (call: Call): void => call.answer(outcome(200))

promise(
  'a hundred and fifty endpoints that never answer keep no endpoint of another property waiting',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const { client, calls } = openCalled((call) => {
      if (!call.url.includes('dead')) arrive(call)
    })
    const other = await world.addProperty()
    const evil = await world.addAutomation()
    const good = await world.addAutomation({ property_id: other })
    const old = { next_attempt_ms: NOON - 60_000 }
    for (let n = 0; n < 150; n++) await world.put(evil.id, `https://dead.example/${n}`, 3, old)
    const node = world.node('', { client, closeWaitMs: 0 })
    await until(() => calls.length > 20)
    for (let n = 0; n < 40; n++) await world.put(good.id, `https://good.example/${n}`, 2, { property_id: other })
    node.wake()
    await until(async () => (await world.states())['delivered'] === 80)
  },
)

promise(
  'of one property too, an endpoint that nobody has called yet comes before those that did not answer',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const { client, calls } = openCalled((call) => {
      if (call.url.includes('dead')) setTimeout(() => call.answer(outcome(null, 'timeout', 10_000)), 5)
      else arrive(call)
    })
    const { id } = await world.addAutomation()
    for (let n = 0; n < 60; n++)
      await world.put(id, `https://dead.example/${n}`, 40, { next_attempt_ms: NOON - 60_000, priority: 0 })
    const node = world.node('', { client })
    await until(() => new Set(calls.map(({ url }) => url)).size === 60)
    const before = calls.length
    await world.put(id, 'https://good.example/', 1, { priority: 3 })
    node.wake()
    await until(() => calls.some(({ url }) => url.includes('good')))
    const meanwhile = calls.findIndex(({ url }) => url.includes('good')) - before
    assert.ok(meanwhile < 150, `${meanwhile} calls to dead endpoints went before it`)
  },
)

promise('endpoints have their turns, whatever is old and urgent in the others', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { client, calls } = openCalled((call) => setTimeout(() => call.answer(outcome(null, 'timeout', 10_000)), 1))
  const { id } = await world.addAutomation()
  for (let n = 0; n < 70; n++)
    await world.put(id, `https://dead.example/${n}`, 6, { priority: n < 35 ? 0 : 3, next_attempt_ms: NOON - n })
  world.node('', { client })
  await until(() => calls.length >= 280)
  const counts = Map.groupBy(calls.slice(0, 280), ({ url }) => url)
  assert.equal(counts.size, 70)
  const least = Math.min(...[...counts.values()].map(({ length }) => length))
  assert.ok(least >= 3, `one was called ${least} times when the others were four times`)
})

/**
 * Three that hang in the slots of an endpoint that was quick, and others behind them that are claimed
 * already.
 */
async function openWaiting(world: DeliveryWorld, extra: object = {}) {
  const hanging: Call[] = []
  let isHanging = false
  const { client, calls } = openCalled((call) => (isHanging ? hanging.push(call) : arrive(call)))
  const automation = await world.addAutomation()
  const node = world.node('', { client })
  await world.put(automation.id, 'https://quick.example/')
  node.wake()
  await until(async () => (await world.states())['delivered'] === 1)
  isHanging = true
  const ids = await world.put(automation.id, 'https://quick.example/', 30, extra)
  node.wake()
  const ahead = () =>
    world.records
      .selectFrom('deliveries')
      .select('id')
      .where('claim', 'is not', null)
      .where('body', 'is not', null)
      .execute()
  await until(async () => hanging.length === 4 && (await ahead()).length > 10)
  return {
    automation,
    ids,
    calls,
    node,
    goOn: async () => {
      isHanging = false
      for (const call of hanging) arrive(call)
      await until(async () => !(await world.states())['pending'])
    },
  }
}

promise('what is erased while it waits for its slot is not sent', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { calls, goOn } = await openWaiting(world, { contact_id: 'ct_1' })
  const subject = { sessions: [], contactIds: ['ct_1'], submissionIds: [] }
  await world.records.transaction().execute((tx) => eraseDeliveries(tx, world.propertyId, subject, NOON))
  await goOn()
  assert.equal(calls.length, 1 + 4)
  assert.deepEqual(await world.states(), { delivered: 1, erased: 30 })
})

promise('what is deleted while it waits for its slot is not sent', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { calls, automation, goOn } = await openWaiting(world)
  await deleteDeliveries(world.records, world.propertyId, automation.id)
  await world.records.deleteFrom('automations').execute()
  await goOn()
  assert.equal(calls.length, 1 + 4)
  assert.deepEqual(await world.states(), {})
})

promise('what waits for its slot while its automation is switched off is held', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { calls, goOn } = await openWaiting(world)
  await world.records.updateTable('automations').set({ is_active: 0 }).execute()
  await goOn()
  assert.equal(calls.length, 1 + 4)
  assert.deepEqual(await world.states(), { delivered: 5, held: 26 })
})

promise('what waits for its slot while the secret is replaced is signed with the new one', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { calls, automation, goOn } = await openWaiting(world)
  const { signingSecret, sealed } = newSecret(
    { keys: world.keys, randomBytes: (size) => Buffer.alloc(size, 7) },
    automation.id,
  )
  await world.records.updateTable('automations').set({ secret: sealed }).execute()
  await goOn()
  assert.equal(calls.length, 31)
  const signed = (secret: string, { body, signature }: Call): boolean =>
    signature ===
    `t=${NOON / 1000},v1=${createHmac('sha256', secret)
      .update(`${NOON / 1000}.${body}`)
      .digest('hex')}`
  assert.ok(calls.slice(0, 5).every((call) => signed(automation.secret, call)))
  assert.ok(calls.slice(5).every((call) => signed(signingSecret, call)))
})

promise('an attempt that did not begin is none: it is made soon', async (t, home) => {
  const world = await openDeliveries(t, home)
  const { client, calls } = openCalled((call) =>
    call.answer(calls.length === 1 ? outcome(null, NOT_BEGUN, 10_000) : outcome(200)),
  )
  const { id: automationId } = await world.addAutomation()
  const node = world.node('', { client })
  const [id = ''] = await world.put(automationId, 'https://a.example/')
  node.wake()
  await until(async () => calls.length === 1 && (await world.delivery(id)).claim === null)
  const { state, attempts, next_attempt_ms } = await world.delivery(id)
  assert.deepEqual([state, attempts, next_attempt_ms], ['pending', 0, NOON + 5_000])
  world.clock.ms = NOON + 5_000
  await until(async () => (await world.delivery(id)).state === 'delivered')
  const attemptsMade = await world.records.selectFrom('delivery_attempts').select('number').execute()
  assert.deepEqual(attemptsMade, [{ number: 1 }])
})

promise(
  'one that has arrived stays delivered when sending it again by hand fails; the log has both',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    let status = 200
    const { client } = openCalled((call) =>
      call.answer(status === 200 ? outcome(200) : outcome(status, `status ${status}`)),
    )
    const { id: automationId } = await world.addAutomation()
    const node = world.node('', { client })
    const [id = ''] = await world.put(automationId, 'https://a.example/')
    const [failed = ''] = await world.put(automationId, 'https://b.example/', 1, {
      state: 'failed',
      attempts: 3,
      finished_ms: 1,
    })
    node.wake()
    await until(async () => (await world.delivery(id)).state === 'delivered')
    status = 500
    const key = { propertyId: world.propertyId, automationId }
    const again = async (one: string): Promise<string> => {
      assert.ok(await requestRetry(world.records, key, one, NOON))
      node.wake()
      await until(async () => (await world.delivery(one)).state !== 'pending')
      return (await world.delivery(one)).state
    }
    assert.equal(await again(id), 'delivered')
    assert.equal(await again(failed), 'failed')
    const errors = await world.records
      .selectFrom('delivery_attempts')
      .select(['number', 'error'])
      .where('delivery_id', '=', id)
      .orderBy('number')
      .execute()
    assert.deepEqual(errors, [
      { number: 1, error: null },
      { number: 2, error: 'status 500' },
    ])
  },
)

promise(
  'very many deliveries of a person are forgotten a few at a time, and little is left for the transaction',
  async (t, home) => {
    const world = await openDeliveries(t, home)
    const { id } = await world.addAutomation()
    const url = 'https://a.example/'
    await world.put(id, url, 1_500, { contact_id: 'ct_1', state: 'delivered', body: 'told', finished_ms: 1 })
    await world.put(id, url, 700, { session_day: 20_000, session: '5', state: 'held' })
    await world.put(id, url, 3, { contact_id: 'ct_2', state: 'delivered', body: 'told', finished_ms: 1 })
    const subject = { sessions: [{ day: 20_000, session: '5' }], contactIds: ['ct_1'], submissionIds: ['fs_1'] }
    let others = 0
    let isOver = false
    const erasing = eraseAhead(world.records, world.propertyId, subject, NOON).finally(() => (isOver = true))
    for (; !isOver; others++) {
      await world.records.transaction().execute((tx) => tx.selectFrom('automations').select('id').execute())
      await nextTurn()
    }
    await erasing
    assert.ok(others > 10, `${others} others came to their turn meanwhile`)
    assert.deepEqual(await world.states(), { delivered: 1_503, erased: 700 })
    const told = world.records
      .selectFrom('deliveries')
      .select('contact_id')
      .where((of) => of.or([of('body', 'is not', null), of('event', 'is not', null)]))
    assert.deepEqual(
      await told.execute(),
      Array.from({ length: 3 }, () => ({ contact_id: 'ct_2' })),
    )
    const left = await world.records.transaction().execute((tx) => eraseDeliveries(tx, world.propertyId, subject, NOON))
    assert.equal(left, 0)
  },
)

promise('a look around that is asked for during another one is not lost', async (t, home) => {
  const { records } = await openDeliveries(t, home)
  const dueLanes = new DueLanes(records)
  const found = dueLanes.find(NOON)
  dueLanes.lookAround()
  await found
  assert.equal(dueLanes.isLooking, true)
  await dueLanes.find(NOON)
  assert.equal(dueLanes.isLooking, false)
})

promise('whatever goes wrong on the way, nothing that is due is left behind', async (t, home) => {
  const world = await openDeliveries(t, home, '1,1,1,1,1,1,1,1,1,1')
  let asked = 0
  const { client } = openCalled((call) => {
    const n = asked++
    const result =
      n % 7 === 0
        ? outcome(null, 'timeout')
        : n % 11 === 0
          ? outcome(500, 'status 500', n % 2 ? 1 : 3_000)
          : outcome(200)
    if (n % 3 === 0) setTimeout(() => call.answer(result), n % 20)
    else call.answer(result)
  })
  let made = 0
  const makeBody = async ({ id }: { id: string }) => {
    if (++made % 50 === 0) throw new Problem('unavailable', 'Too many queries are waiting.')
    return { body: JSON.stringify({ id }) }
  }
  const properties = [world.propertyId, await world.addProperty(), await world.addProperty()]
  const nodes = [world.node('', { client, makeBody, awayMs: 20 }), world.node('', { client, makeBody, awayMs: 20 })]
  const clock = setInterval(() => (world.clock.ms += 1_000), 20)
  t.after(() => clearInterval(clock))
  for (const property_id of properties) {
    const { id } = await world.addAutomation({ property_id, failures: -1_000 })
    for (let lane = 0; lane < 12; lane++)
      await world.put(id, `https://${lane}.example/${property_id}`, 15, { property_id, priority: lane % 4 })
    for (const node of nodes) node.wake()
  }
  await until(async () => Object.keys(await world.states()).join() === 'delivered')
  const claims = await world.records.selectFrom('deliveries').select('id').where('claim', 'is not', null).execute()
  assert.deepEqual(claims, [])
})
