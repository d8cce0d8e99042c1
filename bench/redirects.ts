// Short links over HTTP: redirects of visitors with recording on, beside a bare Fastify route that answers
// the same 302.
import autocannon from 'autocannon'
import { settingsFor } from './homes.ts'
import { type Service, startFootfall, startService } from './processes.ts'
import type { Row } from './table.ts'
import { agents } from './writing.ts'

const SECONDS = 10
const VISITORS = 4_000
const LINKS = 200
const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'

type Request = autocannon.Request

const json = { 'content-type': 'application/json' }

async function post<Answer>(url: string, token: string, body: unknown): Promise<Answer> {
  const headers = { ...json, authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Answer }).data
}

/** @returns the paths of short links in a group that tracks clicks. */
async function makeLinks(url: string): Promise<string[]> {
  type Made = { property: { id: string } }
  const { property } = await post<Made>(`${url}/manage/properties`, ADMIN_TOKEN, {
    name: 'Bench',
    domains: ['bench.example'],
  })
  const scopes = { name: 'bench', scopes: ['shortlinks:write'] }
  const token = `${url}/manage/properties/${property.id}/tokens`
  const { access_token } = await post<{ access_token: string }>(token, ADMIN_TOKEN, scopes)
  const api = `${url}/v2/property`
  const { group } = await post<{ group: { id: string } }>(`${api}/link-groups`, access_token, { name: 'Bench' })
  const codes: string[] = []
  for (let n = 0; n < LINKS; n++) {
    const { link } = await post<{ link: { code: string } }>(`${api}/links`, access_token, {
      group_id: group.id,
      domain: 'link-a',
      destination_url: `https://bench.example/articles/${n}`,
      utm: { utm_source: 'letter', utm_medium: 'email' },
    })
    codes.push(link.code)
  }
  return codes.map((code) => `/a/${code}`)
}

const requestsOf = (paths: readonly string[]): Request[] =>
  Array.from({ length: VISITORS }, (_, visitor) => ({
    method: 'GET',
    path: paths[visitor % paths.length]!,
    headers: {
      'x-forwarded-for': `81.${128 + (visitor % 16)}.${visitor >> 8}.${visitor & 255}`,
      'user-agent': agents[visitor % agents.length]!,
      'accept-language': 'en-GB,en;q=0.9',
      accept: 'text/html',
      referer: 'https://www.google.com/',
    },
  }))

type Fired = autocannon.Result & { readonly refused: number }

/** Anything but a redirect is a failure, however fast. */
async function fire(url: string, requests: readonly Request[], connections: number, seconds: number): Promise<Fired> {
  let refused = 0
  const onResponse = (status: number): void => {
    if (status !== 302) refused++
  }
  let at = 0
  const next = (): Request => ({ ...requests[at++ % requests.length]!, onResponse })
  // All visitors take part, however few connections there are: of one address and link only some clicks a
  // minute are stored one by one.
  const visitors = Math.ceil(VISITORS / connections)
  const setupClient = (client: { setRequests(requests: Request[]): void }) =>
    client.setRequests(Array.from({ length: visitors }, next))
  const result = await autocannon({ url, connections, duration: seconds, setupClient })
  return { ...result, refused }
}

function rowOf(name: string, { requests, latency, refused, errors }: Fired, bare: number): Row {
  const perSecond = requests.average
  return { name, perSecond, ratio: perSecond / bare, p50Ms: latency.p50, p99Ms: latency.p99, refused: refused + errors }
}

/**
 * The bare route is measured before and after, so that a machine that slows down in between distorts nothing.
 */
async function compare(server: Service, bare: Service, paths: readonly string[], connections: number): Promise<Row[]> {
  const requests = requestsOf(paths)
  await fire(bare.url, requests, connections, 2)
  const before = await fire(bare.url, requests, connections, SECONDS / 2)
  await fire(server.url, requests, connections, 3)
  const redirect = await fire(server.url, requests, connections, SECONDS)
  const after = await fire(bare.url, requests, connections, SECONDS / 2)
  const yardstick = (before.requests.average + after.requests.average) / 2
  return [
    { ...rowOf(`bare Fastify 302, ${connections} connections`, before, yardstick), perSecond: yardstick, ratio: 1 },
    rowOf(`redirect, ${connections} connections`, redirect, yardstick),
  ]
}

async function clicksOf(url: string): Promise<Record<string, number>> {
  const response = await fetch(`${url}/metrics`)
  const rows = (await response.text()).matchAll(/^footfall_clicks_total\{result="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...rows].map(([, result = '', count]) => [result, Number(count)]))
}

export interface Redirected {
  readonly rows: Row[]
  /** Clicks by outcome. */
  readonly clicks: Readonly<Record<string, number>>
}

/** @param connections of each measurement. */
export async function measureRedirects(dataDir: string, connections: readonly number[]): Promise<Redirected> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN }
  const server = await startFootfall(env)
  const bare = await startService('bench/bare.ts', {})
  try {
    const paths = await makeLinks(server.url)
    const rows: Row[] = []
    for (const atOnce of connections) rows.push(...(await compare(server, bare, paths, atOnce)))
    return { rows, clicks: await clicksOf(server.url) }
  } finally {
    await Promise.all([server.stop(), bare.stop()])
  }
}
