// The history of a record, as every record that has one tells it.
import type { EditJson as Edit } from '../../server/http/shapes.ts'

export type { Edit }
export type EditedBy = Edit['edited_by']
