// Reads a form's controls as HTML defines them: its fields, their rules and their values.
import { ownOf } from './own.ts'

export type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement
/** The button that submits a form; none when a script does. */
export type Submitter = HTMLButtonElement | null | undefined

/** A form at one moment; as init takes it: `{field: type}` and `{field: {rule: message or null}}`. */
export interface Definition {
  /**
   * Those that can be submitted: named, wherever they are (`form=`), neither plain buttons nor disabled. The
   * honeypot has no name.
   */
  readonly controls: readonly Control[]
  readonly fields: Record<string, string>
  readonly validation: Record<string, Record<string, string | null>>
  /** What a browser would submit now, by field: lists where there can be several values. */
  readonly data: Record<string, unknown>
  /** Told to the service: somebody sends the form, though it was refused. */
  tried?: unknown
}

/** The prefix of a rule from HTML's `pattern`. */
export const PATTERN = 'regex[^(?:'

/**
 * The rules of a control that takes part in validation; those of `data-rules`, separated by blanks, come
 * last.
 */
function rulesOf(control: Control): string[] {
  const { type, pattern, dataset } = control
  const rules: string[] = []
  // For other types browsers ignore length and pattern.
  const isText = /^(te|url|email|search)/.test(type)
  const isNumber = /^(nu|ran)/.test(type)
  if (control.required) rules.push('required')
  if (/^(date|url|email)$/.test(type) && !control.multiple) rules.push(type)
  if (isNumber) rules.push('numeric')
  for (const limit of isText || isNumber ? ['min', 'max'] : []) {
    const value = control.getAttribute(isText ? `${limit}length` : limit) as string
    if (/^-?[\d.]{1,6}$/.test(value)) rules.push(`${isText ? `${limit}_length` : limit}[${value}]`)
  }
  if (isText && pattern) rules.push(`${PATTERN}${pattern})$]`)
  // A parameter ends with the bracket before a blank, and may contain others.
  return rules.concat((dataset['rules'] || '').match(/\w+(\[.*?\](?=\s|$))?/g) || [])
}

/** Synchronous: a page may disable its form as soon as it is submitted. */
export function define(form: HTMLFormElement, submitter?: Submitter): Definition {
  const entries = new FormData(form)
  const controls = ([...ownOf(form).elements] as Control[]).filter(
    ({ name, willValidate, type, readOnly }) => name && (willValidate || readOnly || (type as string) === 'hidden'),
  )
  // Without prototypes: a field may be called constructor.
  const fields: Definition['fields'] = Object.create(null)
  const validation: Definition['validation'] = Object.create(null)
  const data: Definition['data'] = Object.create(null)
  const lists = new Set<string>()
  for (const control of controls) {
    const { name, type } = control
    // The only type with -m has several values by itself: select-multiple.
    if (/-m/.test(type) || (fields[name] && !/^(rad|sub)/.test(type))) lists.add(name)
    fields[name] = type
    if (!control.willValidate) continue
    const rules = (validation[name] = validation[name] || {})
    for (const rule of rulesOf(control)) rules[rule] = control.dataset['message'] || null
  }
  entries.forEach((value, name) => {
    // Custom elements, and values that the page adds while the form is read.
    if (!fields[name]) fields[name] = (value as File).name ? 'file' : 'hidden'
    data[name] = name in data || lists.has(name) ? entries.getAll(name) : value
  })
  if (submitter && fields[submitter.name]) data[submitter.name] = submitter.value
  return { fields, data, validation, controls }
}
