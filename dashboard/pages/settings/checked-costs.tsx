// A file of costs before it is imported: what would come of it, and what is wrong with it, line by line.
import type { Imported } from '../../api/costs.ts'
import { number } from '../../format.ts'
import { Facts } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { costs as text } from '../../texts/index.ts'
import styles from './page.module.css'

type Fault = Imported['faults'][number]

const columns: readonly Column<Fault>[] = [
  { id: 'line', header: text.where, cell: ({ line }) => text.line(number(line)), width: '7rem' },
  { id: 'column', header: text.column, cell: ({ field }) => <code>{field}</code>, width: '8rem' },
  { id: 'reason', header: text.reason, cell: ({ reason }) => reason },
]

export function CheckedCosts({ name, checked }: { name: string; checked: Imported }) {
  const { rows, bad_rows, created, replaced, removed, ignored_columns, faults, more_faults } = checked
  const figures =
    bad_rows > 0
      ? ([
          [text.rows, rows],
          [text.bad, bad_rows],
        ] as const)
      : ([
          [text.created, created],
          [text.replaced, replaced],
          [text.removed, removed],
        ] as const)
  return (
    <>
      <h3>{text.checked(name)}</h3>
      <Facts rows={figures.map(([word, value]) => [word, number(value)])} />
      {ignored_columns.length > 0 && <Note>{text.ignored(ignored_columns.join(', '))}</Note>}
      {bad_rows === 0 && created + replaced + removed === 0 && <Note>{text.nothing}</Note>}
      {bad_rows > 0 && (
        <>
          <p className={styles.hint}>{text.faultsHint}</p>
          <DataTable
            caption={text.faults}
            columns={columns}
            rows={faults}
            rowKey={({ line, field, reason }) => `${line} ${field} ${reason}`}
          />
          {more_faults > 0 && <p className={styles.hint}>{text.moreFaults(number(more_faults), more_faults)}</p>}
        </>
      )}
    </>
  )
}
