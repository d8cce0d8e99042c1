// The shape of the records of content: blocks, their versions, the phases in which they are compared, and
// every edit. The last interface names the tables.
import type { Generated } from 'kysely'
import type { EditTable } from './edit-tables.ts'

export interface ContentBlockTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  property_id: string
  /** Public, in the address of render; unique over all properties. */
  key: string
  name: string
  /** Random, hex: so that a visitor's places in two blocks have nothing to do with each other. */
  salt: string
  /** JSON of Goal (content/content-model.ts). */
  goal: string
  is_archived: number
  /** The phase that counts now, from 1: a change of weights or versions opens the next one. */
  phase: number
  created_ts: number
  updated_ts: number
}

export interface ContentVersionTable {
  seq: Generated<number>
  id: string
  property_id: string
  block_id: string
  label: string
  /** Sanitised when it was stored. */
  html: string
  /** JSON array of {key, label, url}. */
  ctas: string
  /** Its share is this over the sum of those of all active versions. */
  weight: number
  is_active: number
  /** 1: out of use; the row stays, as results name it. */
  is_deleted: number
  created_ts: number
  updated_ts: number
}

export interface ContentPhaseTable {
  property_id: string
  block_id: string
  number: number
  started_ms: number
  /** null: it counts now. */
  ended_ms: number | null
  /** JSON array of {version_id, label, weight}: what was chosen from, in the order of the versions. */
  setup: string
}

/** Every change of a block or version: what it was and what it became. */
interface ContentEditTable extends EditTable {
  block_id: string
  /** null: of the block itself. */
  version_id: string | null
}

export interface ContentTables {
  content_blocks: ContentBlockTable
  content_versions: ContentVersionTable
  content_phases: ContentPhaseTable
  content_edits: ContentEditTable
}
