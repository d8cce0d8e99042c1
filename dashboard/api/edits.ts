// The history of a record: the same shape for every kind of record.
import type { EditJson as Edit } from '../../server/http/shapes.ts'

export type { Edit }
export type EditedBy = Edit['edited_by']
