// Three nodes behind a proxy: a rolling restart loses no call, and through kills and restarts of nodes and
// stores nothing acknowledged is lost or there twice. `test/long/nodes.test.ts` goes on for longer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openChance, seedOfRun } from './support/chance.ts'
import { assertKept } from './support/ledger.ts'
import { openLedgerRun } from './support/ledger-run.ts'
import { startPostgres } from './support/postgres.ts'
import { openProxy } from './support/proxy.ts'
import { goThrough, openScene, readAtTheEnd, whileSending } from './support/three-nodes.ts'

const SENDERS = 4
const ENOUGH = SENDERS * 2

const chance = openChance(seedOfRun())
const run = await openLedgerRun('three')
// What it acknowledges has to be on the disk: it is stopped as well.
const postgres = await startPostgres({ after }, ['fsync=on'])

if (postgres)
  test('nodes are restarted one by one without a lost call, and whatever is killed, what was acknowledged is there once', async () => {
    const scene = await openScene(run, postgres, chance)
    const { url } = await openProxy(run.scope, scene.nodes.urls)
    const proxy = { ...scene.nodes.any(), url }
    await whileSending(scene, { count: SENDERS, from: 0 }, () => proxy, async () => {
      await goThrough(scene, ['a node is stopped', 'a node is stopped'], ENOUGH)
    })
    assert.deepEqual([...scene.ledger.answers.keys()], [200])
    const { any } = scene.nodes
    await whileSending(scene, { count: SENDERS, from: SENDERS }, any, async () => {
      const names = ['a node is killed', 'one node of ClickHouse is killed', 'PostgreSQL is stopped', 'Redis is away']
      await goThrough(scene, names, ENOUGH)
    })
    assertKept('three nodes', scene.ledger, await readAtTheEnd(run, scene))
  })
