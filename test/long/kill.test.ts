// The whole service under mixed traffic, killed at random moments again and again: nothing that it
// acknowledged is lost, and nothing is used twice.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openChance, seedOfRun } from '../support/chance.ts'
import { acknowledgedIn, assertKept, type LedgerSite, openLedger, openSite, sendOn } from '../support/ledger.ts'
import { endLeases, openLedgerRun, readHeld, untilTold } from '../support/ledger-run.ts'
import { rounds } from '../support/long.ts'
import { startService } from '../support/service.ts'

/** LONG_ROUNDS: as many as there is time for. */
const ROUNDS = Number(process.env['LONG_ROUNDS'] ?? rounds(3, 100))
const SENDERS = 12
/** Acknowledged in a round before the blow falls, at a random moment of the next MORE_MS. */
const ENOUGH = SENDERS * 3
const MORE_MS = 400

const seed = seedOfRun()
const chance = openChance(seed)
const run = await openLedgerRun('kill')
const dataDir = join(run.folder, 'data')
const stores = { dataDir, databaseUrl: null, urls: [], cluster: null }

test(`mixed traffic, ${ROUNDS} times kill -9: nothing acknowledged is lost, nothing is there twice`, async () => {
  const ledger = openLedger()
  let site: LedgerSite | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService(run.scope, dataDir, run.env)
    const at = (site ??= await openSite(service, run.hookUrl))
    const senders = Array.from({ length: SENDERS }, (_, n) => {
      const address = `198.18.${round}.${n}`
      const sender = { site: at, ledger, name: `r${round}v${n}`, address, first: n, node: () => service }
      return sendOn(sender, (wasCut) => !wasCut)
    })
    const before = acknowledgedIn(ledger)
    while (acknowledgedIn(ledger) < before + ENOUGH) await sleep(5)
    await sleep(chance.below(MORE_MS))
    await service.end('SIGKILL')
    await Promise.all(senders)
  }

  await endLeases(stores)
  const last = await startService(run.scope, dataDir, run.env)
  await untilTold(run.endpoint, ledger)
  await last.end('SIGTERM')
  console.log(`kill: ${ROUNDS} rounds, LONG_SEED=${seed}, ${run.endpoint.received.length} calls of the endpoint`)
  assertKept('kill', ledger, await readHeld(stores, run.endpoint))
  assert.ok(acknowledgedIn(ledger) >= ROUNDS * ENOUGH)
})
