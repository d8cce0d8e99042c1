// Contacts as cells: what is written is read again, and no cell is a formula to a spreadsheet.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { bareCell, safeCell } from '../csv/cells.ts'
import { readLines } from '../csv/file.ts'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { type Contact, type MetaEntry, type MetaValue, textFields, traitFields } from '../contacts/contact-model.ts'
import { columns, type CsvRow, csvHeader, csvRows, readHeader, readRow, toldColumns } from './csv.ts'

/** Texts that spreadsheets, parsers and terminals take badly, alone and put together. */
const nasty = fc.constantFrom(
  ...String.raw`=1+1|+49 30 1|-1|@SUM(A1)|'|''=| =x|;=x|"|""|,|;|ä|😀|{"a":1}|null|__proto__`.split('|'),
  ...'\t=x|\t|\r|\n|\r\n|＝x|\u00a0=x|\ufeff+x|\u2028|\u2029-x|\u0000|\u001b[2J|\u202e'.split('|'),
)
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCharacter }),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 3 })), { maxLength: 6 }).map((parts) => parts.join('')),
)

async function linesOf(text: string | Buffer, chunkBytes = 7) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return Array.fromAsync(readLines(chunks(), 10_000_000))
}

const refusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof Problem && error.kind === 'validation_failed' && pattern.test(error.message)

test('a cell comes back as it was, whatever is in it', () => {
  fc.assert(
    fc.property(hostile, (text) => assert.equal(bareCell(safeCell(text)), text)),
    { numRuns: 2000 },
  )
})

test('no cell begins with what a spreadsheet would run, neither after blanks nor after another separator', () => {
  const formula = /^[\t\r\n]|(?:^|[;\t\r\n])\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u
  fc.assert(
    fc.property(hostile, (text) => assert.doesNotMatch(safeCell(text), formula)),
    { numRuns: 2000 },
  )
  assert.equal(safeCell('=HYPERLINK("http://evil.example")'), '\'=HYPERLINK("http://evil.example")')
  assert.equal(safeCell("O'Neill - Söhne"), "O'Neill - Söhne")
})

test('an apostrophe in front of a formula goes, any other stays', () => {
  assert.deepEqual(["'=1", "'+49 30", "'t Hart", "''=1", "'"].map(bareCell), ['=1', '+49 30', "'t Hart", "'=1", "'"])
})

const blank: Contact = {
  ...(Object.fromEntries(textFields.map((name) => [name, null])) as Record<(typeof textFields)[number], null>),
  id: 'ct_1',
  lifecycle_stage: 'user',
  state: 'active',
  meta: [],
  first_seen_ts: 1,
  identified_ts: 2,
  last_seen_ms: 3999,
  session_count: 4,
}

const metaValue: fc.Arbitrary<MetaValue> = fc.oneof(
  hostile,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
  fc.boolean(),
  fc.constant(null),
)

const contact: fc.Arbitrary<Contact> = fc
  .record({
    texts: fc.record(
      Object.fromEntries(textFields.map((name) => [name, fc.option(hostile.map((text) => text.trim() || null))])),
    ),
    lifecycle_stage: hostile.map((text) => text.trim() || 'lead'),
    state: fc.constantFrom('active' as const, 'unsubscribed' as const),
    meta: fc.uniqueArray(fc.record({ key: hostile.filter((key) => key !== ''), value: metaValue }), {
      selector: ({ key }) => key,
      maxLength: 5,
    }),
  })
  .map(({ texts, ...rest }) => ({ ...blank, ...(texts as Partial<Contact>), ...rest }))

/** By key: an object puts keys that look like numbers first. */
const inOrder = (meta: unknown) =>
  ((meta ?? []) as MetaEntry[])
    .map(({ key, value }) => ({ key, value }))
    .sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))

test('what is written of a contact is read again, in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contact, { maxLength: 4 }), fc.integer({ min: 1, max: 200 }), async (contacts, size) => {
      // A file may be no more than a header.
      const [first, ...lines] = await linesOf(csvHeader() + csvRows(contacts), size)
      const header = readHeader(first!.cells)
      assert.deepEqual(header.ignored, toldColumns)
      assert.equal(lines.length, contacts.length)
      for (const [index, line] of lines.entries()) {
        const written = contacts[index]!
        const row = readRow(header, line.cells) as CsvRow
        const { external_id, email, traits } = row.identification
        assert.deepEqual([external_id ?? null, email ?? null], [written.external_id, written.email])
        for (const name of traitFields) assert.equal(traits[name] ?? null, written[name])
        assert.equal(traits['lifecycle_stage'], written.lifecycle_stage)
        assert.deepEqual([row.state, row.isExported], [written.state, true])
        assert.deepEqual(inOrder(traits['meta']), inOrder(written.meta))
      }
    }),
    { numRuns: 200 },
  )
})

test('the documentation has every column, and none that does not exist', () => {
  assert.equal(csvHeader(), `${[...columns, ...toldColumns].join(',')}\r\n`)
  const page = readFileSync(new URL('../../docs/contacts-csv.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| Column |')
  const firstCells = table.split('\n\n', 1)[0]!.matchAll(/^\| (`.*?`) \|/gm)
  const written = [...firstCells].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '))
  assert.deepEqual(written.sort(), [...columns, ...toldColumns, 'meta.<key>'].sort())
})

// ---------------------------------------------------------------- headers

const read = (header: string[], cells: string[]) => readRow(readHeader(header), cells)

test('columns come in any order, in capitals, with blanks or hyphens', () => {
  assert.deepEqual(read([' Lifecycle-Stage', 'First Name', 'EMAIL'], ['lead', 'Ada', 'ada@example.org']), {
    identification: { email: 'ada@example.org', traits: { first_name: 'Ada', lifecycle_stage: 'lead' } },
    state: undefined,
    isExported: false,
  })
})

const badHeaders: readonly (readonly [header: string[], says: RegExp])[] = [
  [['email', 'phon'], /^Unknown columns: "phon"\. There are: external_id, email, first_name/],
  [['email', ''], /^Unknown columns: ""\./],
  [['email', 'meta.'], /"meta\."/],
  [['email', '__proto__'], /"__proto__"/],
  [['email', 'a\u001b[2J'], /"a\?\[2J"/],
  [['email', ...Array.from({ length: 30 }, (_, n) => `x${n}`)], /"x19" and 10 more/],
  [['email', 'Email '], /^Duplicate columns: "email"\.$/],
  [['email', 'meta.a', 'META.a'], /^Duplicate columns: /],
  [['first_name'], /A column external_id or email is required/],
]

test('a header that cannot be understood is refused, and says which column', () => {
  for (const [header, says] of badHeaders) assert.throws(() => readHeader(header), refusal(says), header.join())
})

test('keys of meta.<key> columns keep their capitals and count more than meta', () => {
  const row = read(
    ['email', 'META.Plan', 'meta', 'meta.plan'],
    ['a@b.example', 'pro', '{"Plan":"free","n":1}', ''],
  ) as CsvRow
  assert.deepEqual(row.identification.traits['meta'], [
    { key: 'Plan', value: 'free' },
    { key: 'n', value: 1 },
    { key: 'Plan', value: 'pro' },
  ])
})

test('meta is an object or the list that the API shows, and nothing else', () => {
  const meta = (cell: string) => read(['email', 'meta'], ['a@b.example', cell])
  const entries = [{ key: 'a', value: null }]
  for (const cell of ['{"a":null}', '[{"key":"a","value":null}]']) {
    assert.deepEqual((meta(cell) as CsvRow).identification.traits['meta'], entries)
  }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const cell of ['a', '1', 'null', '"a"', '{', '{a:1}', `{"a":${deep}}`, deep, '{"a":'.repeat(100_000)]) {
    const reason = 'must be a JSON object of plain values, as {"plan": "pro"}'
    assert.deepEqual(meta(cell), { field: 'meta', reason }, cell.slice(0, 20))
  }
})

test('a row with too few or too many cells is refused', () => {
  assert.deepEqual(read(['email', 'phone'], ['a']), {
    field: 'row',
    reason: 'must have as many cells as the header: 2 and not 1',
  })
  assert.deepEqual(read(['email'], ['a', 'b']), {
    field: 'row',
    reason: 'must have as many cells as the header: 1 and not 2',
  })
})

// ---------------------------------------------------------------- files

const cellsOf = async (text: string | Buffer) => (await linesOf(text)).map(({ cells }) => cells)

test('comma, semicolon and tab are told apart by the header alone', async () => {
  for (const separator of [',', ';', '\t']) {
    assert.deepEqual(
      await cellsOf(`email${separator}"a,,,;;;\t\t\t"${separator}x\n1${separator}"2,;\t"${separator}\n`),
      [
        ['email', 'a,,,;;;\t\t\t', 'x'],
        ['1', '2,;\t', ''],
      ],
    )
  }
  assert.deepEqual(await cellsOf('a;b\n1,2,3;4'), [
    ['a', 'b'],
    ['1,2,3', '4'],
  ])
  assert.deepEqual(await cellsOf('a,b\n1;2;3,4'), [
    ['a', 'b'],
    ['1;2;3', '4'],
  ])
  assert.deepEqual(await cellsOf('email\na@b.example'), [['email'], ['a@b.example']])
})

test('a byte order mark, any line ends and empty lines are no part of the data', async () => {
  const rows = [
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ]
  assert.deepEqual(await cellsOf('\ufeffa,b\r\n1,2\r\n3,4\r\n'), rows)
  assert.deepEqual(await cellsOf('a,b\n\n1,2\n,\n\n3,4'), rows)
  assert.deepEqual(await cellsOf('a,b\r1,2\r3,4\r'), rows)
})

test('lines without any text above the header are left out, whatever the separator', async () => {
  const rows = [
    ['e', 'first;\tname,'],
    ['1', '2'],
  ]
  for (const separator of [',', ';', '\t'])
    for (const above of [
      '\n',
      '\r\n',
      '\r',
      '\n\n\n',
      '\ufeff\n',
      '\ufeff\r\n\r\n',
      `${separator.repeat(3)}\n`,
      `${separator}\n\n`,
      '  \n',
      '\n'.repeat(200),
    ]) {
      const text = `${above}"e"${separator}"first;\tname,"\n1${separator}2\n`
      assert.deepEqual(await cellsOf(text), rows, JSON.stringify(text))
    }
  const lines = await linesOf('\ufeff\n\n"a";b\n\n1;2\n')
  assert.deepEqual(
    lines.map(({ line }) => line),
    [3, 5],
  )
})

test('a row knows the line on which it begins, whatever is in the cells before it', async () => {
  const text = 'a,b\n1,"x\ny\r\nz\rw"\n\n,\n"2\n",x\n3,4\n'
  assert.deepEqual(
    (await linesOf(text)).map(({ line, cells }) => [line, cells[0]]),
    [
      [1, 'a'],
      [2, '1'],
      [8, '2\n'],
      [10, '3'],
    ],
  )
})

const badFiles: readonly (readonly [file: string | Buffer, says: RegExp])[] = [
  ['email\n"a@b.example', /^The row on line 2: a quote is opened and never closed\.$/],
  ['email\nx\n"a"b\n', /^The row on line 3: behind a closing quote/],
  ['email\n\nx"y"\n', /^The row on line 3: a quote stands inside/],
  [`email\n"${'x'.repeat(1_100_000)}"\n`, /^The row on line 2: the row is longer than 1024 kB/],
  [Buffer.from([...Buffer.from('email\n'), 0xfc, 0x0a]), /not UTF-8/],
  [Buffer.from('\ufeffemail\na@b.example', 'utf16le'), /not UTF-8/],
  [Buffer.from([...Buffer.from('email\n'), 0xc3]), /not UTF-8/],
]

test('what is no CSV is refused by its line, and its content is not repeated', async () => {
  for (const [file, says] of badFiles) await assert.rejects(linesOf(file, 65_536), refusal(says), String(says))
})

test('nothing at all is no row', async () => {
  assert.deepEqual(await linesOf(''), [])
  assert.deepEqual(await linesOf('\ufeff'), [])
})
