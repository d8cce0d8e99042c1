// The browser libraries for tests: built when their sources have changed, so that a test run by hand sees the
// code that is there.
import { spawnSync } from 'node:child_process'
import { programs } from './cli.ts'

const builder = new URL('../../tools/build-browser.mjs', import.meta.url).pathname

function build(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [builder, ...args], { env: programs, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** dist/browser: call it before the service starts, which reads it once. `npm test` has built it. */
export function buildLibraries(): void {
  if (process.env['FOOTFALL_TEST_BUILT'] !== '1') build([])
}

/** dist/package: what npm takes. */
export const buildPackage = (): void => build(['--package'])
