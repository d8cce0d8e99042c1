// What an answer has to keep, beyond being there.
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { forms as text } from '../../texts/index.ts'
import { type FieldDraft, neededRule, parameterKinds, type RuleDraft, ruleNames, rulePath } from './draft.ts'
import styles from './forms.module.css'

const { builder } = text
const MOST = 11

/** What usually comes first. */
const firstRule = ({ type }: FieldDraft): string => (type === 'number' || type === 'range' ? 'min' : 'max_length')

/** A rule that is not offered, as one that a script gave, stays what it is until another is chosen. */
const namesFor = (name: string): readonly string[] =>
  ruleNames.some((known) => known === name) ? ruleNames : [...ruleNames, name]

const labelOf = (name: string): string => (text.rules as Readonly<Record<string, string>>)[name] ?? name

export interface RulesProps {
  readonly field: FieldDraft
  readonly fields: readonly FieldDraft[]
  readonly onChange: (patch: Partial<FieldDraft>) => void
  readonly errorsOf: (path: string) => readonly string[]
}

export function Rules({ field, fields, onChange, errorsOf }: RulesProps) {
  const { rules } = field
  // Whether there has to be an answer is asked above, in words of its own.
  const needed = neededRule(field)
  const set = (index: number, patch: Partial<RuleDraft>): void =>
    onChange({ rules: rules.map((rule, at) => (at === index ? { ...rule, ...patch } : rule)) })
  const add = (): void => onChange({ rules: [...rules, { name: firstRule(field), parameter: '', message: '' }] })
  return (
    <div className={styles.fields}>
      {rules.map(
        (rule, index) =>
          rule !== needed && (
            <div key={index} className={styles.rule}>
              <Select
                label={builder.rule}
                value={rule.name}
                onChange={(name) => set(index, { name, parameter: '' })}
                options={namesFor(rule.name).map((value) => ({ value, label: labelOf(value) }))}
                errors={errorsOf(rulePath(field, rule))}
              />
              <Parameter
                rule={rule}
                field={field}
                fields={fields}
                onChange={(parameter) => set(index, { parameter })}
              />
              <TextField
                label={builder.message}
                placeholder={builder.usual}
                maxLength={500}
                value={rule.message}
                onChange={(message) => set(index, { message })}
              />
              <IconButton
                label={builder.removeRule}
                icon={<X />}
                onClick={() => onChange({ rules: rules.filter((_, at) => at !== index) })}
              />
            </div>
          ),
      )}
      {rules.filter((rule) => rule !== needed).length < MOST && (
        <div>
          <Button size="small" look="quiet" icon={<Plus aria-hidden="true" />} onClick={add}>
            {builder.addRule}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ParameterProps {
  readonly rule: RuleDraft
  readonly field: FieldDraft
  readonly fields: readonly FieldDraft[]
  readonly onChange: (parameter: string) => void
}

function Parameter({ rule, field, fields, onChange }: ParameterProps) {
  const kind = parameterKinds[rule.name]
  if (kind === undefined) return null
  if (kind === 'field') {
    const others = fields.filter(({ uid }) => uid !== field.uid).map(({ name, label }) => ({ value: name, label }))
    return (
      <Select
        label={builder.parameter}
        value={rule.parameter}
        onChange={onChange}
        options={[{ value: '', label: '' }, ...others]}
      />
    )
  }
  return (
    <TextField
      label={builder.parameter}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      spellCheck={false}
      value={rule.parameter}
      onChange={onChange}
    />
  )
}
