// Runs test files one after the other in this process, as tools/run-tests.mjs names them: the service that they all test is loaded once, and
// stays warm. What happens is told over the channel to the runner, by this file as the reporter of node:test.
import { inspect } from 'node:util'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'

const EVENTS = new Set(['test:pass', 'test:fail'])

/** What the runner is told of a test; `name` is the file's path for the one that stands for the whole file. */
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
      error && error.failureType !== 'subtestsFailed' ? inspect(error.cause ?? error, { breakLength: 120 }) : undefined,
  }
}

/** The reporter: of every test as it ends. That of a whole file comes last of all that the file has. */
export default async function* report(events) {
  for await (const event of events) {
    if (EVENTS.has(event.type)) process.send?.(told(event))
  }
  yield ''
}

process.on('message', ({ file, timeoutMs }) => {
  // Everything that the file makes at its top belongs to this test, so that it ends with it.
  if (file) void test(file, { timeout: timeoutMs }, () => import(pathToFileURL(file).href))
  else process.disconnect() // by now nothing keeps the process, or something was left open
})
