// Who is there now.
import { post } from '../api.ts'
import type { ClauseAsk } from '../window.ts'
import type { SessionDocument } from './sessions.ts'

export interface ListRow {
  /** The value as clauses take it. */
  readonly id: string
  readonly label: string
  readonly value: number
  /** A fraction. */
  readonly percent: number
  readonly icon_url?: string
  readonly country_code?: string
}

export interface Live {
  /** Sessions of the last five minutes. */
  readonly count: number
  /** Thirty seconds each. */
  readonly series: readonly { label: string; from_ts: number; value: number }[]
  readonly sessions: readonly SessionDocument[]
  readonly pages: readonly ListRow[]
  readonly countries: readonly ListRow[]
  readonly sources: readonly ListRow[]
}

export const readLive = (property: string, clauses: readonly ClauseAsk[], signal?: AbortSignal): Promise<Live> =>
  post(`/manage/properties/${encodeURIComponent(property)}/live`, { clauses }, { signal })
