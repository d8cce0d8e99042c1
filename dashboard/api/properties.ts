// Properties, and whether their tracking works.
import { get, type Page, post, remove } from '../api.ts'
import type {
  DetailsJson as PropertyDetails,
  PropertyChangeJson as PropertyChange,
  PropertyJson as Property,
} from '../../server/properties/schema.ts'

export type { Property, PropertyChange, PropertyDetails }

export type RefusedReason = 'host' | 'revenue' | 'identify' | 'amount'

export interface Tracking {
  readonly first_view_ts: number | null
  readonly last_view_ts: number | null
  readonly views_24h: number
  readonly hosts: readonly { host: string; views: number; is_own: boolean }[]
  readonly libraries: readonly { version: string; views: number }[]
  /** Calls of browsers that the settings refuse, of the last seven days. */
  readonly refused: readonly { reason: RefusedReason; host: string | null; calls: number }[]
  readonly errors_24h: number
  readonly advice: readonly { code: string; text: string }[]
}

const pathOf = (id: string) => `/manage/properties/${encodeURIComponent(id)}`

export const createProperty = (asked: { name: string; domains: readonly string[] }): Promise<{ property: Property }> =>
  post('/manage/properties', asked)
/** Those whose name has these letters in it, a page of them. */
export const findProperties = (search: string, signal?: AbortSignal): Promise<Page<Property>> =>
  get('/manage/properties', { query: { search }, signal })
export const readProperty = (id: string, signal?: AbortSignal): Promise<PropertyDetails> => get(pathOf(id), { signal })
export const changeProperty = (id: string, change: PropertyChange): Promise<{ property: Property }> =>
  post(pathOf(id), change)
export const removeProperty = (id: string): Promise<unknown> => remove(pathOf(id))
/** The key is answered once; the one before it stops working. */
export const renewProxyKey = (id: string): Promise<{ property: Property; proxy_key: string }> =>
  post(`${pathOf(id)}/proxy-key`)
export const readTracking = (id: string, signal?: AbortSignal): Promise<Tracking> =>
  get(`${pathOf(id)}/tracking`, { signal })
