// Webhooks from the triggering request to a local HTTPS endpoint, beside a bare POST: how many a second, how late, and what a dead endpoint
// or a hundred thousand others that wait do to them.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { laneOf } from '../server/automations/outbox.ts'
import { insertDeliveries, type NewDelivery } from '../server/automations/outbox-records.ts'
import { openUlids } from '../server/kernel/ulid.ts'
import { openRecords } from '../server/stores/records.ts'
import { certificateFor } from '../test/support/endpoint.ts'
import { askScript, startService, type Environment, type Service } from './processes.ts'
import type { Row } from './table.ts'

const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'
/** Deliveries of one measurement of throughput. */
const DELIVERIES = 2_000
const ENDPOINTS = 100
/** Endpoints of one automation. */
const ACTIONS = 5
/** Events of one measurement of delays. */
const EVENTS = 150
const ROUNDS = 20
const WAITING = 100_000
const FIRST_MS = 60_000

interface Arrival {
  readonly path: string
  readonly atMs: number
  readonly body: string
}

interface Endpoint {
  readonly url: string
  readonly arrivals: Arrival[]
  /** A path that is never answered. */
  dead: string | undefined
  /** Resolves with the arrivals so far that are wanted, once there are so many. */
  wait(count: number, isWanted?: (arrival: Arrival) => boolean): Promise<Arrival[]>
  close(): void
}

/** In this process, which does nothing else meanwhile. */
async function openEndpoint(certificate: { readonly key: string; readonly cert: string }): Promise<Endpoint> {
  const arrivals: Arrival[] = []
  const answer = (response: ServerResponse, path: string): void => {
    if (path !== endpoint.dead) response.end('ok')
  }
  const server = createServer(certificate, (request, response) => {
    const atMs = performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      arrivals.push({ path, atMs, body: Buffer.concat(chunks).toString() })
      answer(response, path)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const endpoint: Endpoint = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    dead: undefined,
    async wait(count, isWanted = () => true) {
      const until = performance.now() + FIRST_MS
      for (;;) {
        const wanted = arrivals.filter(isWanted)
        if (wanted.length >= count) return wanted
        if (performance.now() > until) throw new Error(`${wanted.length} of ${count} deliveries have arrived`)
        await pause(2)
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return endpoint
}

interface Site {
  readonly server: Service
  readonly endpoint: Endpoint
  readonly propertyId: string
  readonly key: string
  readonly token: string
  readonly session: string
  readonly env: Environment
  readonly dataDir: string
}

async function ask<Answer>(url: string, token: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Answer }).data
}

async function openSite(dataDir: string, env: Environment, endpoint: Endpoint): Promise<Site> {
  const server = await startService('server/main.ts', env)
  type Made = { property: { id: string; key: string } }
  const { property } = await ask<Made>(`${server.url}/manage/properties`, ADMIN_TOKEN, {
    name: 'Bench',
    domains: ['bench.example'],
  })
  const tokens = `${server.url}/manage/properties/${property.id}/tokens`
  const scopes = { name: 'bench', scopes: ['signals:write'] }
  const { access_token: token } = await ask<{ access_token: string }>(tokens, ADMIN_TOKEN, scopes)
  const headers = { 'x-svc-id': property.key, 'x-svc-lib': '1.1.0', 'x-svc-page': 'https%3A%2F%2Fbench.example%2F' }
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
  const loaded = await fetch(`${server.url}/v2/signal/load`, { headers: { ...headers, 'user-agent': agent } })
  const { session_id: session } = (await loaded.json()) as { session_id: string }
  return { server, endpoint, propertyId: property.id, key: property.key, token, session, env, dataDir }
}

/** @returns its id. */
async function automate({ server, propertyId }: Site, name: string, urls: readonly string[]): Promise<string> {
  const { automation } = await ask<{ automation: { id: string } }>(
    `${server.url}/manage/properties/${propertyId}/automations`,
    ADMIN_TOKEN,
    {
      trigger: { event_type: 'event', event_value: name },
      actions: urls.map((url) => ({ type: 'webhook', url })),
    },
  )
  return automation.id
}

const sendEvent = ({ server, token, session }: Site, name: string, value: string) =>
  ask(`${server.url}/v2/property/session/event`, token, { session_id: session, name, value })

/** Straight into the records, as contact changes put them down. */
async function putDown(site: Site, automationId: string, urls: readonly string[], count: number): Promise<void> {
  const records = await openRecords({ databaseUrl: null, dataDir: site.dataDir })
  const nextId = openUlids({ now: Date.now, randomBytes })
  const row = (n: number): NewDelivery => {
    const url = urls[n % urls.length]!
    const event = { type: 'contact', name: 'updated', value: null, meta: [], page_path: null, page_url: null }
    const rest = { form_id: null, form_submit_id: null, created_ts: Math.floor(Date.now() / 1000), id: `${n}` }
    return {
      id: nextId(),
      property_id: site.propertyId,
      automation_id: automationId,
      action_id: 'wa_bench',
      url,
      lane: laneOf(url),
      payload: 'envelope',
      priority: 3,
      event_type: 'contact',
      event_value: null,
      event: JSON.stringify({ ...event, ...rest }),
      conversion_id: null,
      session_day: null,
      session: null,
      submission_id: null,
      contact_id: null,
      is_test: 0,
      state: 'pending',
      attempts: 0,
      max_attempts: 3,
      next_attempt_ms: Date.now(),
      claim: null,
      created_ms: Date.now(),
      finished_ms: null,
      body: null,
    }
  }
  for (let at = 0; at < count; at += 500)
    await insertDeliveries(
      records,
      Array.from({ length: Math.min(500, count - at) }, (_, n) => row(at + n)),
    )
  await records.destroy()
}

function timesOf(name: string, times: readonly number[]): Row {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { name, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}

// ---------------------------------------------------------------- what is measured

interface Bare {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const bare = (site: Site, posts: number, atATime: number): Promise<Bare> =>
  askScript<Bare>('bench/webhooks-bare.ts', [`${site.endpoint.url}/bare`, `${posts}`, `${atATime}`], site.env)

async function throughput(site: Site, endpoints: number, yardstick: number): Promise<Row> {
  const { endpoint } = site
  const urls = Array.from({ length: endpoints }, (_, n) => `${endpoint.url}/t${endpoints}-${n}`)
  const automationId = await automate(site, `never ${endpoints}`, urls.slice(0, 1))
  await putDown(site, automationId, urls, DELIVERIES)
  const arrived = await endpoint.wait(DELIVERIES, ({ path }) => path.startsWith(`/t${endpoints}-`))
  // From a tenth on: the first ones came while the others were still being put down.
  const [from, to] = [arrived[DELIVERIES / 10]!, arrived.at(-1)!]
  const perSecond = ((DELIVERIES * 0.9) / (to.atMs - from.atMs)) * 1000
  return {
    name: `deliveries to ${endpoints} endpoint${endpoints > 1 ? 's' : ''}`,
    perSecond,
    ratio: perSecond / yardstick,
  }
}

/** From the beginning of the triggering request to the arrival, one event after the other. */
async function delays(site: Site, name: string, path: string, events: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < events; n++) {
    const began = performance.now()
    await sendEvent(site, name, `value ${n}`)
    const [arrival] = await site.endpoint.wait(1, (one) => one.path === path && one.atMs >= began)
    times.push(arrival!.atMs - began)
  }
  return times
}

/** One event calls all endpoints; those that answer are looked at. */
async function manyLanes(site: Site, name: string): Promise<Row> {
  const { endpoint } = site
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await sendEvent(site, 'many', `round ${round}`)
    const isWanted = ({ path, atMs }: Arrival): boolean =>
      path.startsWith('/many') && path !== '/many-0' && atMs >= began
    const arrived = await endpoint.wait(ENDPOINTS - 1, isWanted)
    times.push(...arrived.map(({ atMs }) => atMs - began))
  }
  return timesOf(name, times)
}

async function deadLane(site: Site): Promise<Row[]> {
  const { endpoint } = site
  for (let n = 0; n < ENDPOINTS; n += ACTIONS)
    await automate(
      site,
      'many',
      Array.from({ length: ACTIONS }, (_, at) => `${endpoint.url}/many-${n + at}`),
    )
  await manyLanes(site, 'connections are made')
  const alive = await manyLanes(site, `${ENDPOINTS - 1} of ${ENDPOINTS} endpoints, all answer`)
  endpoint.dead = '/many-0'
  const withDead = await manyLanes(site, `${ENDPOINTS - 1} of ${ENDPOINTS} endpoints, the other one is dead`)
  return [alive, withDead]
}

async function behindBurst(site: Site): Promise<Row[]> {
  const { endpoint } = site
  const busy = `${endpoint.url}/busy`
  const automationId = await automate(site, 'urgent', [busy])
  await automate(site, 'elsewhere', [`${endpoint.url}/elsewhere`])
  await putDown(site, automationId, [busy], WAITING)
  const rows: Row[] = []
  for (const [name, path] of [
    ['urgent', '/busy'],
    ['elsewhere', '/elsewhere'],
  ] as const) {
    const times: number[] = []
    for (let n = 0; n < EVENTS / 3; n++) {
      const began = performance.now()
      await sendEvent(site, name, `burst ${n}`)
      const isIt = (one: Arrival): boolean => one.path === path && one.atMs >= began && one.body.includes(`burst ${n}"`)
      const [arrival] = await endpoint.wait(1, isIt)
      times.push(arrival!.atMs - began)
    }
    rows.push(
      timesOf(`event while ${WAITING} contact changes wait, ${name === 'urgent' ? 'same' : 'other'} endpoint`, times),
    )
  }
  return rows
}

export interface Sent {
  readonly rows: Row[]
}

/** @param dataDir an empty folder. */
export async function measureWebhooks(dataDir: string): Promise<Sent> {
  const certificate = await certificateFor(['127.0.0.1'])
  const caFile = join(dataDir, 'ca.pem')
  writeFileSync(caFile, certificate.cert)
  const endpoint = await openEndpoint(certificate)
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '0',
    ADMIN_TOKEN,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: caFile,
  }
  const site = await openSite(dataDir, env, endpoint)
  try {
    await automate(site, 'delay', [`${endpoint.url}/delay`])
    const first = await bare(site, DELIVERIES, 4)
    const rows = [await throughput(site, 1, first.perSecond), await throughput(site, 32, first.perSecond)]
    const single = await bare(site, EVENTS, 1)
    await delays(site, 'delay', '/delay', 10)
    const delay = timesOf('triggering request to arrival', await delays(site, 'delay', '/delay', EVENTS))
    const dead = await deadLane(site)
    const burst = await behindBurst(site)
    return {
      rows: [
        { name: 'bare undici POST, 4 at a time', ...first, ratio: 1 },
        ...rows,
        { name: 'bare undici POST, one after the other', ...single },
        delay,
        ...dead,
        ...burst,
      ],
    }
  } finally {
    await site.server.stop()
    endpoint.close()
  }
}
