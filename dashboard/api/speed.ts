// How fast pages were for their visitors.
import { post } from '../api.ts'
import type { SpeedJson as Speed, VitalJson as Vital } from '../../server/vitals/schema.ts'
import type { SessionsAsk } from './sessions.ts'

export type { Speed, Vital }

export const readSpeed = (property: string, ask: SessionsAsk, signal?: AbortSignal): Promise<Speed> =>
  post(`/manage/properties/${encodeURIComponent(property)}/speed`, ask, { signal })
