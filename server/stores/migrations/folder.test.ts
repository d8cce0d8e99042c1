import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { listMigrations } from './folder.ts'

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function loadAll(folder: URL): Promise<unknown[]> {
  const listed = await listMigrations(folder)
  return Promise.all(listed.map(({ load }) => load()))
}

test('migrations are the files of a folder in the order of their numbers, and nothing else in it', async (t) => {
  const folder = folderOf(t, {
    '010_links.ts': `export const migration = { name: '010_links' }`,
    '002_forms.ts': `export const LIMIT = 3\nexport const forms = { name: '002_forms' }`,
    'words.ts': `export const word = { name: 'words' }`,
    '003_notes.ts.orig': 'no module',
    '011_tags.js': `export const tags = { name: '011_tags' }`,
  })
  assert.deepEqual(await loadAll(folder), [{ name: '002_forms' }, { name: '010_links' }, { name: '011_tags' }])
})

test('a file without a migration of its name ends the start, not only this migration', async (t) => {
  const folder = folderOf(t, {
    '001_forms.ts': `export const forms = { name: '001_forms' }`,
    '002_links.ts': `export const links = { name: '001_forms' }`,
  })
  await assert.rejects(loadAll(folder), /002_links exports no migration of this name/)
})
