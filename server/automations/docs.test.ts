// docs/api/automations.md against the code: its endpoints, triggers, states and limits, both ways.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { triggerTypes } from '../kernel/trigger-table.ts'
import { MAX_ACTIONS, MAX_AUTOMATIONS, MAX_EVENT_VALUE, MAX_NAME, MAX_URL } from './automation-model.ts'
import { MAX_CONVERSIONS } from '../conversions/conversion-model.ts'
import { states } from '../deliveries/delivery-model.ts'

const page = readFileSync(new URL('../../docs/api/automations.md', import.meta.url), 'utf8')

/** Cells of the table whose first column has that head. */
function tableOf(head: string): string[][] {
  const lines = page.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  assert.ok(from >= 0, `there is a table of ${head}`)
  const rows = lines.slice(from + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const unquoted = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')

test('the page has every endpoint of automations and conversions, and none that does not exist', async (t) => {
  const footfall = await startFootfall(t)
  const { paths } = (await footfall.call('GET', '/openapi.json', { token: null })).json as {
    paths: Record<string, Record<string, unknown>>
  }
  const prefix = '/manage/properties/{property}/'
  const known = Object.entries(paths)
    .filter(([path]) => /\/(automations|conversions)\b/.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(prefix, '…/')}`),
    )
  const written = tableOf('Method and path').map(([cell]) => unquoted(cell))
  assert.ok(known.length >= 14)
  assert.deepEqual(written.toSorted(), known.toSorted())
})

test('the page has every trigger, every state and the limits that hold', () => {
  assert.deepEqual(
    tableOf('`event_type`').map(([type]) => unquoted(type)),
    triggerTypes,
  )
  assert.deepEqual(
    tableOf('`state`')
      .map(([state]) => unquoted(state))
      .toSorted(),
    [...states].toSorted(),
  )
  const limits = new Map(tableOf('Field').map(([field, most]) => [unquoted(field), most]))
  assert.deepEqual(
    ['name', 'trigger.event_value', 'actions', 'actions[].url'].map((field) => Number(limits.get(field))),
    [MAX_NAME, MAX_EVENT_VALUE, MAX_ACTIONS, MAX_URL],
  )
  assert.ok(page.includes(`A property has at most ${MAX_AUTOMATIONS} automations.`))
  assert.ok(page.includes(`A property has at most ${MAX_CONVERSIONS}.`))
})
