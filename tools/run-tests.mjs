// Runs the test files, one process each (the embedded store belongs to one process), three at a time, and prints a line for each
// file and every failure in full. Started by tools/test.mjs on the Node that runs the sources.
import { globSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { run } from 'node:test'

/** For two cores: most files wait for a store or for a process now and then. */
const CONCURRENCY = 3
/** A file that has not ended by then hangs: something was left open. */
const FILE_TIMEOUT_MS = 300_000

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, without: { type: 'string', multiple: true, default: [] } },
})

/** Those in test/ first: they start real servers and take longest, and a long file at the end would leave a core idle. */
function testFiles() {
  const found = ['test/**/*.test.ts', '{server,dashboard,cli,bench,tools}/**/*.test.ts'].flatMap((pattern) =>
    globSync(pattern).sort(),
  )
  return found
    .filter((file) => !values.without.some((prefix) => file.startsWith(prefix)))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
}

/** Why a test failed: the error thrown in it, not the runner's wrapping of it. */
function reason(error) {
  return inspect(error?.cause ?? error, { colors: process.stdout.isTTY, breakLength: 120 })
}

function printFailure({ name, file, line, details }) {
  console.log(`\n✗ ${name}\n  ${relative('.', file ?? '')}:${line}\n${reason(details.error)}\n`)
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
/** @type {{ passed: number, failed: number, skipped: string[] }} */
const total = { passed: 0, failed: 0, skipped: [] }
/** What each file has printed, until its end has been told. */
const printed = new Map()
/** Files whose process broke down instead of failing a test: only what they printed says why. */
const broken = new Set()

/** A failing subtest fails its parents too: only the innermost has something to say. */
function isOwnFailure({ details }) {
  return details.error?.failureType !== 'subtestsFailed'
}

const files = testFiles()
if (files.length === 0) console.log('no test file matches')

run({ files: files.map((file) => resolve(file)), concurrency: CONCURRENCY, timeout: FILE_TIMEOUT_MS })
  .on('test:fail', (event) => {
    if (isOwnFailure(event)) printFailure(event)
    if (event.name === event.file) broken.add(event.file)
  })
  .on('test:pass', (event) => {
    if (event.skip !== undefined || event.todo !== undefined)
      total.skipped.push(`${event.name}: ${event.skip ?? event.todo}`)
  })
  .on('test:stdout', ({ file, message }) => printed.set(file, (printed.get(file) ?? '') + message))
  .on('test:stderr', ({ file, message }) => printed.set(file, (printed.get(file) ?? '') + message))
  .on('test:summary', ({ file, counts, duration_ms: ms, success }) => {
    if (!file) {
      total.passed = counts.passed
      total.failed = counts.tests - counts.passed - counts.skipped - counts.todo
      if (!success && total.failed === 0) total.failed = 1
      return
    }
    console.log(`${success ? '✓' : '✗'} ${relative('.', file)} (${counts.tests} tests, ${seconds(ms)})`)
    if (!success && printed.has(file)) console.log(printed.get(file))
    printed.delete(file)
  })
  .on('end', () => {
    for (const file of broken) console.log(`\n✗ ${relative('.', file)} broke down:\n${printed.get(file) ?? ''}`)
    for (const line of total.skipped) console.log(`${process.env.CI ? '✗' : '!'} skipped: ${line}`)
    if (process.env.CI) total.failed += total.skipped.length
    if (values.count) writeFileSync(values.count, JSON.stringify({ passed: total.passed, failed: total.failed }))
    process.exitCode = total.failed === 0 && files.length > 0 ? 0 : 1
  })
  .resume()
