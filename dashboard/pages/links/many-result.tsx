// What would come of many links, and what has.
import { ListChecks } from 'lucide-react'
import type { Link } from '../../api/links.ts'
import { number } from '../../format.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorNote, Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { saveText } from '../../save.ts'
import { usePropertyPath } from '../../session.tsx'
import { bulk as words } from '../../texts/index.ts'
import styles from './links.module.css'
import type { Fault, Sum } from './many-run.ts'

const faultColumns: readonly Column<Fault>[] = [
  { id: 'line', header: words.line, cell: ({ line }) => number(line), width: '6rem' },
  { id: 'column', header: words.column, cell: ({ field }) => <code>{field}</code>, width: '12rem' },
  { id: 'reason', header: words.reason, cell: ({ reason }) => reason },
]

export function Checked({ sum, onWrite, onChange }: { sum: Sum; onWrite: () => void; onChange: () => void }) {
  const isGood = sum.badRows === 0
  return (
    <Stack>
      {isGood ? (
        <Note tone="good">{words.would(number(sum.created), sum.created)}</Note>
      ) : (
        <ErrorNote>{words.bad(number(sum.badRows), sum.badRows)}</ErrorNote>
      )}
      {sum.ignored.length > 0 && <Note>{words.ignored(sum.ignored.join(', '))}</Note>}
      {isGood && sum.withoutPassword > 0 && (
        <Note>{words.withoutPassword(number(sum.withoutPassword), sum.withoutPassword)}</Note>
      )}
      {!isGood && (
        <Panel title={words.faults} isFlush>
          <DataTable
            caption={words.faults}
            columns={faultColumns}
            rows={sum.faults}
            rowKey={({ line, field, reason }) => `${line} ${field} ${reason}`}
          />
          {sum.moreFaults > 0 && <p className={styles.foot}>{words.moreFaults(number(sum.moreFaults))}</p>}
        </Panel>
      )}
      <div className={styles.badges}>
        {isGood && (
          <Button look="primary" onClick={onWrite}>
            {words.create(number(sum.created), sum.created)}
          </Button>
        )}
        <Button onClick={onChange}>{words.change}</Button>
      </div>
    </Stack>
  )
}

/**
 * Spreadsheets run cells that begin like a formula: such a cell is marked as text, as in the service's own
 * files.
 */
const cellOf = (cell: string): string => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

const listOf = (links: readonly Link[]): string =>
  [
    ['short_url', 'destination_url', 'name'],
    ...links.map(({ short_url, destination_url, name }) => [short_url, destination_url, name ?? '']),
  ]
    .map((row) => `${row.map(cellOf).join(',')}\r\n`)
    .join('')

export function Done({ sum: { created, links }, onAgain }: { sum: Sum; onAgain: () => void }) {
  const path = usePropertyPath()
  return (
    <Panel>
      <EmptyState
        icon={<ListChecks />}
        title={words.done(number(created), created)}
        actions={
          <>
            <Button onClick={onAgain}>{words.again}</Button>
            <Button onClick={() => saveText('new-links.csv', listOf(links))}>{words.save}</Button>
            <LinkButton look="primary" href={path('/links')}>
              {words.toList}
            </LinkButton>
          </>
        }
      >
        {words.doneHint}
      </EmptyState>
    </Panel>
  )
}
