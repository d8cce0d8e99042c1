// What is waited for, or counted: the type, and which of them.
import type { TriggerSpec, TriggerType } from '../../api/automations.ts'
import { type Option, Select, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { automations as text } from '../../texts/index.ts'
import { countedTypes, triggers, triggerTypes } from '../../../server/kernel/trigger-table.ts'
import { STAGE } from './words.ts'

export interface TriggerFieldsProps {
  readonly label: string
  readonly value: TriggerSpec
  readonly onChange: (value: TriggerSpec) => void
  readonly forms: ReadonlyMap<string, string> | undefined
  readonly typeErrors: readonly string[]
  readonly valueErrors: readonly string[]
  /** Those alone that conversions can count. */
  readonly isCounted?: boolean
}

export function TriggerFields(props: TriggerFieldsProps) {
  const { label, value, onChange, typeErrors, isCounted = false } = props
  const types = isCounted ? countedTypes : triggerTypes
  return (
    <FormRow>
      <Select
        label={label}
        hint={isCounted ? undefined : text.triggerHints[value.event_type]}
        value={value.event_type}
        onChange={(type) => onChange({ event_type: type as TriggerType, event_value: null })}
        options={types.map((type) => ({ value: type, label: text.triggers[type] }))}
        errors={typeErrors}
      />
      <ValueField {...props} />
    </FormRow>
  )
}

function ValueField({ value, onChange, forms, valueErrors }: TriggerFieldsProps) {
  const { event_type, event_value } = value
  const given = event_value ?? ''
  const set = (next: string): void => onChange({ event_type, event_value: next === '' ? null : next })
  const shared = { value: given, onChange: set, errors: valueErrors }
  const kind = triggers[event_type].value
  if (kind === 'form') return <Select label={text.values.form} options={formOptions(given, forms)} {...shared} />
  if (kind === 'name')
    return <TextField label={text.values.event} hint={text.values.eventHint} maxLength={255} {...shared} />
  if (kind === 'path')
    return (
      <TextField
        label={text.values.page}
        hint={text.values.pageHint}
        placeholder={text.values.pageExample}
        spellCheck={false}
        maxLength={255}
        {...shared}
      />
    )
  return kind === 'transition' ? <TransitionField {...shared} /> : null
}

function formOptions(given: string, forms: ReadonlyMap<string, string> | undefined): Option[] {
  const known = [...(forms ?? [])].map(([value, label]) => ({ value, label }))
  const gone = given !== '' && !forms?.has(given) ? [{ value: given, label: forms ? text.values.gone : '' }] : []
  return [{ value: '', label: text.any.form_submit }, ...known, ...gone]
}

interface TransitionFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errors: readonly string[]
}

function TransitionField({ value, onChange, errors }: TransitionFieldProps) {
  const isStage = value.startsWith('lifecycle_stage')
  const stage = value.startsWith(STAGE) ? value.slice(STAGE.length) : ''
  const options = [
    { value: '', label: text.any.contact },
    ...Object.entries(text.transitions).map(([id, label]) => ({ value: id, label })),
  ]
  return (
    <>
      <Select
        label={text.values.contact}
        value={isStage ? 'lifecycle_stage' : value}
        onChange={onChange}
        options={options}
        errors={errors}
      />
      {isStage && (
        <TextField
          label={text.values.stage}
          hint={text.values.stageHint}
          maxLength={200}
          value={stage}
          onChange={(next) => onChange(next === '' ? 'lifecycle_stage' : STAGE + next)}
        />
      )}
    </>
  )
}
