// The history of a record: each edit says who changed what and when, and can be put back.
import { useMutation, type UseQueryResult } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { Page } from '../api.ts'
import type { Edit, EditedBy } from '../api/edits.ts'
import { history as text } from '../texts/index.ts'
import { Button } from './button.tsx'
import { Badge, RelativeTime, type Tone } from './marks.tsx'
import { Panel } from './panel.tsx'
import type { Column } from './table.tsx'
import { PagedTable } from './paged-table.tsx'

export const EDITS_PER_PAGE = 15

const tones: Readonly<Record<Edit['kind'], Tone>> = { create: 'good', update: 'accent', delete: 'bad', undo: 'plain' }

export const editorWords = ({ kind, name }: EditedBy): string =>
  kind === 'user' ? (name ?? text.removed) : text.editors[kind]

/** Of a creation and a deletion all fields, which says nothing. */
function changedFields({ before, after }: Edit, names: Readonly<Record<string, string>>): string {
  if (before === null || after === null) return ''
  return Object.keys(after)
    .map((field) => (Object.hasOwn(names, field) ? names[field] : field))
    .join(', ')
}

export interface EditListProps<Row extends Edit> {
  readonly query: UseQueryResult<Page<Row>>
  readonly page: number
  readonly onPage: (page: number, how?: { readonly replace: boolean }) => void
  /** Left out where every edit is of the record itself. */
  readonly what?: (edit: Row) => string
  /** By the names of the service. */
  readonly fieldNames: Readonly<Record<string, string>>
  readonly canUndo: (edit: Row) => boolean
  /** Puts it back, and says so. */
  readonly onUndo: (id: string) => Promise<unknown>
}

export function EditList<Row extends Edit>(props: EditListProps<Row>) {
  const { query, page, onPage, what, fieldNames, canUndo, onUndo } = props
  const undo = useMutation({ mutationFn: onUndo })
  const columns: readonly Column<Row>[] = [
    ...(what ? [{ id: 'what', header: text.what, width: '30%', cell: what }] : []),
    { id: 'kind', header: text.done, cell: ({ kind }) => <Badge tone={tones[kind]}>{text.kinds[kind]}</Badge> },
    { id: 'changed', header: text.changed, isMinor: true, cell: (edit) => changedFields(edit, fieldNames) },
    { id: 'who', header: text.who, isMinor: true, cell: ({ edited_by }) => editorWords(edited_by) },
    { id: 'when', header: text.when, cell: ({ edited_ms }) => <RelativeTime ts={Math.floor(edited_ms / 1000)} /> },
    {
      id: 'undo',
      header: text.undo,
      align: 'end',
      isAction: true,
      cell: (edit) =>
        canUndo(edit) && (
          <Button
            size="small"
            icon={<Undo2 aria-hidden="true" />}
            isBusy={undo.isPending && undo.variables === edit.id}
            onClick={() => undo.mutate(edit.id)}
          >
            {text.undo}
          </Button>
        ),
    },
  ]
  return (
    <Panel title={text.title} subtitle={text.hint} isFlush>
      <PagedTable
        list={query}
        page={page}
        perPage={EDITS_PER_PAGE}
        onPage={onPage}
        caption={text.caption}
        columns={columns}
        skeletonRows={4}
      />
    </Panel>
  )
}
