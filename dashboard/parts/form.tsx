// A form's state: values, what the service said about each of them, and the one submission that is under way.
import { type FormEvent, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, type FieldErrors } from '../api.ts'
import { labelled, labelOf, withoutPath } from '../field-sentences.ts'
import { common as text } from '../texts/index.ts'
import { Button } from './button.tsx'
import { ClosingContext } from './closing.ts'
import { changedOf, following, same } from './form-values.ts'
import styles from './form.module.css'
import { ErrorNote } from './states.tsx'

export interface FormState<Values extends object> {
  readonly values: Values
  readonly set: (patch: Partial<Values>) => void
  /**
   * What a field takes: name, value, onChange and its errors, which begin without the field's key: the field
   * puts its label there. `errorKey` where the service names it otherwise.
   */
  readonly field: <Key extends keyof Values & string>(
    key: Key,
    errorKey?: string,
  ) => { name: Key; value: Values[Key]; onChange: (value: Values[Key]) => void; errors: readonly string[] }
  readonly errorsOf: (key: string) => readonly string[]
  /** What went wrong and belongs to no field that is shown. */
  readonly problem: string | undefined
  /** Something differs from what it was at first, or at the last success. */
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly reset: (values?: Values) => void
}

/** What the form says above its buttons: errors of fields that are not shown, and errors without a field. */
function problemOf(error: unknown, shown: ReadonlySet<string>): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : text.errors.unknown
  if (error.status === 429 && error.retryAfterSeconds) return text.errors.retryIn(error.retryAfterSeconds)
  const elsewhere = Object.entries(error.errors).filter(([name]) => ![...shown].some((key) => isOf(name, key)))
  const isAllShown = Object.keys(error.errors).length > 0 && elsewhere.length === 0
  if (isAllShown) return ''
  if (elsewhere.length === 0) return error.message
  return elsewhere
    .flatMap(([name, sentences]) => sentences.map((one) => labelled(labelOf(name), withoutPath(name, one))))
    .join(' ')
}

/** Errors of a list's rows (`domains.2`) are errors of the field that holds the list. */
const isOf = (name: string, key: string): boolean => name === key || name.startsWith(`${key}.`)

/** What went wrong with the last submission. */
interface Fault {
  readonly errors: FieldErrors
  /** Empty where all of it belongs to fields that are shown. */
  readonly problem: string
}

const noFault: Fault = { errors: {}, problem: '' }

const faultOf = (error: unknown, shown: ReadonlySet<string>): Fault => ({
  errors: error instanceof ApiError ? error.errors : {},
  problem: problemOf(error, shown),
})

/** What is changed is not wrong any more. */
const withoutErrorsOf = (errors: FieldErrors, keys: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !keys.some((key) => isOf(name, key))))

const sentencesOf = (errors: FieldErrors, key: string): readonly string[] =>
  Object.entries(errors).flatMap(([name, sentences]) =>
    isOf(name, key) ? sentences.map((one) => withoutPath(name, one)) : [],
  )

/** What a submission knows beside the values. */
export interface Saving<Values extends object> {
  /** Those that differ from what is stored: sending nothing else takes back nobody else's change. */
  readonly changed: Partial<Values>
  /** Whether something was typed since the button was pressed: then the form has to stay. */
  readonly hasMore: () => boolean
  /** What the values were stored as, where that may be something else. */
  readonly settle: (stored: Values) => void
}

/** The values, and what they are compared with, which follows what is stored. */
function useFollowing<Values extends object>(initial: Values, typed: Values, isBusy: boolean, onFollow: () => void) {
  const [values, setValues] = useState(typed)
  const [base, setBase] = useState(initial)
  const [known, setKnown] = useState(initial)
  const latest = useRef(values)
  useLayoutEffect(() => {
    latest.current = values
  })
  // Not while it is being saved: what comes of that is compared with what was sent.
  if (!isBusy && !same(initial, known)) {
    const held = following({ values, base }, known, initial)
    setKnown(initial)
    setBase(held.base)
    setValues(held.values)
    onFollow()
  }
  return { values, base, latest, setValues, setBase }
}

/**
 * @param initial what is stored: a field that nobody has changed here follows when it is another one later.
 * @param typed what was typed before and not saved yet.
 * @param submit does it; an ApiError that it throws is shown at its fields, anything else above the buttons.
 */
export function useForm<Values extends object>(
  initial: Values,
  submit: (values: Values, saving: Saving<Values>) => Promise<unknown>,
  typed: Values = initial,
): FormState<Values> {
  const [{ errors, problem }, setFault] = useState<Fault>(noFault)
  const [isBusy, setBusy] = useState(false)
  const shown = useRef(new Set<string>())
  const { values, base, latest, setValues, setBase } = useFollowing(initial, typed, isBusy, () =>
    setFault(({ errors: known }) => ({ errors: known, problem: '' })),
  )
  const set = (patch: Partial<Values>): void => {
    setValues((known) => ({ ...known, ...patch }))
    setFault((known) => ({ ...known, errors: withoutErrorsOf(known.errors, Object.keys(patch)) }))
  }
  const errorsOf = (key: string): readonly string[] => {
    shown.current.add(key)
    return sentencesOf(errors, key)
  }
  const run = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true)
    setFault(noFault)
    try {
      let stored = values
      const settle = (answered: Values): void => void (stored = answered)
      const hasMore = (): boolean => !same(latest.current, values)
      await submit(values, { changed: changedOf(values, base), hasMore, settle })
      setBase(stored)
      setValues((now) => following({ values: now, base: values }, values, stored).values)
    } catch (error) {
      setFault(faultOf(error, shown.current))
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    set,
    field: (key, errorKey = key) => ({
      name: key,
      value: values[key],
      onChange: (value) => set({ [key]: value } as unknown as Partial<Values>),
      errors: errorsOf(errorKey),
    }),
    errorsOf,
    problem: problem === '' ? undefined : problem,
    isChanged: !same(values, base),
    isBusy,
    onSubmit: (event) => {
      event.preventDefault()
      if (!isBusy) void run(event.currentTarget)
    },
    reset: (next = base) => {
      setValues(next)
      setBase(next)
      setFault(noFault)
    },
  }
}

export interface FormProps {
  readonly form: Pick<FormState<object>, 'onSubmit' | 'problem'> & Partial<Pick<FormState<object>, 'isBusy'>>
  readonly id?: string | undefined
  readonly children: ReactNode
  /** On the button that submits. */
  readonly action?: string | undefined
  /** What it does cannot be undone. */
  readonly isDanger?: boolean | undefined
  /** Other buttons under the fields: after the main one, in a dialog before it. */
  readonly actions?: ReactNode
}

/**
 * Fields under one another with even gaps; what belongs to no field stands above the buttons. In a dialog
 * these are Cancel and the main one, at its end.
 */
export function Form({ form, id, children, action, isDanger = false, actions }: FormProps) {
  const close = useContext(ClosingContext)
  const main = action !== undefined && (
    <Button type="submit" look={isDanger ? 'danger' : 'primary'} isBusy={form.isBusy}>
      {action}
    </Button>
  )
  return (
    <form id={id} onSubmit={form.onSubmit} noValidate className={styles.form}>
      {children}
      {form.problem !== undefined && <ErrorNote>{form.problem}</ErrorNote>}
      {main && close && (
        <div className={styles.inDialog}>
          {actions !== undefined && <div className={styles.others}>{actions}</div>}
          <Button onClick={close}>{text.actions.cancel}</Button>
          {main}
        </div>
      )}
      {(main || actions !== undefined) && !(main && close) && (
        <div className={styles.actions}>
          {main}
          {actions}
        </div>
      )}
    </form>
  )
}

/** Fields side by side where there is room. */
export const FormRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>
