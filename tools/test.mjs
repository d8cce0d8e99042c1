// `npm test`: every check, and beside them all test files. What fails stops nothing else; the last line is
// the count of what passed and failed, and the exit code is 0 only when nothing failed. npm test
// everything npm test -- <words>      only the test files whose path contains one of the words npm run
// test:long        the random and the repeated ones for long, and those of test/long/
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowsers } from './chromium.mjs'
import { findProgram } from './programs.mjs'
import { findProxies } from './proxies.mjs'
import { environment, root } from './setup.mjs'
import { build, runTestFiles, testEnvironment } from './test-setup.mjs'

const LINTED = ['server', 'browser', 'dashboard', 'cli', 'test', 'bench', 'tools']

/** Each is one test of the count. Folders are named for oxlint, which would walk node_modules otherwise. */
const checks = [
  // The linter needs the types anyway: their errors as well take it less than the compiler needs for three
  // projects.
  ['types and lint', 'oxlint', ['--type-aware', '--type-check', '--deny-warnings', ...LINTED]],
  ['format', 'oxfmt', ['--check', '.']],
  ['dead code', 'knip', ['--no-progress']],
]

/** Those that take long anyway, and those that do more when they may: they ask test/support/long.ts. */
function longFiles() {
  const files = ['test', 'server', 'dashboard', 'cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  )
  const isLong = (file) => readFileSync(join(root, file), 'utf8').includes('support/long.ts')
  return ['test/long/', ...files.filter(isLong)]
}

const say = (line) => console.log(line)
const section = (name) => say(`\n── ${name}`)

/** What it printed comes in one piece: the tests run beside it. */
async function runCheck([name, command, args]) {
  const child = spawn(command, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += bytes))
  const [code] = await once(child, 'close')
  const text = code === 0 ? `✓ ${name}` : `✗ ${name}\n${printed}`
  say(text)
  return { ok: code === 0, text }
}

/** One after the other, beside the tests, which leave room now and then. */
async function runChecks() {
  const results = []
  for (const check of checks) results.push(await runCheck(check))
  return results
}

/** As test/support/wordpress.ts looks for it. */
const hasWordPress = () =>
  ['mariadbd', 'php'].every((program) => findProgram(program) !== undefined) &&
  existsSync('/usr/share/wordpress/wp-load.php')

/** As test/support/zookeeper.ts looks for it. */
const hasZooKeeper = () => ['/usr/share/java/zookeeper.jar', '/usr/bin/java'].every((path) => existsSync(path))

/**
 * Names what this machine cannot have. On CI a check left out is a failed one: green must mean everything.
 * But for recipes in the documentation: nobody has four reverse proxies.
 */
function leftOut(chromium) {
  const missing = chromium ? [] : ['test/e2e: no Chromium (install it, or set FOOTFALL_CHROMIUM to its path)']
  const proxies = findProxies().flatMap(([name, path]) => (path ? [] : [name]))
  if (missing.length + proxies.length > 0) section('left out')
  for (const line of missing) say(`${process.env.CI ? '✗' : '!'} ${line}`)
  if (!hasWordPress()) say('! test/wordpress: the plugin, without PHP, MariaDB and WordPress (Debian: wordpress)')
  if (!hasZooKeeper()) say('! test/facts-replicas: replicated tables, without ZooKeeper (Debian: zookeeper)')
  if (proxies.length > 0) say(`! test/proxies: recipes for ${proxies.join(', ')}, which are not installed`)
  return missing
}

async function runTests(args, service, browsers) {
  const { env, folder } = testEnvironment(service, browsers)
  section('tests')
  const isLong = args[0] === '--long'
  const without = browsers.chromium ? [] : ['--without', 'test/e2e/']
  const tests = await runTestFiles(
    [...without, ...args, ...(isLong && args.length === 1 ? longFiles() : [])],
    isLong ? { ...env, FOOTFALL_TEST_LONG: '1' } : env,
  )
  rmSync(folder, { recursive: true, force: true })
  return tests
}

async function main(args) {
  const startMs = Date.now()
  const looking = ensureBrowsers(say) // a fresh machine gets them while npm installs the rest
  const service = await build(say)
  const checking = args.length > 0 ? [] : runChecks()
  const browsers = await looking
  const missing = leftOut(browsers.chromium)
  const tests = await runTests(args, service, browsers)
  const results = await checking
  const passed = tests.passed + results.filter(({ ok }) => ok).length
  const wrong = results.filter(({ ok }) => !ok)
  for (const { text } of wrong) say(text) // again: the last lines of a run tell all that failed
  const failed = tests.failed + wrong.length + (process.env.CI ? missing.length : 0)
  section(`all (${((Date.now() - startMs) / 1000).toFixed(1)} s)`)
  say(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main(process.argv.slice(2))
