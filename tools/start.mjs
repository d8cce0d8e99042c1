// `npm start`: installs what is missing, builds what is stale, then serves. The service runs in a child
// process, which gets this one's signals and determines its exit code, so that a process manager sees one
// program.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildBrowser, endBuilding } from './build-browser.mjs'
import { buildDashboard } from './build-dashboard.mjs'
import { buildServer } from './build-server.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

await setUp(undefined, { dev: false })

/**
 * A failed build does not stop the service, which serves the existing files and reports missing ones itself.
 */
async function tryBuild(what, build) {
  try {
    return await build()
  } catch (error) {
    return console.error(`${what}: not built (${error.message})`)
  }
}

await tryBuild('browser libraries', buildBrowser)
await tryBuild('dashboard', buildDashboard)
const built = await tryBuild('service', buildServer)
await endBuilding()

/** Node runs the sources as well: they take longer to load. */
const main = built === undefined ? join(root, 'server', 'main.ts') : join(built, 'main.js')

const service = spawn(runtime(), [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment(),
})

for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
// A terminal sends Ctrl-C to the whole group: forwarding it would look like a second, impatient one.
process.on('SIGINT', () => process.stdin.isTTY || service.kill('SIGINT'))

service.on('error', (error) => {
  console.error(`start: ${error.message}`)
  process.exitCode = 1
})
service.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal]
})
