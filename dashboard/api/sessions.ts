// Sessions: the list of a window, and the story of one.
import { get, type Page, post } from '../api.ts'
import type { StoryStep } from '../../server/dashboard/story-step.ts'
import type { ClauseAsk, Period } from '../window.ts'

export type { StoryStep }

/** What is not known is left out. */
export interface SessionDocument {
  readonly id: string
  readonly entry_ts: number
  readonly last_ts: number
  /** Seconds in view. */
  readonly time_on_site: number
  /** 0 to 100; 0 also where it is not known. */
  readonly avg_max_scroll: number
  readonly views: number
  readonly bounced: boolean
  readonly entry_url?: string
  readonly entry_path?: string
  readonly entry_title?: string
  readonly exit_path?: string
  readonly referrer_domain?: string
  readonly channel_name?: string
  readonly source_name?: string
  readonly utm_source?: string
  readonly utm_medium?: string
  readonly utm_campaign?: string
  readonly country_name?: string
  /** Two letters. */
  readonly request_country?: string
  readonly region?: string
  readonly city?: string
  readonly request_device?: string
  readonly request_browser_name?: string
  readonly request_platform?: string
  readonly request_lang?: string
  readonly request_timezone?: string
  readonly contact_id?: string
  readonly event_tags: readonly { name: string; value: string }[]
  readonly tags: readonly { key: string; value: string }[]
  readonly form_tags?: readonly { form_id: string; name: string; submitted_ts: number }[]
  readonly signal_value_amount?: number
  readonly signal_value_currency?: string
}

export interface Story {
  readonly session: SessionDocument & {
    readonly contact_name: string | null
    /** It is in no figure: its owner says so. */
    readonly is_invalid: boolean
  }
  readonly story: readonly StoryStep[]
}

export interface SessionsAsk {
  readonly period: Period | null
  readonly date_from: string | null
  readonly date_to: string | null
  readonly clauses: readonly ClauseAsk[]
}

export interface SessionPage extends Page<SessionDocument> {
  readonly inputs: { readonly period: Period }
  readonly meta: { readonly showing: string }
}

export const SESSIONS_PER_PAGE = 25

export const listSessions = (
  property: string,
  ask: SessionsAsk,
  page: number,
  signal?: AbortSignal,
): Promise<SessionPage> =>
  post('/v2/property/signals/sessions', { ...ask, limit: SESSIONS_PER_PAGE }, { property, query: { page }, signal })

export const readStory = (property: string, session: string, signal?: AbortSignal): Promise<Story> =>
  get(`/manage/properties/${encodeURIComponent(property)}/sessions/${encodeURIComponent(session)}`, { signal })

/** Invalid: it is in no figure any more. */
export const markSession = (property: string, session: string, is_invalid: boolean): Promise<unknown> =>
  post(`/manage/properties/${encodeURIComponent(property)}/sessions/${encodeURIComponent(session)}/mark`, {
    is_invalid,
  })
