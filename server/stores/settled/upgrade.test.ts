// A store whose weeks were settled by an older version.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { newDataDir } from '../../../test/support/records.ts'
import { type Facts, openFacts } from '../facts.ts'
import { migration as weeks } from '../migrations/facts/006_settled.ts'
import { migrateFacts, statementsOf } from '../migrations/facts.ts'

const DAY = '2026-03-04'
const NOW = Date.UTC(2026, 4, 1)
const HOUR_MS = 3_600_000
const options = { urls: [], cluster: null, memoryMb: 512, threads: 2, fsync: false, log: pino({ level: 'silent' }) }

/** As it was before days were settled, with a copy of the week. */
async function takeBack(facts: Facts): Promise<void> {
  const statements = [
    'DROP TABLE day_changes_from_sessions SYNC',
    'DROP TABLE day_changes SYNC',
    'DROP TABLE settled_days SYNC',
    "ALTER TABLE migrations DELETE WHERE name >= '013' SETTINGS mutations_sync = 2",
    ...statementsOf(weeks, facts.layout),
    `INSERT INTO settled (copy, property, day, session) SELECT 77, 'p', '${DAY}', 1`,
    "INSERT INTO settled_weeks (day, copy, mark) SELECT '2026-03-02', 77, 'm'",
  ]
  for (const statement of statements) await facts.command('test', statement)
}

test('copies of weeks do not count any more, and go; their days are copied', async (t) => {
  const facts = await openFacts({ ...options, dataDir: newDataDir(t) })
  t.after(() => facts.close())
  await migrateFacts(facts)
  await takeBack(facts)
  const at = Date.parse(DAY)
  await facts.append('views', { property: 'p', day: DAY, session: '1', view: 1, at, seen: at })
  await facts.append('views', { property: 'p', day: DAY, session: '2', view: 1, at, seen: at })
  const count = async (sql: string) =>
    Number((await facts.query<{ count: string }>('test', `SELECT count() AS count FROM ${sql}`))[0]!.count)

  await migrateFacts(facts)
  assert.equal((await facts.settledDays()).size, 0)
  assert.equal(await count("system.tables WHERE name LIKE 'settled_weeks%'"), 0)
  await facts.settle(NOW, false)
  const settled = await facts.settledDays()
  assert.equal(settled.size, 7)
  assert.equal(await count(`settled WHERE copy = ${settled.get(DAY)!.copy}`), 2)
  await facts.settle(NOW + HOUR_MS, false)
  assert.equal(await count('settled WHERE copy = 77'), 0)
})
