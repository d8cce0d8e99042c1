// Questions at a pace: the first at once, and whatever comes within it together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGather } from './gather.ts'
import { openPace } from './pace.ts'

test('the first of a pace begins at once, the next one later', async () => {
  const pace = openPace(20)
  assert.equal(pace(), undefined)
  const second = pace()
  assert.ok(second instanceof Promise)
  await second
  assert.equal(openPace(0)(), undefined)
})

test('whoever comes alone is answered at once, and those who come meanwhile are one query after the pace', async () => {
  const asked: (readonly number[])[] = []
  const ask = openGather<number, number>({
    groupOf: () => '',
    keyOf: String,
    paceMs: 200,
    load: async (numbers) => {
      asked.push(numbers)
      await new Promise(setImmediate)
      return new Map(numbers.map((number) => [String(number), number * 2]))
    },
  })
  assert.equal(await ask(1), 2)
  const first = ask(2)
  while (asked.length < 2) await new Promise(setImmediate)
  const second = ask(3)
  assert.equal(await first, 4)
  assert.deepEqual(await Promise.all([second, ask(4)]), [6, 8])
  assert.deepEqual(asked, [[1], [2], [3, 4]])
})
