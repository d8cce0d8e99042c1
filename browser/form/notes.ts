// What is wrong with a field, said next to it.
import type { Control } from './controls.ts'
import type { Errors } from './service.ts'

let made = 0

/** The note of a field: of all its controls the description, behind the last one and never within a label. It is spoken as soon as it is there. */
function noteOf(controls: readonly Control[]): HTMLElement {
  const last = controls[controls.length - 1] as Control
  const note = document.createElement('span')
  note.id = `footfall-note-${++made}`
  note.className = 'footfall-note'
  note.setAttribute('role', 'alert')
  for (const control of controls) {
    const described = control.getAttribute('aria-describedby')
    control.setAttribute('aria-describedby', described ? `${described} ${note.id}` : note.id)
  }
  ;(last.closest('label') || last).after(note)
  return note
}

/** What the browser finds, in the language of its visitor. */
export function browserFaults(controls: readonly Control[]): Errors {
  const errors: Record<string, string[]> = {}
  for (const { name, validity, dataset, validationMessage } of controls)
    if (!validity.valid) errors[name] = [dataset['message'] || validationMessage]
  return errors
}

/** Remembers the notes of a form. @returns what shows the faults of the named fields, takes away those that are no more, and finds the first control. */
export function openNotes() {
  const notes = new Map<string, HTMLElement>()
  return (controls: readonly Control[], names: ReadonlySet<string>, errors: Errors): Control | undefined => {
    for (const name of names) {
      const group = controls.filter((control) => control.name === name)
      const text = (errors[name] || []).join(' ')
      let note = notes.get(name)
      if (!group[0] || (!note && !text)) continue
      if (!note) notes.set(name, (note = noteOf(group)))
      note.textContent = text
      for (const control of group) control.setAttribute('aria-invalid', `${!!text}`)
    }
    return controls.find(({ name }) => errors[name])
  }
}
