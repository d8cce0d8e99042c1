// What every facts store promises, wherever it runs. Each test file gives its own way to open one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../../server/stores/facts.ts'
import { dropOldFacts, settleFacts } from '../../server/stores/facts/retention.ts'
import { mendFolds } from '../../server/stores/facts/mend.ts'
import { migrateFacts, storedName } from '../../server/stores/migrations/facts.ts'
import { factDefaults } from '../../server/stores/fact-tables.ts'
import type { FactTable } from '../../server/stores/tables.ts'
import { fileContract } from './facts-contract-files.ts'
import { heldContract } from './facts-contract-held.ts'
import { marksContract } from './facts-contract-marks.ts'
import { questionContract } from './facts-contract-questions.ts'
import { goalsContract } from './facts-contract-goals.ts'
import { settledContract } from './facts-contract-settled.ts'
import { writingContract } from './facts-contract-writing.ts'
import { freshProperty } from './facts-rows.ts'

/** The types that a column may have whose rows hold such a value by default. */
function storedAs(value: unknown): RegExp {
  if (value === null) return /^Nullable\(/
  if (Array.isArray(value)) return /^Array\(String\)$/
  if (typeof value === 'object') return /^Map\(String, String\)$/
  return typeof value === 'number' ? /\b(U?Int\d+|DateTime64\(3, 'UTC'\))\)?$/ : /\b(String|UInt64|Date)\)*$/
}

/** @param facts gives the open and migrated store of the file. */
export function factsContract(where: string, facts: () => Facts): void {
  test(`${where}: migrating again changes nothing`, async () => {
    const before = await facts().query(
      'test',
      'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
    )
    await migrateFacts(facts())
    const after = await facts().query(
      'test',
      'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
    )
    assert.deepEqual(after, before)
    assert.ok(before.length >= 6)
  })

  test(`${where}: a store of a newer program is refused`, async () => {
    await facts().command('test', "INSERT INTO migrations (name) SELECT '999_from_tomorrow'")
    await assert.rejects(migrateFacts(facts()), /999_from_tomorrow.*newer version/)
    await facts().command(
      'test',
      "ALTER TABLE migrations DELETE WHERE name = '999_from_tomorrow' SETTINGS mutations_sync = 2",
    )
    await migrateFacts(facts())
  })

  test(`${where}: a view and an event whose session was lost in a crash are in it after the next start`, async () => {
    const property = freshProperty()
    const row = { property, day: '2031-05-06', session: '7', at: Date.parse('2031-05-06') }
    await facts().append('views', { ...row, view: 5, seen: row.at, seconds: 9 })
    await facts().append('events', { ...row, kind: 'event', name: 'e', id: '1', by_visitor: 1, tags: ['t'] })
    await facts().command('test', `TRUNCATE TABLE ${storedName('sessions', facts().layout)}`)
    await mendFolds(facts())
    assert.deepEqual(
      await facts().query('test', 'SELECT seconds, tags FROM sessions FINAL WHERE property = {property:String}', {
        property,
      }),
      [{ seconds: { 5: 9 }, tags: ['t'] }],
    )
  })

  for (const table of Object.keys(factDefaults) as FactTable[]) {
    test(`${where}: factDefaults name every column of ${table}, and the store's own defaults agree`, async () => {
      const stored = facts().layout.cluster ? `${table}_local` : table
      const columns = await facts().query<{ name: string; type: string }>(
        'test',
        "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {stored:String} AND default_kind != 'MATERIALIZED' ORDER BY name",
        { stored },
      )
      assert.deepEqual(
        columns.map((column) => column.name),
        Object.keys(factDefaults[table]).toSorted(),
      )
      const defaults: Readonly<Record<string, unknown>> = factDefaults[table]
      for (const { name, type } of columns) assert.match(type, storedAs(defaults[name]), `${table}.${name}`)

      const [ours, theirs] = [freshProperty(), freshProperty()]
      await facts().append(table, { property: ours, ...(table === 'events' ? { kind: 'event' as const } : {}) })
      await facts().command(
        'test',
        `INSERT INTO ${table} (property${table === 'events' ? ', kind' : ''}) SELECT '${theirs}'${table === 'events' ? ", 'event'" : ''}`,
      )
      const rows = await facts().query(
        'test',
        `SELECT * EXCEPT property FROM ${table} FINAL WHERE property IN {both:Array(String)} ORDER BY property`,
        {
          both: [ours, theirs],
        },
      )
      assert.ok(rows.length >= 2)
      for (const row of rows) assert.deepEqual(row, rows[0])
    })
  }

  writingContract(where, facts)
  questionContract(where, facts)
  marksContract(where, facts)
  settledContract(where, facts)
  goalsContract(where, facts)
  heldContract(where, facts)
  fileContract(where, facts)

  test(`${where}: facts older than wanted are dropped by the week, the others stay, and the rest is merged`, async () => {
    const property = freshProperty()
    const now = Date.parse('2001-03-07T12:00:00Z') // a Wednesday
    const days = ['2001-02-04', '2001-02-05', '2001-02-11', '2001-02-12', '2001-02-20', '2001-03-07']
    for (const day of days)
      await facts().append('views', {
        property,
        day,
        session: '1',
        view: 1,
        at: Date.parse(day),
        seen: Date.parse(day),
      })
    const left = (table: string) =>
      facts().query<{ day: string }>(
        'test',
        `SELECT DISTINCT day FROM ${table} WHERE property = {property:String} ORDER BY day`,
        { property },
      )

    // Other tests have left rows of 1970.
    assert.deepEqual(
      (await dropOldFacts(facts(), 20, now)).filter((monday) => monday > '2000'),
      ['2001-01-29', '2001-02-05'],
    )
    for (const table of ['views', 'sessions'])
      assert.deepEqual(
        (await left(table)).map((row) => row.day),
        days.slice(3),
      )
    assert.deepEqual(await dropOldFacts(facts(), 20, now), [])
    await settleFacts(facts())
    for (const table of ['views', 'sessions'])
      assert.deepEqual(
        (await left(table)).map((row) => row.day),
        days.slice(3),
      )
  })
}
