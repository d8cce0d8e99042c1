// A form's controls, read as HTML means them: which fields there are, what is asked of them, and what stands in them.

export type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement
/** The button with which a form is sent; none when a script sends it. */
export type Submitter = HTMLButtonElement | null | undefined

/** A form as it is now; what is said at init: `{field: type}` and `{field: {rule: message or null}}`. */
export interface Definition {
  /** Those that can be sent: named, wherever they stand (`form=`), no mere buttons and not disabled. The honeypot has no name. */
  readonly controls: readonly Control[]
  readonly fields: Record<string, string>
  readonly validation: Record<string, Record<string, string | null>>
  /** Fields with several values. */
  readonly lists: Record<string, boolean>
}

/** The rules of a control that takes part in validation; those of `data-rules`, parted by blanks, come last. */
function rulesOf(control: Control, withPatterns: boolean): string[] {
  const { type, pattern, dataset } = control
  const rules: string[] = []
  // Of other types browsers look at neither length nor pattern.
  const isText = /^(te|search|url|email)/.test(type)
  const isNumber = /number|range/.test(type)
  if (control.required) rules.push('required')
  if (/^(url|email|date)$/.test(type) && !control.multiple) rules.push(type)
  if (isNumber) rules.push('numeric')
  for (const limit of isText || isNumber ? ['min', 'max'] : []) {
    const value = control.getAttribute(isText ? `${limit}length` : limit) as string
    if (/^-?[\d.]{1,6}$/.test(value)) rules.push(`${isText ? `${limit}_length` : limit}[${value}]`)
  }
  if (isText && pattern && withPatterns) rules.push(`regex[^(?:${pattern})$]`)
  // A parameter ends with the bracket before a blank, and may hold others.
  return rules.concat((dataset['rules'] || '').match(/\w+(\[.*?\](?=\s|$))?/g) || [])
}

/** @param withPatterns false: those of HTML's `pattern` are left to the browser. */
export function define(form: HTMLFormElement, withPatterns: boolean): Definition {
  const controls = ([...form.elements] as Control[]).filter(
    ({ name, type, readOnly, willValidate }) => name && (willValidate || readOnly || (type as string) === 'hidden'),
  )
  // Without prototypes: a field may be called constructor.
  const fields: Definition['fields'] = Object.create(null)
  const validation: Definition['validation'] = Object.create(null)
  const lists: Definition['lists'] = Object.create(null)
  for (const control of controls) {
    const { name, type } = control
    // Of all types with -m the only one that has several values by itself: select-multiple.
    if (/-m/.test(type) || (fields[name] && !/^(radio|submit)$/.test(type))) lists[name] = true
    fields[name] = type
    if (!control.willValidate) continue
    const rules = (validation[name] = validation[name] || {})
    for (const rule of rulesOf(control, withPatterns)) rules[rule] = control.dataset['message'] || null
  }
  return { controls, fields, validation, lists }
}

/** What would be sent, by field: lists where there can be several values. */
export function answersOf(
  form: HTMLFormElement,
  { fields, lists }: Definition,
  submitter?: Submitter,
): Record<string, unknown> {
  const entries = new FormData(form)
  const answers: Record<string, unknown> = {}
  for (const name in fields)
    if (entries.has(name)) answers[name] = lists[name] ? entries.getAll(name) : entries.get(name)
  if (submitter && fields[submitter.name]) answers[submitter.name] = submitter.value
  return answers
}
