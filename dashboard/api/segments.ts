// Filters that were saved under a name.
import { get, post, remove } from '../api.ts'
import type { ClauseAsk } from '../window.ts'
import type { SegmentJson as Segment, SegmentsJson } from '../../server/segments/schema.ts'

export type { Segment }

/** The id of a filter that names a segment. */
export const SEGMENT = 'segment'

export interface SegmentAsk {
  readonly name: string
  readonly clauses: readonly ClauseAsk[]
  readonly is_personal: boolean
}

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/segments${rest}`
const at = (property: string, id: string) => pathOf(property, `/${encodeURIComponent(id)}`)

/** Everybody's in the property, and the reader's own. */
export const listSegments = (property: string, signal?: AbortSignal): Promise<SegmentsJson> =>
  get(pathOf(property), { signal })
export const createSegment = (property: string, asked: SegmentAsk): Promise<{ segment: Segment }> =>
  post(pathOf(property), asked)
export const changeSegment = (
  property: string,
  id: string,
  asked: Partial<SegmentAsk>,
): Promise<{ segment: Segment }> => post(at(property, id), asked)
export const deleteSegment = (property: string, id: string): Promise<unknown> => remove(at(property, id))
