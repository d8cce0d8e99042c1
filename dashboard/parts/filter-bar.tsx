// The filters of the window as pills: add, edit, remove. They live in the URL and are kept from page to page.
import { Bookmark, ListFilter } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { anyOf } from '../format.ts'
import { useKeys } from '../keys.ts'
import { later } from '../later.ts'
import { useMayExclude } from '../session.tsx'
import { common as text, withTexts } from '../texts/index.ts'
import { useValueNames } from '../value-names.ts'
import { type Clause, useWindow, withClause, withoutClause, writeClause } from '../window.ts'
import { clauseWords } from '../clause-words.ts'
import { Button, IconButton } from './button.tsx'
import styles from './filter-bar.module.css'
import { Pill } from './marks.tsx'

const SegmentsDialog = lazy(
  later(withTexts(['segments'], async () => ({ default: (await import('./segments-dialog.tsx')).SegmentsDialog }))),
)
const ClauseDialog = lazy(later(async () => ({ default: (await import('./clause-dialog.tsx')).ClauseDialog })))

export interface FilterBarProps {
  /** The service's labels of values that are ids (`meta.filters[].label`), in the order of the clauses. */
  readonly labels?: readonly (string | undefined)[] | undefined
  /** Beside the button. */
  readonly children?: ReactNode
  /** In the row of a page's header: the filters that are set get a line of their own below it. */
  readonly isInHeader?: boolean | undefined
}

export function FilterBar({ labels = [], children, isInHeader = false }: FilterBarProps) {
  const [{ f: clauses }, setWindow] = useWindow()
  const [edited, setEdited] = useState<Edited>()
  const hasSegments = useMayExclude()
  useKeys(
    clauses.length === 0
      ? []
      : [{ key: 'escape', label: text.keys.clear, group: text.keys.general, run: () => setWindow({ f: [] }) }],
  )
  const apply = (clause: Clause): void => {
    const others = typeof edited !== 'object' ? clauses : withoutClause(clauses, edited)
    setWindow({ f: withClause(others, clause) })
    setEdited(undefined)
  }
  const Bar = isInHeader ? HeaderBar : PlainBar
  return (
    <Bar
      pills={
        clauses.length > 0 && (
          <Pills clauses={clauses} labels={labels} onEdit={setEdited} setClauses={(f) => setWindow({ f })} />
        )
      }
      onAdd={() => setEdited('new')}
      onSegments={hasSegments ? () => setEdited('segments') : undefined}
      beside={children}
    >
      <FilterDialog edited={edited} onApply={apply} onClose={() => setEdited(undefined)} />
    </Bar>
  )
}

interface BarProps {
  /** False where nothing is filtered. */
  readonly pills: ReactNode
  readonly onAdd: () => void
  /** Undefined for whoever may have none. */
  readonly onSegments: (() => void) | undefined
  readonly beside: ReactNode
  /** The dialog. */
  readonly children: ReactNode
}

const PlainBar = ({ pills, onAdd, onSegments, beside, children }: BarProps) => (
  <div className={styles.bar}>
    {pills}
    <Button look="quiet" size="small" icon={<ListFilter />} onClick={onAdd}>
      {text.filters.add}
    </Button>
    {onSegments && (
      <Button look="quiet" size="small" icon={<Bookmark />} onClick={onSegments}>
        {text.filters.segments}
      </Button>
    )}
    {beside}
    {children}
  </div>
)

const HeaderBar = ({ pills, onAdd, onSegments, beside, children }: BarProps) => (
  <div className={styles.inHeader}>
    {onSegments && <IconButton label={text.filters.segments} icon={<Bookmark />} onClick={onSegments} />}
    <Button icon={<ListFilter />} onClick={onAdd}>
      <span className={styles.words}>{text.filters.add}</span>
    </Button>
    {beside}
    {pills && <div className={styles.pills}>{pills}</div>}
    {children}
  </div>
)

/** What a dialog is open for. */
type Edited = Clause | 'new' | 'segments'

interface FilterDialogProps {
  readonly edited: Edited | undefined
  readonly onApply: (clause: Clause) => void
  readonly onClose: () => void
}

function FilterDialog({ edited, onApply, onClose }: FilterDialogProps) {
  if (edited === undefined) return null
  return (
    <Suspense>
      {edited === 'segments' ? (
        <SegmentsDialog onClose={onClose} />
      ) : (
        <ClauseDialog clause={edited === 'new' ? undefined : edited} onApply={onApply} onClose={onClose} />
      )}
    </Suspense>
  )
}

interface PillsProps {
  readonly clauses: readonly Clause[]
  readonly labels: readonly (string | undefined)[]
  readonly onEdit: (edited: Edited) => void
  readonly setClauses: (clauses: readonly Clause[]) => void
}

function Pills({ clauses, labels, onEdit, setClauses }: PillsProps) {
  const namesOf = useValueNames(clauses)
  return (
    <>
      {clauses.map((clause, index) => {
        const names = namesOf(clause)
        const words = clauseWords(clause, names ? anyOf(names) : labels[index])
        return (
          <Pill
            key={writeClause(clause)}
            onClick={() => onEdit(clause.id === 'segment' ? 'segments' : clause)}
            onRemove={() => setClauses(withoutClause(clauses, clause))}
            removeLabel={text.filters.remove(words)}
          >
            {words}
          </Pill>
        )
      })}
      {clauses.length > 1 && (
        <Button look="quiet" size="small" onClick={() => setClauses([])}>
          {text.filters.clear}
        </Button>
      )}
    </>
  )
}
