// What is put on the page around a form, and in its place.
import type { Checked, Opened } from './service.ts'

/** @returns false when the page says that it does the rest itself (preventDefault). */
export const tell = (form: HTMLFormElement, name: string, detail: object): boolean =>
  form.dispatchEvent(new CustomEvent(`footfall:${name}`, { bubbles: true, composed: true, cancelable: true, detail }))

/** An element of ours. */
function add<K extends keyof HTMLElementTagNameMap>(to: Element, tag: K, className: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  to.append(element)
  return element
}

/** The honeypot and the attribution, once for a form. The former has no tab stop and nothing that autofill knows, and is nothing to assistive technology. */
export function furnish(form: HTMLFormElement, trap: HTMLInputElement, { branding, branding_link }: Opened): void {
  trap.setAttribute('aria-hidden', 'true')
  trap.tabIndex = -1
  trap.autocomplete = 'off'
  // As a property, which no policy of the page forbids; important, so that no style sheet shows it. Fixed: nothing scrolls to it.
  trap.style.cssText = 'position:fixed!important;left:-999em!important'
  form.append(trap)
  if (!branding) return
  const link = add(add(form, 'small', 'footfall-branding'), 'a', '')
  link.href = branding_link
  link.target = '_blank'
  link.textContent = branding
}

/** @param ty sanitised by the service. The focus was on a button that is gone: who hears the page is led to what stands there now. */
export function succeed(form: HTMLFormElement, { ty, original }: Checked): void {
  if (!tell(form, 'success', { original })) return
  const done = add(form, 'div', 'footfall-success')
  done.tabIndex = -1
  done.innerHTML = ty as string
  form.replaceWith(done)
  done.focus()
}

/** Its values stay, and it can be sent again. @returns the words. */
export function sayFailed(form: HTMLFormElement): HTMLElement {
  const alert = add(form, 'p', 'footfall-alert')
  alert.setAttribute('role', 'alert')
  alert.textContent = form.dataset['failed'] || 'This could not be sent. Please try again.'
  return alert
}
