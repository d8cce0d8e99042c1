// The queries of the analytics by HTTP, over demo traffic of a given size, beside the time that the store
// needs for one bare count of the same sessions.
import { settingsFor } from './homes.ts'
import { askScript, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 15
const WARM_UP = 3
const DAY_MS = 86_400_000

interface Demo {
  readonly token: string
  readonly sessions: number
  readonly views: number
  readonly sessions_a_second: number
}

export interface Asked {
  readonly sessions: number
  readonly demoSessionsASecond: number
  readonly bytesAView: number
  readonly rows: Row[]
}

const questions = [
  { name: 'metrics, 28 days', path: '/v2/property/signals/analytics/metrics', body: { period: 'last_28' } },
  { name: 'metrics, all', path: '/v2/property/signals/analytics/metrics', body: { period: 'last_12_months' } },
  {
    name: 'metrics, 28 days, one country',
    path: '/v2/property/signals/analytics/metrics',
    body: { period: 'last_28', clauses: [{ id: 'country_code', op: 'equals', value: 'DE' }] },
  },
  {
    name: 'graph, 28 days compared',
    path: '/v2/property/signals/analytics/graph',
    body: { period: 'last_28', compare: true },
  },
  { name: 'live', path: '/v2/property/signals/analytics/live', body: {} },
  { name: 'sessions, 28 days, page 1', path: '/v2/property/signals/sessions', body: { period: 'last_28' } },
]

async function time(url: string, token: string, path: string, body: object): Promise<number[]> {
  const times: number[] = []
  for (let run = -WARM_UP; run < RUNS; run++) {
    const startMs = performance.now()
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    if (run >= 0) times.push(performance.now() - startMs)
  }
  return times.toSorted((a, b) => a - b)
}

/** @param dataDir an empty folder. @param days over which the sessions are spread. */
export async function measureAsking(dataDir: string, sessions: number, days: number): Promise<Asked> {
  const env = settingsFor(dataDir)
  const demo = await askScript<Demo>(
    'cli/footfall.ts',
    ['demo', '--json', '--sessions', `${sessions}`, '--days', `${days}`],
    env,
  )
  const from = new Date(Date.now() - (days + 1) * DAY_MS).toISOString().slice(0, 10)
  interface Store {
    readonly views: number
    readonly bytes: number
    readonly counts: Record<string, { ms: number }>
  }
  const store = await askScript<Store>('bench/store.ts', [from], env)
  const countMs = store.counts[from]!.ms
  const server = await startFootfall(env)
  const rows: Row[] = [{ name: 'bare count() in the store', p50Ms: countMs, ratio: 1 }]
  try {
    for (const { name, path, body } of questions) {
      const times = await time(server.url, demo.token, path, body)
      rows.push({ name, p50Ms: share(times, 0.5), p99Ms: times.at(-1)!, ratio: share(times, 0.5) / countMs })
    }
    rows.push({ name: 'memory while asked, MB', memoryMb: server.memory().most })
  } finally {
    await server.stop()
  }
  return {
    sessions: demo.sessions,
    demoSessionsASecond: demo.sessions_a_second,
    bytesAView: store.bytes / store.views,
    rows,
  }
}
