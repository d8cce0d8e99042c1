// A disk that is full while the service takes in mixed traffic: it says so with 503, loses nothing that it
// acknowledged, and goes on by itself when there is room again. Needs a small file system of its own, which
// root alone can mount.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { acknowledgedIn, assertKept, openLedger, openSite, sendOn } from '../support/ledger.ts'
import { openLedgerRun, readHeld, untilTold } from '../support/ledger-run.ts'
import { rounds } from '../support/long.ts'
import { startService } from '../support/service.ts'

const ROUNDS = Number(process.env['LONG_ROUNDS'] ?? rounds(2, 20))
const SENDERS = 8
/** Enough for an empty service and what the senders write meanwhile. */
const DISK_MB = 512
/**
 * Answers of 503 after which the disk has been full for long enough: what goes to the facts is tried for ten
 * seconds before it is refused.
 */
const REFUSED = SENDERS * 2
const ENOUGH = SENDERS * 3
const PIECE = Buffer.alloc(65_536)

const run = await openLedgerRun('disk-full')
const disk = join(run.folder, 'disk')
const ballast = join(disk, 'ballast')
const stores = { dataDir: join(disk, 'data'), databaseUrl: null, urls: [], cluster: null }

function mountDisk(): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'footfall-test', disk], { stdio: 'ignore' })
  } catch {
    return false
  }
  run.scope.after(async () => void execFileSync('umount', ['-l', disk]))
  return true
}

const isMounted = mountDisk()
const skip = isMounted ? false : 'nobody but root can mount a small disk'

/** To the last byte: what others free meanwhile is taken as well. */
function fill(): void {
  const file = openSync(ballast, 'a')
  let size = PIECE.length
  while (size >= 1) {
    try {
      writeSync(file, PIECE, 0, size)
    } catch {
      size = Math.floor(size / 2)
    }
  }
  closeSync(file)
}

test(
  `a full disk, ${ROUNDS} times: refused with 503, nothing acknowledged is lost, and it goes on by itself`,
  { skip },
  async () => {
    mkdirSync(stores.dataDir)
    const ledger = openLedger()
    const service = await startService(run.scope, stores.dataDir, run.env)
    const site = await openSite(service, run.hookUrl)
    let isOver = false
    const senders = Array.from({ length: SENDERS }, (_, n) => {
      const sender = { site, ledger, name: `v${n}`, address: `198.18.0.${n}`, first: n, node: () => service }
      return sendOn(sender, async () => {
        await sleep(20)
        return !isOver
      })
    })
    const refused = () => ledger.answers.get(503) ?? 0
    const more = async (count: () => number, by: number) => {
      const before = count()
      while (count() < before + by) await sleep(20)
    }
    for (let round = 0; round < ROUNDS; round++) {
      await more(() => acknowledgedIn(ledger), ENOUGH)
      const before = refused()
      while (refused() < before + REFUSED) {
        fill()
        await sleep(50)
      }
      rmSync(ballast)
    }
    await more(() => acknowledgedIn(ledger), ENOUGH)
    isOver = true
    await Promise.all(senders)
    await untilTold(run.endpoint, ledger)
    await service.end('SIGTERM')
    console.log(`disk full: ${ROUNDS} times`)
    assertKept('disk full', ledger, await readHeld(stores, run.endpoint))
    assert.equal(ledger.answers.get('cut') ?? 0, 0, 'the service went away')
  },
)
