// The server of the webhooks bench, with a property and visitors, and the calls to it.
import { randomBytes } from 'node:crypto'
import { laneOf } from '../server/automations/outbox.ts'
import { insertDeliveries, type NewDelivery } from '../server/deliveries/queue-records.ts'
import { openUlids } from '../server/kernel/ulid.ts'
import { openRecords } from '../server/stores/records.ts'
import { type Environment, type Service, startFootfall } from './processes.ts'
import type { Endpoint } from './webhooks-endpoint.ts'
import { agents } from './writing.ts'

const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'
/** Endpoints of one automation. */
const ACTIONS = 5
/** Rows per statement while deliveries are inserted directly. */
const ROWS_AT_ONCE = 500

export interface Site {
  readonly server: Service
  readonly endpoint: Endpoint
  readonly env: Environment
  readonly dataDir: string
  readonly propertyId: string
  readonly key: string
  /** Each by a visitor of its own. */
  readonly sessions: readonly string[]
}

async function post<Answer>(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers }
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}

async function manage<Answer>(url: string, body: unknown): Promise<Answer> {
  const { data } = await post<{ data: Answer }>(url, { authorization: `Bearer ${ADMIN_TOKEN}` }, body)
  return data
}

/** Of one visitor, as browsers send them. */
const visitorHeaders = (key: string, visitor: number): Record<string, string> => ({
  'x-svc-id': key,
  'x-forwarded-for': `81.128.${visitor >> 8}.${visitor & 255}`,
  'user-agent': agents[0]!,
})

async function visit(url: string, key: string, visitor: number): Promise<string> {
  const page = encodeURIComponent(`https://bench.example/${visitor}`)
  const headers = { ...visitorHeaders(key, visitor), 'x-svc-lib': '1.1.0', 'x-svc-page': page }
  const response = await fetch(`${url}/v2/signal/load`, { headers })
  return ((await response.json()) as { session_id: string }).session_id
}

/** @param caFile the certificate authority of the endpoint's certificate. */
export async function openSite(dataDir: string, caFile: string, endpoint: Endpoint, visitors: number): Promise<Site> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    WORKERS: '1',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1',
    ADMIN_TOKEN,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: caFile,
  }
  const server = await startFootfall(env)
  type Made = { property: { id: string; key: string } }
  const { property } = await manage<Made>(`${server.url}/manage/properties`, {
    name: 'Bench',
    domains: ['bench.example'],
  })
  const { id: propertyId, key } = property
  const visits = Array.from({ length: visitors }, (_, visitor) => visit(server.url, key, visitor))
  return { server, endpoint, env, dataDir, propertyId, key, sessions: await Promise.all(visits) }
}

/** As many automations as the endpoints need. @returns the id of the last one. */
export async function automate(site: Site, event: string, paths: readonly string[]): Promise<string> {
  const { server, endpoint, propertyId } = site
  let id = ''
  for (let at = 0; at < paths.length; at += ACTIONS) {
    const urls = paths.slice(at, at + ACTIONS).map((path) => `${endpoint.url}${path}`)
    const { automation } = await manage<{ automation: { id: string } }>(
      `${server.url}/manage/properties/${propertyId}/automations`,
      {
        trigger: { event_type: 'event', event_value: event },
        actions: urls.map((url) => ({ type: 'webhook', url })),
      },
    )
    id = automation.id
  }
  return id
}

/** An event of one visitor, from the browser. */
export async function sendEvent(site: Site, event: string, value: string, visitor = 0): Promise<void> {
  const { server, key, sessions } = site
  const at = visitor % sessions.length
  const url = `${server.url}/v2/signal/${sessions[at]}/event`
  const { success } = await post<{ success: boolean }>(url, visitorHeaders(key, at), { event, value })
  if (!success) throw new Error(`the event ${event} of visitor ${at} was refused`)
}

function contactChange(site: Site, automationId: string, url: string, id: string): NewDelivery {
  const now = Date.now()
  const event = { type: 'contact', name: 'updated', value: null, meta: [], page_path: null, page_url: null }
  return {
    id,
    property_id: site.propertyId,
    automation_id: automationId,
    action_id: 'wa_bench',
    url,
    lane: laneOf(url),
    payload: 'envelope',
    priority: 3,
    event_type: 'contact',
    event_value: null,
    event: JSON.stringify({ ...event, form_id: null, form_submit_id: null, created_ts: Math.floor(now / 1000), id }),
    conversion_id: null,
    session_day: null,
    session: null,
    submission_id: null,
    contact_id: null,
    is_test: 0,
    state: 'pending',
    attempts: 0,
    max_attempts: 3,
    next_attempt_ms: now,
    claim: null,
    created_ms: now,
    finished_ms: null,
    body: null,
  }
}

/** Contact changes, straight into the records: the row that a change leaves. */
export async function enqueue(
  site: Site,
  automationId: string,
  paths: readonly string[],
  count: number,
): Promise<void> {
  const records = await openRecords({ databaseUrl: null, dataDir: site.dataDir })
  const nextId = openUlids({ now: Date.now, randomBytes })
  const row = (n: number): NewDelivery =>
    contactChange(site, automationId, `${site.endpoint.url}${paths[n % paths.length]}`, nextId())
  for (let at = 0; at < count; at += ROWS_AT_ONCE)
    await insertDeliveries(
      records,
      Array.from({ length: Math.min(ROWS_AT_ONCE, count - at) }, (_, n) => row(at + n)),
    )
  await records.destroy()
}
