// The row of a contact, as an identification makes it and as one changes it. Nothing is stored here.
import type { ContactRow } from '../contacts/records.ts'
import { DEFAULT_LIFECYCLE_STAGE, textFields } from '../contacts/contact-model.ts'
import { fillMeta, mergeMeta } from '../contacts/meta.ts'
import type { IdentificationDraft, IdentifiedBy } from './draft.ts'
import type { Activity } from './seen.ts'

/** Who makes or sees a contact, and when, and the id of one that is made. */
export interface Origin {
  readonly by: IdentifiedBy
  readonly nowMs: number
  readonly id: string
  /**
   * What the sessions of those who share its address did since they were identified. Left out: the last
   * identification decides.
   */
  readonly activity?: Activity
}

type Writable = { -readonly [K in keyof ContactRow]?: ContactRow[K] }

/** The texts of a draft by the column that they go to. */
function textsOf(draft: IdentificationDraft, by: IdentifiedBy): Writable {
  const address = draft.email && { email: draft.email.text, email_key: draft.email.key, email_by: by }
  return { ...draft.traits, ...address }
}

function emptyRow(propertyId: string, origin: Origin): ContactRow {
  const nothing = Object.fromEntries(textFields.map((field) => [field, null])) as Record<
    (typeof textFields)[number],
    null
  >
  const nowTs = Math.floor(origin.nowMs / 1000)
  return {
    ...nothing,
    id: origin.id,
    property_id: propertyId,
    email_key: null,
    email_by: null,
    claimed_email: null,
    lifecycle_stage: DEFAULT_LIFECYCLE_STAGE,
    state: 'active',
    meta: [],
    first_seen_ts: nowTs,
    identified_ts: nowTs,
    last_seen_ms: origin.nowMs,
    session_count: 0,
  }
}

/**
 * One that is known by its address alone claims it: no second one is made of the same call at the same
 * moment.
 */
export function newRow(propertyId: string, draft: IdentificationDraft, origin: Origin): ContactRow {
  return {
    ...emptyRow(propertyId, origin),
    ...textsOf(draft, origin.by),
    external_id: draft.external_id,
    claimed_email: draft.external_id === null ? (draft.email?.key ?? null) : null,
    ...(draft.lifecycle_stage !== null && { lifecycle_stage: draft.lifecycle_stage }),
    meta: draft.meta,
  }
}

const isChanged = (row: ContactRow, change: Writable, column: keyof ContactRow) => change[column] !== row[column]

/** What the owner says counts. An address that is replaced is no longer claimed. */
function tokenChange(row: ContactRow, draft: IdentificationDraft): Writable {
  const change = textsOf(draft, 'token')
  if (draft.lifecycle_stage !== null) change.lifecycle_stage = draft.lifecycle_stage
  if (change.email_key !== undefined && change.email_key !== row.email_key) change.claimed_email = null
  return change
}

/** What a visitor says fills blanks and changes nothing that stands. */
function visitorChange(row: ContactRow, draft: IdentificationDraft): Writable {
  const blanks = Object.entries(textsOf(draft, 'visitor')).filter(
    ([column]) => row[column as keyof ContactRow] === null,
  )
  return Object.fromEntries(blanks)
}

/** Only what differs: most identifications say what is known. */
export function mergeChange(row: ContactRow, draft: IdentificationDraft, by: IdentifiedBy): Writable {
  const change = by === 'token' ? tokenChange(row, draft) : visitorChange(row, draft)
  const differing = Object.keys(change).filter((column) => isChanged(row, change, column as keyof ContactRow))
  const meta = by === 'token' ? mergeMeta(row.meta, draft.meta) : fillMeta(row.meta, draft.meta)
  const changed = Object.fromEntries(
    differing.map((column) => [column, change[column as keyof ContactRow]]),
  ) as Writable
  return JSON.stringify(meta) === JSON.stringify(row.meta) ? changed : { ...changed, meta }
}
