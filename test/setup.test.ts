// What is installed before a command runs: everything to build and test, and no more than what runs where
// nothing is left to build.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const packages = {
  '': {},
  'node_modules/runs': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/builds': { version: '1.0.0', integrity: 'sha512-b', dev: true },
}

/** Stands for npm: it notes what it was asked for, and installs nothing. */
const fakeNpm = `require('node:fs').writeFileSync(require('node:path').join(process.cwd(), 'asked'), process.argv.slice(2).join(' '))`

test('an install without development packages is enough to run what is built, and not enough for anything else', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'footfall-setup-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['tools', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(new URL('../tools/setup.mjs', import.meta.url), join(root, 'tools/setup.mjs'))
  writeFileSync(join(root, 'npm.cjs'), fakeNpm)
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  const { 'node_modules/runs': runs } = packages
  const installed = join(root, 'node_modules/.package-lock.json')
  writeFileSync(installed, JSON.stringify({ packages: { 'node_modules/runs': runs } }))
  /** What npm was asked for; undefined when it was not. */
  const setUp = (dev: boolean): string | undefined => {
    rmSync(join(root, 'asked'), { force: true })
    const script = `(await import('./tools/setup.mjs')).setUp(() => {}, { dev: ${dev} })`
    const env = { ...process.env, npm_execpath: join(root, 'npm.cjs') }
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env })
    assert.equal(status, 0, String(stderr))
    return existsSync(join(root, 'asked')) ? readFileSync(join(root, 'asked'), 'utf8') : undefined
  }
  assert.equal(setUp(false), undefined)
  assert.equal(setUp(false), undefined, 'noted')
  assert.match(setUp(true) ?? '', /^ci --include=dev /)
  rmSync(installed)
  rmSync(join(root, 'node_modules/.footfall-setup'))
  assert.match(setUp(false) ?? '', /^ci --omit=dev /)
})
