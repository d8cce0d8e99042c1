// What is put on the page around a form, and in its place.
import type { Checked } from './service.ts'

/** @returns false when the page says that it does the rest itself (preventDefault). */
export const tell = (form: HTMLFormElement, name: string, detail?: object): boolean =>
  form.dispatchEvent(new CustomEvent(`footfall:${name}`, { bubbles: true, composed: true, cancelable: true, detail }))

/** An element of ours. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const name in attributes) element.setAttribute(name, attributes[name] as string)
  element.append(...children)
  return element
}

/** The honeypot: it has no tab stop and nothing that autofill knows, and is nothing to assistive technology. */
export function makeTrap(): HTMLInputElement {
  const trap = make('input', { 'aria-hidden': 'true', autocomplete: 'off', tabindex: '-1' })
  // As a property, which no policy of the page forbids; important, so that no style sheet shows it. Fixed: nothing scrolls to it.
  trap.style.cssText = 'position:fixed!important;left:-999em!important'
  return trap
}

/** @param ty sanitised by the service. The focus was on a button that is gone: who hears the page is led to what stands there now. */
export function succeed(form: HTMLFormElement, { ty, original }: Checked): void {
  if (!tell(form, 'success', { original })) return
  const done = make('div', { class: 'footfall-success', tabindex: '-1' })
  done.innerHTML = ty as string
  form.replaceWith(done)
  done.focus()
}
