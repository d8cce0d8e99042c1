// Files with what the property holds: begun, watched while they are made, fetched, deleted.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Export, exportFileUrl, listExports, removeExport } from '../../api/exports.ts'
import { bytes, dateTime, NO_FIGURE, percent } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, FileButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Progress, RelativeTime, StatusDot } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { useProperty } from '../../session.tsx'
import { data as all } from '../../texts/index.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { NewExport } from './new-export.tsx'
import styles from './page.module.css'

const text = all.exports
const codecs = { export: flagParam }
const WATCH_MS = 700

const columnsWith = (property: string, onRemove: (one: Export) => void): readonly Column<Export>[] => [
  {
    id: 'file',
    header: text.file,
    skeleton: <TwoLinesSkeleton />,
    cell: (one) => (
      <TwoLines
        title={one.table === null ? text.kinds[one.kind] : text.tables[one.table]}
        detail={<span className={styles.file}>{one.file_name}</span>}
      />
    ),
  },
  { id: 'state', header: text.state, cell: (one) => <State one={one} /> },
  {
    id: 'size',
    header: text.size,
    align: 'end',
    cell: ({ bytes: size }) => (size === 0 ? NO_FIGURE : bytes(size)),
  },
  { id: 'made', header: text.made, isMinor: true, cell: ({ created_ts }) => <RelativeTime ts={created_ts} /> },
  {
    id: 'actions',
    header: text.download,
    align: 'end',
    isAction: true,
    cell: (one) => (
      <span className={styles.end}>
        {one.state === 'done' && (
          <FileButton
            size="small"
            href={exportFileUrl(property, one.id)}
            icon={<Download aria-hidden="true" />}
            label={`${text.download}: ${one.file_name}`}
          >
            {text.download}
          </FileButton>
        )}
        <Button
          size="small"
          look="quiet"
          aria-label={`${one.state === 'running' ? text.stop : text.remove}: ${one.file_name}`}
          onClick={() => onRemove(one)}
        >
          {one.state === 'running' ? text.stop : text.remove}
        </Button>
      </span>
    ),
  },
]

const isKnownFault = (code: string): code is keyof typeof text.faults => Object.hasOwn(text.faults, code)
const faultWords = ({ code, message }: NonNullable<Export['error']>): string =>
  isKnownFault(code) ? text.faults[code] : message

function State({ one }: { one: Export }) {
  if (one.state === 'running')
    return (
      <span className={styles.state}>
        <span>{text.running(percent(one.progress))}</span>
        <Progress value={one.progress} label={text.progress(one.file_name)} />
      </span>
    )
  if (one.state === 'failed')
    return (
      <span className={styles.state}>
        <StatusDot tone="bad">{text.failed}</StatusDot>
        <span className={styles.small}>{one.error && faultWords(one.error)}</span>
      </span>
    )
  return (
    <span className={styles.state}>
      <StatusDot tone="good">{text.done}</StatusDot>
      <span className={styles.small}>{text.until(dateTime(one.expires_ts))}</span>
    </span>
  )
}

export function Exports() {
  const property = useProperty()
  const client = useQueryClient()
  const [state, setState] = useUrlState<{ export: boolean }>(codecs)
  const [removed, setRemoved] = useState<Export>()
  const exports = useQuery({
    queryKey: ['exports', property.id],
    queryFn: ({ signal }) => listExports(property.id, signal),
    refetchInterval: ({ state: { data } }) => (data?.data.some((one) => one.state === 'running') ? WATCH_MS : false),
    staleTime: 0,
  })
  const add = (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setState({ export: true })}>
      {text.add}
    </Button>
  )
  return (
    <Panel
      title={text.title}
      subtitle={text.subtitle}
      actions={(exports.data?.data.length ?? 0) > 0 ? add : undefined}
      isFlush
    >
      <DataTable
        caption={text.caption}
        columns={columnsWith(property.id, setRemoved)}
        rows={exports.data?.data}
        rowKey={({ id }) => id}
        error={exports.error}
        onRetry={exports.refetch}
        skeletonRows={2}
        empty={
          <EmptyState isSmall icon={<FileDown />} title={text.emptyTitle} actions={add}>
            {text.empty}
          </EmptyState>
        }
      />
      {state.export && <NewExport onClose={() => setState({ export: false }, { replace: true })} />}
      {removed && (
        <ConfirmDialog
          title={text.removeTitle(removed.file_name)}
          action={removed.state === 'running' ? text.stop : text.remove}
          onConfirm={async () => {
            await removeExport(property.id, removed.id)
            toast(text.removed)
            await client.invalidateQueries({ queryKey: ['exports', property.id] })
          }}
          onClose={() => setRemoved(undefined)}
        >
          {text.removeWords}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
