// The history of a record, as every record that has one tells it.

type Side = Readonly<Record<string, unknown>> | null

export interface EditedBy {
  readonly kind: 'user' | 'admin' | 'command_line' | 'service' | 'unknown'
  readonly id: string | null
  /** null also of a person who was removed. */
  readonly name: string | null
}

export interface Edit {
  readonly id: string
  readonly edited_ms: number
  readonly edited_by: EditedBy
  readonly kind: 'create' | 'update' | 'delete' | 'undo'
  readonly before: Side
  readonly after: Side
}
