// The goal of a block, in words and as fields.
import { type Block, type Goal, goalTypes, type GoalType } from '../../api/content.ts'
import { type Option, Select, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { content as text } from '../../texts/index.ts'
import { type Names, useNames } from '../automations/use-names.ts'

const words = text.goal

function nameOf({ type, value }: Goal, { forms, conversions }: Names): string {
  if (value === null) return words.anyCta
  if (type === 'form') return forms ? (forms.get(value) ?? words.gone) : ''
  if (type === 'conversion') return conversions.find(({ id }) => id === value)?.name ?? words.gone
  return value
}

export function useGoalWords(goal: Goal): string {
  const name = nameOf(goal, useNames())
  return [text.goals[goal.type], name].filter(Boolean).join(' · ')
}

export interface GoalFieldsProps {
  readonly block: Block
  readonly goal: Goal
  readonly onChange: (goal: Goal) => void
  readonly errors: readonly string[]
}

export function GoalFields({ block, goal, onChange, errors }: GoalFieldsProps) {
  const { type, value } = goal
  return (
    <FormRow>
      <Select
        label={words.label}
        hint={words.hint}
        value={type}
        onChange={(next) => onChange({ type: next as GoalType, value: null })}
        options={goalTypes.map((each) => ({ value: each, label: text.goals[each] }))}
      />
      <ValueField
        block={block}
        type={type}
        value={value ?? ''}
        onChange={(next) => onChange({ type, value: next === '' ? null : next })}
        errors={errors}
      />
    </FormRow>
  )
}

interface ValueFieldProps {
  readonly block: Block
  readonly type: GoalType
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errors: readonly string[]
}

/** What was chosen stays to be seen when it is gone. */
const withGone = (options: readonly Option[], value: string): readonly Option[] =>
  value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: words.gone }]

function ValueField({ block, type, ...field }: ValueFieldProps) {
  const { forms, conversions } = useNames()
  if (type === 'event') return <TextField label={words.event} maxLength={255} {...field} />
  if (type === 'click') {
    const keys = [...new Set(block.versions.flatMap(({ ctas }) => ctas.map(({ key }) => key)))]
    const own = keys.includes(field.value) || field.value === '' ? keys : [...keys, field.value]
    const options = [{ value: '', label: words.anyCta }, ...own.map((key) => ({ value: key, label: key }))]
    return <Select label={words.cta} options={options} {...field} />
  }
  const known =
    type === 'form'
      ? [...(forms ?? [])].map(([value, label]) => ({ value, label }))
      : conversions.map(({ id, name }) => ({ value: id, label: name }))
  const options = withGone([{ value: '', label: words.choose }, ...known], field.value)
  return <Select label={words[type]} options={options} {...field} />
}
