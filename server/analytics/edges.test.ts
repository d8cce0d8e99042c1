// Edges as a statement names them: the store finds the same one as if each stood in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openTestFacts } from '../../test/support/facts-store.ts'
import { namedEdges } from './edges.ts'

const FIRST_MS = 1_790_000_000_000
const SPAN_MS = 600_000

const time = fc.nat(SPAN_MS).map((ms) => FIRST_MS + ms)
const row = fc
  .record({ from: time, count: fc.integer({ min: 1, max: 40 }) })
  .map(({ from, count }) => Array.from({ length: count }, (_, second) => from + second * 1000))
/** Some twice, as around 29 February. */
const edges = fc
  .tuple(fc.array(time, { maxLength: 5 }), fc.array(row, { minLength: 1, maxLength: 4 }))
  .map(([single, rows]) => [...single, ...rows.flat()].toSorted((a, b) => a - b))

test('of each time the last edge at or before it is found, of a time before all the first', async (t) => {
  const { facts, close } = await openTestFacts()
  t.after(close)
  const ask = async (own: readonly number[], times: readonly number[]) => {
    const { of, params } = namedEdges(own)
    const rows = await facts.query<{ edge: string }>(
      'test.edges',
      `SELECT ${of('time')} AS edge FROM (SELECT arrayJoin({times:Array(Int64)}) AS time)`,
      { times, ...params },
    )
    return rows.map(({ edge }) => Number(edge))
  }
  await fc.assert(
    fc.asyncProperty(edges, fc.array(time, { minLength: 1, maxLength: 5 }), async (own, others) => {
      const times = [...own, ...own.map((edge) => edge - 1), ...own.map((edge) => edge + 999), ...others]
      const expected = times.map((at) => own.findLast((edge) => edge <= at) ?? own[0])
      assert.deepEqual(await ask(own, times), expected)
    }),
    { numRuns: 60 },
  )
})

test('a row of seconds is named by its first and its last', () => {
  const seconds = Array.from({ length: 120 }, (_, second) => FIRST_MS + second * 1000)
  const { params } = namedEdges([FIRST_MS - 5000, ...seconds, FIRST_MS + 3_600_000])
  assert.deepEqual(params, {
    edges: [FIRST_MS - 5000, FIRST_MS, FIRST_MS + 119_000, FIRST_MS + 3_600_000],
    edge_rows: [FIRST_MS],
  })
})
