// The property with made-up data: one for an installation.
import { get, post, remove } from '../api.ts'
import type { SampleJson as Sample } from '../../server/demo/schema.ts'

export type { Sample }

export const readSample = (signal?: AbortSignal): Promise<{ sample: Sample | null }> =>
  get('/manage/sample', { signal })
export const makeSample = (): Promise<{ sample: Sample }> => post('/manage/sample')
export const removeSample = (): Promise<unknown> => remove('/manage/sample')
