// How much memory the sessions of running days take that are kept as rows, and how long they stay. The store
// is pretended: it says of each table how large it is.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { FactsEngine } from './engine.ts'
import { RunningDays } from './running.ts'

const MOST_BYTES = 1_000_000
const DAYS = Array.from({ length: 9 }, (_, day) => `2025-06-0${day + 1}`)

/** What is to be done at once is a few promises, one after the other; timers stand still. */
const allDone = async () => {
  for (let pause = 0; pause < 20; pause++) await setImmediate()
}

/** Of each day so many rows; tables are of `bytes`. */
function openRunning(t: TestContext, { rows, bytes }: { readonly rows: number; readonly bytes: number }) {
  const tables = new Set<string>()
  const read = async (sql: string): Promise<unknown[]> => {
    if (sql.includes('count()')) return [{ rows: `${rows}` }]
    if (sql.includes('total_bytes')) return [{ bytes: `${bytes}` }]
    if (sql.includes('currentDatabase()')) return [{ name: 'facts' }]
    return sql.includes('EXISTS') ? [{ result: 1 }] : []
  }
  const everywhere = async (sql: string): Promise<void> => {
    const created = /CREATE TABLE (\S+)/.exec(sql)?.[1]
    const dropped = /DROP TABLE IF EXISTS (\S+)/.exec(sql)?.[1]
    if (created !== undefined) tables.add(created)
    if (dropped !== undefined) tables.delete(dropped)
  }
  const running = new RunningDays({
    // Nothing else of it is used.
    engine: { read, everywhere } as unknown as FactsEngine,
    flush: async () => undefined,
    hasMarks: async () => false,
    limits: { mostBytes: MOST_BYTES },
    slot: 1,
  })
  t.after(() => running.close())
  return { running, tables }
}

test('a day without rows, or with more than its memory holds, is read from the folds', async (t) => {
  for (const rows of [0, 5_001, 2_000_000]) {
    const { running, tables } = openRunning(t, { rows, bytes: 1 })
    assert.equal(await running.of('p', DAYS[0]!), undefined, `${rows} rows`)
    assert.equal(tables.size, 0)
  }
})

test('a day that turns out too large is not kept', async (t) => {
  const { running, tables } = openRunning(t, { rows: 1_000, bytes: MOST_BYTES + 1 })
  assert.equal(await running.of('p', DAYS[0]!), undefined)
  assert.equal(tables.size, 0)
})

test('tables have their share of memory, and those that are about to be dropped as much again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const bytes = MOST_BYTES * 0.4
  const { running, tables } = openRunning(t, { rows: 1_000, bytes })
  const kept = []
  for (const day of DAYS) {
    if (await running.of('p', day)) kept.push(day)
    assert.ok(tables.size * bytes <= 2 * MOST_BYTES, `${tables.size} tables`)
  }
  assert.deepEqual(kept, DAYS.slice(0, 5))
  t.mock.timers.tick(60_000)
  await allDone()
  assert.equal(tables.size, 2)
  assert.equal((await running.of('p', DAYS[4]!))?.day, DAYS[4], 'the one that was asked about last is still there')
})

test('after a change of the whole store nothing of before is kept', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { running, tables } = openRunning(t, { rows: 1_000, bytes: 1 })
  const before = await running.of('p', DAYS[0]!)
  running.touchAll()
  await allDone()
  t.mock.timers.tick(60_000)
  await allDone()
  assert.equal(tables.size, 0)
  assert.notEqual((await running.of('p', DAYS[0]!))?.table, before?.table)
})
