// What every way of running the tests needs first: dependencies, built scripts and pages, browsers, and a
// folder for what the tests write.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBrowser } from './build-browser.mjs'
import { buildDashboard } from './build-dashboard.mjs'
import { buildServer } from './build-server.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

const SHARED_MEMORY = '/dev/shm'
/** Many times what the tests have on it at once; containers that were given little keep to the disk. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Hundreds of stores are made and removed again: in memory, where there is plenty, that takes a third off.
 * What is killed here is a process, never the power.
 */
function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    // PostgreSQL is started from it.
    const mayRun = mounts.some((line) => line.split(' ')[1] === SHARED_MEMORY && !/\bnoexec\b/.test(line))
    if (mayRun && bavail * bsize >= ENOUGH_BYTES) return mkdtempSync(join(SHARED_MEMORY, 'footfall-'))
  } catch {
    // there is none on this machine
  }
  return mkdtempSync(join(tmpdir(), 'footfall-'))
}

/** Dependencies, and what is built of the sources. @returns the folder of the built service */
export async function build(say) {
  await setUp(say)
  buildBrowser({ say })
  buildDashboard({ say })
  return buildServer({ say })
}

/**
 * The environment in which test files run, and their folder, which the caller removes.
 * @param service the folder of the built service
 * @param browsers paths as tools/chromium.mjs finds them
 */
export function testEnvironment(service, { chromium, shell }) {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755) // PostgreSQL runs as somebody else when the tests are root's
  const env = environment({
    TMPDIR: folder,
    FOOTFALL_TEST_MODELS: join(folder, 'models'),
    FOOTFALL_TEST_BUILT: '1',
    FOOTFALL_TEST_SERVICE: service,
    ...(chromium && { FOOTFALL_CHROMIUM: chromium }),
    ...(shell && { FOOTFALL_CHROMIUM_SHELL: shell }),
  })
  return { env, folder }
}

/**
 * Runs tools/run-tests.mjs, whose output goes to the reader as it comes.
 * @returns what it counted; a runner that broke down counts as one failure.
 */
export async function runTestFiles(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-count-'))
  const countFile = join(folder, 'count.json')
  try {
    const runner = [join(root, 'tools', 'run-tests.mjs'), '--count', countFile, ...args]
    const child = spawn(runtime(), runner, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    const [status] = await once(child, 'exit')
    const count = JSON.parse(readFileSync(countFile, 'utf8'))
    return status === 0 || count.failed > 0 ? count : { ...count, failed: 1 }
  } catch {
    return { passed: 0, failed: 1, failures: ['the runner broke down'] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
