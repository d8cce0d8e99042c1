// Loaded once somebody fills a form in: shows faults beside their fields, counts signals of how it is filled
// in, and shows the thanks.
import { make, tell } from './form/end.ts'
import { countPerson } from './form/person.ts'

/** Sentences by the name of the field. */
export type Errors = Readonly<Record<string, readonly string[]>>

interface Answer {
  readonly code?: number
  readonly errors?: Errors | null
  readonly message?: string | null
  /** Ids by field. */
  readonly files?: object
}

interface Body {
  readonly map: object
  readonly data: Readonly<Record<string, unknown>>
}

type Ask = (step: string, body: object) => Promise<Answer | null>

/** The form; only what is needed here. */
export interface Filled<Now> {
  /** By its own properties. */
  readonly own: HTMLFormElement
  /** 1 after the mouse moved on the page (m), and after something scrolled (s). */
  readonly moves: { readonly m: number; readonly s: number }
  /** The form as it is now. */
  readonly read: () => Now
  /** The faults that the browser finds. */
  readonly find: (now: Now) => Errors
  /**
   * The faults that the service finds; `code` or nothing when it could not check. @param patience aborts it.
   */
  readonly ask: (
    now: Now,
    patience: AbortController,
  ) => Promise<{ readonly code?: number; readonly errors?: Errors | null } | null | undefined>
  readonly report: (error: unknown) => void
}

export interface Filling {
  hear(event: Event, control: HTMLInputElement): void
  /**
   * Adds the signals of how it was filled in. Files go ahead; what the service calls them is sent in their
   * place.
   */
  readonly send: (step: string, body: Body, ask: Ask) => Promise<Answer | null>
  /** The form is being sent, which checks everything: pending checks are dropped. */
  rest(): void
  /** Shows faults. @param first of the controls with a fault. */
  refuse(errors: Errors, controls: readonly HTMLInputElement[], first: HTMLInputElement): true
  /** @param ty sanitised by the service. */
  succeed(answer: { readonly ty?: string; readonly redirect_url?: string; readonly original?: object }): void
}

/** The data with the names of files in their place, and the files. */
function withoutFiles(given: Body['data']): readonly [Record<string, unknown>, FormData, last: string] {
  const data: Record<string, unknown> = { ...given }
  const files = new FormData()
  let last = ''
  for (const name in given)
    for (const value of ([] as unknown[]).concat(given[name]))
      if (value instanceof File) {
        if (value.name) files.append((last = name), value)
        data[name] = value.name
      }
  return [data, files, last]
}

let made = 0

/**
 * A note: after the last control of its field and never within a label. Screen readers announce it at once.
 */
function noteOf(controls: readonly HTMLInputElement[]): HTMLElement {
  const note = document.createElement('span')
  note.className = 'footfall-note'
  note.id = `footfall-${++made}-note`
  note.setAttribute('role', 'alert')
  const last = controls[controls.length - 1] as HTMLInputElement
  ;(last.closest('label') || last).after(note)
  return note
}

/** Adds to other descriptions of the control. */
function describe(control: HTMLInputElement, id: string): void {
  const said = control.getAttribute('aria-describedby') || ''
  if (!said.includes(id)) control.setAttribute('aria-describedby', `${said} ${id}`)
}

/**
 * Keeps the notes of a form. @returns the function that shows the faults of the named fields and removes
 * obsolete ones.
 */
function openNotes(own: HTMLFormElement) {
  const notes = new Map<string, HTMLElement>()
  // A copy of a form contains the notes of the original.
  own.querySelectorAll('.footfall-note').forEach((old) => old.remove())
  return (controls: readonly HTMLInputElement[], names: ReadonlySet<string>, errors: Errors): void => {
    for (const control of controls.filter(({ name }) => names.has(name))) {
      const { name } = control
      const text = (errors[name] || []).join(' ')
      let note = notes.get(name)
      // The page may have drawn the field again.
      if (text && !(note && note.isConnected))
        notes.set(name, (note = noteOf(controls.filter((other) => other.name === name))))
      if (!note) continue
      describe(control, note.id)
      note.textContent = text
      control.setAttribute('aria-invalid', `${!!text}`)
    }
  }
}

/** Replaces the form. The focus was on a button that is gone: move it to the thanks, for screen readers. */
function thank(own: HTMLFormElement, html: string): void {
  const done = make('div', { class: 'footfall-success', tabindex: '-1' })
  try {
    done.innerHTML = html
  } catch {
    // The page's policy refuses HTML (Trusted Types).
    done.textContent = html.replace(/<[^>]*>/g, ' ')
  }
  own.replaceWith(done)
  done.focus()
}

/** For one form. */
export function openFilling<Now extends { readonly controls: readonly HTMLInputElement[] }>({
  own,
  moves,
  read,
  find,
  ask,
  report,
}: Filled<Now>): Filling {
  // Delayed: moving through several fields makes one check, and no note moves a button between press and
  // release.
  const settleMs = 300
  // Longer than the service waits for a request.
  const uploadMs = 60_000
  const show = openNotes(own)
  const [count, signals] = countPerson(moves)
  const left = new Set<string>()
  let settling: ReturnType<typeof setTimeout>
  let asking = new AbortController()
  let serviceFaults: Errors | null | undefined

  /** Checks the fields that were left: first in the browser, then, when it finds nothing, by the service. */
  const check = async (): Promise<void> => {
    const patience = (asking = new AbortController())
    const now = read()
    const faults = find(now)
    if (![...left].some((name) => faults[name])) {
      const checked = await ask(now, patience)
      if (patience.signal.aborted || !checked || checked.code) return
      serviceFaults = checked.errors
    }
    // Without a prototype: a field may be called constructor.
    show(now.controls, left, Object.assign(Object.create(null) as Errors, serviceFaults, faults))
  }
  const rest = (): void => {
    clearTimeout(settling)
    asking.abort()
  }
  return {
    hear(event, control) {
      const { type } = event
      count(event, control.name)
      // While writing, a field is checked only when a fault is shown; others are checked when they are left.
      const isLeft = /out|ch/.test(type) && control.type !== 'submit'
      if (isLeft) left.add(control.name)
      else if (type !== 'input' || control.getAttribute('aria-invalid') !== 'true') return
      rest()
      settling = setTimeout(() => void check().catch(report), settleMs)
    },
    async send(step, { map, data: given }, ask) {
      const [data, files, last] = withoutFiles(given)
      if (last && step === 'process') {
        const patience = new AbortController()
        setTimeout(() => patience.abort(), uploadMs)
        const answer = await ask('upload', { init: { body: files, signal: patience.signal } })
        // There is no room for files: said at the field, since the form can be sent without.
        if (answer && answer.code === 507) return { errors: { [last]: [answer.message || ''] } }
        if (!answer || !answer.files) return answer
        Object.assign(data, answer.files)
      }
      return ask(step, { map, data, _sig: signals() })
    },
    rest,
    refuse(errors, controls, first) {
      for (const { name } of controls) left.add(name)
      serviceFaults = undefined
      show(controls, left, Object.assign(Object.create(null) as Errors, errors))
      first.focus()
      tell(own, 'invalid', { errors })
      return true
    },
    succeed({ ty, redirect_url, original }) {
      if (!tell(own, 'success', { original })) return
      // Shown meanwhile: the next page may take a while.
      thank(own, ty || '')
      if (redirect_url) location.assign(redirect_url)
    },
  }
}
