// `npm start`: set up what is missing, build what is stale, then serve. The service runs in a child of this process, which hands signals on and
// answers with the child's exit code, so that a process manager sees one program.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildBrowser } from './build-browser.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

setUp()
try {
  buildBrowser()
} catch (error) {
  // What other pages have in their caches goes on measuring: the service is not held up, and says itself what it cannot hand out.
  console.error(`browser libraries: not built (${error.message})`)
}

const service = spawn(runtime(), [join(root, 'server', 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment(),
})

for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
// A terminal sends Ctrl-C to the whole group: handing it on as well would look like a second, impatient one.
process.on('SIGINT', () => process.stdin.isTTY || service.kill('SIGINT'))

service.on('error', (error) => {
  console.error(`start: ${error.message}`)
  process.exitCode = 1
})
service.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal]
})
