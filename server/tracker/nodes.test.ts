// Two nodes on one PostgreSQL and one two-shard ClickHouse, with one SECRET: any of them may take any request
// of a visitor.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Footfall } from '../../test/support/server.ts'
import { openSharedClock } from '../shared-clock.ts'
import { openTwoNodes } from '../../test/support/two-nodes.ts'
import { visitorContract } from '../../test/support/visitor-contract.ts'

const MINUTE = 60_000
const midnight = Date.parse('2026-05-05T00:00:00Z')
let one: Footfall
let two: Footfall
let key: string
let id: string

function setClocks(minutes: number): void {
  for (const node of [one, two]) node.clock.set(midnight + minutes * MINUTE)
}

const nodes = await openTwoNodes(midnight)

before(async () => {
  if (!nodes) return
  ;[one, two] = nodes
  ;({ key, id } = await one.addProperty())
})

const isRunning = (): boolean => nodes !== undefined

test('first views on both nodes at the same moment are one session, and ids of one are good on the other', async () => {
  if (!isRunning()) return
  setClocks(-120)
  const replies = await Promise.all([one, two, one, two].map((node) => node.track.load({ key })))
  const ids = replies.map((reply) => reply.json.session_id as string)
  assert.deepEqual([...new Set(ids)], [ids[0]])
  assert.equal(new Set(replies.map((reply) => reply.json.view_id)).size, 4)
  for (const [i, reply] of replies.entries()) {
    const other = [two, one][i % 2]!
    assert.equal((await other.track.ping(reply.json.view_id, { key, tos: 10 + i, max: i })).json.success, true)
  }
  const views = await two.context.facts.query<{ seconds: number }>(
    'test.views',
    'SELECT seconds FROM views FINAL WHERE property = {id:String} ORDER BY seconds',
    { id },
  )
  assert.deepEqual(
    views.map((view) => view.seconds),
    [10, 11, 12, 13],
  )
  assert.equal((await two.track.resolve({ key })).json.session_id, ids[0])
})

visitorContract('nodes', () => (isRunning() ? { one, two, key } : undefined), setClocks)

test('around midnight a new visitor has one session, whatever the clocks of the machines say', async () => {
  if (!isRunning()) return
  let storeMs = midnight + 3 * 86_400_000 - 1_000
  const log = { warn: () => undefined }
  // Three seconds ahead, and a minute and a half behind.
  const clocks = await Promise.all(
    [3_000, -90_000].map((skewMs) =>
      openSharedClock({ read: async () => storeMs, systemNow: () => storeMs + skewMs, log }),
    ),
  )
  const loadOn = async (node: 0 | 1, address: string): Promise<string> => {
    const footfall = node === 0 ? one : two
    footfall.clock.set(clocks[node]!.now())
    return (await footfall.track.load({ key, address })).json.session_id
  }
  const evening = [await loadOn(0, '203.0.113.50'), await loadOn(1, '203.0.113.50')]
  storeMs += 2_000
  const visitors = ['203.0.113.50', '203.0.113.51']
  const night = []
  for (const address of visitors) night.push(await loadOn(1, address), await loadOn(0, address))
  for (const clock of clocks) clock.close()
  assert.equal(new Set([...evening, ...night.slice(0, 2)]).size, 1, 'who came before midnight carries on')
  assert.equal(new Set(night.slice(2)).size, 1)
})
