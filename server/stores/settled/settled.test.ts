import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactsEngine } from '../facts/engine.ts'
import { Settled } from './settled.ts'
import { type DayRows, together } from './ledger.ts'

test('neighbouring days are copied together while they have few rows, and every day is copied once', () => {
  const week = (...rows: number[]): DayRows[] =>
    rows.flatMap((count, index) => (count > 0 ? [{ days: [`0${index + 2}`], rows: count }] : []))
  const runs = (...rows: number[]) => together(week(...rows)).map(({ days }) => days)
  assert.deepEqual(runs(), [])
  assert.deepEqual(runs(7, 0, 0, 3, 0, 0, 1), [['02', '05', '08']])
  assert.deepEqual(runs(20_000, 20_000, 10_000, 1, 0, 49_999, 1), [['02', '03', '04'], ['05', '07'], ['08']])
  assert.deepEqual(runs(0, 900_000, 1, 60_000), [['03'], ['04'], ['05']])
})

const layout = { cluster: null, database: null, fsync: true }
const DAY = '2026-03-02'
const LATER = Date.UTC(2026, 3, 1)

/** A store with one week of which one day has sessions, and what happens while a day is copied. */
function openWorld(isShared: boolean, whileCopied: (world: World) => void) {
  const world: World = { mark: '1', looks: 0, touch: () => undefined }
  let ledger: { mark: string; copy: string } | undefined
  const listed = () => {
    world.looks++
    return [
      {
        day: DAY,
        mark: world.mark,
        copied: ledger?.mark ?? '',
        copy: ledger?.copy ?? '0',
        days: 1,
        first_ms: '0',
        last_ms: '-1',
      },
    ]
  }
  const answers: readonly (readonly [of: string, rows: () => unknown[]])[] = [
    ['day_changes', listed],
    ['AS rows FROM (', () => [{ days: [DAY], rows: 5 }]],
    ['AS first_ms', () => []],
    ['argMax(copy', () => []],
    ['DISTINCT partition', () => []],
    ['min(partition)', () => [{ day: DAY }]],
  ]
  const engine = {
    read: async (sql: string) => answers.find(([of]) => sql.includes(of))![1](),
    command: async (sql: string) => {
      if (sql.includes('INSERT INTO settled (')) whileCopied(world)
      const noted = /SELECT noted\.1, (\d+),.*toDate\('[^']+'\), '([^']+)'/s.exec(sql)
      if (noted) ledger = { copy: noted[1]!, mark: noted[2]! }
    },
  }
  const settled = new Settled(engine as unknown as FactsEngine, layout, isShared)
  world.touch = () => settled.touch([{ day: DAY }])
  return { world, settled }
}

interface World {
  mark: string
  /** How often the days were listed. */
  looks: number
  touch: () => void
}

test('a day that changes while it is copied has no copy that holds', async () => {
  const changed = openWorld(true, (world) => (world.mark = '2'))
  assert.deepEqual(await changed.settled.settle(LATER, false), [])
  changed.world.mark = '1'
  assert.equal((await changed.settled.days()).size, 0, 'nothing was noted')
  const same = openWorld(true, () => undefined)
  assert.deepEqual(await same.settled.settle(LATER, false), [DAY])
  assert.equal((await same.settled.days()).size, 1)
})

test('where others write too, questions of one moment share a look, and one that comes later has its own', async () => {
  const { world, settled } = openWorld(true, () => undefined)
  await settled.settle(LATER, false)
  const looks = world.looks
  const atOnce = await Promise.all([settled.days(), settled.days(), settled.days()])
  assert.deepEqual([atOnce.map(({ size }) => size), world.looks - looks], [[1, 1, 1], 1])
  const before = settled.days()
  await new Promise((begun) => setImmediate(() => setImmediate(begun)))
  world.mark = '2'
  const later = settled.days()
  assert.deepEqual([(await before).size, (await later).size, world.looks - looks], [1, 0, 3])
})

test('alone, a row that is acknowledged while its day is copied is in the next answer', async () => {
  for (const touches of [true, false]) {
    // As early as it can be: before the store says that it has the row.
    const { settled } = openWorld(false, (world) => touches && world.touch())
    assert.equal((await settled.days()).size, 0)
    await settled.settle(LATER, false)
    assert.equal((await settled.days()).size, touches ? 0 : 1)
  }
})

test('alone, it is known that there is nothing before the first week, until a row of an earlier day comes', async () => {
  const { settled } = openWorld(false, () => undefined)
  assert.equal((await settled.days()).emptyBefore, DAY)
  settled.touch([{ day: '2026-03-09' }])
  assert.equal((await settled.days()).emptyBefore, DAY)
  settled.touch([{ day: '2026-02-27', session_day: '2026-02-26' }])
  assert.equal((await settled.days()).emptyBefore, '2026-02-26')
  const shared = openWorld(true, () => undefined)
  assert.equal((await shared.settled.days()).emptyBefore, undefined, 'others write as well')
})

test('alone, a day that was touched by a row which changed nothing is known again after the next run', async () => {
  const { world, settled } = openWorld(false, () => undefined)
  await settled.settle(LATER, false)
  assert.equal((await settled.days()).size, 1)
  world.touch()
  assert.equal((await settled.days()).size, 0)
  assert.deepEqual(await settled.settle(LATER, false), [], 'nothing is copied')
  assert.equal((await settled.days()).size, 1)
  world.touch()
  world.mark = '2'
  assert.deepEqual(await settled.settle(LATER, false), [DAY])
})
