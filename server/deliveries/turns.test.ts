// Turns of work: whoever asks for one gets one that begins after they have asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openTurns } from './turns.ts'

test('a turn that is asked for while another one ends begins, in whatever moment of it', async () => {
  for (let moment = 0; moment < 12; moment++) {
    let begun = 0
    const ends = Promise.withResolvers<void>()
    const turns = openTurns(
      async () => {
        if (++begun === 1) await ends.promise
      },
      (error) => assert.fail(String(error)),
    )
    turns.soon()
    ends.resolve()
    for (let microtask = 0; microtask < moment; microtask++) await Promise.resolve()
    turns.soon()
    await nextTurn()
    assert.equal(begun, 2, `${moment} microtasks after the end`)
  }
})

test('the last turn is over when the end is, and nothing begins after it', async () => {
  let begun = 0
  let ended = 0
  const turns = openTurns(
    async () => {
      begun++
      await nextTurn()
      ended++
    },
    (error) => assert.fail(String(error)),
  )
  turns.soon()
  turns.later()
  await turns.end()
  assert.deepEqual([begun, ended], [2, 2])
  turns.soon()
  turns.later()
  await nextTurn()
  assert.equal(begun, 2)
})
