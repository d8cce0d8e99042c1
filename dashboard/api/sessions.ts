// Sessions: the list of a window, and the story of one.
import { get, post } from '../api.ts'
import type { SessionsJson as SessionPage } from '../../server/analytics/answer-schema.ts'
import type { SessionJson as SessionDocument } from '../../server/analytics/session-schema.ts'
import type { StepJson as StoryStep, StoryJson as Story } from '../../server/story/schema.ts'
import type { ClauseAsk, Period } from '../window.ts'

export type { SessionDocument, Story, StoryStep }

export interface SessionsAsk {
  readonly period: Period | null
  readonly date_from: string | null
  readonly date_to: string | null
  readonly clauses: readonly ClauseAsk[]
}

export const SESSIONS_PER_PAGE = 25

export const listSessions = (
  property: string,
  ask: SessionsAsk,
  page: number,
  signal?: AbortSignal,
): Promise<SessionPage> =>
  post(
    `/manage/properties/${encodeURIComponent(property)}/sessions`,
    { ...ask, limit: SESSIONS_PER_PAGE },
    { query: { page }, signal },
  )

export const readStory = (property: string, session: string, signal?: AbortSignal): Promise<Story> =>
  get(`/manage/properties/${encodeURIComponent(property)}/sessions/${encodeURIComponent(session)}`, { signal })

/** Invalid: it is in no figure any more. */
export const markSession = (property: string, session: string, is_invalid: boolean): Promise<unknown> =>
  post(`/manage/properties/${encodeURIComponent(property)}/sessions/${encodeURIComponent(session)}/mark`, {
    is_invalid,
  })
