// What content is: blocks, versions and goals with their limits, and the words for them. No rule is carried out here.

export const MAX_BLOCKS = 500
/** More cannot be told apart by any traffic. */
export const MAX_VERSIONS = 20
export const MAX_NAME = 120
export const MAX_LABEL = 120
export const MAX_HTML = 50_000
export const MAX_CTAS = 20
export const MAX_CTA_LABEL = 255
export const MAX_URL = 2048
export const MAX_WEIGHT = 1000
export const MAX_GOAL_VALUE = 255
/** Edits kept of a block; the oldest go. */
export const MAX_EDITS = 500
/** Phases kept of a block; the oldest go. */
export const MAX_PHASES = 1000
/** Versions ever made of a block, those out of use too: their names stay for the results. */
export const MAX_MADE_VERSIONS = 1000

/** Anything else needs no look-up. */
export const blockIdShape = /^cb_[0-9A-Za-z]{20}$/
export const editIdShape = /^ce_[0-9A-Za-z]{20}$/
export const blockKeyShape = /^[A-Za-z0-9_-]{1,64}$/
/** What page code names a call to action by. */
export const ctaKeyShape = /^[A-Za-z0-9_.:-]{1,64}$/

/**
 * Shares are cut into this many parts: a visitor's part decides the version. With fewer than the largest sum of weights (MAX_VERSIONS ×
 * MAX_WEIGHT), a version of the smallest weight could be left without any part.
 */
export const BUCKETS = 1_000_000

/** For so long what happened to a rendered block is taken: a page may stay open overnight, and older ones would only repeat themselves. */
export const REQUEST_MS = 24 * 60 * 60 * 1000
/** A page that was open for longer was not looked at for longer. */
export const MAX_DWELL_MS = 24 * 60 * 60 * 1000
/** Of what track says was clicked: as long as ctaKeyShape allows. */
export const MAX_CTA_KEY = 64
export const MAX_ELEMENT_KEY = 255
export const MAX_EVENT_NAME = 255
export const MAX_META_KEYS = 50
export const MAX_META_KEY = 255
/** Of the JSON text of `meta`: enough for a few attributes, not for a store of things. */
export const MAX_META = 4000

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
