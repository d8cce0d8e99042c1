// What anonymous callers cost everybody else: page views of visitors while other addresses call forms as
// often as they may, each call as expensive as possible, beside the same page views on an idle service. Both
// in one run, idle before and after, so that only the ratio counts.
import { setTimeout as pause } from 'node:timers/promises'
import { settingsFor } from './homes.ts'
import { startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'
import { agents } from './writing.ts'

const ADDRESSES = 30
const CALLS_A_MINUTE = 120
const PEACE_MS = 20_000
/** A whole minute: limits start again with each. */
const LOAD_MS = 60_000
/** Page views continue one after another, from enough addresses to stay below their limit. */
const VIEW_EVERY_MS = 15
const VISITORS = 500
/** The longest allowed body; a longer one is refused unread. */
const HTML_CHARACTERS = 4_000
const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'
const ORIGIN = 'https://bench.example'

interface Site {
  readonly url: string
  readonly key: string
  readonly formKey: string
}

const json = { 'content-type': 'application/json' }

async function post<Answer>(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  return (await response.json()) as Answer
}

async function makeSite(url: string): Promise<Site> {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  type Made = { data: { property: { id: string; key: string } } }
  const draft = { name: 'Bench', domains: ['bench.example'] }
  const { property } = (await post<Made>(`${url}/manage/properties`, admin, draft)).data
  type MadeForm = { data: { form: { key: string } } }
  const form = { name: 'Bench', kind: 'open', is_published: true }
  const made = await post<MadeForm>(`${url}/manage/properties/${property.id}/forms`, admin, form)
  return { url, key: property.key, formKey: made.data.form.key }
}

// ---------------------------------------------------------------- strangers

/** The signature of docs/api/forms.md. */
function sign(key: string): string {
  const day = new Date()
  let hash = 0
  for (const unit of `${day.getUTCFullYear()}${key}${day.getUTCDate()}`) hash = (hash * 31 + unit.charCodeAt(0)) | 0
  return String(hash >>> 0)
}

let made = 0
let calls = 0
/** Nothing of it is cached from an earlier call. */
const dearHtml = (): string => String(++made).padStart(8, '0') + '<a>'.repeat((HTML_CHARACTERS - 8) / 3)
const dearPatterns = () => ({ name: { [`regex[^(${'[a-z]{9}'.repeat(9)}|${++made}){9}$]`]: null } })

const call: typeof post = (...asked) => {
  calls++
  return post(...asked)
}

/** A token, or undefined when the call was refused. */
async function open({ url, formKey }: Site, address: string, more: object): Promise<string | undefined> {
  const headers = { 'x-forwarded-for': address, 'x-svc-form': sign(formKey), origin: ORIGIN }
  const body = { fields: { name: 'text' }, ...more }
  return (await call<{ token?: string }>(`${url}/v2/form/${formKey}/init`, headers, body)).token
}

async function send({ url }: Site, address: string, token: string): Promise<void> {
  const headers = { 'x-forwarded-for': address, 'x-svc-session': sign(token), origin: ORIGIN }
  const body = { map: { name: 'text' }, data: { name: String(++made) }, ty: dearHtml() }
  await call(`${url}/v2/form/${token}/process`, headers, body)
}

/** The most expensive of each kind in turn, evenly over the minute. */
async function strain(site: Site, address: string, endMs: number): Promise<void> {
  while (performance.now() < endMs) {
    const begunMs = performance.now()
    const token = await open(site, address, { successContent: dearHtml() })
    if (token !== undefined) await send(site, address, token)
    await open(site, address, { validation: dearPatterns() })
    await pause(Math.max(0, (3 * 60_000) / CALLS_A_MINUTE - (performance.now() - begunMs)))
  }
}

// ---------------------------------------------------------------- visitors

async function view({ url, key }: Site, visitor: number): Promise<number> {
  const begunMs = performance.now()
  const response = await fetch(`${url}/v2/signal/load`, {
    headers: {
      'x-svc-id': key,
      'x-forwarded-for': `81.128.${visitor >> 8}.${visitor & 255}`,
      'user-agent': agents[visitor % agents.length]!,
      'x-svc-lib': 'signals/1.2.0',
      'x-svc-page': encodeURIComponent(`${ORIGIN}/articles/${visitor % 97}`),
    },
  })
  const { success } = (await response.json()) as { success: boolean }
  if (!success) throw new Error('a page view was refused')
  return performance.now() - begunMs
}

async function viewUntil(site: Site, endMs: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; performance.now() < endMs; n++) {
    times.push(await view(site, n % VISITORS))
    await pause(VIEW_EVERY_MS)
  }
  return times
}

function rowOf(name: string, times: readonly number[], peaceMs: number): Row {
  const sorted = times.toSorted((one, other) => one - other)
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((part) => share(sorted, part))
  return { name, ratio: p50Ms! / peaceMs, p50Ms: p50Ms!, p95Ms: p95Ms!, p99Ms: p99Ms! }
}

export interface Strained {
  readonly rows: Row[]
  /**
   * CPU milliseconds on all threads: of a page view on an idle service, and of an expensive call on top of
   * the page views beside it.
   */
  readonly cpuMs: { readonly view: number; readonly call: number }
  /** Expensive calls per second: fewer than the limit allows when the machine cannot keep up. */
  readonly calls: number
}

export async function measureStrangers(dataDir: string): Promise<Strained> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN, PUBLIC_RATE_LIMIT: String(CALLS_A_MINUTE) }
  const service = await startFootfall(env)
  try {
    const site = await makeSite(service.url)
    await viewUntil(site, performance.now() + PEACE_MS / 4)
    const before = await viewUntil(site, performance.now() + PEACE_MS)
    const [idleMs, endMs] = [service.cpuMs(), performance.now() + LOAD_MS]
    const strangers = Array.from({ length: ADDRESSES }, (_, n) => strain(site, `198.51.100.${n}`, endMs))
    const [loaded] = await Promise.all([viewUntil(site, endMs), ...strangers])
    const restMs = service.cpuMs()
    const after = await viewUntil(site, performance.now() + PEACE_MS)
    const view = (service.cpuMs() - restMs) / after.length
    const call = (restMs - idleMs - loaded.length * view) / calls
    const calm = [...before, ...after]
    const median = rowOf('', calm, 1).p50Ms!
    return {
      rows: [
        rowOf('page view in peace', calm, median),
        rowOf(`page view, ${ADDRESSES} addresses at their limit`, loaded, median),
      ],
      cpuMs: { view, call },
      calls: calls / (LOAD_MS / 1000),
    }
  } finally {
    await service.stop()
  }
}
