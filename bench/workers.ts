// Page views with several processes that answer them (WORKERS): how many a second, and what each costs all of
// the service's processes together.
import { settingsFor } from './homes.ts'
import { type Service, startFootfall } from './processes.ts'
import type { Row } from './table.ts'
import { type Fired, fire, loadOf, makeProperty, visitors } from './writing.ts'

const WARM_SECONDS = 3
const SECONDS = 10
/** All workers have started, and done what a start does. */
const IDLE_MS = 8_000

const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'

interface Fires {
  readonly server: Service
  readonly key: string
  readonly connections: number
}

async function measure({ server, key, connections }: Fires): Promise<{ fired: Fired; cpuMs: number }> {
  const loads = visitors.map((visitor) => loadOf(key, visitor))
  await fire(server.url, loads, { connections, seconds: WARM_SECONDS })
  const before = server.cpuMs()
  const fired = await fire(server.url, loads, { connections, seconds: SECONDS })
  return { fired, cpuMs: (server.cpuMs() - before) / fired['2xx'] }
}

/** @param connections a row for each number of them. */
export async function measureWorkers(dataDir: string, workers: number, connections: readonly number[]): Promise<Row[]> {
  const limited = { PUBLIC_RATE_LIMIT: '1000000', WORKERS: String(workers), ADMIN_TOKEN }
  const server = await startFootfall({ ...settingsFor(dataDir), ...limited })
  try {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const rows: Row[] = [{ name: `${workers}: idle`, memoryMb: server.proportional() }]
    const key = await makeProperty(server.url, ADMIN_TOKEN)
    for (const some of connections) {
      const { fired, cpuMs } = await measure({ server, key, connections: some })
      rows.push({
        name: `${workers}: ${some} connections`,
        perSecond: fired['2xx'] / fired.duration,
        p50Ms: fired.latency.p50,
        p99Ms: fired.latency.p99,
        cpuMs,
        refused: fired.refused + fired.errors,
        memoryMb: server.proportional(),
      })
    }
    return rows
  } finally {
    await server.stop()
  }
}
