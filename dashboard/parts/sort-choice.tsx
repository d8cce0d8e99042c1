// The order of a table where it has no heads to press: on a phone, whose rows are cards.
import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react'
import { common as text } from '../texts/index.ts'
import { IconButton } from './button.tsx'
import { Select } from './fields.tsx'
import styles from './sort-choice.module.css'
import type { Column, Sort } from './table.tsx'

export interface SortChoiceProps {
  readonly columns: readonly Pick<Column<never>, 'id' | 'header' | 'isSortable' | 'align'>[]
  /** Left out: in no order of a column. */
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
}

export function SortChoice({ columns, sort, onSort }: SortChoiceProps) {
  const sortable = columns.filter(({ isSortable }) => isSortable)
  const choose = (by: string): void =>
    onSort({ by, isDescending: sortable.find(({ id }) => id === by)?.align === 'end' })
  return (
    <div className={styles.choice}>
      <Select
        label={text.table.sort}
        hidesLabel
        value={sort?.by ?? ''}
        onChange={choose}
        options={[
          ...(sort ? [] : [{ value: '', label: text.table.sort }]),
          ...sortable.map(({ id, header }) => ({ value: id, label: text.table.sortBy(header) })),
        ]}
      />
      {sort && (
        <IconButton
          label={sort.isDescending ? text.table.descending : text.table.ascending}
          icon={sort.isDescending ? <ArrowDownWideNarrow /> : <ArrowUpNarrowWide />}
          onClick={() => onSort({ ...sort, isDescending: !sort.isDescending })}
        />
      )}
    </div>
  )
}
