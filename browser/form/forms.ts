// The forms of a page: finds them, and the form of an event.
import type { Forms, FormsOptions } from '../form.ts'
import type { Control } from './controls.ts'
import { type Flow, openFlow } from './flow.ts'
import { isMarked } from './mark.ts'
import { ownOf } from './own.ts'
import type { Moves } from './person.ts'
import { guard, report } from './report.ts'
import { call, type Opened } from './service.ts'
import type { Page } from './session.ts'

/**
 * @param filling loads what is needed once somebody begins with a form; undefined when it cannot be loaded.
 */
export function openForms({ base, key: property, session }: FormsOptions, filling: Page['filling']): Forms {
  const safely = guard(base, property)
  const moves: Moves = { m: 0, s: 0 }
  const page: Page = { base, session, moves, filling, report: (error) => report(base, property, error) }
  const flows = new WeakMap<Element, Flow>()
  const hear = safely((event: Event) => {
    const kind = event.type[0] as keyof Moves
    const control = event.composedPath()[0] as Control
    const flow = flows.get(control.form as HTMLFormElement)
    if (kind in moves) moves[kind] = 1
    else if (flow) flow.hear(event, control)
  })
  for (const type of ['input', 'focusin', 'keydown', 'change', 'scroll', 'focusout', 'mousemove'])
    addEventListener(type, hear, true)

  const submit = safely((event: Event) => {
    const flow = flows.get(event.target as Element)
    if (flow) flow.submit(event as SubmitEvent)
  })
  // The last listener of a submit event: the page's own have run.
  addEventListener('submit', submit)

  const bind = safely((form: HTMLFormElement, key: string, opened?: object): void => {
    if (isMarked(form)) return
    const flow = openFlow(page, form, key || (ownOf(form).dataset['footfall'] as string), opened as Opened)
    flows.set(form, flow)
    // Submit events do not leave a shadow root.
    const root = ownOf(form).getRootNode() as ShadowRoot
    if (root.host) root.addEventListener('submit', submit)
    // A form can also begin with its first event; opening twice has no effect.
    const observer = new IntersectionObserver((entries) => {
      if ((entries[0] as IntersectionObserverEntry).isIntersecting) flow.open()
    })
    observer.observe(form)
  })
  const forms: Forms = {
    bind,
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
