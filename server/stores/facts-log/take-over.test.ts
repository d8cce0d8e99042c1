// What processes that are no more have left in their logs goes into that of the one that starts.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { LogFile } from './file.ts'
import { FactsLog, factsLogBytes } from './log.ts'

const ALL_BYTES = 1_000_000_000

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'footfall-logs-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const fileIn = (dir: string, name: string): LogFile =>
  LogFile.open({ file: join(dir, name), fsync: false, skipsDamage: false, keptFreeBytes: 0 })

/** As a process leaves it that is killed: its entries are in the file, and nobody has it open. */
function leave(dir: string, name: string, lines: string): void {
  const log = fileIn(dir, name)
  log.append([{ table: 'views', columns: 'a, b', lines }], [])
  log.close()
}

const open = (dataDir: string, takesOver: boolean, said: boolean[] = []): Promise<FactsLog> =>
  FactsLog.open({
    dataDir,
    takesOver,
    fsync: false,
    mostBytes: ALL_BYTES,
    skipsDamage: false,
    log: pino({ level: 'silent' }),
    onEntry: () => undefined,
    onWaiting: (isWaiting) => said.push(isWaiting),
  })

test('the logs of others are taken over in one, and are no files then', async (t) => {
  const dir = folder(t)
  leave(dir, 'facts-log-2.sqlite', 'of the second')
  leave(dir, 'facts-log-3.sqlite', 'of the third')
  leave(dir, 'facts-log.sqlite', 'of the first')
  assert.ok(factsLogBytes(dir) > 0)
  const said: boolean[] = []
  const log = await open(dir, true, said)
  assert.deepEqual(said, [true])
  assert.deepEqual(log.stats().entries, 3)
  const { entries } = await log.read(0, ALL_BYTES)
  assert.deepEqual(
    entries.map(({ lines }) => lines),
    ['of the first', 'of the second', 'of the third'],
  )
  assert.deepEqual(
    readdirSync(dir).filter((name) => /-\d/.test(name)),
    [],
  )
  for (const entry of entries) log.remove(entry)
  assert.deepEqual(said, [true, false])
  await log.close()
  assert.deepEqual(readdirSync(dir), [])
})

test('a process that is one of several leaves those of the others alone', async (t) => {
  const dir = folder(t)
  leave(dir, 'facts-log-2.sqlite', 'of the second')
  const log = await open(dir, false)
  assert.equal(log.stats().entries, 0)
  await log.close()
  assert.ok(readdirSync(dir).includes('facts-log-2.sqlite'))
})

test('one that another process has is left to it, and a damaged one stops the start', async (t) => {
  const dir = folder(t)
  const held = fileIn(dir, 'facts-log-2.sqlite')
  held.append([{ table: 'views', columns: 'a, b', lines: 'held' }], [])
  const log = await open(dir, true)
  assert.equal(log.stats().entries, 0)
  await log.close()
  held.close()

  writeFileSync(join(dir, 'facts-log-3.sqlite'), 'no log at all')
  await assert.rejects(open(dir, true), /facts-log-3\.sqlite is damaged/)
})
