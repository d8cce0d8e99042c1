// Three nodes behind a proxy: a restart loses no call, and through kills and restarts of nodes and
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
const PAUSE_MS = 150
const ENOUGH = SENDERS * 2

const chance = openChance(seedOfRun())
const run = await openLedgerRun('three')
// What it acknowledges has to be on the disk: it is stopped as well.
const postgres = await startPostgres({ after }, ['fsync=on'])

if (postgres)
  test('a node is restarted without a lost call, and whatever is killed, what was acknowledged is there once', async () => {
    const scene = await openScene(run, postgres, chance)
    const { url } = await openProxy(run.scope, scene.nodes.urls)
    const proxy = { ...scene.nodes.any(), url }
    const visitors = { count: SENDERS, pauseMs: PAUSE_MS }
    await whileSending(scene, { ...visitors, from: 0, node: () => proxy }, () =>
      goThrough(scene, ['a node is stopped'], ENOUGH),
    )
    assert.deepEqual([...scene.ledger.answers.keys()], [200])
    const names = ['a node is killed', 'one node of ClickHouse is killed', 'PostgreSQL is stopped', 'Redis is away']
    await whileSending(scene, { ...visitors, from: SENDERS, node: scene.nodes.any }, () =>
      goThrough(scene, names, ENOUGH),
    )
    assertKept('three nodes', scene.ledger, await readAtTheEnd(run, scene))
  })
