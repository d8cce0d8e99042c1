// A rolling restart of three nodes behind each proxy that is there: no call is lost, and none is answered
// with an error.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openChance, seedOfRun } from '../support/chance.ts'
import { assertKept } from '../support/ledger.ts'
import { openLedgerRun } from '../support/ledger-run.ts'
import { rounds } from '../support/long.ts'
import { startPostgres } from '../support/postgres.ts'
import { openProxy } from '../support/proxy.ts'
import { listRealProxies } from '../support/real-proxies.ts'
import { openScene, readAtTheEnd, restartEach, whileSending } from '../support/three-nodes.ts'

const SENDERS = 8
const ENOUGH = SENDERS * 2
const TIMES = rounds(1, 5)

const run = await openLedgerRun('rolling')
const postgres = await startPostgres({ after }, ['fsync=on'])

if (postgres)
  test('nodes are restarted one by one, and nobody notices', async (t) => {
    const scene = await openScene(run, postgres, openChance(seedOfRun()), { STOP_NOTICE_SECONDS: '5' })
    const { urls } = scene.nodes
    const own = { name: 'a proxy in turn', start: () => openProxy(run.scope, urls) }
    let from = 0
    for (const { name, start } of [own, ...listRealProxies(run)]) {
      const proxy = { ...scene.nodes.any(), ...(await start(urls)) }
      await t.test(`behind ${name}`, async () => {
        const before = new Map(scene.ledger.answers)
        await whileSending(scene, { count: SENDERS, from, pauseMs: 100, node: () => proxy }, () =>
          restartEach(scene, TIMES, ENOUGH),
        )
        const failed = [...scene.ledger.answers].filter(
          ([status, count]) => status !== 200 && count !== before.get(status),
        )
        assert.deepEqual(failed, [])
      })
      from += SENDERS
    }
    assertKept('rolling restarts', scene.ledger, await readAtTheEnd(run, scene))
  })
