// docs/api/accounts.md against the code: its endpoints, roles, outcomes and limits, both ways.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { limitsOfAttempts } from './attempts.ts'
import { MAX_PASSWORD, MIN_PASSWORD } from './draft.ts'
import { roles } from '../kernel/roles.ts'

const page = readFileSync(new URL('../../docs/api/accounts.md', import.meta.url), 'utf8')

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
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

test('the page has every endpoint of accounts, and none that does not exist', async (t) => {
  const footfall = await startFootfall(t)
  const { paths } = (await footfall.call('GET', '/openapi.json', { token: null })).json as {
    paths: Record<string, Record<string, { tags?: string[] }>>
  }
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes('Accounts'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  assert.ok(known.length >= 30)
  assert.deepEqual(
    tableOf('Method and path')
      .map(([cell = '']) => cell)
      .toSorted(),
    known.toSorted(),
  )
})

test('the page has every role and the limits that hold', () => {
  assert.deepEqual(
    tableOf('Role').map(([role]) => role),
    roles,
  )
  const { pair, client, account, codes, share } = limitsOfAttempts
  const sentences = [
    `| for one account, from one IP address | ${pair} |`,
    `| from one IP address, for accounts that did not sign in from there in the last 90 days | ${client} |`,
    `| for one account, from all IP addresses it did not sign in from in the last 90 days | ${account} |`,
    `| codes, after the right password | ${codes} |`,
    `| for a share link with a password, from one IP address | ${pair} |`,
    `| for a share link with a password, from everywhere | ${share} |`,
    `The ${client} attempts from one IP address`,
    `${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  ]
  for (const sentence of sentences) assert.ok(page.includes(sentence), sentence)
})
