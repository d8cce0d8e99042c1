import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readMigrations } from './folder.ts'

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

test('migrations are the files of a folder in the order of their numbers, and nothing else in it', async (t) => {
  const folder = folderOf(t, {
    '010_links.ts': `export const migration = { name: '010_links' }`,
    '002_forms.ts': `export const LIMIT = 3\nexport const forms = { name: '002_forms' }`,
    'words.ts': `export const word = { name: 'words' }`,
    '003_notes.ts.orig': 'no module',
  })
  assert.deepEqual(await readMigrations(folder), [{ name: '002_forms' }, { name: '010_links' }])
})

test('a file without a migration of its name ends the start, not only this migration', async (t) => {
  const folder = folderOf(t, {
    '001_forms.ts': `export const forms = { name: '001_forms' }`,
    '002_links.ts': `export const links = { name: '001_forms' }`,
  })
  await assert.rejects(readMigrations(folder), /002_links\.ts exports no migration of this name/)
})
