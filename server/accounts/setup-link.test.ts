// The one-time link of the first owner: on a terminal, or in a file that nobody else can read.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeSetupLink, writeSetupLink } from './setup-link.ts'

const url = 'http://footfall.test/dashboard/setup#a-token'

test('a log is told of the file that holds the link, which its owner alone can read', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-setup-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const path = join(dataDir, 'owner-link')
  writeFileSync(path, 'of an earlier start', { mode: 0o644 })
  const said = writeSetupLink(dataDir, url)
  assert.ok(said.endsWith(path))
  assert.ok(!said.includes('a-token'))
  assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], [`${url}\n`, 0o600])
  removeSetupLink(dataDir)
  removeSetupLink(dataDir)
  assert.ok(!existsSync(path))
})
