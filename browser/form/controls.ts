// A form's controls, read as HTML means them: which fields there are, what is asked of them, and what stands in them.
import { ownOf } from './own.ts'

export type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement
/** The button with which a form is sent; none when a script sends it. */
export type Submitter = HTMLButtonElement | null | undefined

/** A form as it was at one moment; what is said at init: `{field: type}` and `{field: {rule: message or null}}`. */
export interface Definition {
  /** Those that can be sent: named, wherever they stand (`form=`), no mere buttons and not disabled. The honeypot has no name. */
  readonly controls: readonly Control[]
  readonly fields: Record<string, string>
  readonly validation: Record<string, Record<string, string | null>>
  /** What a browser would send now, by field: lists where there can be several values. */
  readonly data: Record<string, unknown>
}

/** How a rule begins that comes of HTML's `pattern`. */
export const PATTERN = 'regex[^(?:'

/** The rules of a control that takes part in validation; those of `data-rules`, parted by blanks, come last. */
function rulesOf(control: Control): string[] {
  const { type, pattern, dataset } = control
  const rules: string[] = []
  // Of other types browsers look at neither length nor pattern.
  const isText = /^(te|url|email|search)/.test(type)
  const isNumber = /number|range/.test(type)
  if (control.required) rules.push('required')
  if (/^(date|url|email)$/.test(type) && !control.multiple) rules.push(type)
  if (isNumber) rules.push('numeric')
  for (const limit of isText || isNumber ? ['min', 'max'] : []) {
    const value = control.getAttribute(isText ? `${limit}length` : limit) as string
    if (/^-?[\d.]{1,6}$/.test(value)) rules.push(`${isText ? `${limit}_length` : limit}[${value}]`)
  }
  if (isText && pattern) rules.push(`${PATTERN}${pattern})$]`)
  // A parameter ends with the bracket before a blank, and may hold others.
  return rules.concat((dataset['rules'] || '').match(/\w+(\[.*?\](?=\s|$))?/g) || [])
}

/** Read in one go: a page may well disable its form as soon as it is being sent. */
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
    // Of all types with -m the only one that has several values by itself: select-multiple.
    if (/-m/.test(type) || (fields[name] && !/^(radio|submit)$/.test(type))) lists.add(name)
    fields[name] = type
    if (!control.willValidate) continue
    const rules = (validation[name] = validation[name] || {})
    for (const rule of rulesOf(control)) rules[rule] = control.dataset['message'] || null
  }
  entries.forEach((value, name) => {
    // Of elements that the page has made up, or put in by it as the form is read.
    if (!fields[name]) fields[name] = (value as File).name ? 'file' : 'hidden'
    data[name] = name in data || lists.has(name) ? entries.getAll(name) : value
  })
  if (submitter && fields[submitter.name]) data[submitter.name] = submitter.value
  return { fields, data, validation, controls }
}
