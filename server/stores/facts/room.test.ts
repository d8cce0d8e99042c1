// A disk on which room runs out: the embedded facts write and merge nothing while something can still go
// wrong, and go on when there is room again. Needs a small file system of its own, which root alone can
// mount.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startFootfall } from '../../../test/support/server.ts'
import { openEmbedded } from './embedded.ts'
import { KEPT_FREE_BYTES } from '../../kernel/room.ts'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'footfall-room-'))
const disk = join(folder, 'disk')
const ballast = join(disk, 'ballast')
/** More than what is kept free by what is filled below. */
const ROOM_BYTES = 64 * MIB

function mountDisk(): boolean {
  mkdirSync(disk)
  try {
    const size = `size=${KEPT_FREE_BYTES + ROOM_BYTES}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'footfall-test', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const isMounted = mountDisk()
const skip = isMounted ? false : 'nobody but root can mount a small disk'
after(() => {
  if (isMounted) execFileSync('umount', ['-l', disk])
  rmSync(folder, { recursive: true, force: true })
})

test('with little room left nothing is written or merged, long before the disk is full', { skip }, async (t) => {
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const engine = await openEmbedded({ dataDir, memoryMb: 512, threads: 1, log: pino({ level: 'silent' }) })
  t.after(() => engine.close())
  await engine.command('CREATE TABLE room (n UInt64) ENGINE = MergeTree ORDER BY n')
  const insert = () => engine.command('INSERT INTO room SELECT number FROM numbers(10)')
  const merge = () => engine.command('OPTIMIZE TABLE room FINAL SETTINGS optimize_throw_if_noop = 1')
  const rows = async () => (await engine.read('SELECT count() AS n FROM room', {}, 'question'))[0]
  await insert()
  await insert()
  writeFileSync(ballast, Buffer.alloc(ROOM_BYTES))
  await assert.rejects(insert, /not enough space/i)
  await assert.rejects(merge, /not enough free space/i)
  assert.deepEqual(await rows(), { n: '20' })
  truncateSync(ballast, 0)
  await insert()
  await merge()
  assert.deepEqual(await rows(), { n: '30' })
})

test('/readyz says so from then on, and takes it back', { skip }, async (t) => {
  const dataDir = join(disk, 'service')
  mkdirSync(dataDir)
  const footfall = await startFootfall(t, { dataDir })
  const isReady = async () => {
    const { status, json } = await footfall.call('GET', '/readyz')
    return [status, json.disk, json.facts]
  }
  assert.deepEqual(await isReady(), [200, true, true])
  writeFileSync(ballast, Buffer.alloc(ROOM_BYTES))
  assert.deepEqual(await isReady(), [503, false, true])
  truncateSync(ballast, 0)
  assert.deepEqual(await isReady(), [200, true, true])
})
