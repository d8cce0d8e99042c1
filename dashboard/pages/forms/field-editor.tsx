// Everything about one field of a form.
import { type FieldDraft, hasOptions, isSingleBox } from './draft.ts'
import { Checkbox, NumberField, type Option, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { text } from '../../texts/en/forms.ts'
import { typeGroups } from './field-types.ts'
import styles from './forms.module.css'
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
const hasAutofill = (type: string): boolean => !/^(?:radio|checkbox|range|color|hidden)$/.test(type)

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
        <TextArea
          label={builder.options}
          hint={builder.optionsHint}
          rows={4}
          value={field.options}
          onChange={(options) => onChange({ options })}
          errors={errorsOf('options')}
        />
      )}
      {isShown && (
        <Checkbox
          label={isSingleBox(field) ? builder.isAccepted : builder.isRequired}
          isOn={field.isRequired}
          onChange={(isRequired) => onChange({ isRequired })}
        />
      )}
      {isShown && <Rules field={field} fields={fields} onChange={onChange} errorsOf={ruleErrorsOf} />}
      <details className={styles.more} open={errorsOf('name').length > 0 || undefined}>
        <summary>{builder.more}</summary>
        <More field={field} onChange={onChange} errorsOf={errorsOf} />
      </details>
    </div>
  )
}

function More({ field, onChange, errorsOf }: Pick<FieldEditorProps, 'field' | 'onChange' | 'errorsOf'>) {
  const { type } = field
  const isShown = type !== 'hidden'
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
        <TextField
          label={builder.value}
          maxLength={1000}
          value={field.value}
          onChange={(value) => onChange({ value })}
          errors={errorsOf('value')}
        />
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
      {field.isRequired && isShown && (
        <TextField
          label={builder.requiredMessage}
          hint={builder.requiredMessageHint}
          maxLength={500}
          value={field.requiredMessage}
          onChange={(requiredMessage) => onChange({ requiredMessage })}
        />
      )}
      {isShown && <Checkbox label={builder.half} isOn={field.isHalf} onChange={(isHalf) => onChange({ isHalf })} />}
    </div>
  )
}
