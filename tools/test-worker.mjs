// Runs test files one after the other in this process, as tools/run-tests.mjs names them: the service that
// they all test is loaded once, and stays warm. What happens is told over the channel to the runner, by this
// file as the reporter of node:test.
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

const EVENTS = new Set(['test:pass', 'test:fail'])

/**
 * By a hook on every promise node:test knows which test has made what. That is needed only while a file is
 * loaded, so that its tests belong to it; while they run, the hook would take a seventh of the processor time
 * of all tests together. The runner makes it when the first test is made.
 */
let tracking
let isTracking = true
const hooks = Object.getPrototypeOf(createHook({}))
const { enable } = hooks
hooks.enable = function () {
  tracking ??= this
  return enable.call(this)
}

function track(wanted) {
  isTracking = wanted
  if (wanted) tracking?.enable()
  else tracking.disable()
}

/** Begun last: with one test after the other, the one that an error belongs to that nothing has caught. */
let begun = { name: 'no test', file: '', line: 0 }

/** Told already: what began while its file was loaded is told by node:test as well. */
const strays = new Set()

/** While a file is loaded, node:test alone finds the test. */
function tellStray(error) {
  if (isTracking) return
  if (error) strays.add(error)
  const reason = `Nothing has caught this error:\n${inspect(error)}`
  process.send?.({ passed: false, isSuite: false, isWholeFile: false, ...begun, reason })
}
process.on('uncaughtException', tellStray)
process.on('unhandledRejection', tellStray)

/**
 * What the runner is told of a test; `name` is the file's path for the one that stands for the whole file.
 */
function told({ type, data: { name, nesting, file, line, skip, todo, details } }) {
  const { error } = details
  return {
    passed: type === 'test:pass',
    isSuite: details.type === 'suite',
    isWholeFile: nesting === 0,
    name,
    file,
    line,
    left: skip ?? todo,
    // A failing test fails those around it too: only the innermost has something to say.
    reason:
      error && error.failureType !== 'subtestsFailed' && !strays.has(error.cause)
        ? inspect(error.cause ?? error, { breakLength: 120 })
        : undefined,
  }
}

/** The reporter: of every test as it ends. That of a whole file comes last of all that the file has. */
export default async function* report(events) {
  for await (const event of events) {
    const { name, file, line } = event.data
    if (event.type === 'test:dequeue') begun = { name, file, line }
    if (EVENTS.has(event.type)) process.send?.(told(event))
  }
  yield ''
}

/** Everything that the file makes at its top belongs to this test, so that it ends with it. */
function run(file, timeoutMs) {
  track(true)
  void test(file, { timeout: timeoutMs }, async () => {
    try {
      await import(pathToFileURL(file).href)
    } finally {
      track(false)
    }
  })
}

/** Said shortly before the runner ends this process. */
function tellWhatIsOpen(endMs) {
  const tell = () => console.log(`still open: ${process.getActiveResourcesInfo().join(', ')}`)
  setTimeout(tell, endMs * 0.8).unref()
}

let isDone = false
process.on('message', ({ file, timeoutMs, endMs }) => {
  isDone = !file
  if (file) return run(file, timeoutMs)
  tellWhatIsOpen(endMs)
  return process.disconnect() // by now nothing keeps the process, or something was left open
})
// The runner was killed: nobody is told of anything any more.
process.on('disconnect', () => {
  if (!isDone) process.exit(1)
})
