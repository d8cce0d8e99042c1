// Properties, and whether their tracking works.
import { get, type Page, post, remove } from '../api.ts'
import type { TrackingJson as Tracking } from '../../server/tracking-check/schema.ts'
import type { StoredJson as Stored } from '../../server/removals/schema.ts'
import type {
  DetailsJson as PropertyDetails,
  PropertyChangeJson as PropertyChange,
  PropertyJson as Property,
} from '../../server/properties/schema.ts'

export type { Property, PropertyChange, PropertyDetails, Stored, Tracking }

const pathOf = (id: string) => `/manage/properties/${encodeURIComponent(id)}`

export const createProperty = (asked: {
  readonly name: string
  readonly domains: readonly string[]
  readonly timezone?: string
}): Promise<{ property: Property }> => post('/manage/properties', asked)
/** Those whose name has these letters in it, a page of them. */
export const findProperties = (search: string, signal?: AbortSignal): Promise<Page<Property>> =>
  get('/manage/properties', { query: { search }, signal })
export const readProperty = (id: string, signal?: AbortSignal): Promise<PropertyDetails> => get(pathOf(id), { signal })
export const changeProperty = (id: string, change: PropertyChange): Promise<{ property: Property }> =>
  post(pathOf(id), change)
export const readStored = (id: string, signal?: AbortSignal): Promise<{ stored: Stored }> =>
  get(`${pathOf(id)}/facts`, { signal })
export const resetProperty = (id: string): Promise<unknown> => remove(`${pathOf(id)}/facts`)
export const removeProperty = (id: string): Promise<unknown> => remove(pathOf(id))
/** The key is answered once; the one before it stops working. */
export const renewProxyKey = (id: string): Promise<{ property: Property; proxy_key: string }> =>
  post(`${pathOf(id)}/proxy-key`)
export const readTracking = (id: string, signal?: AbortSignal): Promise<Tracking> =>
  get(`${pathOf(id)}/tracking`, { signal })
