// `npm run test:repeat -- 20 <words>`: repeats the test files whose path contains one of the words (by
// default those in Chromium and those that kill the service) beside two busy processes. A test with a hidden
// race fails here; the report says how often and in which rounds.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { ensureBrowsers } from './chromium.mjs'
import { runtime } from './setup.mjs'
import { build, runTestFiles, testEnvironment } from './test-setup.mjs'

const ROUNDS = 20
const BUSY_PROCESSES = 2
const WORDS = ['test/e2e/', 'crash.test']

const [rounds, ...words] = process.argv.slice(2)
const wanted = rounds === undefined ? ROUNDS : Number(rounds)
if (!Number.isInteger(wanted) || wanted < 1) {
  console.error('Usage: npm run test:repeat -- <rounds> [words of test files]')
  process.exit(2)
}

const looking = ensureBrowsers(console.log)
const service = await build(console.log)
const browsers = await looking
if (!browsers.chromium && words.length === 0) {
  console.error('There is no Chromium: install it, or set FOOTFALL_CHROMIUM to its path.')
  process.exit(1)
}
const busy = Array.from({ length: BUSY_PROCESSES }, () => spawn(runtime(), ['-e', 'for (;;);'], { stdio: 'ignore' }))
process.on('exit', () => busy.forEach((process) => process.kill('SIGKILL')))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** Each test that failed, by name and file, and in which rounds. */
const failedIn = new Map()
let passed = 0
for (let round = 1; round <= wanted; round++) {
  console.log(`\n── round ${round} of ${wanted}`)
  const { env, folder } = testEnvironment(service, browsers)
  const count = await runTestFiles(words.length > 0 ? words : WORDS, env)
  rmSync(folder, { recursive: true, force: true })
  passed += count.passed
  for (const name of count.failures) failedIn.set(name, [...(failedIn.get(name) ?? []), round])
}

const byCount = [...failedIn].toSorted(([, a], [, b]) => b.length - a.length)
for (const [name, where] of byCount) console.log(`${where.length} of ${wanted}: ${name} (rounds ${where.join(', ')})`)
const failed = byCount.reduce((sum, [, where]) => sum + where.length, 0)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
