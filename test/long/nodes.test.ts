// Three nodes on PostgreSQL, a ClickHouse of two shards and Redis, under mixed traffic while nodes are killed
// and stores go away and come back: nothing acknowledged is lost, nothing is there twice, no answer is a
// fault, and nobody has to do anything for it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openChance, seedOfRun } from '../support/chance.ts'
import { acknowledgedIn, assertKept } from '../support/ledger.ts'
import { openLedgerRun } from '../support/ledger-run.ts'
import { rounds } from '../support/long.ts'
import { startPostgres } from '../support/postgres.ts'
import { blows, goThrough, openScene, readAtTheEnd, whileSending } from '../support/three-nodes.ts'

const ROUNDS = Number(process.env['LONG_ROUNDS'] ?? rounds(7, 42))
const SENDERS = 12
const ENOUGH = SENDERS * 2

const seed = seedOfRun()
const run = await openLedgerRun('nodes')
// Where it cannot run, startPostgres says so. What it acknowledges has to be on the disk: it is stopped as
// well.
const postgres = await startPostgres({ after }, ['fsync=on'])

if (postgres)
  test(`three nodes, ${ROUNDS} blows: nothing acknowledged is lost, nothing is there twice`, async () => {
    const scene = await openScene(run, postgres, openChance(seed))
    const names = Object.keys(blows)
    const each = Array.from({ length: ROUNDS }, (_, round) => names[round % names.length]!)
    await whileSending(scene, { count: SENDERS, from: 0, pauseMs: 20, node: scene.nodes.any }, () =>
      goThrough(scene, each, ENOUGH),
    )
    const held = await readAtTheEnd(run, scene)
    console.log(`nodes: ${ROUNDS} blows, LONG_SEED=${seed}, ${run.endpoint.received.length} calls of the endpoint`)
    assertKept('nodes', scene.ledger, held)
    assert.ok(acknowledgedIn(scene.ledger) >= ROUNDS * ENOUGH)
  })
