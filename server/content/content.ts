// What content is: blocks, versions and goals with their limits, and the words for them. No rule is carried out here.

export const MAX_BLOCKS = 500
/** More cannot be told apart by any traffic. */
export const MAX_VERSIONS = 20
export const MAX_NAME = 120
export const MAX_LABEL = 120
export const MAX_HTML = 50_000
export const MAX_CTAS = 20
export const MAX_CTA_KEY = 64
export const MAX_CTA_LABEL = 255
export const MAX_URL = 2048
export const MAX_WEIGHT = 1000
export const MAX_GOAL_VALUE = 255
/** Edits kept of a block; the oldest go. */
export const MAX_EDITS = 500

/** Shares are cut into this many parts: a visitor's part decides the version. */
export const BUCKETS = 10_000

export const goalTypes = ['click', 'event', 'form', 'conversion'] as const
export type GoalType = (typeof goalTypes)[number]

/** What a version is judged by, done by the same visitor after having seen it. */
export interface Goal {
  readonly type: GoalType
  /** `click`: a cta key or null for any; `event`: a name; `form`: a form id (a clean submission); `conversion`: a conversion id. */
  readonly value: string | null
}

export interface Cta {
  /** Unique within the version; what `cta_key` of track names. */
  readonly key: string
  readonly label: string
  /** http, https, mailto, tel or a path; null: the page decides what a click does. */
  readonly url: string | null
}

export interface Version {
  readonly id: string
  readonly label: string
  readonly html: string
  readonly ctas: readonly Cta[]
  readonly weight: number
  readonly is_active: boolean
  /** Unix seconds. */
  readonly created_ts: number
  readonly updated_ts: number
}

/** With its versions in the order in which they were made, those in use. */
export interface Block {
  readonly id: string
  readonly property_id: string
  readonly key: string
  readonly name: string
  readonly salt: string
  readonly goal: Goal
  readonly is_archived: boolean
  readonly phase: number
  readonly created_ts: number
  readonly updated_ts: number
  readonly versions: readonly Version[]
}
