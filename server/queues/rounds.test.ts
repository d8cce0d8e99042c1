// Rounds of work: whoever asks for one gets one that begins after they have asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openRounds } from './rounds.ts'

test('a round that is asked for while another one ends begins, in whatever moment of it', async () => {
  for (let moment = 0; moment < 12; moment++) {
    let begun = 0
    const ends = Promise.withResolvers<void>()
    const rounds = openRounds(
      async () => {
        if (++begun === 1) await ends.promise
      },
      (error) => assert.fail(String(error)),
    )
    rounds.soon()
    ends.resolve()
    for (let microtask = 0; microtask < moment; microtask++) await Promise.resolve()
    rounds.soon()
    await nextTurn()
    assert.equal(begun, 2, `${moment} microtasks after the end`)
  }
})

test('the last round is over when the end is, and nothing begins after it', async () => {
  let begun = 0
  let ended = 0
  const rounds = openRounds(
    async () => {
      begun++
      await nextTurn()
      ended++
    },
    (error) => assert.fail(String(error)),
  )
  rounds.soon()
  rounds.later()
  await rounds.end()
  assert.deepEqual([begun, ended], [2, 2])
  rounds.soon()
  rounds.later()
  await nextTurn()
  assert.equal(begun, 2)
})
