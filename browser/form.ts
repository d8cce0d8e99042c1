// HTML forms of a page, sent through the service. Nothing here throws at the page, and a form that cannot be sent through the service is left to go
// where it would have gone.
import type { Control } from './form/controls.ts'
import { type Flow, openFlow } from './form/flow.ts'
import type { Moves } from './form/person.ts'
import { call, type Opened } from './form/service.ts'
import type { Page } from './form/session.ts'
import { guard, report } from './shared/report.ts'

export interface FormsOptions {
  /** Address of the service without a slash at its end, `https://stats.example.com`. */
  readonly base: string
  /** The key of the property: whom to tell of errors in here. */
  readonly key?: string | undefined
  /** The id of the visitor's session, which ties what is sent to the visit: `() => signals.session`. */
  readonly session: () => string | null | undefined
}

export interface Forms {
  /** Sends a form of the page through the service. @param key of the form; `data-footfall` for ''. @param opened by `init`: of a managed form. */
  bind(form: HTMLFormElement, key: string, opened?: object): void
  /** Opens a managed form. @returns what `init` answers; null when there is no answer. */
  init(key: string): Promise<object | null>
  /** Binds whatever form in the document says `data-footfall`, now or later. @param draw called once there is a managed form, `data-footfall-form`. */
  watch(draw?: (forms: Forms) => void): void
}

/** Once for a page and service. */
export function createForms({ base, key: property, session }: FormsOptions): Forms {
  const safely = guard(base, property, 'form')
  const moves: Moves = { m: 0, s: 0 }
  const page: Page = { base, session, moves, report: (error) => report(base, property, 'form', error) }
  const flows = new WeakMap<Element, Flow>()
  const hear = safely((event: Event) => {
    const kind = event.type[0] as keyof Moves
    if (kind in moves) {
      moves[kind] = 1
      return
    }
    const control = event.composedPath()[0] as Control
    const flow = control.form && flows.get(control.form)
    if (flow) flow.hear(event, control)
  })
  for (const type of ['mousemove', 'scroll', 'keydown', 'focusin', 'focusout', 'input', 'change'])
    addEventListener(type, hear, true)

  const bind = (form: HTMLFormElement, key: string, opened?: object): void => {
    if (flows.has(form)) return
    const flow = openFlow(page, form, key || (form.dataset['footfall'] as string), opened as Opened)
    flows.set(form, flow)
    // A form can also begin with its first event; one that is open is not opened again.
    const observer = new IntersectionObserver(([entry]) => {
      if (entry && entry.isIntersecting) flow.open()
    })
    observer.observe(form)
  }
  const forms: Forms = {
    bind: safely(bind),
    init: (key) => call(page, key, 'init', {}),
    watch(draw) {
      const find = safely(() => {
        document.querySelectorAll<HTMLFormElement>('form[data-footfall]').forEach((form) => bind(form, ''))
        if (draw && document.querySelector('[data-footfall-form]')) draw = draw(forms) as undefined
      })
      find()
      new MutationObserver(find).observe(document, { childList: true, subtree: true })
    },
  }
  return forms
}
