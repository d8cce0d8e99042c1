import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from './facts-settled.ts'
import type { Days } from './facts-settled-ledger.ts'

test('neighbouring days are copied together while they have few rows, and every day is copied once', () => {
  const week = (...rows: number[]): Days[] =>
    rows.flatMap((count, index) => {
      const day = `2026-03-0${index + 2}`
      return count > 0 ? [{ first: day, last: day, rows: count }] : []
    })
  const runs = (...rows: number[]) => together(week(...rows)).map(({ first, last }) => [first.slice(8), last.slice(8)])
  assert.deepEqual(runs(), [])
  assert.deepEqual(runs(7, 0, 0, 3, 0, 0, 1), [['02', '08']])
  assert.deepEqual(runs(20_000, 20_000, 10_000, 1, 0, 49_999, 1), [
    ['02', '04'],
    ['05', '07'],
    ['08', '08'],
  ])
  assert.deepEqual(runs(0, 900_000, 1, 60_000), [
    ['03', '03'],
    ['04', '04'],
    ['05', '05'],
  ])
})
