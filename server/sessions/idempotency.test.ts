// An event with an idempotency key: who was not answered, or with an error, may send it again, and it counts
// once and is told once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { CHROME, type Reply, startFootfall } from '../../test/support/server.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')
const footfall = await startFootfall({ after }, { now: noon, env: { LOG_LEVEL: 'silent' } })
const { clock, context, property, track } = footfall

let visitors = 0
async function openSession(): Promise<{ id: string; address: string }> {
  visitors += 1
  const address = `203.0.113.${visitors}`
  return { id: (await track.load({ address })).json.session_id, address }
}
type Session = Awaited<ReturnType<typeof openSession>>

interface Said {
  readonly name: string
  readonly value?: unknown
  readonly key?: unknown
}

/** The two ways to say the same; every promise of this file holds for both. */
const ways: Readonly<Record<string, (session: Session, said: Said) => Promise<Reply>>> = {
  browser: ({ id, address }, { name, value, key }) =>
    footfall.call('POST', `/v2/signal/${id}/event`, {
      headers: { 'x-svc-id': property.key, 'x-forwarded-for': address, 'user-agent': CHROME },
      body: { event: name, value, idempotency_key: key },
    }),
  server: ({ id }, { name, value, key }) =>
    footfall.call('POST', '/v2/property/session/event', {
      body: { session_id: id, name, value, idempotency_key: key },
    }),
}

const isRecorded = ({ status, json }: Reply): boolean => status === 200 && json.success !== false

/** Events of the property by name, as every question counts them. */
async function countEvents(name: string): Promise<number> {
  const [row] = await context.facts.query<{ events: string }>(
    'test.events',
    "SELECT count() AS events FROM events FINAL WHERE kind = 'event' AND name = {name:String}",
    { name },
  )
  return Number(row?.events)
}

async function listen(): Promise<{ told: (name: string) => Promise<number> }> {
  const made = await footfall.call('POST', `/manage/properties/${property.id}/automations`, {
    body: {
      trigger: { event_type: 'event', event_value: null },
      actions: [{ type: 'webhook', url: 'https://example.com/hook' }],
    },
  })
  assert.equal(made.status, 200)
  const told = async (name: string): Promise<number> => {
    const rows = await context.records.selectFrom('deliveries').select('event').execute()
    return rows.filter(({ event }) => JSON.parse(event ?? '{}').name === name).length
  }
  return { told }
}

const { told } = await listen()

for (const [way, send] of Object.entries(ways)) {
  test(`${way}: the same key counts once, however often and whenever it comes, and is told once`, async () => {
    const session = await openSession()
    const said = { name: `${way} once`, value: 1, key: 'order 7' }
    const replies = [await send(session, said)]
    clock.advance(20 * 60_000)
    replies.push(...(await Promise.all([said, { ...said, value: 2 }, said].map((each) => send(session, each)))))
    assert.deepEqual(replies.map(isRecorded), [true, true, true, true])
    assert.deepEqual([await countEvents(said.name), await told(said.name)], [1, 1])
    if (way === 'server') assert.deepEqual(new Set(replies.map(({ json }) => JSON.stringify(json.data))).size, 1)
  })

  test(`${way}: at one moment, too`, async () => {
    const session = await openSession()
    const said = { name: `${way} together`, key: 'k' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(session, said)))
    assert.ok(replies.every(isRecorded))
    assert.deepEqual([await countEvents(said.name), await told(said.name)], [1, 1])
  })

  test(`${way}: another key, another session and no key are other events`, async () => {
    const [one, two] = [await openSession(), await openSession()]
    const name = `${way} several`
    for (const key of ['a', 'b', undefined, undefined]) assert.ok(isRecorded(await send(one, { name, key })))
    assert.ok(isRecorded(await send(two, { name, key: 'a' })))
    assert.deepEqual([await countEvents(name), await told(name)], [5, 5])
  })

  test(`${way}: a call that failed once the event was stored is made up for by the next one`, async () => {
    const session = await openSession()
    const said = { name: `${way} failed`, key: 'k' }
    await sql`create trigger broken before insert on deliveries begin select raise(abort, 'broken'); end`.execute(
      context.records,
    )
    const failed = await send(session, said)
    await sql`drop trigger broken`.execute(context.records)
    assert.ok(failed.status >= 500)
    assert.deepEqual([await countEvents(said.name), await told(said.name)], [1, 0])
    assert.ok(isRecorded(await send(session, said)))
    assert.deepEqual([await countEvents(said.name), await told(said.name)], [1, 1])
  })

  test(`${way}: a key that is none is refused`, async () => {
    const session = await openSession()
    const name = `${way} refused`
    for (const key of ['', 'x'.repeat(256), 7]) assert.ok(!isRecorded(await send(session, { name, key })))
    assert.equal(await countEvents(name), 0)
  })
}

test('a repeated event keeps no session going', async () => {
  const session = await openSession()
  const said = { name: 'kept', key: 'k' }
  await ways['browser']!(session, said)
  clock.advance(10 * 60_000)
  await ways['browser']!(session, said)
  const rows = await context.facts.query(
    'test.minutes',
    "SELECT length(minutes) AS minutes FROM sessions FINAL WHERE (day, session) IN (SELECT day, session FROM events WHERE name = 'kept')",
  )
  assert.deepEqual(rows, [{ minutes: '1' }])
})
