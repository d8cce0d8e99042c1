// Durable writes over HTTP: page views, pings and events as browsers send them, beside a bare Fastify route
// with the same requests.
import autocannon from 'autocannon'
import { askScript, type Service, startFootfall, startService } from './processes.ts'
import type { Row } from './table.ts'

const SECONDS = 10
/** Visitors of the load: enough for identity, places and agents to be computed repeatedly. */
const VISITORS = 4_000

export const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
]

type Request = autocannon.Request

interface Site {
  readonly url: string
  readonly key: string
}

function visitorHeaders(key: string, visitor: number): Record<string, string> {
  return {
    'x-svc-id': key,
    'x-forwarded-for': `81.${128 + (visitor % 16)}.${visitor >> 8}.${visitor & 255}`,
    'user-agent': agents[visitor % agents.length]!,
    'accept-language': 'en-GB,en;q=0.9',
    accept: '*/*',
  }
}

export function loadOf(key: string, visitor: number): Request {
  return {
    method: 'GET',
    path: '/v2/signal/load',
    headers: {
      ...visitorHeaders(key, visitor),
      'x-svc-lib': 'signals/1.2.0',
      'x-svc-page': encodeURIComponent(
        `https://bench.example/articles/${visitor % 97}?utm_source=letter&utm_medium=email`,
      ),
      'x-svc-title': encodeURIComponent(`Article ${visitor % 97} of the bench`),
      'x-svc-src': encodeURIComponent('https://www.google.com/'),
      'x-svc-dim': '1440x900',
    },
  }
}

export const visitors = Array.from({ length: VISITORS }, (_, visitor) => visitor)
const json = { 'content-type': 'application/json' }

interface Known {
  readonly session_id: string
  readonly view_id: string
}

const OPENED_AT_ONCE = 200

async function openViews({ url, key }: Site): Promise<Known[]> {
  const known: Known[] = []
  for (let at = 0; at < VISITORS; at += OPENED_AT_ONCE) {
    const answers = visitors.slice(at, at + OPENED_AT_ONCE).map(async (visitor) => {
      const { path, headers } = loadOf(key, visitor)
      const response = await fetch(url + path!, { headers: headers! })
      return (await response.json()) as Known
    })
    known.push(...(await Promise.all(answers)))
  }
  return known
}

function pingOf(key: string, visitor: number, { view_id }: Known): Request {
  const body = JSON.stringify({ event: 'hide', tos: 5 + (visitor % 60), max: visitor % 101 })
  return {
    method: 'POST',
    path: `/v2/signal/${view_id}/ping`,
    headers: { ...visitorHeaders(key, visitor), ...json },
    body,
  }
}

function eventOf(key: string, visitor: number, { session_id }: Known): Request {
  return sessionCall(key, visitor, `${session_id}/event`, {
    event: 'cart_add',
    value: visitor,
    meta: { lamp: 'heron' },
  })
}

function sessionCall(key: string, visitor: number, path: string, body: object): Request {
  return {
    method: 'POST',
    path: `/v2/signal/${path}`,
    headers: { ...visitorHeaders(key, visitor), ...json },
    body: JSON.stringify(body),
  }
}

/** Revenue of an order, which is stored by the first of the calls and found by the others. */
function orderOf(key: string, visitor: number, { session_id }: Known): Request {
  const body = { value: 4_900 + visitor, currency_code: 'EUR', tags: [`shop:order:${visitor}`] }
  return sessionCall(key, visitor, `${session_id}/acquisition`, body)
}

/** Tags without revenue: the session's own are still looked up, for the answer. */
function tagsOf(key: string, visitor: number, { session_id }: Known): Request {
  return sessionCall(key, visitor, `${session_id}/acquisition`, { tags: [`plan:${visitor % 3}`] })
}

function identifyOf(key: string, visitor: number, { session_id }: Known): Request {
  const traits = { first_name: `Visitor ${visitor}`, company: `Company ${visitor % 50}` }
  const body = { external_id: `bench-${visitor}`, email: `visitor.${visitor}@bench.example`, traits }
  return sessionCall(key, visitor, `${session_id}/identify`, body)
}

interface Firing {
  /** Concurrent visitors. */
  readonly connections: number
  readonly seconds?: number
  /** Number of requests, instead of a time. */
  readonly amount?: number
}

export type Fired = autocannon.Result & { readonly refused: number }

/** Only answers with `"success":true` count: a fast refusal is no write. */
export async function fire(
  url: string,
  requests: Request[],
  { connections, seconds = SECONDS, amount }: Firing,
): Promise<Fired> {
  let refused = 0
  const onResponse = (status: number, body: string): void => {
    if (status !== 200 || !body.includes('"success":true')) refused++
  }
  let at = 0
  const next = (): Request => ({ ...requests[at++ % requests.length]!, onResponse })
  const result = await autocannon({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    // Each connection sends for two visitors; the client generates all its requests before it starts.
    setupClient: (client) => client.setRequests([next(), next()]),
  })
  return { ...result, refused }
}

export async function makeProperty(url: string, adminToken: string): Promise<string> {
  const response = await fetch(`${url}/manage/properties`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ name: 'Bench', domains: ['bench.example'] }),
  })
  const { data } = (await response.json()) as { data: { property: { key: string } } }
  return data.property.key
}

function row(name: string, result: autocannon.Result & { refused: number }, bare: number): Row {
  return {
    name,
    perSecond: result['2xx'] / result.duration,
    ratio: result['2xx'] / result.duration / bare,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused: result.refused + result.errors,
  }
}

interface Written {
  readonly rows: Row[]
  readonly acknowledged: number
  readonly stored: number
  readonly bytesAView: number
  readonly memoryMb: { readonly idle: number; readonly most: number; readonly after: number }
}

/**
 * The bare route is measured before and after, so that a machine that slows down in between distorts nothing.
 */
async function fireAll(
  { server, bare }: { readonly server: Service; readonly bare: Service },
  key: string,
  connections: number,
): Promise<{ rows: Row[]; acknowledged: number }> {
  const loads = visitors.map((visitor) => loadOf(key, visitor))
  await fire(bare.url, loads, { connections, seconds: 2 })
  const before = await fire(bare.url, loads, { connections, seconds: SECONDS / 2 })
  const warm = await fire(server.url, loads, { connections, seconds: 3 })
  const load = await fire(server.url, loads, { connections })
  const after = await fire(bare.url, loads, { connections, seconds: SECONDS / 2 })
  const known = await openViews({ url: server.url, key })
  const calls = (callOf: (key: string, visitor: number, known: Known) => Request): Request[] =>
    visitors.map((visitor) => callOf(key, visitor, known[visitor]!))
  const ping = await fire(server.url, calls(pingOf), { connections })
  const event = await fire(server.url, calls(eventOf), { connections })
  const orders = await fire(server.url, calls(orderOf), { connections })
  const tags = await fire(server.url, calls(tagsOf), { connections })
  const newcomers = await fire(server.url, calls(identifyOf), { connections, amount: VISITORS })
  const wellKnown = await fire(server.url, calls(identifyOf), { connections })
  const yardstick = (before.requests.average + after.requests.average) / 2
  return {
    rows: [
      { ...row('bare Fastify route', { ...before, refused: 0 }, yardstick), perSecond: yardstick, ratio: 1 },
      row('load', load, yardstick),
      row('ping', ping, yardstick),
      row('event', event, yardstick),
      row('acquisition, an order', orders, yardstick),
      row('acquisition, tags', tags, yardstick),
      row('identify, new with a session', newcomers, yardstick),
      row('identify, known', wellKnown, yardstick),
    ],
    acknowledged: warm['2xx'] + load['2xx'] + known.length,
  }
}

/** @param connections concurrent visitors. */
export async function measureWriting(dataDir: string, connections: number): Promise<Written> {
  const adminToken = 'an-administrator-token-of-the-bench'
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    WORKERS: '1',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1',
  }
  const server = await startFootfall({ ...env, ADMIN_TOKEN: adminToken })
  const bare = await startService('bench/bare.ts', {})
  try {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const idle = server.memory().now
    const key = await makeProperty(server.url, adminToken)
    const fired = await fireAll({ server, bare }, key, connections)
    const { now: after, most } = server.memory()
    await server.stop()
    const store = await askScript<{ views: number; bytes: number }>('bench/store.ts', [], env)
    return { ...fired, stored: store.views, bytesAView: store.bytes / store.views, memoryMb: { idle, most, after } }
  } finally {
    await bare.stop()
  }
}
