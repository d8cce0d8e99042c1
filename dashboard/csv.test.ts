// A file that is cut into parts holds the same rows, and each fault can be found at its line of the file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partsOf, previewOf } from './csv.ts'

const cell = fc.stringMatching(/^[a-z",;\n\r é]{0,8}$/)
const quoted = (text: string): string => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const row = fc.array(cell, { minLength: 2, maxLength: 2 }).map(([a = '', b = '']) => `x${quoted(a)},${quoted(b)}`)
const plainRow = fc.tuple(cell, cell).map(([a, b]) => ['x', a, b].map(quoted).join(','))
const ends = fc.constantFrom('\n', '\r\n')

test('the parts of a file, put together, are its rows; each has the header, and says where in the file it begins', () => {
  fc.assert(
    fc.property(
      fc.array(plainRow, { minLength: 1, maxLength: 12 }),
      ends,
      fc.integer({ min: 1, max: 5 }),
      (rows, end, most) => {
        const file = `\ufeffemail,"na\nme",c${end}${rows.join(end)}`
        const parts = partsOf(file, { rows: most, characters: 1_000_000 }) ?? []
        const head = `email,"na\nme",c${end}`
        assert.ok(parts.every(({ csv, rows: count }) => csv.startsWith(head) && count <= most))
        assert.equal(parts.map(({ csv }) => csv.slice(head.length)).join(''), rows.join(end))
        const lines = file.split(/\r\n|\r|\n/)
        for (const { csv, lineOffset } of parts) {
          const first = csv.split(/\r\n|\r|\n/)[2]
          assert.equal(lines[2 + lineOffset], first)
        }
      },
    ),
  )
})

test('a part is no larger than it may be, but for one row that is larger itself', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
      const parts = partsOf(`a,b\n${rows.join('\n')}`, { rows: 100, characters: 12 }) ?? []
      assert.ok(parts.every(({ csv, rows: count }) => count === 1 || csv.length <= 4 + 12))
    }),
  )
})

test('blank lines are no rows, and lines are counted over them', () => {
  const parts = partsOf('\n\na\n1\n\n\n2\n\n3\n\n', { rows: 2, characters: 100 })
  assert.deepEqual(parts, [
    { csv: 'a\n1\n\n\n2\n', rows: 2, lineOffset: 2 },
    { csv: 'a\n\n3\n\n', rows: 1, lineOffset: 6 },
  ])
})

test('a file without rows has no parts', () => {
  for (const file of ['', '\ufeff', 'email\n', '\n\n', 'email'])
    assert.equal(partsOf(file, { rows: 1, characters: 9 }), undefined)
})

test('the first rows are read cell by cell, with the separator of the header', () => {
  assert.deepEqual(previewOf('\ufeffemail;"a;b"\r\nx@y.z;"say ""hi""\n;"\r\n\r\nlast;1\r\nmore;2', 2), [
    ['email', 'a;b'],
    ['x@y.z', 'say "hi"\n;'],
    ['last', '1'],
  ])
})
