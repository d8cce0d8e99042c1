// The filters of the window as pills: add, edit, remove. They live in the URL and are kept from page to page.
import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ClauseId, clauseIds, dimensionOf } from '../../server/analytics/dimensions.ts'
import { isolated, isPathId, keptAddress, shownAddress } from '../address.ts'
import { anyOf } from '../format.ts'
import { useGoalNames, useGoals } from '../goals.ts'
import { useKeys } from '../keys.ts'
import { useMayExclude, useMayFilter } from '../session.tsx'
import { sharedOperators } from '../shared-ids.ts'
import { common as text } from '../texts/index.ts'
import { type Clause, type Operator, useWindow, withClause, withoutClause, writeClause } from '../window.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Select, TextArea, TextField } from './fields.tsx'
import styles from './filter-bar.module.css'
import { Pill } from './marks.tsx'

/** Offered behind the others of their groups. */
const late: readonly ClauseId[] = ['hostname', 'tag', 'form', 'contact_id']
const inOrder = [...clauseIds.filter((id) => !late.includes(id)), ...late]
const groups = Object.keys(text.filters.groups) as (keyof typeof text.filters.groups)[]

const always: readonly Operator[] = ['equals', 'not_equals']
const ofTexts: readonly Operator[] = [
  ...always,
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_set',
  'is_not_set',
]
const ofNumbers: readonly Operator[] = [...always, 'gt', 'gte', 'lt', 'lte', 'is_set', 'is_not_set']
const operatorsOf = (id: string): readonly Operator[] => {
  if (id === 'event_value_num') return ofNumbers
  return id === 'conversion' ? always : ofTexts
}
const takesNone = (op: string) => op === 'is_set' || op === 'is_not_set'
const takesOne = (op: string) => ['gt', 'gte', 'lt', 'lte'].includes(op)

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
  const goalNames = useGoalNames(clauses)
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
        const goals = goalNames(clause)
        const words = clauseWords(clause, goals ? anyOf(goals) : labels[index])
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
        <ClauseDialog
          clause={edited === 'new' ? undefined : edited}
          onApply={apply}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

const fieldOptions = groups.flatMap((group) =>
  inOrder
    .filter((id) => dimensionOf(id).filter === group)
    .map((id) => ({ value: id, label: text.filters.clauses[id], group: text.filters.groups[group] })),
)

interface ClauseDialogProps {
  readonly clause: Clause | undefined
  readonly onApply: (clause: Clause) => void
  readonly onClose: () => void
}

function ClauseDialog({ clause, onApply, onClose }: ClauseDialogProps) {
  const mayFilter = useMayFilter()
  const mayExclude = useMayExclude()
  const [id, setId] = useState(clause?.id ?? 'country')
  const [op, setOp] = useState(clause?.op ?? 'equals')
  const [given, setGiven] = useState(clause?.values.join('\n') ?? '')
  const values = valuesIn(given, op)
  const isReady = takesNone(op) || values.length > 0
  const chooseField = (next: string): void => {
    setId(next)
    if ((next === 'conversion') !== (id === 'conversion')) setGiven('')
    if (!operatorsOf(next).some((operator) => operator === op)) setOp('equals')
  }
  const submit = (): void => {
    if (isReady) onApply({ id, op, values: isPathId(id) ? values.map(keptAddress) : values })
  }
  return (
    <Dialog title={clause ? text.filters.edit : text.filters.new} size="small" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Select
          label={text.filters.field}
          value={id}
          onChange={chooseField}
          options={fieldOptions.filter(({ value }) => mayFilter(value))}
        />
        <Select
          label={text.filters.operator}
          value={op}
          onChange={setOp}
          options={(mayExclude ? operatorsOf(id) : sharedOperators).map((value) => ({
            value,
            label: text.filters.operators[value],
          }))}
        />
        {id === 'conversion' ? (
          <GoalField value={given} onChange={setGiven} />
        ) : (
          <ValueField op={op} value={given} onChange={setGiven} />
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button type="submit" look="primary" disabled={!isReady}>
            {text.filters.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function valuesIn(given: string, op: string): string[] {
  if (takesNone(op)) return []
  const lines = takesOne(op) ? [given] : given.split('\n')
  return lines.map((line) => line.trim()).filter(Boolean)
}

interface GoalFieldProps {
  /** Ids, one a line. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of the goals; a filter that names several keeps them until another one is chosen. */
function GoalField({ value, onChange }: GoalFieldProps) {
  const goals = useGoals() ?? []
  const several = value.includes('\n') ? [{ value, label: text.filters.several(value.split('\n').length) }] : []
  const options = [
    { value: '', label: goals.length === 0 ? text.filters.noGoals : text.filters.chooseGoal },
    ...several,
    ...goals.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return <Select label={text.filters.goal} value={value} onChange={onChange} options={options} />
}

interface ValueFieldProps {
  readonly op: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueField({ op, value, onChange }: ValueFieldProps) {
  if (takesNone(op)) return null
  const field = { label: text.filters.value, value, onChange }
  return takesOne(op) ? (
    <TextField {...field} inputMode="decimal" />
  ) : (
    <TextArea {...field} hint={text.filters.valueHint} rows={3} />
  )
}
