// The property with made-up data: one for an installation.
import { get, post, remove } from '../api.ts'

export interface Sample {
  readonly property_id: string
  /** failed: broken off; making it again completes it. */
  readonly state: 'running' | 'done' | 'failed'
  /** 0 to 1. */
  readonly progress: number
}

export const readSample = (signal?: AbortSignal): Promise<{ sample: Sample | null }> =>
  get('/manage/sample', { signal })
export const makeSample = (): Promise<{ sample: Sample }> => post('/manage/sample')
export const removeSample = (): Promise<unknown> => remove('/manage/sample')
