// A list of things that can be revoked – keys, links – with pages and the dialog that creates one.
import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Page } from '../api.ts'
import { date } from '../format.ts'
import { flagParam, numberParam, useUrlState } from '../url.ts'
import { toast } from './announce.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { Panel } from './panel.tsx'
import { EmptyState } from './states.tsx'
import type { Column } from './table.tsx'
import { PagedTable } from './paged-table.tsx'

export interface Revocable {
  readonly id: string
  readonly name: string
  readonly created_ts: number
}

export interface RevocableWords {
  readonly caption: string
  readonly name: string
  readonly created: string
  readonly add: string
  readonly emptyTitle: string
  readonly empty: string
  readonly revoke: string
  readonly revoked: string
  readonly revokeTitle: (name: string) => string
  readonly revokeWords: string
}

export interface RevocableListProps<Row extends Revocable> {
  readonly title: string
  readonly subtitle: string
  readonly words: RevocableWords
  readonly icon: ReactNode
  /** What is said between the name and the day. */
  readonly column: Column<Row>
  /** Pages are kept under it. */
  readonly queryKey: QueryKey
  readonly load: (page: number, signal: AbortSignal) => Promise<Page<Row>>
  readonly perPage: number
  readonly revoke: (row: Row) => Promise<unknown>
  /** Asked anew each time: some are made elsewhere. */
  readonly isNeverKept?: boolean | undefined
  /** In which one is made. */
  readonly dialog: (onClose: () => void) => ReactNode
}

const codecs = { page: numberParam(1), new: flagParam }

function columnsOf<Row extends Revocable>(
  words: RevocableWords,
  column: Column<Row>,
  onRevoke: (row: Row) => void,
): readonly Column<Row>[] {
  return [
    { id: 'name', header: words.name, cell: ({ name }) => name, width: '14rem' },
    column,
    { id: 'created', header: words.created, cell: ({ created_ts }) => date(created_ts), isMinor: true, width: '8rem' },
    {
      id: 'revoke',
      header: words.revoke,
      align: 'end',
      isAction: true,
      cell: (row) => (
        <Button size="small" look="danger" aria-label={`${words.revoke}: ${row.name}`} onClick={() => onRevoke(row)}>
          {words.revoke}
        </Button>
      ),
    },
  ]
}

export function RevocableList<Row extends Revocable>(props: RevocableListProps<Row>) {
  const { words, perPage } = props
  const [{ page, new: isAdding }, setState] = useUrlState<{ page: number; new: boolean }>(codecs)
  const [revoked, setRevoked] = useState<Row>()
  const list = useQuery({
    queryKey: [...props.queryKey, page],
    queryFn: ({ signal }) => props.load(page, signal),
    placeholderData: keepPreviousData,
    ...(props.isNeverKept && { staleTime: 0 }),
  })
  const total = list.data?.total ?? 0
  const add = (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setState({ new: true })}>
      {words.add}
    </Button>
  )
  return (
    <>
      <Panel title={props.title} subtitle={props.subtitle} actions={total > 0 ? add : undefined} isFlush>
        <PagedTable
          list={list}
          page={page}
          perPage={perPage}
          onPage={(next, how) => setState({ page: next }, how)}
          caption={words.caption}
          columns={columnsOf(words, props.column, setRevoked)}
          skeletonRows={3}
          empty={
            <EmptyState isSmall icon={props.icon} title={words.emptyTitle} actions={add}>
              {words.empty}
            </EmptyState>
          }
        />
      </Panel>
      {isAdding && props.dialog(() => setState({ new: false }, { replace: true }))}
      {revoked && (
        <Revocation
          row={revoked}
          words={words}
          queryKey={props.queryKey}
          revoke={props.revoke}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </>
  )
}

interface RevocationProps<Row extends Revocable> extends Pick<
  RevocableListProps<Row>,
  'words' | 'queryKey' | 'revoke'
> {
  readonly row: Row
  readonly onClose: () => void
}

function Revocation<Row extends Revocable>({ row, words, queryKey, revoke, onClose }: RevocationProps<Row>) {
  const client = useQueryClient()
  const confirm = async (): Promise<void> => {
    await revoke(row)
    toast(words.revoked)
    await client.invalidateQueries({ queryKey })
  }
  return (
    <ConfirmDialog title={words.revokeTitle(row.name)} action={words.revoke} onConfirm={confirm} onClose={onClose}>
      {words.revokeWords}
    </ConfirmDialog>
  )
}
