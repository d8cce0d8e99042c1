// What is wrong with a field, said next to it.
import type { Control } from './controls.ts'
import { make } from './end.ts'
import type { Errors } from './service.ts'

let made = 0

/** The note of a field: of all its controls the description, behind the last one and never within a label. It is spoken as soon as it is there. */
function noteOf(controls: Control[]): HTMLElement {
  const id = `footfall-${++made}`
  const note = make('span', { class: 'footfall-note', id, role: 'alert' })
  for (const control of controls)
    control.setAttribute('aria-describedby', `${control.getAttribute('aria-describedby') || ''} ${id}`)
  const last = controls.pop() as Control
  ;(last.closest('label') || last).after(note)
  return note
}

/** What the browser finds, in the language of its visitor. */
export function browserFaults(controls: readonly Control[]): Errors {
  const errors: Record<string, string[]> = Object.create(null)
  for (const { name, validity, dataset, validationMessage } of controls)
    if (!validity.valid) errors[name] = [dataset['message'] || validationMessage]
  return errors
}

/** Remembers the notes of a form. @returns what shows the faults of the named fields, takes away those that are no more, and finds the first control. */
export function openNotes() {
  const notes = new Map<string, HTMLElement>()
  return (controls: readonly Control[], names: ReadonlySet<string>, errors: Errors): Control | undefined => {
    let first: Control | undefined
    for (const control of controls.filter(({ name }) => names.has(name))) {
      const { name } = control
      const said = errors[name]
      // A field may be called constructor.
      const text = said && said.join ? said.join(' ') : ''
      let note = notes.get(name)
      if (text) {
        first = first || control
        if (!note) notes.set(name, (note = noteOf(controls.filter((other) => other.name === name))))
      }
      if (!note) continue
      note.textContent = text
      control.setAttribute('aria-invalid', `${!!text}`)
    }
    return first
  }
}
