// A thread answers each question, and its end is told to those who wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FixtureWork } from '../../../test/fixtures/thread.ts'
import { untilEqual } from '../../../test/support/until.ts'
import { Thread } from './thread.ts'

const newThread = (idleMs?: number) =>
  new Thread<FixtureWork>(new URL('../../../test/fixtures/thread.ts', import.meta.url), idleMs)

test('every question has its own answer, whatever becomes of those asked with it', async () => {
  const thread = newThread()
  assert.equal(thread.isStarted, false)
  const outcomes = await Promise.allSettled([
    thread.ask('echo', 1),
    thread.ask('fail', 'E_ASKED'),
    thread.ask('echo', { nested: [2n, null, 'three'] }),
  ])
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as { code: string }).code,
    ),
    [1, 'E_ASKED', { nested: [2n, null, 'three'] }],
  )
})

test('a question that cannot be copied is refused, and the thread goes on', async () => {
  const thread = newThread()
  await assert.rejects(
    thread.ask('echo', () => undefined),
    { name: 'DataCloneError' },
  )
  assert.equal(await thread.ask('echo', 'still here'), 'still here')
})

test('the end of a thread is told to everybody who waits, and the next question starts another', async () => {
  const thread = newThread()
  const outcomes = await Promise.allSettled([thread.ask('echo', 1), thread.ask('die'), thread.ask('echo', 2)])
  assert.deepEqual(outcomes.map(({ status }) => status).slice(1), ['rejected', 'rejected'])
  assert.equal(await thread.ask('echo', 'again'), 'again')
})

test('a thread that nobody asks ends, and the next question starts another', async () => {
  const thread = newThread(1)
  assert.equal(await thread.ask('echo', 1), 1)
  await untilEqual(() => thread.isStarted, false)
  assert.equal(await thread.ask('echo', 2), 2)
})

test('a thread that is asked again before it ends answers first, however long that takes', async () => {
  const idleMs = 5
  const thread = newThread(idleMs)
  await thread.ask('echo', 1)
  assert.equal(await thread.ask('take', 20 * idleMs), 20 * idleMs)
})
