// `npm test`: every check in order, each under a line with its name. Failing checks do not stop the later ones; the last line is
// the count of what passed and failed, and the exit code is 0 only when nothing failed.
//   npm test                 everything
//   npm test -- <words>      only the test files whose path contains one of the words
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBrowser } from './build-browser.mjs'
import { buildDashboard } from './build-dashboard.mjs'
import { ensureBrowsers } from './chromium.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

const LINTED = ['server', 'browser', 'dashboard', 'cli', 'test', 'bench', 'tools']

/** Each is one test of the count. Folders are named for oxlint, which would walk node_modules otherwise. */
const checks = [
  ['types', 'tsc', []],
  ['types of the browser libraries', 'tsc', ['-p', 'browser']],
  ['types of the dashboard', 'tsc', ['-p', 'dashboard']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings', ...LINTED.filter((folder) => existsSync(join(root, folder)))]],
  ['format', 'oxfmt', ['--check', '.']],
  ['dead code', 'knip', ['--no-progress']],
]

const SHARED_MEMORY = '/dev/shm'
/** Many times what the tests have on it at once; containers that were given little keep to the disk. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Hundreds of stores are made and removed again: in memory, where there is plenty, that takes a third off. What is killed here is a process, never the power. */
function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const mayRun = mounts.some((line) => line.split(' ')[1] === SHARED_MEMORY && !/\bnoexec\b/.test(line)) // PostgreSQL is started from it
    if (mayRun && bavail * bsize >= ENOUGH_BYTES) return mkdtempSync(join(SHARED_MEMORY, 'footfall-'))
  } catch {
    // there is none on this machine
  }
  return mkdtempSync(join(tmpdir(), 'footfall-'))
}

const say = (line) => console.log(line)
const section = (name, seconds) => say(`\n── ${name}${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}`)

function run(command, args, env) {
  return spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

function runCheck([name, command, args], env) {
  section(name)
  const ok = run(command, args, env)
  say(ok ? `✓ ${name}` : `✗ ${name}`)
  return ok
}

/** Names what this machine cannot have. On CI a check left out is a failed one: green must mean everything. */
function leftOut(chromium) {
  if (chromium) return []
  const missing = 'test/e2e: no Chromium (install it, or set FOOTFALL_CHROMIUM to its path)'
  section('left out')
  say(`${process.env.CI ? '✗' : '!'} ${missing}`)
  return [missing]
}

/** The runner writes its count to a file, since its own output goes to the reader as it comes. */
function runTests(words, env, withoutBrowser) {
  const countFile = join(tmpdir(), `footfall-test-count-${process.pid}.json`)
  const skip = withoutBrowser ? ['--without', 'test/e2e/'] : []
  section('tests')
  const status = run(runtime(), [join(root, 'tools', 'run-tests.mjs'), '--count', countFile, ...skip, ...words], env)
  try {
    const count = JSON.parse(readFileSync(countFile, 'utf8'))
    return status || count.failed > 0 ? count : { ...count, failed: 1 }
  } catch {
    return { passed: 0, failed: 1 } // the runner itself broke down
  } finally {
    rmSync(countFile, { force: true })
  }
}

function main(words) {
  const startMs = Date.now()
  setUp(say)
  buildBrowser({ say })
  buildDashboard({ say })
  const results = words.length > 0 ? [] : checks.map((check) => runCheck(check, environment()))
  const { chromium, shell } = ensureBrowsers(say)
  const missing = leftOut(chromium)
  const folder = temporaryFolder()
  chmodSync(folder, 0o755) // PostgreSQL runs as somebody else when the tests are root's
  const browsers = {
    ...(chromium && { FOOTFALL_CHROMIUM: chromium }),
    ...(shell && { FOOTFALL_CHROMIUM_SHELL: shell }),
  }
  const env = environment({ TMPDIR: folder, ...browsers })
  const tests = runTests(words, env, !chromium)
  rmSync(folder, { recursive: true, force: true })
  const passed = tests.passed + results.filter(Boolean).length
  const failed = tests.failed + results.filter((ok) => !ok).length + (process.env.CI ? missing.length : 0)
  section('all', (Date.now() - startMs) / 1000)
  say(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

main(process.argv.slice(2))
