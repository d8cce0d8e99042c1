// Queries a facts store for what the service's own answers are compared with: rows, bytes, and the time of
// one bare count. Started by bench.ts when no server has the store open; prints one line of JSON.
import { readConfig } from '../server/config.ts'
import { openContext } from '../server/context.ts'

const RUNS = 9

/** Sessions of the window, counted by the store alone: the minimum cost of any answer about them. */
const bareCount = `SELECT count() AS sessions FROM sessions FINAL WHERE day >= toDate({from:String}) AND is_bot = 0`

const context = await openContext({ ...readConfig(), logLevel: 'silent' })
const { facts } = context

async function timeCount(from: string): Promise<{ sessions: number; ms: number }> {
  const times: number[] = []
  let sessions = 0
  for (let run = 0; run <= RUNS; run++) {
    const startMs = performance.now()
    const [row] = await facts.query<{ sessions: string }>('bench.count', bareCount, { from })
    sessions = Number(row?.sessions)
    if (run > 0) times.push(performance.now() - startMs) // the first one warms up
  }
  return { sessions, ms: times.toSorted((a, b) => a - b)[RUNS >> 1]! }
}

async function measureTables(): Promise<{ views: number; events: number; bytes: number }> {
  const [counts] = await facts.query<{ views: string; events: string }>(
    'bench.rows',
    'SELECT (SELECT count() FROM views FINAL WHERE at < now()) AS views, (SELECT count() FROM events FINAL) AS events',
  )
  const [size] = await facts.query<{ bytes: string }>(
    'bench.bytes',
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
  )
  return { views: Number(counts?.views), events: Number(counts?.events), bytes: Number(size?.bytes) }
}

const counts = Object.fromEntries(
  await Promise.all(process.argv.slice(2).map(async (from) => [from, await timeCount(from)] as const)),
)
process.stdout.write(`${JSON.stringify({ ...(await measureTables()), counts })}\n`)
await context.close()
