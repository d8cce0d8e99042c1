// All properties of the reader beside one another.
import { get } from '../api.ts'
import type { SiteJson as Site, SitePeriod, SitesJson as Sites } from '../../server/sites/schema.ts'

export type { Site, SitePeriod, Sites }

export const sitePeriods = ['last_7', 'last_30', 'last_90'] as const satisfies readonly SitePeriod[]

export const readSites = (period: SitePeriod, signal: AbortSignal): Promise<Sites> =>
  get('/manage/sites', { query: { period }, signal })
