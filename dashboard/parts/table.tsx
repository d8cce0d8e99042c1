// A real table for records: sorting, a link per row, and each state. On a phone rows become cards.
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { number } from '../format.ts'
import { useKeys } from '../keys.ts'
import { noteList } from '../last-list.ts'
import { common as text } from '../texts/index.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { ErrorState, Skeleton } from './states.tsx'
import { ChooseAll, ChooseCell, useChoosingKey } from './table-choice.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Figures stand at the end. */
  readonly align?: 'start' | 'end' | undefined
  /** A click on its header asks to sort by it. */
  readonly isSortable?: boolean | undefined
  /** Left out on phones, where the row is a card. */
  readonly isMinor?: boolean | undefined
  /** Buttons or links, which say themselves what they are: the header is for readers alone. */
  readonly isAction?: boolean | undefined
  /** A CSS length. */
  readonly width?: string | undefined
  /** Of the size of a cell, where that is more than a word. */
  readonly skeleton?: ReactNode
}

export interface Sort {
  readonly by: string
  readonly isDescending: boolean
}

export interface DataTableProps<Row> {
  /** What the rows are, for readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** The whole row leads there; the first column has the link. */
  readonly rowHref?: ((row: Row) => string) | undefined
  readonly error?: unknown
  readonly onRetry?: (() => unknown) | undefined
  /** Shown instead of the table when there is no row. */
  readonly empty?: ReactNode
  readonly selection?: Selection<Row> | undefined
  readonly sort?: Sort | undefined
  readonly onSort?: ((sort: Sort) => void) | undefined
  readonly skeletonRows?: number | undefined
  /** A CSS length, where rows are higher than a line. */
  readonly skeletonHeight?: string | undefined
  /** Rows that have just come in: they are seen to. */
  readonly isFresh?: ((row: Row) => boolean) | undefined
  /** Rows of an earlier question are shown while the next ones come. */
  readonly isStale?: boolean | undefined
}

/** Rows that can be chosen, to do something with all of them. */
export interface Selection<Row> {
  readonly isChosen: (row: Row) => boolean
  /** `isRange` where Shift was held: all from the last one on. */
  readonly onChoose: (row: Row, isRange: boolean) => void
  /** All of them, or none where all are. */
  readonly onAll: () => void
  readonly label: (row: Row) => string
  readonly allLabel: string
  /** What X does, for the list of keys. */
  readonly keyLabel: string
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, error, onRetry, empty, sort, onSort, skeletonRows = 8, isStale = false } = props
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, props.rowHref && rows?.map(props.rowHref))
  useChoosingKey(props.selection, rows)
  if (rows === undefined && error) return <ErrorState error={error} onRetry={onRetry} isSmall />
  if (rows?.length === 0) return empty ?? <p className={styles.nothing}>{text.table.empty}</p>
  return (
    <table
      ref={table}
      role="table"
      className={styles.table}
      data-stale={isStale || undefined}
      aria-busy={rows === undefined || isStale}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <ChooseAll selection={props.selection} rows={rows} />
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, index) => (
              <SkeletonRow
                key={index}
                columns={columns}
                height={props.skeletonHeight}
                hasChoice={props.selection !== undefined}
              />
            ))
          : rows.map((row) => (
              <DataRow
                key={props.rowKey(row)}
                row={row}
                columns={columns}
                href={props.rowHref?.(row)}
                selection={props.selection}
                isFresh={props.isFresh?.(row) ?? false}
              />
            ))}
      </tbody>
    </table>
  )
}

/** J and K move over the links of the rows; the pages behind them know their neighbours. */
function useRowKeys(table: RefObject<HTMLTableElement | null>, hrefs: readonly string[] | undefined): void {
  const known = hrefs?.join('\n')
  useEffect(() => {
    if (known !== undefined) noteList(known === '' ? [] : known.split('\n'))
  }, [known])
  const move = (step: number): void => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>(`.${styles.rowLink}`) ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
  }
  const group = text.keys.lists
  useKeys(
    hrefs === undefined
      ? []
      : [
          { key: 'j', label: text.keys.nextRow, group, run: () => move(1) },
          { key: 'k', label: text.keys.previousRow, group, run: () => move(-1) },
        ],
  )
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const isSorted = sort?.by === column.id
  const direction = sort?.isDescending ? 'descending' : 'ascending'
  const isDescending = isSorted ? !sort.isDescending : column.align === 'end'
  return (
    <th
      role="columnheader"
      scope="col"
      className={column.align === 'end' ? styles.end : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      aria-sort={isSorted ? direction : undefined}
    >
      {column.isSortable && onSort ? (
        <button
          type="button"
          className={styles.sort}
          title={text.table.sortBy(column.header)}
          onClick={() => onSort({ by: column.id, isDescending })}
        >
          {column.header}
          {isSorted && (sort.isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
        </button>
      ) : (
        <span className={column.isAction ? 'visually-hidden' : undefined}>{column.header}</span>
      )}
    </th>
  )
}

interface DataRowProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly href: string | undefined
  readonly selection: Selection<Row> | undefined
  readonly isFresh: boolean
}

function DataRow<Row>({ row, columns, href, selection, isFresh }: DataRowProps<Row>) {
  return (
    <tr
      role="row"
      className={href === undefined ? undefined : styles.linked}
      data-chosen={selection?.isChosen(row) || undefined}
      data-fresh={isFresh || undefined}
    >
      {selection && <ChooseCell selection={selection} row={row} />}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          data-label={index === 0 || column.isAction ? undefined : column.header}
          className={cx(column.align === 'end' && styles.end, column.isMinor && styles.minor)}
        >
          {index === 0 && href !== undefined ? (
            <Link href={href} className={styles.rowLink}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

interface SkeletonRowProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly height: string | undefined
  readonly hasChoice: boolean
}

function SkeletonRow<Row>({ columns, height, hasChoice }: SkeletonRowProps<Row>) {
  return (
    <tr role="row" style={height === undefined ? undefined : { height }}>
      {hasChoice && (
        <td role="cell" className={styles.choose}>
          <Skeleton width="1rem" />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          className={cx(column.align === 'end' && styles.end, column.isMinor && styles.minor)}
        >
          {column.skeleton ?? <Skeleton width={index === 0 ? '11rem' : '4.5rem'} />}
        </td>
      ))}
    </tr>
  )
}

export interface PaginationProps {
  /** From 1. */
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** Left out when there is one page. */
export function Pagination({ page, perPage, total, onPage }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / perPage))
  if (last === 1) return null
  const from = (page - 1) * perPage + 1
  return (
    <nav className={styles.pagination} aria-label={text.table.pagination}>
      <span>{text.table.pageOf(number(from), number(Math.min(page * perPage, total)), number(total))}</span>
      <IconButton
        label={text.table.previous}
        icon={<ChevronLeft />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label={text.table.next}
        icon={<ChevronRight />}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
