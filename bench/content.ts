// Content over HTTP: a warm block rendered for many visitors, beside a bare Fastify route that answers the
// same bytes; and its interactions.
import autocannon from 'autocannon'
import { type Environment, type Service, startFootfall, startService } from './processes.ts'
import type { Row } from './table.ts'
import { agents } from './writing.ts'

const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'
/** Enough to keep the server busy and few enough to measure the time of one answer. */
const CONNECTIONS = 64
/** Each report waits for its disk: with few at once, waiting would be measured instead of work. */
const TELLING_CONNECTIONS = 512
const SECONDS = 10
const VISITORS = 4_000
const PAGE = 'https://www.bench.example/articles/1'
/** Two kilobytes, as a banner is. */
const HTML = `<section><h2>Autumn lamps</h2>${'<p>Warm light for long evenings, made to last.</p>'.repeat(40)}</section>`
const CTAS = ['buy', 'later'].map((key) => ({ key, label: key, url: `https://bench.example/${key}` }))

type Request = autocannon.Request

const json = { 'content-type': 'application/json' }

async function post<Answer>(url: string, body: unknown): Promise<Answer> {
  const headers = { ...json, authorization: `Bearer ${ADMIN_TOKEN}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Answer }).data
}

/** Of two versions. @returns its path. */
async function makeBlock(url: string): Promise<string> {
  const site = { name: 'Bench', domains: ['bench.example'] }
  const { property } = await post<{ property: { id: string } }>(`${url}/manage/properties`, site)
  const blocks = `${url}/manage/properties/${property.id}/content`
  const { content } = await post<{ content: { id: string; key: string } }>(blocks, { name: 'Banner' })
  for (const label of ['A', 'B']) await post(`${blocks}/${content.id}/versions`, { label, html: HTML, ctas: CTAS })
  return `/v2/content/${content.key}/render`
}

const headersOf = (visitor: number): Record<string, string> => ({
  'x-forwarded-for': `81.${128 + (visitor % 16)}.${visitor >> 8}.${visitor & 255}`,
  'user-agent': agents[visitor % agents.length]!,
  'accept-language': 'en-GB,en;q=0.9',
  referer: PAGE,
})

const visitors = Array.from({ length: VISITORS }, (_, visitor) => visitor)
const renders = (path: string): Request[] =>
  visitors.map((visitor) => ({ method: 'GET', path, headers: headersOf(visitor) }))

interface Rendered {
  readonly request_id: string
  readonly content_id: string
  readonly version_id: string
}

async function viewsOf(url: string, path: string): Promise<Request[]> {
  const views: Request[] = []
  for (const visitor of visitors) {
    const headers = headersOf(visitor)
    const answer = (await (await fetch(url + path, { headers })).json()) as Rendered
    const { request_id, content_id, version_id } = answer
    const body = JSON.stringify({ request_id, content_id, version_id, action: 'view', dwell_ms: 1_000 })
    views.push({ method: 'POST', path: '/v2/content/track', headers: { ...headers, ...json }, body })
  }
  return views
}

interface Fired {
  readonly result: autocannon.Result
  readonly refused: number
  /** CPU time of the service per answer, on all its threads. */
  readonly cpuMs: number
}

/** Only answers with `"success":true` count: a fast refusal is none. */
async function fire(
  service: Service,
  requests: readonly Request[],
  connections: number,
  seconds: number,
): Promise<Fired> {
  let [at, refused] = [0, 0]
  const onResponse = (status: number, body: string): void => {
    if (status !== 200 || !body.includes('"success":true')) refused++
  }
  const next = (): Request => ({ ...requests[at++ % requests.length]!, onResponse })
  const setupClient = (client: { setRequests(requests: Request[]): void }) => client.setRequests([next(), next()])
  const before = service.cpuMs()
  const result = await autocannon({ url: service.url, connections, duration: seconds, setupClient })
  return { result, refused, cpuMs: (service.cpuMs() - before) / result.requests.total }
}

function rowOf(name: string, { result, refused }: Fired, bare: number): Row {
  const { requests, latency, errors } = result
  return {
    name,
    perSecond: requests.average,
    ratio: requests.average / bare,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    refused: refused + errors,
  }
}

export interface Served {
  readonly rows: Row[]
  /** CPU milliseconds of one answer. */
  readonly cpuMs: { readonly bare: number; readonly render: number; readonly track: number }
}

/**
 * The bare route is measured before and after, so that a machine that slows down in between distorts nothing.
 */
async function compare(server: Service, bare: Service): Promise<Served> {
  const path = await makeBlock(server.url)
  const requests = renders(path)
  await fire(bare, requests, CONNECTIONS, 2)
  const before = await fire(bare, requests, CONNECTIONS, SECONDS / 2)
  await fire(server, requests, CONNECTIONS, 3)
  const render = await fire(server, requests, CONNECTIONS, SECONDS)
  const after = await fire(bare, requests, CONNECTIONS, SECONDS / 2)
  const track = await fire(server, await viewsOf(server.url, path), TELLING_CONNECTIONS, SECONDS)
  const yardstick = (before.result.requests.average + after.result.requests.average) / 2
  return {
    rows: [
      { ...rowOf('bare Fastify route', before, yardstick), perSecond: yardstick, ratio: 1 },
      rowOf('render', render, yardstick),
      rowOf('track, views', track, yardstick),
    ],
    cpuMs: { bare: (before.cpuMs + after.cpuMs) / 2, render: render.cpuMs, track: track.cpuMs },
  }
}

export async function measureContent(dataDir: string): Promise<Served> {
  const env: Environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    WORKERS: '1',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1',
    ADMIN_TOKEN,
  }
  const server = await startFootfall(env)
  const bare = await startService('bench/bare.ts', { BARE_HTML: HTML })
  try {
    return await compare(server, bare)
  } finally {
    await Promise.all([server.stop(), bare.stop()])
  }
}
