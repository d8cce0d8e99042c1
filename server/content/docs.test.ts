// docs/api/content.md against the code: its endpoints, messages, policies and limits, both ways.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { contentPolicies } from '../properties/properties.ts'
import * as limits from './content-model.ts'
import { DEFAULT_WEIGHT } from './draft.ts'
import { htmlPolicies } from '../html/content-html.ts'
import { TrackBodySchema } from '../content-flow/public-schema.ts'
import * as schema from './schema.ts'

const page = readFileSync(new URL('../../docs/api/content.md', import.meta.url), 'utf8')

/** Cells of the table whose first column has that head. */
function tableOf(head: string): string[][] {
  const lines = page.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  assert.ok(from >= 0, `there is a table of ${head}`)
  const rows = lines.slice(from + 2)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const unquoted = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')
const numberIn = (cell: string | undefined): number => Number(cell?.match(/[\d,]+/)?.[0].replaceAll(',', ''))

test('the page has every endpoint of content, and none that does not exist', async (t) => {
  const footfall = await startFootfall(t)
  const { paths } = (await footfall.call('GET', '/openapi.json', { token: null })).json as {
    paths: Record<string, Record<string, unknown>>
  }
  const known = Object.entries(paths)
    .filter(([path]) => /\/content(\/|$)/.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/manage/properties/{property}/', '…/')}`,
      ),
    )
  const written = [...tableOf('Call'), ...tableOf('Method and path')].map(([cell]) => unquoted(cell))
  assert.ok(known.length >= 16)
  assert.deepEqual(written.toSorted(), known.toSorted())
})

test('the page has every field that is taken, with its limit', () => {
  const fieldsOf = (head: string) =>
    tableOf(head).flatMap(([cell, most, says]) =>
      unquoted(cell)
        .split(', ')
        .map((name) => [name, most, says] as const),
    )
  const track = fieldsOf('Field')
  const block = fieldsOf('Field of a block')
  const version = fieldsOf('Field of a version')
  const names = (fields: readonly (readonly [string, ...unknown[]])[]): string[] =>
    [...new Set(fields.map(([name]) => name.split(/[.[]/)[0] ?? ''))].toSorted()
  assert.deepEqual(names(track), Object.keys(TrackBodySchema.properties).toSorted())
  assert.deepEqual(names(block), Object.keys(schema.ChangedBlock.properties).toSorted())
  assert.deepEqual(names(version), Object.keys(schema.NewVersion.properties).toSorted())
  const most = new Map([...track, ...block, ...version].map(([name, limit]) => [name, numberIn(limit)]))
  const wanted: Record<string, number> = {
    cta_key: limits.MAX_CTA_KEY,
    element_key: limits.MAX_ELEMENT_KEY,
    event_name: limits.MAX_EVENT_NAME,
    meta: limits.MAX_META,
    name: limits.MAX_NAME,
    key: 64,
    'goal.value': limits.MAX_GOAL_VALUE,
    label: limits.MAX_LABEL,
    html: limits.MAX_HTML,
    ctas: limits.MAX_CTAS,
    'ctas[].key': limits.MAX_CTA_KEY,
    'ctas[].label': limits.MAX_CTA_LABEL,
    'ctas[].url': limits.MAX_URL,
    weight: limits.MAX_WEIGHT,
  }
  for (const [name, limit] of Object.entries(wanted)) assert.equal(most.get(name), limit, name)
  const number = (value: number) => value.toLocaleString('en')
  for (const sentence of [
    `${DEFAULT_WEIGHT} when nothing is said`,
    `A property has at most ${limits.MAX_BLOCKS} blocks.`,
    `A block has at most ${limits.MAX_VERSIONS} versions at a time, and ${number(limits.MAX_MADE_VERSIONS)} over its life.`,
    `The latest ${number(limits.MAX_PHASES)} are kept.`,
    `The latest ${number(limits.MAX_EDITS)} edits of a block are kept.`,
    `an object of at most ${limits.MAX_META_KEYS} keys`,
    `at most ${limits.REQUEST_MS / 3_600_000} hours ago`,
    ...limits.goalTypes.map((type) => `\`${type}\``),
  ])
    assert.ok(page.includes(sentence), sentence)
})

test('the page has the messages of render and both policies, and says of neither what is not so', () => {
  assert.deepEqual(
    tableOf('`message`').map(([message]) => unquoted(message)),
    ['Content not found', 'Domain not authorized', 'No active version'],
  )
  const rows = tableOf('Policy')
  assert.deepEqual(
    rows.map(([name]) => unquoted(name)),
    contentPolicies,
  )
  for (const [name, says = ''] of rows)
    for (const [, word = ''] of says.matchAll(/`([a-z-]+)`/g)) {
      const { tags, attributes } = htmlPolicies[unquoted(name) as keyof typeof htmlPolicies]
      assert.ok(tags.includes(word) || attributes['*']?.includes(word), `${name}: ${word}`)
    }
  for (const { tags, attributes } of Object.values(htmlPolicies)) {
    for (const tag of ['script', 'style', 'svg', 'math', 'object', 'embed']) assert.ok(!tags.includes(tag), tag)
    for (const name of Object.values(attributes).flat()) assert.doesNotMatch(name, /^(on|id$|srcdoc|formaction)/)
  }
})
