// A file before it is imported: its first rows, what would come of it, and what is wrong with it.
import { number } from '../../format.ts'
import { Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { contacts as text } from '../../texts/index.ts'
import type { Checked } from './import-sum.ts'
import styles from './import.module.css'

const words = text.importing

export interface Preview {
  readonly rows: number
  /** The header first. */
  readonly preview: readonly (readonly string[])[]
}

export function PreviewTable({ preview: { preview, rows } }: { preview: Preview }) {
  const [header = [], ...shown] = preview
  return (
    <>
      <div className={styles.wide} role="group" tabIndex={0} aria-label={words.preview}>
        <table className={styles.preview}>
          <caption className="visually-hidden">{words.preview}</caption>
          <thead>
            <tr>
              {header.map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.foot}>{words.firstRows(shown.length, number(rows))}</p>
    </>
  )
}

type Fault = Checked['faults'][number]

const faultColumns: readonly Column<Fault>[] = [
  { id: 'line', header: words.where, cell: ({ line }) => words.line(number(line)), width: '8rem' },
  { id: 'column', header: words.column, cell: ({ field }) => <code>{field}</code>, width: '12rem' },
  { id: 'reason', header: words.reason, cell: ({ reason }) => reason },
]

function Figures({ checked }: { checked: Checked }) {
  const figures = [
    ...(checked.badRows > 0
      ? ([
          [words.rows, checked.rows],
          [words.bad, checked.badRows],
        ] as const)
      : ([
          [words.created, checked.created],
          [words.updated, checked.updated],
        ] as const)),
    ...(checked.namelessRows > 0 ? [[words.nameless, checked.namelessRows] as const] : []),
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function CheckedView({ checked }: { checked: Checked }) {
  const { badRows, namelessRows, ignoredColumns, faults, moreFaults } = checked
  return (
    <div className={styles.checked}>
      <Figures checked={checked} />
      {ignoredColumns.length > 0 && <Note>{words.ignored(ignoredColumns.join(', '))}</Note>}
      {namelessRows > 0 && <Note>{words.namelessHint}</Note>}
      {badRows > 0 && (
        <section aria-labelledby="import-faults" className={styles.faults}>
          <h3 id="import-faults">{words.faults}</h3>
          <p className={styles.words}>{words.faultsHint}</p>
          <DataTable
            caption={words.faults}
            columns={faultColumns}
            rows={faults}
            rowKey={({ line, field, reason }) => `${line} ${field} ${reason}`}
          />
          {moreFaults > 0 && <p className={styles.words}>{words.moreFaults(number(moreFaults), moreFaults)}</p>}
        </section>
      )}
    </div>
  )
}
