// A filter, made or changed: what, how, and which values, of which those in the window are suggested.
import { useState } from 'react'
import { type ClauseId, clauseIds, dimensionOf } from '../../server/analytics/dimensions.ts'
import { isPathId, keptAddress } from '../address.ts'
import { useGoals } from '../goals.ts'
import { useMayExclude, useMayFilter } from '../session.tsx'
import { sharedOperators } from '../shared-ids.ts'
import { common as text } from '../texts/index.ts'
import { isNamed } from '../value-names.ts'
import type { Clause, Operator } from '../window.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Select, TextArea, TextField } from './fields.tsx'
import styles from './filter-bar.module.css'
import { Suggestions } from './suggestions.tsx'

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

export function ClauseDialog({ clause, onApply, onClose }: ClauseDialogProps) {
  const mayFilter = useMayFilter()
  const mayExclude = useMayExclude()
  const [id, setId] = useState(clause?.id ?? 'country')
  const [op, setOp] = useState(clause?.op ?? 'equals')
  const [given, setGiven] = useState(clause?.values.join('\n') ?? '')
  const values = valuesIn(given, op)
  const isReady = takesNone(op) || values.length > 0
  const chooseField = (next: string): void => {
    setId(next)
    // Ids of one kind of thing are none of another.
    if (isNamed(next) || isNamed(id)) setGiven('')
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
        {id !== 'conversion' && !takesNone(op) && !takesOne(op) && (
          <Suggestions id={id} given={given} except={clause} onChange={setGiven} />
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
