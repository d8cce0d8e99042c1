// Fields of forms. Each has a label, a hint and errors that are tied to it, and passes its value to
// `onChange`.
import { Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { Field, FieldError, type FieldFrame } from './field.tsx'
import styles from './fields.module.css'

type Taken = 'value' | 'onChange' | 'className' | 'id'

export interface TextFieldProps extends FieldFrame, Omit<ComponentProps<'input'>, Taken> {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function TextField({ label, hidesLabel, hint, errors, className, value, onChange, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, hidesLabel, hint, errors, className }}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={styles.input}
        />
      )}
    </Field>
  )
}

export interface NumberFieldProps extends FieldFrame, Omit<ComponentProps<'input'>, Taken | 'type'> {
  /** Null while the field is empty. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

export function NumberField({
  label,
  hidesLabel,
  hint,
  errors,
  className,
  value,
  onChange,
  ...rest
}: NumberFieldProps) {
  return (
    <Field {...{ label, hidesLabel, hint, errors, className }}>
      {(ids) => (
        <input
          {...ids}
          inputMode="decimal"
          {...rest}
          type="number"
          value={value ?? ''}
          onChange={({ target }) => onChange(Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)}
          className={styles.input}
        />
      )}
    </Field>
  )
}

export interface TextAreaProps extends FieldFrame, Omit<ComponentProps<'textarea'>, Taken> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** For code and HTML. */
  readonly isCode?: boolean | undefined
}

export function TextArea(props: TextAreaProps) {
  const { label, hidesLabel, hint, errors, className, value, onChange, isCode = false, ...rest } = props
  return (
    <Field {...{ label, hidesLabel, hint, errors, className }}>
      {(ids) => (
        <textarea
          rows={4}
          spellCheck={isCode ? false : undefined}
          {...ids}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(styles.input, styles.area, isCode && styles.code)}
        />
      )}
    </Field>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
  /** Options of one group stand together under its name. */
  readonly group?: string | undefined
}

export interface SelectProps extends FieldFrame, Omit<ComponentProps<'select'>, Taken> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly Option[]
}

export function Select({ label, hidesLabel, hint, errors, className, value, onChange, options, ...rest }: SelectProps) {
  const groups = [...new Set(options.map(({ group }) => group))]
  return (
    <Field {...{ label, hidesLabel, hint, errors, className }}>
      {(ids) => (
        <select
          {...ids}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(styles.input, styles.select)}
        >
          {groups.map((group) => {
            const rows = options
              .filter((option) => option.group === group)
              .map((option) => <OptionRow key={option.value} option={option} />)
            return group === undefined ? (
              rows
            ) : (
              <optgroup key={group} label={group}>
                {rows}
              </optgroup>
            )
          })}
        </select>
      )}
    </Field>
  )
}

const OptionRow = ({ option }: { option: Option }) => <option value={option.value}>{option.label}</option>

export interface ToggleProps extends Omit<FieldFrame, 'hidesLabel'> {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly disabled?: boolean | undefined
  readonly name?: string | undefined
}

function Toggle({
  label,
  hint,
  errors = [],
  className,
  isOn,
  onChange,
  disabled,
  name,
  role,
}: ToggleProps & { role?: 'switch' }) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cx(styles.toggle, className)}>
      <input
        type="checkbox"
        id={id}
        role={role}
        name={name}
        checked={isOn}
        disabled={disabled}
        aria-describedby={described === '' ? undefined : described}
        onChange={(event) => onChange(event.target.checked)}
        className={role === 'switch' ? styles.switch : styles.check}
      />
      <div>
        <label htmlFor={id} className={styles.toggleLabel}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
        <FieldError id={`${id}-error`} label={label} errors={errors} />
      </div>
    </div>
  )
}

/** For what is chosen and then saved. */
export const Checkbox = (props: ToggleProps) => <Toggle {...props} />
/** For what takes effect at once. */
export const Switch = (props: ToggleProps) => <Toggle {...props} role="switch" />

export interface RadioGroupProps<Value extends string> {
  readonly label: ReactNode
  readonly hidesLabel?: boolean | undefined
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly { value: Value; label: ReactNode; hint?: ReactNode }[]
  readonly errors?: readonly string[] | undefined
}

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, hidesLabel = false, value, onChange, options, errors = [] } = props
  const id = useId()
  return (
    <fieldset className={styles.radios} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
      <legend className={hidesLabel ? 'visually-hidden' : styles.label}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.radio}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <span className={styles.toggleLabel}>{option.label}</span>
            {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
          </span>
        </label>
      ))}
      <FieldError id={`${id}-error`} label={label} errors={errors} />
    </fieldset>
  )
}

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, Taken | 'type'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly className?: string | undefined
}

/** `/` finds it when the page has put its shortcut on the `ref`. */
export function SearchField({ label, value, onChange, className, ...rest }: SearchFieldProps) {
  return (
    <div className={cx(styles.search, className)} role="search">
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={styles.input}
      />
    </div>
  )
}
