// What content is: blocks, versions and goals with their limits and words. No rule is applied here.

export const MAX_BLOCKS = 500
/** No site has the traffic to tell more versions apart. */
export const MAX_VERSIONS = 20
export const MAX_NAME = 120
export const MAX_LABEL = 120
export const MAX_HTML = 50_000
export const MAX_CTAS = 20
export const MAX_CTA_LABEL = 255
export const MAX_URL = 2048
export const MAX_WEIGHT = 1000
export const MAX_GOAL_VALUE = 255
/** Edits kept per block; the oldest are deleted. */
export const MAX_EDITS = 500
/** Phases kept per block; the oldest are deleted. */
export const MAX_PHASES = 1000
/** Versions ever created in a block, including deleted ones: results still need their names. */
export const MAX_MADE_VERSIONS = 1000

/** Anything else cannot exist. */
export const blockIdShape = /^cb_[0-9A-Za-z]{20}$/
export const editIdShape = /^ce_[0-9A-Za-z]{20}$/
export const blockKeyShape = /^[A-Za-z0-9_-]{1,64}$/
/** The name that page code uses for a call to action. */
export const ctaKeyShape = /^[A-Za-z0-9_.:-]{1,64}$/

/**
 * The number of buckets; a visitor's bucket decides the version. With fewer than the largest sum of weights
 * (MAX_VERSIONS × MAX_WEIGHT), a version of the smallest weight could get none.
 */
export const BUCKETS = 1_000_000

/**
 * How long after a render its interactions are accepted: a page may stay open overnight, and later ones would
 * be repetitions.
 */
export const REQUEST_MS = 24 * 60 * 60 * 1000
/** A longer dwell time means that the page was open, not that it was looked at. */
export const MAX_DWELL_MS = 24 * 60 * 60 * 1000
/** Of the `cta_key` that track sends: as long as ctaKeyShape allows. */
export const MAX_CTA_KEY = 64
export const MAX_ELEMENT_KEY = 255
export const MAX_EVENT_NAME = 255
export const MAX_META_KEYS = 50
export const MAX_META_KEY = 255
/** Length of the JSON text of `meta`: enough for a few attributes. */
export const MAX_META = 4000

export const goalTypes = ['click', 'event', 'form', 'conversion'] as const
export type GoalType = (typeof goalTypes)[number]

/** The success by which versions are compared: something the same visitor does after seeing one. */
export interface Goal {
  readonly type: GoalType
  /**
   * `click`: a cta key or null for any; `event`: a name; `form`: a form id (a clean submission);
   * `conversion`: a conversion id.
   */
  readonly value: string | null
}

export interface Cta {
  /** Unique within the version; `cta_key` of track refers to it. */
  readonly key: string
  readonly label: string
  /** http, https, mailto, tel or a path; null: page code decides what a click does. */
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

/** With its versions that are not deleted, in the order of their creation. */
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
