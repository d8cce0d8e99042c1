// The dashboard for tests: built when its sources have changed, so that a test run by hand sees the code that
// is there.
import { execFileSync } from 'node:child_process'

const builder = new URL('../../tools/build-dashboard.mjs', import.meta.url).pathname

/** dist/dashboard: call it before the service starts, which reads it once. `npm test` has built it. */
export function buildPages(): void {
  if (process.env['FOOTFALL_TEST_BUILT'] === '1') return
  execFileSync(process.execPath, [builder], { stdio: 'pipe' })
}
