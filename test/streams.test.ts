// What holds streamed answers against their declarations (support/streams.ts) lets nothing else pass.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Type } from 'typebox'
import { rowOf, textCells, YesCell } from '../server/http/shapes.ts'
import { checkRows } from './support/streams.ts'

const visits = rowOf({ ...textCells(['page']), views: Type.Integer(), is_new: YesCell })
const answers = Type.Object({ ...textCells(['id', 'more']) }, { additionalProperties: Type.String() })
const check = (...lines: readonly string[]) =>
  checkRows([visits, answers], Readable.from([lines.map((line) => `${line}\r\n`).join('')]))

test('rows of a file pass when a declared shape has their columns and allows their cells', async () => {
  await check('page,views,is_new', '/,3,yes', "'=1,0,no")
  await check('page,views,is_new')
  await check('id,email,more', '1,a@example.com,')
})

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a column that is not declared', ['page,views,is_new,other', '/,3,yes,'], /No file with these columns/],
  ['a column that is missing', ['page,is_new', '/,yes'], /No file with these columns/],
  ['columns in another order', ['views,page,is_new', '3,/,yes'], /No file with these columns/],
  ['a column twice', ['id,more,more', '1,,'], /No file with these columns/],
  ['a cell of another kind', ['page,views,is_new', '/,3,yes', '/,three,yes'], /Row 3 .*views must be integer/],
  ['a word that is none of the declared', ['page,views,is_new', '/,3,true'], /Row 2 .*is_new must be equal to one of/],
]
for (const [what, lines, fault] of refused) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(check(...lines), fault)
  })
}
