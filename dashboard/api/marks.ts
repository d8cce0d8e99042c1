// Sessions that are marked as invalid: many together, by time, network and host, and one by one.
import { get, post } from '../api.ts'

export interface Marking {
  readonly id: string
  readonly network: string | null
  readonly host: string | null
  readonly from_ts: number
  /** Not included. */
  readonly to_ts: number
  readonly state: 'marking' | 'marked' | 'undoing' | 'undone'
  /** How many there were when it began. */
  readonly sessions: number
  readonly done: number
  readonly created_ts: number
}

export interface MarkingAsk {
  readonly from_ts: number
  readonly to_ts: number
  /** '' for any. */
  readonly network: string
  readonly host: string
}

export interface Counted {
  readonly id: string
  readonly sessions: number
}

export interface Trial {
  readonly sessions: number
  /** The most first. */
  readonly networks: readonly Counted[]
  readonly hosts: readonly Counted[]
}

/** Texts are empty where nothing is known. */
export interface MarkedSession {
  readonly session_id: string
  readonly marked_ts: number
  readonly entry_ts: number
  readonly network: string
  readonly host: string
  readonly path: string
  readonly country_code: string
}

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
