// Lists in an order that the caller chooses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { offsetOf } from './page.ts'
import { sortedPage } from './sorting.ts'

interface Row {
  readonly id: number
  readonly value: number | null
}

const anyRows = fc
  .array(fc.option(fc.nat(3), { nil: null }))
  .map((values) => values.map((value, id): Row => ({ id, value })))

test('the pages of a sorted list are the whole list, in order, with what has no value last', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows,
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 4 }),
      async (all, order, perPage) => {
        const list = async (page: { page: number; perPage: number }) => ({
          rows: all.slice(offsetOf(page), offsetOf(page) + page.perPage),
          total: all.length,
        })
        const found: Row[] = []
        for (let page = 1; found.length < all.length; page++) {
          const { rows, total } = await sortedPage(
            { page, perPage },
            { sort: 'value', order },
            { value: ({ value }) => value },
            list,
          )
          assert.equal(total, all.length)
          assert.ok(rows.length > 0 && rows.length <= perPage)
          found.push(...rows)
        }
        assert.deepEqual(new Set(found), new Set(all))
        const sign = order === 'asc' ? 1 : -1
        for (const [index, row] of found.entries()) {
          const next = found[index + 1]
          if (!next) continue
          if (row.value === null) assert.equal(next.value, null)
          else if (next.value !== null) assert.ok(sign * (next.value - row.value) >= 0)
          if (row.value === next.value) assert.ok(row.id < next.id, 'equal rows stay in the order of the list')
        }
      },
    ),
  )
})

test('without a sort one page is read, and texts are sorted as people count', async () => {
  const asked: object[] = []
  const list = async (page: { page: number; perPage: number }) => {
    asked.push(page)
    return { rows: ['b10', 'a', 'B9'], total: 3 }
  }
  const values = { name: (name: string) => name }
  assert.deepEqual((await sortedPage({ page: 3, perPage: 1 }, {}, values, list)).total, 3)
  assert.deepEqual(asked, [{ page: 3, perPage: 1 }])
  const { rows } = await sortedPage({ page: 1, perPage: 9 }, { sort: 'name', order: 'asc' }, values, list)
  assert.deepEqual(rows, ['a', 'B9', 'b10'])
})
