// Everything about one field of a form.
import { useState } from 'react'
import { type FieldDraft, hasOptions, isSingleBox, neededRule, withNeeded, withNeededMessage } from './draft.ts'
import type { FieldOption } from '../../api/forms.ts'
import { Checkbox, NumberField, type Option, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { forms as text } from '../../texts/index.ts'
import { typeGroups } from './field-types.ts'
import { Files } from './file-rule.tsx'
import styles from './forms.module.css'
import { readOptions, writeOptions } from './option-lines.ts'
import { Rules } from './rules.tsx'

export interface FieldEditorProps {
  readonly field: FieldDraft
  readonly fields: readonly FieldDraft[]
  readonly onChange: (patch: Partial<FieldDraft>) => void
  /** Of a member of the field: `name`. */
  readonly errorsOf: (member: string) => readonly string[]
  /** By the whole path of a rule. */
  readonly ruleErrorsOf: (path: string) => readonly string[]
}

const { builder } = text

function typeOptions(type: FieldDraft['type']): Option[] {
  const offered = typeGroups.flatMap(({ id, types }) =>
    types.map((value): Option => ({ value, label: text.fieldTypes[value], group: text.typeGroups[id] })),
  )
  if (offered.some(({ value }) => value === type)) return offered
  return [...offered, { value: type, label: text.fieldTypes[type], group: text.typeGroups.other }]
}

const hasPlaceholder = (type: string): boolean =>
  /^(?:text|textarea|email|tel|url|search|number|select|select-one)$/.test(type)
const hasAutofill = (type: string): boolean => !/^(?:radio|checkbox|range|color|hidden|file)$/.test(type)

export function FieldEditor({ field, fields, onChange, errorsOf, ruleErrorsOf }: FieldEditorProps) {
  const isShown = field.type !== 'hidden'
  return (
    <div className={styles.editor}>
      <FormRow>
        <TextField
          label={builder.label}
          maxLength={255}
          value={field.label}
          onChange={(label) => onChange({ label })}
          errors={errorsOf('label')}
        />
        <Select
          label={builder.type}
          value={field.type}
          onChange={(type) => onChange({ type: type as FieldDraft['type'] })}
          options={typeOptions(field.type)}
          errors={errorsOf('type')}
        />
      </FormRow>
      {hasOptions(field.type) && (
        <Options options={field.options} onChange={(options) => onChange({ options })} errors={errorsOf('options')} />
      )}
      {field.type === 'file' && <Files field={field} onChange={onChange} errorsOf={errorsOf} />}
      {isShown && (
        <Checkbox
          label={isSingleBox(field) ? builder.isAccepted : builder.isRequired}
          isOn={neededRule(field) !== undefined}
          onChange={(isAsked) => onChange({ rules: withNeeded(field, isAsked) })}
        />
      )}
      {isShown && field.type !== 'file' && (
        <Rules field={field} fields={fields} onChange={onChange} errorsOf={ruleErrorsOf} />
      )}
      <details className={styles.more} open={errorsOf('name').length > 0 || undefined}>
        <summary>{builder.more}</summary>
        <More field={field} onChange={onChange} errorsOf={errorsOf} />
      </details>
    </div>
  )
}

interface OptionsProps {
  readonly options: readonly FieldOption[]
  readonly onChange: (options: readonly FieldOption[]) => void
  readonly errors: readonly string[]
}

/** Typed as lines, kept as a list: what is not typed is never read back from its lines. */
function Options({ options, onChange, errors }: OptionsProps) {
  const [known, setKnown] = useState(options)
  const [lines, setLines] = useState(() => writeOptions(options))
  if (options !== known) {
    setKnown(options)
    if (JSON.stringify(options) !== JSON.stringify(readOptions(lines))) setLines(writeOptions(options))
  }
  const change = (typed: string): void => {
    setLines(typed)
    onChange(readOptions(typed))
  }
  return (
    <TextArea
      label={builder.options}
      hint={builder.optionsHint}
      rows={4}
      value={lines}
      onChange={change}
      errors={errors}
    />
  )
}

type MoreProps = Pick<FieldEditorProps, 'field' | 'onChange' | 'errorsOf'>

function More({ field, onChange, errorsOf }: MoreProps) {
  const { type } = field
  const isShown = type !== 'hidden'
  const needed = neededRule(field)
  return (
    <div className={styles.fields}>
      <FormRow>
        <TextField
          label={builder.name}
          hint={builder.nameHint}
          spellCheck={false}
          maxLength={120}
          value={field.name}
          onChange={(name) => onChange({ name, hasOwnName: true })}
          errors={errorsOf('name')}
        />
        {type !== 'file' && (
          <TextField
            label={builder.value}
            maxLength={1000}
            value={field.value}
            onChange={(value) => onChange({ value })}
            errors={errorsOf('value')}
          />
        )}
      </FormRow>
      {isShown && (
        <TextField
          label={builder.help}
          maxLength={1000}
          value={field.help}
          onChange={(help) => onChange({ help })}
          errors={errorsOf('help')}
        />
      )}
      <Typing field={field} onChange={onChange} errorsOf={errorsOf} />
      {needed && isShown && (
        <TextField
          label={builder.requiredMessage}
          hint={builder.requiredMessageHint}
          maxLength={500}
          value={needed.message}
          onChange={(message) => onChange({ rules: withNeededMessage(field, message) })}
        />
      )}
      {isShown && <Checkbox label={builder.half} isOn={field.isHalf} onChange={(isHalf) => onChange({ isHalf })} />}
    </div>
  )
}

/** What only fields have that are typed into. */
function Typing({ field, onChange, errorsOf }: MoreProps) {
  const { type } = field
  return (
    <FormRow>
      {hasPlaceholder(type) && (
        <TextField
          label={builder.placeholder}
          maxLength={255}
          value={field.placeholder}
          onChange={(placeholder) => onChange({ placeholder })}
          errors={errorsOf('placeholder')}
        />
      )}
      {hasAutofill(type) && (
        <TextField
          label={builder.autocomplete}
          hint={builder.autocompleteHint}
          spellCheck={false}
          autoCapitalize="off"
          value={field.autocomplete}
          onChange={(autocomplete) => onChange({ autocomplete })}
          errors={errorsOf('autocomplete')}
        />
      )}
      {type === 'textarea' && (
        <NumberField
          label={builder.rows}
          min={1}
          max={50}
          value={field.rows}
          onChange={(rows) => onChange({ rows })}
          errors={errorsOf('rows')}
        />
      )}
    </FormRow>
  )
}
