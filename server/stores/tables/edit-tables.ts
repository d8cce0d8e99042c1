// The shape that all logs of edits have in common.
import type { Generated } from 'kysely'

export interface EditTable {
  seq: Generated<number>
  id: string
  property_id: string
  edited_ms: number
  /** EditorId (kernel/edits.ts); null: of before it was written down. */
  edited_by: string | null
  kind: 'create' | 'update' | 'delete' | 'undo'
  /** JSON of the members that changed; null before a creation and after a deletion. */
  before: string | null
  after: string | null
}
