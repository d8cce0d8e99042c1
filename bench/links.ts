// Very many short links: how long a start takes until all are in memory, how much memory they take, and how
// long visitors wait meanwhile. On SQLite and on PostgreSQL.
import autocannon from 'autocannon'
import { type Home, onBothHomes } from './homes.ts'
import { pathOf } from './links-rows.ts'
import { askScript, type Environment, type Service, startFootfall } from './processes.ts'
import type { Row } from './table.ts'
import { agents } from './writing.ts'

/** Few, so that the time of an answer is measured and not that of the queue. */
const CONNECTIONS = 32
const SECONDS = 4
/** Links that each visitor follows, one after the other. */
const FOLLOWED = 50
/** After this long all links are in memory. */
const SETTLED_MS = 30_000

interface Times {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

interface Loaded {
  readonly loadMs: number
  readonly memoryMb: number
  readonly findNs: number
  readonly asked: Times
  readonly heldUp: { readonly p99Ms: number; readonly mostMs: number }
}

export interface LoadedLinks {
  readonly home: Home
  readonly links: number
  /** Of the records, with every index. */
  readonly bytesALink: number
  readonly memoryBytesALink: number
  readonly rows: Row[]
}

/** Spread over all links: each one is requested about once. */
function followings(count: number): () => autocannon.Request[] {
  let at = 0
  return () =>
    Array.from({ length: FOLLOWED }, () => {
      const visitor = at++
      return {
        method: 'GET',
        path: pathOf((visitor * 7_919 + 13) % count),
        headers: {
          'x-forwarded-for': `81.${128 + (visitor % 16)}.${(visitor >> 8) & 255}.${visitor & 255}`,
          'user-agent': agents[visitor % agents.length]!,
          'accept-language': 'en-GB,en;q=0.9',
        },
      }
    })
}

async function follow(name: string, url: string, next: () => autocannon.Request[]): Promise<Row> {
  let refused = 0
  const onResponse = (status: number): void => {
    if (status !== 302) refused++
  }
  const { requests, latency, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient: (client) => client.setRequests(next().map((request) => ({ ...request, onResponse }))),
  })
  return { name, perSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99, refused: refused + errors }
}

async function followAll(server: Service, count: number): Promise<Row[]> {
  const next = followings(count)
  const rows = [await follow('redirects, from the first moment', server.url, next)]
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
  rows.push(await follow('redirects, all in memory', server.url, next))
  return [...rows, { name: 'memory of the server at most', memoryMb: server.memory().most }]
}

const rowsOf = ({ loadMs, memoryMb, findNs, asked, heldUp }: Loaded): Row[] => [
  { name: 'all links into memory', p50Ms: loadMs, memoryMb },
  { name: 'looked up meanwhile', ...asked },
  { name: 'event loop held up meanwhile, p99 and most', p95Ms: heldUp.p99Ms, p99Ms: heldUp.mostMs },
  { name: 'looked up in memory', perSecond: 1e9 / findNs },
]

async function measureHome(home: Home, env: Environment, count: number): Promise<LoadedLinks> {
  const filled = await askScript<{ bytes: number }>('bench/links-fill.ts', [`${count}`], env)
  const loaded = await askScript<Loaded>('bench/links-load.ts', [`${count}`], env)
  const server = await startFootfall(env)
  try {
    const rows = [...rowsOf(loaded), ...(await followAll(server, count))]
    const memoryBytesALink = (loaded.memoryMb * 2 ** 20) / count
    return { home, links: count, bytesALink: filled.bytes / count, memoryBytesALink, rows }
  } finally {
    await server.stop()
  }
}

/** @param dataDir an empty folder. */
export const measureLinks = (dataDir: string, count: number): Promise<LoadedLinks[]> =>
  onBothHomes(dataDir, (home, env) => measureHome(home, env, count))
