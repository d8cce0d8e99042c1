import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { bareCell, safeCell, toCsv } from './cells.ts'

const trouble = [...'",;\t\r\n =\'aé👍', '\u00a0', '\u2028', '\0', '""', '\r\n']
const cell = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.constantFrom(...trouble), { maxLength: 8 }).map((parts) => parts.join('')),
)
/** Two columns or more: a row of one empty cell is an empty line. */
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))

test('what a reader of CSV finds in a file is what was written, whatever is in the cells', () => {
  fc.assert(
    fc.property(table, (rows) => {
      assert.deepEqual(parse(toCsv(rows)), rows)
      assert.deepEqual(
        parse(toCsv(rows.map((row) => row.map(safeCell)))).map((row) => row.map(bareCell)),
        rows,
      )
    }),
    { numRuns: 500 },
  )
})

test('a program that was told another separator cuts no cell in two', () => {
  fc.assert(
    fc.property(table, fc.constantFrom(';', '\t'), (rows, delimiter) => {
      const quoted = rows.map((row) => row.filter((text) => /[;\t]/.test(text)))
      for (const text of quoted.flat()) assert.deepEqual(parse(toCsv([[text]]), { delimiter }), [[text]])
    }),
    { numRuns: 500 },
  )
})

test('quotes stand only where they are needed, and every row has its line break', () => {
  const rows = [
    ['plain', 'two words', "it's", ''],
    ['"', 'a,b', 'a;b', 'a\tb'],
    [' a', 'a ', 'a\nb', 'say "no"'],
  ]
  const lines = ["plain,two words,it's,", '"""","a,b","a;b","a\tb"', '" a","a ","a\nb","say ""no"""']
  assert.equal(toCsv(rows), lines.map((line) => `${line}\r\n`).join(''))
  assert.equal(toCsv([]), '')
})
