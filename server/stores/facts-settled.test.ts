import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from './facts-settled.ts'
import type { DayRows } from './facts-settled-ledger.ts'

test('neighbouring days are copied together while they have few rows, and every day is copied once', () => {
  const week = (...rows: number[]): DayRows[] =>
    rows.flatMap((count, index) => (count > 0 ? [{ days: [`0${index + 2}`], rows: count }] : []))
  const runs = (...rows: number[]) => together(week(...rows)).map(({ days }) => days)
  assert.deepEqual(runs(), [])
  assert.deepEqual(runs(7, 0, 0, 3, 0, 0, 1), [['02', '05', '08']])
  assert.deepEqual(runs(20_000, 20_000, 10_000, 1, 0, 49_999, 1), [['02', '03', '04'], ['05', '07'], ['08']])
  assert.deepEqual(runs(0, 900_000, 1, 60_000), [['03'], ['04'], ['05']])
})
