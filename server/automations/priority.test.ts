// Who goes first to one endpoint, through the front door: what the owner's server says, people who are known
// and clean leads stand before what anybody may cause by calling a page.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ALLOW_LOOPBACK, automationCalls } from '../../test/support/automation-calls.ts'
import { startFootfall } from '../../test/support/server.ts'
import { ANONYMOUS_QUOTA } from './priority.ts'

const footfall = await startFootfall({ after }, { now: Date.UTC(2026, 10, 18, 9), env: ALLOW_LOOPBACK })
const { context, track } = footfall
const calls = automationCalls(footfall)
await calls.add('event')

let visitors = 0
async function openVisit() {
  visitors += 1
  const visitor = { address: `203.0.113.${visitors}` }
  const { json } = await track.load(visitor)
  return { visitor, session: json.session_id as string }
}

/** Of the events of that name, in the order in which they came. */
async function prioritiesOf(name: string): Promise<number[]> {
  const rows = await context.records.selectFrom('deliveries').select(['event', 'priority']).orderBy('seq').execute()
  return rows.filter(({ event }) => JSON.parse(event ?? '{}').name === name).map(({ priority }) => priority)
}

test("an event of the owner's server goes before one of a page", async () => {
  const { visitor, session } = await openVisit()
  await track.event(session, 'by_page', visitor)
  const body = { session_id: session, name: 'by_server' }
  assert.equal((await footfall.call('POST', '/v2/property/session/event', { body })).status, 200)
  assert.deepEqual([await prioritiesOf('by_page'), await prioritiesOf('by_server')], [[2], [1]])
})

test('an event of a known contact goes before one of somebody unknown', async () => {
  const { visitor, session } = await openVisit()
  await track.event(session, 'before', visitor)
  const body = { session_id: session, external_id: 'u1' }
  assert.equal((await footfall.call('POST', '/v2/property/contacts/identify', { body })).status, 200)
  await track.event(session, 'afterwards', visitor)
  assert.deepEqual([await prioritiesOf('before'), await prioritiesOf('afterwards')], [[2], [1]])
})

test('beyond its quota of a minute one session waits behind all others, and loses nothing', async () => {
  const { visitor, session } = await openVisit()
  for (let n = 0; n < ANONYMOUS_QUOTA + 3; n++) await track.event(session, 'flood', visitor)
  const other = await openVisit()
  await track.event(other.session, 'other', other.visitor)
  footfall.clock.advance(60_000)
  await track.event(session, 'flood', visitor)
  const expected = [...Array.from({ length: ANONYMOUS_QUOTA }, () => 2), 3, 3, 3, 2]
  assert.deepEqual([await prioritiesOf('flood'), await prioritiesOf('other')], [expected, [2]])
})
