// Every figure that a property has, as its owner is told it over HTTP: for what must not change them.
import assert from 'node:assert/strict'
import { ADMIN_TOKEN } from './server.ts'
import { callService, type Service, type ServiceProperty } from './service.ts'

/** What tells of the asking and of the present moment, and not of what is asked for. */
const aboutAsking = new Set(['took_ms', 'query_ms', 'projectedSeries', 'projected', 'is_running', 'live'])

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !aboutAsking.has(key))
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutTimes(each)]))
}

const METRICS = ['sessions', 'views', 'views_session', 'bounce', 'duration', 'scroll']

/** @param days of a window, whose end is over or stays what it is. */
export async function figuresOf(
  service: Service,
  property: ServiceProperty,
  [date_from, date_to]: readonly [string, string],
) {
  const window = { period: 'custom', date_from, date_to }
  const at = `/manage/properties/${property.id}`
  const asked: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', '/v2/property/signals/analytics/metrics', window],
    ...METRICS.map((metric) => ['POST', '/v2/property/signals/analytics/graph', { ...window, metric }] as const),
    ['POST', '/v2/property/signals/sessions?page=1', { ...window, limit: 100 }],
    ['POST', `${at}/overview`, window],
    ['GET', '/v2/property/contacts?per_page=100'],
    ['GET', '/v2/property/link-groups'],
    ['GET', '/v2/property/links?per_page=100'],
    ['GET', '/v2/property/clicks?per_page=100'],
    ['GET', `${at}/forms`],
    ['GET', `${at}/automations`],
  ]
  const figures: Record<string, unknown> = {}
  for (const [method, path, body] of asked) {
    const caller = path.startsWith('/v2/') ? property : { ...property, token: ADMIN_TOKEN }
    const { status, json, text } = await callService(service, caller, method, path, body)
    assert.equal(status, 200, `${path}: ${text}`)
    figures[`${path} ${JSON.stringify(body ?? {})}`] = withoutTimes(json)
  }
  // Addresses name the host and port that was asked.
  return JSON.parse(JSON.stringify(figures).replaceAll(new URL(service.url).host, 'HOST')) as Record<string, unknown>
}
