import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { paginateLinked } from '../kernel/page.ts'
import { ok, okInParts } from './answer.ts'

const address = { baseUrl: 'https://stats.example', path: '/v2/things', query: { search: ']"[' } }
const row = fc.record({ text: fc.oneof(fc.string(), fc.constant(']'.repeat(70_000))), list: fc.array(fc.string()) })

test('a page in parts is the same text as in one, and its rows are not all in one part', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
      const page = paginateLinked(rows, { page: 1, perPage: 25 }, rows.length, address)
      const parts = await Array.fromAsync(okInParts(page))
      assert.equal(parts.join(''), JSON.stringify(ok(page)))
      assert.ok(parts.length > rows.filter(({ text }) => text.length >= 70_000).length)
    }),
  )
})
