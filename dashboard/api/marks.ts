// Sessions that are marked as invalid: many together, by time, network and host, and one by one.
import { get, post } from '../api.ts'
import type {
  MarkedSessionJson as MarkedSession,
  MarkingJson as Marking,
  NewMarkingJson as NewMarking,
  TrialJson as Trial,
} from '../../server/marks/schema.ts'

export type { MarkedSession, Marking, Trial }
export type Counted = Trial['networks'][number]

/** '' for any. */
export type MarkingAsk = Required<Omit<NewMarking, 'is_trial'>>

const pathOf = (property: string, rest: string) => `/manage/properties/${encodeURIComponent(property)}${rest}`

export const listMarkings = (property: string, signal?: AbortSignal): Promise<{ data: readonly Marking[] }> =>
  get(pathOf(property, '/session-marks'), { signal })

/** Marks nothing. */
export const tryMarking = (property: string, asked: MarkingAsk): Promise<{ trial: Trial }> =>
  post(pathOf(property, '/session-marks'), { ...asked, is_trial: true })

/** It goes on in the background. */
export const beginMarking = (property: string, asked: MarkingAsk): Promise<{ marking: Marking }> =>
  post(pathOf(property, '/session-marks'), asked)

export const undoMarking = (property: string, id: string): Promise<{ marking: Marking }> =>
  post(pathOf(property, `/session-marks/${encodeURIComponent(id)}/undo`), {})

export const listMarkedSessions = (
  property: string,
  signal?: AbortSignal,
): Promise<{ data: readonly MarkedSession[] }> => get(pathOf(property, '/marked-sessions'), { signal })
