// What is installed before a command runs: what the service runs on and is built with, and for checks and
// tests the rest.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

const packages = {
  '': {},
  'node_modules/runs': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/tests': { version: '1.0.0', integrity: 'sha512-b', dev: true },
}

/** Stands for npm: it notes what it was asked for, and does it where `does` says so. */
const fakeNpm = (does: string) => `const { appendFileSync, writeFileSync } = require('node:fs')
appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n')
if (process.argv[2] === ${JSON.stringify(does)})
  writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify({ packages }))})`

/** A clone in which `installed` is there. */
function clone(t: TestContext, installed: object, does: 'install' | 'ci' | '') {
  const root = mkdtempSync(join(tmpdir(), 'footfall-setup-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['tools', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(new URL('../tools/setup.mjs', import.meta.url), join(root, 'tools/setup.mjs'))
  writeFileSync(join(root, 'npm.cjs'), fakeNpm(does))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
  /** What npm was asked for; nothing when it was not. */
  const setUp = (dev: boolean) => {
    rmSync(join(root, 'asked'), { force: true })
    const script = `await (await import('./tools/setup.mjs')).setUp((line) => console.log(line), { dev: ${dev} })`
    const env = { ...process.env, npm_execpath: join(root, 'npm.cjs') }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    const asked = existsSync(join(root, 'asked')) ? readFileSync(join(root, 'asked'), 'utf8').trim().split('\n') : []
    return { asked, lines: stdout.trim().split('\n') }
  }
  return { root, setUp }
}

const { 'node_modules/runs': runs } = packages

test('what tests need is not installed to run the service, and is all that is installed for them', (t) => {
  const { setUp } = clone(t, { 'node_modules/runs': runs }, 'install')
  assert.deepEqual(setUp(false).asked, [])
  assert.deepEqual(setUp(false).asked, [], 'noted')
  const [asked = '', ...more] = setUp(true).asked
  assert.match(asked, /^install --no-save --include=dev /)
  assert.deepEqual(more, [])
  assert.deepEqual(setUp(true).asked, [])
})

test('a fresh clone gets what it runs on, and says in a few lines what happens', (t) => {
  const { setUp } = clone(t, {}, 'ci')
  const { asked, lines } = setUp(false)
  assert.match(asked.join('\n'), /^ci --omit=dev .*--loglevel=error$/)
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', /^setup: \d+ of \d packages, \d s$/)
})

test('where npm adds something else than what is locked, everything is installed anew', (t) => {
  const { setUp } = clone(t, { 'node_modules/runs': runs }, 'ci')
  const { asked } = setUp(true)
  assert.deepEqual(
    asked.map((words) => words.split(' ')[0]),
    ['install', 'ci'],
  )
})
