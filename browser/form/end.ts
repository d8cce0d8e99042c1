// What is put on the page around a form, and told to it.

/** @returns false when the page says that it does the rest itself (preventDefault). */
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

/** The honeypot: it has no tab stop and nothing that autofill knows, and is nothing to assistive technology. */
export function makeTrap(): HTMLInputElement {
  const trap = make('input', { tabindex: '-1', 'aria-hidden': 'true', autocomplete: 'off' })
  // As a property, which no policy of the page forbids; important, so that no style sheet shows it. On the page, so that it gets no wider.
  trap.style.cssText = 'clip-path:inset(50%)!important;left:0!important;width:1px!important;position:fixed!important'
  return trap
}
