// What is added to the page around a form, and the events on it.

/** @returns false when the page does the rest itself (preventDefault). */
export const tell = (form: HTMLFormElement, name: string, detail?: object): boolean =>
  form.dispatchEvent(new CustomEvent(`footfall:${name}`, { bubbles: true, cancelable: true, composed: true, detail }))

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

/** The honeypot: without a tab stop, a name that autofill knows or a role for assistive technology. */
export function makeTrap(): HTMLInputElement {
  const trap = make('input', { tabindex: '-1', 'aria-hidden': 'true', autocomplete: 'off' })
  // Set as a property, which no policy of the page forbids; important, so that no style sheet shows it.
  // Fixed, so that the page does not get wider.
  trap.style.cssText = 'clip-path:inset(50%)!important;left:0!important;width:1px!important;position:fixed!important'
  return trap
}
