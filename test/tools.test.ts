// What `npm start` and `npm test` stand on: a lock file that npm takes, and a runner that counts what failed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

const root = new URL('..', import.meta.url).pathname

interface Count {
  readonly passed: number
  readonly failed: number
  /** By name and place. */
  readonly failures: readonly string[]
}

function run(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  env: Record<string, string> = {},
  more: string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-tools-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'test', 'long'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'test', name), text)
  // Without this, the runner below would take itself for a part of a `node --test` that runs this file.
  const { NODE_TEST_CONTEXT: _, CI: __, ...own } = process.env
  const args = [join(root, 'tools/run-tests.mjs'), '--count', 'count.json', ...more]
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...own, ...env },
    encoding: 'utf8',
  })
  const { failures, ...count } = JSON.parse(readFileSync(join(folder, 'count.json'), 'utf8')) as Count
  return { status, stdout, count, failures }
}

const passing = `import { test } from 'node:test'\ntest('holds', () => {})\ntest('holds too', () => {})\n`
const failing = `import { test } from 'node:test'\ntest('breaks', () => { throw new Error('the reason') })\n`
const skipping = `import { test } from 'node:test'\ntest('left out', { skip: 'no such machine' }, () => {})\n`

test('the runner counts what passed', (t) => {
  const { status, count } = run(t, { 'a.test.ts': passing })
  assert.deepEqual({ status, count }, { status: 0, count: { passed: 2, failed: 0 } })
})

test('a failing test fails the run and is shown with its reason, at the end once more', (t) => {
  const { status, count, stdout, failures } = run(t, { 'a.test.ts': passing, 'b.test.ts': failing })
  assert.deepEqual({ status, count }, { status: 1, count: { passed: 2, failed: 1 } })
  assert.deepEqual(failures, ['breaks · test/b.test.ts:2'])
  assert.match(stdout, /✗ breaks[\s\S]*the reason[\s\S]*── failed\n[\s\S]*✗ breaks[\s\S]*the reason/)
})

test('a test file that cannot be loaded fails the run, and what it printed is shown', (t) => {
  const { status, count, stdout } = run(t, { 'a.test.ts': passing, 'b.test.ts': `import './missing.ts'\n` })
  assert.deepEqual({ status, count }, { status: 1, count: { passed: 2, failed: 1 } })
  assert.match(stdout, /b\.test\.ts[\s\S]*Cannot find module[\s\S]*missing\.ts/)
})

test('a test file that ends its process fails the run with what it printed, and those after it are run', (t) => {
  const ending = `console.log('the last words')\nprocess.exit(0)\n`
  const files = {
    'a.test.ts': ending,
    ...Object.fromEntries(['b', 'c', 'd'].map((name) => [`${name}.test.ts`, passing])),
  }
  const { status, count, stdout } = run(t, files)
  assert.deepEqual({ status, count }, { status: 1, count: { passed: 6, failed: 1 } })
  assert.match(stdout, /✗ the file broke down\n {2}test\/a\.test\.ts\n[\s\S]*the last words/)
})

test('what a test file leaves open fails the run', (t) => {
  const open = `${passing}setInterval(() => {}, 1000)\n`
  const { status, count, stdout } = run(t, { 'a.test.ts': open }, {}, ['--end-ms', '5000'])
  assert.deepEqual({ status, count }, { status: 1, count: { passed: 2, failed: 1 } })
  assert.match(stdout, /left open by one of these\ntest\/a\.test\.ts\n[\s\S]*still open: .*Timeout/)
})

test('an error that nothing catches fails the test it came up in', (t) => {
  const stray = `import { test } from 'node:test'
    test('holds', () => {})
    for (const [name, raise] of [['throws', () => { throw new Error('thrown later') }], ['rejects', () => void Promise.reject(new Error('rejected later'))]])
      test(name, async () => { setTimeout(raise, 10); await new Promise((done) => setTimeout(done, 100)) })\n`
  const { status, stdout, failures } = run(t, { 'a.test.ts': passing, 'b.test.ts': stray, 'c.test.ts': passing })
  assert.equal(status, 1)
  assert.deepEqual(failures, ['throws · test/b.test.ts:4', 'rejects · test/b.test.ts:4'])
  assert.match(stdout, /thrown later[\s\S]*rejected later/)
})

test('tests that a file makes after waiting belong to it', (t) => {
  const late = `import { test } from 'node:test'\nawait new Promise((done) => setTimeout(done, 20))\n`
  const { stdout, count } = run(t, { 'a.test.ts': late + passing.slice(passing.indexOf('\n')), 'b.test.ts': passing })
  assert.deepEqual(count, { passed: 4, failed: 0 })
  assert.match(stdout, /test\/a\.test\.ts \(2 tests/)
})

test('a test left out is named, and fails the run on CI', (t) => {
  const here = run(t, { 'a.test.ts': passing, 'b.test.ts': skipping })
  assert.deepEqual({ status: here.status, count: here.count }, { status: 0, count: { passed: 2, failed: 0 } })
  assert.match(here.stdout, /left out: no such machine/)
  const onCi = run(t, { 'a.test.ts': passing, 'b.test.ts': skipping }, { CI: 'true' })
  assert.deepEqual({ status: onCi.status, count: onCi.count }, { status: 1, count: { passed: 2, failed: 1 } })
})

test('files that take long are run when they are asked for, and not in passing', (t) => {
  const files = { 'a.test.ts': passing, 'long/b.test.ts': passing }
  assert.deepEqual(run(t, files).count, { passed: 2, failed: 0 })
  assert.deepEqual(run(t, files, {}, ['--long']).count, { passed: 4, failed: 0 })
})

test('a run without any test file fails', (t) => {
  assert.equal(run(t, {}).status, 1)
})

interface Locked {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

test('the lock file lists the optional packages of all platforms, without which npm ci refuses it', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  )
  assert.deepEqual(missing, [])
})

test('every dependency is pinned to one version', () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(own[kind] ?? {}))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  }
})
