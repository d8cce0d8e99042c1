// Long work gives way to everybody else, soon and not at each step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSlices } from './slices.ts'

test('work goes on at once until its slice is over, and everybody else comes to their turn then', async () => {
  let nowMs = 0
  let turns = 0
  const giveWay = openSlices(() => nowMs)
  const waits: boolean[] = []
  for (let step = 0; step < 20; step++) {
    nowMs += 1
    setImmediate(() => turns++)
    const waiting = giveWay()
    waits.push(waiting instanceof Promise)
    await waiting
  }
  // Five milliseconds each: every fifth step waits.
  assert.deepEqual(
    waits,
    Array.from({ length: 20 }, (_, step) => step % 5 === 4),
  )
  assert.ok(turns >= 15, 'whoever waited came to their turn')
})
