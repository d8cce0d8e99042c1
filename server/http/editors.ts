// The author of a change, as stored with it, and as shown in the history.
import { findUserNames } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { ADMIN_EDITOR, COMMAND_LINE_EDITOR, type EditorId, type EditorKind, SERVICE_EDITOR } from '../kernel/edits.ts'
import type { Caller } from './auth.ts'

const editorOf = (caller: Caller): EditorId => (caller.kind === 'user' ? caller.user.id : ADMIN_EDITOR)

/** What a change needs, and its author. */
export const editingDeps = <Deps extends object>(deps: Deps, caller: Caller) => ({ ...deps, editor: editorOf(caller) })

export interface ShownEditor {
  readonly kind: EditorKind
  /** The name of a person; null also when they are gone. */
  readonly id: string | null
  readonly name: string | null
}

const others: Readonly<Record<string, ShownEditor['kind']>> = {
  [ADMIN_EDITOR]: 'admin',
  [COMMAND_LINE_EDITOR]: 'command_line',
  [SERVICE_EDITOR]: 'service',
}

function shownEditor(editor: EditorId | null, names: ReadonlyMap<string, string>): ShownEditor {
  if (editor === null) return { kind: 'unknown', id: null, name: null }
  const kind = others[editor]
  if (kind !== undefined) return { kind, id: null, name: null }
  const name = names.get(editor)
  return { kind: 'user', id: name === undefined ? null : editor, name: name ?? null }
}

/** The same rows, each with its author. */
export async function withEditors<Row extends { readonly edited_by: EditorId | null }>(
  { records }: Pick<Context, 'records'>,
  rows: readonly Row[],
) {
  const people = rows.flatMap(({ edited_by }) => (edited_by?.startsWith('us_') ? edited_by : []))
  const names = await findUserNames(records, [...new Set(people)])
  return rows.map((row) => ({ ...row, edited_by: shownEditor(row.edited_by, names) }))
}
