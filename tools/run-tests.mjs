// Runs the test files in a few processes at a time, each of which takes one file after the other
// (tools/test-worker.mjs), and prints a line for each file and every failure in full. Started by
// tools/test.mjs on the Node that runs the sources.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** For two cores: most files wait for a store, a process or a page now and then. */
const WORKERS = 4
/** A file that has not ended by then hangs: on a busy machine the longest take a third of it. */
const FILE_TIMEOUT_MS = 1_800_000
/** Long runs of random and repeated work take their time. */
const LONG_FILE_TIMEOUT_MS = 3_600_000
/** Run by `npm run test:long` alone. */
const LONG_FOLDER = 'test/long/'
/** A process that has run its files and does not end by then: one of them left something open. */
const END_TIMEOUT_MS = 120_000
/**
 * Then a process makes room for a fresh one, which has everything to load anew: some file leaves threads
 * behind.
 */
const MOST_THREADS = 300

/**
 * Tests leave much behind at once: a larger place for what is young saves a twentieth of their processor
 * time.
 */
const NODE_FLAGS = ['--max-semi-space-size=64']

const workerFile = join(import.meta.dirname, 'test-worker.mjs')

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    long: { type: 'boolean', default: false },
    'end-ms': { type: 'string', default: String(END_TIMEOUT_MS) },
  },
})

/**
 * Of those in test/, which take longest, these go first: one that begins last would run alone at the end,
 * with a core that has nothing to do. Long ones of the other half do not: they would hold up each other.
 */
const LONGEST = ['test/backup-load', 'test/facts-cluster', 'test/three-nodes', 'test/oracle', 'test/workers']

function placeOf(file) {
  const place = LONGEST.findIndex((name) => file === `${name}.test.ts`)
  return place < 0 ? LONGEST.length : place
}

/** In the order in which they are to be run. */
function testFiles(pattern) {
  return globSync(pattern)
    .sort()
    .sort((one, other) => placeOf(one) - placeOf(other))
    .filter((file) => values.long || !file.startsWith(LONG_FOLDER))
    .filter((file) => !values.without.some((prefix) => file.startsWith(prefix)))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
}

/**
 * Those in test/ wait for pages, processes and servers of their own, the others keep a core busy: half of the
 * processes begin with the ones, half with the others, so that there is always something to compute.
 */
const queues = ['test/**/*.test.ts', '{server,dashboard,cli,bench,tools}/**/*.test.ts'].map(testFiles)

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** Ticks of the system's clock are hundredths of a second. */
const TICK_MS = 10

/** Parent and processor time of every process, with that of its children that have ended. */
function readProcesses() {
  const processes = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, behindName] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
      const [, parent, ...rest] = behindName.split(' ').map(Number)
      processes.set(Number(pid), { parent, ms: rest.slice(9, 13).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS })
    } catch {
      // it has ended meanwhile
    }
  }
  return processes
}

/** Of a process and of all that it has started, in milliseconds; undefined where there is no /proc. */
function processorTimeOf({ pid }) {
  try {
    const processes = readProcesses()
    const isOf = (one) => one === pid || (processes.has(one) && isOf(processes.get(one).parent))
    return [...processes].reduce((sum, [one, { ms }]) => (isOf(one) ? sum + ms : sum), 0)
  } catch {
    return undefined
  }
}
/** @type {{ passed: number, failed: number, skipped: string[], failures: string[] }} */
const total = { passed: 0, failed: 0, skipped: [], failures: [] }

/** As they were told when they happened: told again at the end, for whoever keeps only the last lines. */
const told = []
/** Of each, at the end. */
const MOST_TOLD_LINES = 40

function fail(line, reason) {
  total.failed++
  total.failures.push(line.replace('\n  ', ' · '))
  const text = `\n✗ ${line}\n${reason}\n`
  told.push(text)
  console.log(text)
}

function tellFailuresAgain() {
  if (told.length === 0) return
  console.log('\n── failed')
  for (const text of told) console.log(text.split('\n').slice(0, MOST_TOLD_LINES).join('\n'))
}

/** A file that is under way, and what its tests came to. @param child the process that runs it */
function beginFile(file, child) {
  const beganMs = performance.now()
  const processorBeganMs = processorTimeOf(child)
  // isBroken: it hung, or could not be loaded, and what it had opened may be open still.
  const came = { file, passed: 0, failed: 0, isBroken: false, note, breakDown, end }

  function failIn(name, place, reason) {
    came.failed++
    fail(`${name}\n  ${place}`, reason)
  }

  function note({ passed, isSuite, isWholeFile, name, file: where, line, left, reason }) {
    if (left !== undefined) total.skipped.push(`${name}: ${left}`)
    else if (passed && !isSuite && !isWholeFile) came.passed++
    else if (!passed && reason !== undefined) {
      came.isBroken ||= isWholeFile
      if (isWholeFile) failIn('the file as a whole', file, reason)
      else failIn(name, `${relative('.', where)}:${line}`, reason)
    }
  }

  function breakDown(reason) {
    failIn('the file broke down', file, reason)
    end()
  }

  function end() {
    total.passed += came.passed
    const mark = came.failed === 0 ? '✓' : '✗'
    const processorMs = processorTimeOf(child)
    // Gone with its process, when that broke down.
    const processor = processorMs > processorBeganMs ? `, ${seconds(processorMs - processorBeganMs)} of processor` : ''
    const took = seconds(performance.now() - beganMs)
    console.log(`${mark} ${file} (${came.passed + came.failed} tests, ${took}${processor})`)
  }
  return came
}

/** Unknown, and no matter, where there is no /proc. */
function threadsOf({ pid }) {
  try {
    return readdirSync(`/proc/${pid}/task`).length
  } catch {
    return 0
  }
}

/**
 * One process, for as many files as it may take. @param take the next file, undefined when there is none
 * left.
 */
async function runSome(take) {
  const child = spawn(process.execPath, [...NODE_FLAGS, `--test-reporter=${workerFile}`, workerFile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += bytes))
  const ran = []
  let run
  let isBroken = false
  const next = () => {
    const file = !isBroken && threadsOf(child) < MOST_THREADS ? take() : undefined
    run = file && beginFile(file, child)
    printed = ''
    if (!file) return child.send({ endMs: Number(values['end-ms']) })
    ran.push(file)
    return child.send({ file: resolve(file), timeoutMs: values.long ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS })
  }
  child.on('message', (test) => {
    if (!run) return fail(ran.at(-1), test.reason) // an error of what the last file has left behind
    run.note(test)
    if (!test.isWholeFile) return
    if (run.failed > 0 && printed) console.log(printed)
    run.end()
    isBroken = run.isBroken
    next()
  })
  let deadline
  child.once('disconnect', () => {
    deadline = setTimeout(() => child.kill('SIGKILL'), Number(values['end-ms']))
  })
  const ended = once(child, 'exit')
  next()
  const [code, signal] = await ended
  clearTimeout(deadline)
  if (run) run.breakDown(printed || `exit ${code ?? signal}`)
  else if (signal === 'SIGKILL' && !isBroken)
    fail('something was left open by one of these', `${ran.join('\n')}\n${printed}`)
}

/** @param first the queue it takes from for as long as there is something in it. */
async function work(first) {
  const take = () => first.shift() ?? queues.find(({ length }) => length > 0)?.shift()
  while (queues.some(({ length }) => length > 0)) await runSome(take)
}

if (queues.every(({ length }) => length === 0)) {
  console.log('no test file matches')
  total.failed = 1
}
await Promise.all(Array.from({ length: WORKERS }, (_, n) => work(queues[n % queues.length])))
for (const line of total.skipped) console.log(`${process.env.CI ? '✗' : '!'} skipped: ${line}`)
if (process.env.CI) total.failed += total.skipped.length
tellFailuresAgain()
const { passed, failed, failures } = total
if (values.count) writeFileSync(values.count, JSON.stringify({ passed, failed, failures }))
process.exitCode = failed === 0 ? 0 : 1
