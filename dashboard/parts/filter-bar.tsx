// The filters of the window as pills: add, edit, remove. They live in the URL and are kept from page to page.
import { ListFilter } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { isolated, isPathId, shownAddress } from '../address.ts'
import { anyOf } from '../format.ts'
import { useKeys } from '../keys.ts'
import { later } from '../later.ts'
import { common as text } from '../texts/index.ts'
import { useValueNames } from '../value-names.ts'
import { type Clause, useWindow, withClause, withoutClause, writeClause } from '../window.ts'
import { Button } from './button.tsx'
import styles from './filter-bar.module.css'
import { Pill } from './marks.tsx'

const ClauseDialog = lazy(later(async () => ({ default: (await import('./clause-dialog.tsx')).ClauseDialog })))

const nameOf = (names: Readonly<Record<string, string>>, id: string): string => names[id] ?? id

/** A clause in words: “Country is Germany or France”. `label` replaces a value that is an id. */
export function clauseWords({ id, op, values }: Clause, label?: string): string {
  const shown = isPathId(id) ? values.map((value) => isolated(shownAddress(value))) : values
  const name = nameOf(text.filters.clauses, id)
  const operator = nameOf(text.filters.operators, op)
  return [name, operator, ...(values.length === 0 ? [] : [label ?? anyOf(shown)])].join(' ')
}

export interface FilterBarProps {
  /** The service's labels of values that are ids (`meta.filters[].label`), in the order of the clauses. */
  readonly labels?: readonly (string | undefined)[] | undefined
  /** Beside the button. */
  readonly children?: ReactNode
}

export function FilterBar({ labels = [], children }: FilterBarProps) {
  const [{ f: clauses }, setWindow] = useWindow()
  const [edited, setEdited] = useState<Clause | 'new'>()
  const namesOf = useValueNames(clauses)
  useKeys(
    clauses.length === 0
      ? []
      : [{ key: 'escape', label: text.keys.clear, group: text.keys.general, run: () => setWindow({ f: [] }) }],
  )
  const apply = (clause: Clause): void => {
    const others = edited === 'new' || edited === undefined ? clauses : withoutClause(clauses, edited)
    setWindow({ f: withClause(others, clause) })
    setEdited(undefined)
  }
  return (
    <div className={styles.bar}>
      {clauses.map((clause, index) => {
        const names = namesOf(clause)
        const words = clauseWords(clause, names ? anyOf(names) : labels[index])
        return (
          <Pill
            key={writeClause(clause)}
            onClick={() => setEdited(clause)}
            onRemove={() => setWindow({ f: withoutClause(clauses, clause) })}
            removeLabel={text.filters.remove(words)}
          >
            {words}
          </Pill>
        )
      })}
      <Button look="quiet" size="small" icon={<ListFilter />} onClick={() => setEdited('new')}>
        {text.filters.add}
      </Button>
      {clauses.length > 1 && (
        <Button look="quiet" size="small" onClick={() => setWindow({ f: [] })}>
          {text.filters.clear}
        </Button>
      )}
      {children}
      {edited !== undefined && (
        <Suspense>
          <ClauseDialog
            clause={edited === 'new' ? undefined : edited}
            onApply={apply}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}
