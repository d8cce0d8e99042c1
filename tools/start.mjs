// `npm start`: set up what is missing, build what is stale, then serve. The service runs in a child of this process, which hands signals on and
// answers with the child's exit code, so that a process manager sees one program.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildBrowser, isBrowserBuilt } from './build-browser.mjs'
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

// Where everything is built, in an image or copied with dist/, the service needs no package that builds.
setUp(undefined, { dev: !(isBrowserBuilt() && isDashboardBuilt()) })
/** What is there already goes on: the service is not held up, and says itself what it cannot hand out. */
function tryBuild(what, build) {
  try {
    build()
  } catch (error) {
    console.error(`${what}: not built (${error.message})`)
  }
}

tryBuild('browser libraries', buildBrowser)
tryBuild('dashboard', buildDashboard)

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
