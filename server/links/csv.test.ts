// Links as cells: what is written is read again, and no cell is a formula to a spreadsheet.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readLines } from '../csv/file.ts'
import { columns, type CsvLink, csvHeader, csvRows, readHeader, readRow, toldColumns } from './csv.ts'
import { utmNames } from './link-model.ts'

const nasty = fc.constantFrom(
  ...String.raw`=1+1|+49|-1|@SUM(A1)|'|''=| =x|;=x|"|""|,|;|ä|😀`.split('|'),
  '\t=x',
  '\r\n=',
  '\n',
)
const hostile = fc
  .array(fc.oneof(nasty, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '')

const link: fc.Arbitrary<CsvLink> = fc.record({
  id: fc.constant('ln_1'),
  group_id: fc.constant('lg_1'),
  name: fc.option(hostile),
  domain: fc.constantFrom('link-a', 'link-b'),
  code: fc.constant('aB3xY9z'),
  short_url: fc.constant('https://l.example/aB3xY9z'),
  destination_url: hostile,
  utm: fc.record({
    utm_source: fc.option(hostile),
    utm_medium: fc.option(hostile),
    utm_campaign: fc.option(hostile),
    utm_term: fc.option(hostile),
    utm_content: fc.option(hostile),
  }),
  is_active: fc.boolean(),
  tags: fc.constant(['spring', 'b2b']),
  notes: fc.option(hostile),
  is_archived: fc.boolean(),
  created_ts: fc.nat(),
  rules: fc.record({
    starts_ts: fc.option(fc.nat()),
    ends_ts: fc.option(fc.nat()),
    max_clicks: fc.option(fc.nat()),
    used_clicks: fc.nat(),
    expired_url: fc.option(hostile),
    has_password: fc.boolean(),
    rules: fc.constant([{ id: 'aaaaaa', when: { os: ['iOS'] }, destination_url: 'https://e.example/' }]),
    split: fc.constant([]),
    card: fc.record({ title: hostile, description: fc.option(hostile), image_url: fc.constant(null) }),
  }),
})

/** In pieces, as files are read. */
async function cellsOf(text: string): Promise<string[][]> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11)
  }
  const lines = await Array.fromAsync(readLines(chunks(), 1_000_000))
  return lines.map(({ cells }) => [...cells])
}

test('what is written of a link is read again, and its group by name', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(link, { minLength: 1, maxLength: 4 }), hostile, async (links, groupName) => {
      const [head, ...rows] = await cellsOf(csvHeader() + csvRows(links, new Map([['lg_1', groupName]])))
      const header = readHeader(head!)
      assert.deepEqual(header.ignored, ['short_url', 'code', 'id', 'created_ts', 'used_clicks'])
      assert.deepEqual(readHeader(head!, true).ignored, ['short_url', 'id'])
      assert.equal(rows.length, links.length)
      for (const [index, link] of links.entries()) {
        const { destination_url, domain, name, notes, utm, is_active, is_archived, rules } = link
        const expected = [
          ['destination_url', destination_url],
          ['group', groupName],
          ['domain', domain],
          ['name', name],
          ...utmNames.map((key) => [key, utm[key]]),
          ['tags', 'spring, b2b'],
          ['notes', notes],
          ['group_id', 'lg_1'],
          ['is_active', String(is_active)],
          ['is_archived', String(is_archived)],
          ...(['starts_ts', 'ends_ts', 'max_clicks'] as const).map((key) => [key, rules![key]?.toString() ?? null]),
          ['expired_url', rules!.expired_url],
          ['has_password', String(rules!.has_password)],
          ['rules', JSON.stringify(rules!.rules)],
          ['card_title', rules!.card!.title],
          ['card_description', rules!.card!.description],
        ].filter(([, text]) => text !== null)
        assert.deepEqual([...(readRow(header, rows[index]!) as Map<string, string>)], expected)
      }
    }),
    { numRuns: 200 },
  )
})

test('no cell that goes out begins with what a spreadsheet would run', async () => {
  await fc.assert(
    fc.asyncProperty(link, hostile, async (link, groupName) => {
      const [, row] = await cellsOf(csvHeader() + csvRows([link], new Map([['lg_1', groupName]])))
      for (const cell of row!) assert.doesNotMatch(cell, /^[\t\r\n]|(?:^|[;\t\r\n])\s*[=+\-@]/u)
    }),
    { numRuns: 200 },
  )
})

test('the documentation has every column, and none that does not exist', () => {
  const page = readFileSync(new URL('../../docs/links-csv.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| Column |')
  const firstCells = table.split('\n\n', 1)[0]!.matchAll(/^\| (`.*?`) \|/gm)
  const written = [...firstCells].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '))
  assert.deepEqual(written.toSorted(), [...columns, ...toldColumns].toSorted())
})
