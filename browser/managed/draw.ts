// The fields of a managed form as elements. Texts are never parsed as HTML.
import type { BlueprintField } from '../managed.ts'

/** An element with properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: object = {},
  ...children: (Node | string | false | null | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...(children.filter(Boolean) as (Node | string)[]))
  return element
}

/** Limits that browsers enforce while typing; the service validates in the end. */
const limits: Readonly<Record<string, string>> = { min: 'min', max: 'max', max_length: 'maxLength' }

function limitsOf({ rules }: BlueprintField): object {
  const properties: Record<string, string> = {}
  for (const rule of Object.keys(rules)) {
    const [, name = '', parameter = ''] = /^(\w+)\[(.*)\]$/.exec(rule) || []
    const property = limits[name]
    if (property) properties[property] = parameter
  }
  return properties
}

function drawSelect({ type, value, options, placeholder }: BlueprintField, shared: object): HTMLSelectElement {
  const multiple = type === 'select-multiple'
  const select = make('select', { ...shared, multiple })
  const shown = multiple || value ? options : [{ value: '', label: placeholder || '' }, ...options]
  for (const option of shown) select.add(new Option(option.label, option.value, false, option.value === value))
  return select
}

/** A checkbox or radio button in its label. */
const drawBox = (label: string, properties: object): HTMLElement =>
  make('label', { className: 'box' }, make('input', properties), ` ${label}`)

function drawControl(field: BlueprintField, shared: object): HTMLElement {
  const { type, value, placeholder, rows, file } = field
  if (type.startsWith('select')) return drawSelect(field, shared)
  const writing = { ...shared, placeholder: placeholder || '', ...limitsOf(field) }
  if (type === 'textarea') return make('textarea', { ...writing, rows: rows || 4, value: value || '' })
  if (file) return make('input', { type, ...shared, accept: file.types.join(), multiple: file.max_count > 1 })
  // The type first: it decides which values are valid.
  return make('input', { type, ...writing, value: value || '' })
}

function drawGroup(field: BlueprintField, title: string, note: Node | null): HTMLElement {
  const { name, type, options, required, value: given } = field
  const boxes = options.map(({ value, label }) =>
    drawBox(label, { type, name, value, checked: value === given, required: required && type === 'radio' }),
  )
  return make('fieldset', {}, make('legend', {}, title), note, ...boxes)
}

export function drawField(field: BlueprintField, at: number): HTMLElement {
  const { name, type, label, help, value, options, autocomplete, required, width } = field
  if (type === 'hidden') return make('input', { type, name, value: value || '' })
  const id = `f${at}`
  const note = help ? make('small', { id: `${id}h` }, help) : null
  const title = required ? `${label} *` : label
  const shared = { id, name, required }
  let cell: HTMLElement
  if (options.length && !type.startsWith('s')) cell = drawGroup(field, title, note)
  else if (type === 'checkbox')
    cell = make('div', {}, drawBox(title, { ...shared, type, value: 'on', checked: !!value }), note)
  else {
    const control = drawControl(field, { ...shared, autocomplete: autocomplete || '' })
    cell = make('div', {}, make('label', { htmlFor: id }, title), note, control)
  }
  const described = cell.querySelector(`#${id}`) || cell
  if (note) described.setAttribute('aria-describedby', note.id)
  if (width === 'half') cell.className = 'half'
  return cell
}
