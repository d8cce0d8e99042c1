// Asks that come together are answered together, each with its own answer, in turn, and all of them whatever
// happens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openGather } from './gather.ts'

interface Ask {
  readonly group: string
  readonly n: number
}

const groupOf = ({ group }: Ask): string => group
const keyOf = ({ n }: Ask): string => `${n}`

test('each ask gets its own answer, a group at a time, one question after the other', async () => {
  const asks = fc.array(fc.record({ group: fc.constantFrom('a', 'b', 'c'), n: fc.nat(400) }), { maxLength: 900 })
  await fc.assert(
    fc.asyncProperty(asks, async (asked) => {
      let underWay = 0
      const sizes: number[] = []
      const gather = openGather<Ask, string>({
        groupOf,
        keyOf,
        load: async (some) => {
          assert.equal(++underWay, 1)
          assert.equal(new Set(some.map(groupOf)).size, 1)
          assert.equal(new Set(some.map(keyOf)).size, some.length, 'the same is asked once')
          sizes.push(some.length)
          await Promise.resolve()
          underWay--
          return new Map(some.filter(({ n }) => n % 7 > 0).map((ask) => [keyOf(ask), `${ask.group} ${ask.n}`]))
        },
      })
      const answers = await Promise.all(asked.map(gather))
      const expected = asked.map(({ group, n }) => (n % 7 > 0 ? `${group} ${n}` : undefined))
      assert.deepEqual(answers, expected)
      assert.ok(sizes.every((size) => size <= 200))
      assert.ok(sizes.length <= 3 + asked.length / 200)
    }),
    { numRuns: 40 },
  )
})

test('who asks while a question is under way is answered by a later one', async () => {
  const loads: number[][] = []
  const gate = Promise.withResolvers<void>()
  const gather = openGather<Ask, number>({
    groupOf,
    keyOf,
    load: async (asks) => {
      loads.push(asks.map(({ n }) => n))
      if (loads.length === 1) await gate.promise
      return new Map(asks.map((ask) => [keyOf(ask), loads.length]))
    },
  })
  const first = gather({ group: 'a', n: 1 })
  while (loads.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const later = [gather({ group: 'a', n: 1 }), gather({ group: 'a', n: 2 })]
  gate.resolve()
  assert.equal(await first, 1)
  assert.deepEqual(await Promise.all(later), [2, 2])
  assert.deepEqual(loads, [[1], [1, 2]])
})

test('a question that fails fails for those who asked it, and for nobody else', async () => {
  const gather = openGather<Ask, boolean>({
    groupOf,
    keyOf,
    load: async ([first]) => {
      if (first?.group === 'bad') throw new Error('away')
      return new Map([['1', true]])
    },
  })
  const [bad, alsoBad, good] = await Promise.allSettled([
    gather({ group: 'bad', n: 1 }),
    gather({ group: 'bad', n: 2 }),
    gather({ group: 'good', n: 1 }),
  ])
  assert.deepEqual([bad?.status, alsoBad?.status], ['rejected', 'rejected'])
  assert.deepEqual(good, { status: 'fulfilled', value: true })
  assert.equal(await gather({ group: 'good', n: 1 }), true)
})
