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

test('what is asked for within the pace is one query', async () => {
  const asked: (readonly number[])[] = []
  const ask = openGather<number, number>({
    groupOf: () => '',
    keyOf: String,
    pace: openPace(500),
    load: async (numbers) => {
      asked.push(numbers)
      return new Map(numbers.map((number) => [String(number), number * 2]))
    },
  })
  assert.equal(await ask(1), 2)
  const second = ask(2)
  await new Promise((resolve) => setTimeout(resolve, 1))
  assert.deepEqual(await Promise.all([second, ask(3)]), [4, 6])
  assert.deepEqual(asked, [[1], [2, 3]])
})
