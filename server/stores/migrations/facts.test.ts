import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { startClickHouse } from '../../../test/support/clickhouse.ts'
import { ownWaits } from '../../../test/support/patience.ts'
import { type Facts, openFacts } from '../facts.ts'
import { migrateFacts } from './facts.ts'

const options = { cluster: null, memoryMb: 512, threads: 2, fsync: false, log: pino({ level: 'silent' }), ...ownWaits }

async function openStore(t: TestContext, urls: readonly string[]): Promise<Facts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-migrations-'))
  const facts = await openFacts({ ...options, dataDir, urls })
  t.after(async () => {
    await facts.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return facts
}

async function computedColumns(facts: Facts): Promise<number> {
  const found = await facts.query(
    'test',
    "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'sessions' AND default_kind = 'ALIAS'",
  )
  return found.length
}

/** As the version before leaves its store. */
async function takeBack(facts: Facts): Promise<void> {
  await facts.command('test', [
    'ALTER TABLE sessions ADD COLUMN `entry.path` String ALIAS tupleElement(entry_fold, 3)',
    "ALTER TABLE migrations DELETE WHERE name = '033_plain_sessions' SETTINGS mutations_sync = 2",
  ])
}

test('columns that nobody reads any more go where no node of the version before can still run', async (t) => {
  const server = await startClickHouse()
  t.after(() => server.remove())
  for (const [urls, left] of [
    [[], 0],
    [server.urls, 1],
  ] as const) {
    const facts = await openStore(t, urls)
    await migrateFacts(facts)
    assert.equal(await computedColumns(facts), 0, 'the store is new')
    await takeBack(facts)
    await migrateFacts(facts)
    assert.equal(await computedColumns(facts), left)
  }
})
