// The turns of share links: one question of a share at a time, in order, with an end to those who wait, and
// none in the way of another share.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { holdFileOf, inTurnOf, MOST_WAITING_OF_A_SHARE } from './share-turns.ts'

test('questions of a share are answered one after the other, also when one fails, and those of others meanwhile', async () => {
  const going = new Set<number>()
  let most = 0
  const done: number[] = []
  const ask = (n: number) =>
    inTurnOf('sh_one', async () => {
      going.add(n)
      most = Math.max(most, going.size)
      await new Promise(setImmediate)
      going.delete(n)
      done.push(n)
      if (n === 1) throw new Error('this one fails')
    })
  const asked = [0, 1, 2, 3].map(ask)
  await inTurnOf('sh_other', async () => assert.deepEqual(done, [], 'nobody waits for another share'))
  const results = await Promise.allSettled(asked)
  assert.deepEqual([most, done], [1, [0, 1, 2, 3]])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('beyond a number they are turned away, and let in again when the others are through', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const asked = Array.from({ length: MOST_WAITING_OF_A_SHARE + 1 }, () => inTurnOf('sh_full', () => gate))
  await assert.rejects(
    inTurnOf('sh_full', async () => undefined),
    (error) => error instanceof Problem && error.kind === 'rate_limited',
  )
  open()
  await Promise.all(asked)
  assert.equal(await inTurnOf('sh_full', async () => 'let in'), 'let in')
})

test('a share gives out one file at a time', () => {
  const [first, second] = [new EventEmitter(), new EventEmitter()]
  holdFileOf('sh_file', first)
  holdFileOf('sh_another', second)
  assert.throws(
    () => holdFileOf('sh_file', second),
    (error) => error instanceof Problem && error.kind === 'rate_limited',
  )
  first.emit('close')
  holdFileOf('sh_file', second)
})
