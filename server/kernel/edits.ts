// An edit of a record: who changed which members, from what to what, so that it can be read and undone.

/** Members in the words of a request that would restore them. */
export type EditSide = Readonly<Record<string, unknown>>

export interface EditSides {
  /** null before a creation. */
  readonly before: EditSide | null
  /** null after a deletion. */
  readonly after: EditSide | null
}

export const editKinds = ['create', 'update', 'delete', 'undo'] as const
export type EditKind = (typeof editKinds)[number]

/** The author of a change: the id of a person (`us_…`), or one of these words. */
export type EditorId = string
/** The bearer of ADMIN_TOKEN. */
export const ADMIN_EDITOR = 'admin'
export const COMMAND_LINE_EDITOR = 'command_line'
/** Footfall itself, when it writes the sample data. */
export const SERVICE_EDITOR = 'service'

/** The author as histories show it; `unknown`: before authors were stored. */
export const editorKinds = ['user', 'admin', 'command_line', 'service', 'unknown'] as const
export type EditorKind = (typeof editorKinds)[number]

/** The names of the members that differ. */
export const changedNames = (before: EditSide, after: EditSide): string[] =>
  Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

export const onlyOf = (side: EditSide, names: readonly string[]): EditSide =>
  Object.fromEntries(names.map((name) => [name, side[name]]))
