// Properties, and whether their tracking works.
import { get, post } from '../api.ts'

export interface Property {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly domains: readonly string[]
  readonly default_period: string | null
  readonly plan: string
  readonly content_policy: string
  readonly has_proxy_key: boolean
  readonly created_ts: number
}

export interface Tracking {
  readonly first_view_ts: number | null
  readonly last_view_ts: number | null
  readonly views_24h: number
  readonly hosts: readonly { host: string; views: number; is_own: boolean }[]
  readonly libraries: readonly { version: string; views: number }[]
  readonly errors_24h: number
  readonly advice: readonly { code: string; text: string }[]
}

const pathOf = (id: string) => `/manage/properties/${encodeURIComponent(id)}`

export const createProperty = (asked: { name: string; domains: readonly string[] }): Promise<{ property: Property }> =>
  post('/manage/properties', asked)
export const readProperty = (id: string): Promise<{ property: Property }> => get(pathOf(id))
export const readTracking = (id: string, signal?: AbortSignal): Promise<Tracking> =>
  get(`${pathOf(id)}/tracking`, { signal })
