// Draws managed forms as their owner defined them. In a shadow root: their styles and the page's do not
// affect each other.
import { isMarked } from './form/mark.ts'
import { make } from './managed/draw.ts'
import { drawSteps, takeSteps } from './managed/steps.ts'
import { css, dress } from './managed/theme.ts'

/** One field of `form_blueprint` (docs/api/forms.md). */
export interface BlueprintField {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly placeholder: string | null
  readonly help: string | null
  readonly value: string | null
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly autocomplete: string | null
  readonly rows: number | null
  readonly width: string
  readonly required: boolean
  readonly rules: Readonly<Record<string, string | null>>
  /** Of the type `file` alone. */
  readonly file?: { readonly types: readonly string[]; readonly max_count: number }
  /** Title of the step that begins with this field. */
  readonly step?: string
}

/** On the buttons of forms with steps, in the visitor's language; left out in English. */
export interface ManagedTexts {
  readonly next?: string
  readonly back?: string
}

export interface Blueprint {
  readonly fields: readonly BlueprintField[]
  readonly button: { readonly label: string; readonly busy_label: string }
  readonly header: { readonly title: string; readonly text: string | null } | null
  readonly footer: { readonly text: string } | null
  readonly theme: {
    readonly accent: string | null
    readonly radius_px: number
    readonly font: string
    readonly density: string
  }
  readonly form_type: string
  readonly website_theme: string
}

/** The result of `createForms` of `./form`. */
export interface FormsPart {
  bind(form: HTMLFormElement, key: string, opened: object): void
  init(key: string): Promise<object | null>
}

interface Opened {
  readonly message: string | null
  readonly form_blueprint?: Blueprint
  readonly texts?: ManagedTexts
}

/** In a dialog behind a button, where the browser supports dialogs. */
function behindButton(form: HTMLFormElement, title: string): HTMLElement[] {
  const close = make('button', { type: 'button', className: 'close', textContent: '×' })
  close.setAttribute('aria-label', 'Close')
  const dialog = make('dialog', {}, close, form)
  if (!dialog.showModal) return [form]
  dialog.setAttribute('aria-label', title)
  close.addEventListener('click', () => dialog.close())
  const open = make('button', { type: 'button', textContent: title })
  open.addEventListener('click', () => dialog.showModal())
  return [open, dialog]
}

/** The page's policy may only allow styles that a script constructs. */
function addStyles(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  } catch {
    root.append(make('style', {}, css))
  }
}

/**
 * Replaces the content of `host`. The form listens to `footfall:invalid`, as filling.js tells it: the step of
 * the first fault is shown. @returns the form, not bound yet.
 */
export function draw(host: Element, blueprint: Blueprint, texts: ManagedTexts = {}): HTMLFormElement {
  const { fields, button, header, footer, form_type } = blueprint
  const title = header ? header.title : button.label
  const send = make('button', {}, button.label)
  const form = make(
    'form',
    { noValidate: true },
    header && make('h2', {}, title),
    header && header.text && make('p', {}, header.text),
    ...drawSteps(fields),
    send,
    footer && make('p', {}, footer.text),
  )
  form.setAttribute('aria-label', title)
  const labelOf = takeSteps(form, send, texts, button.label)
  new MutationObserver(() => {
    send.textContent = form.getAttribute('aria-busy') === 'true' ? button.busy_label : labelOf()
  }).observe(form, { attributeFilter: ['aria-busy'] })
  const box = make('div', {}, ...(form_type === 'popup' ? behindButton(form, title) : [form]))
  dress(box, blueprint)
  const root = host.attachShadow({ mode: 'open' })
  addStyles(root)
  root.append(box)
  return form
}

/**
 * Draws a managed form into an element once it is near the viewport. @param key of the form; '' for
 * `data-footfall-form`.
 */
export function render(forms: FormsPart, element: HTMLElement, key: string): void {
  if (isMarked(element)) return
  const show = async (): Promise<void> => {
    const named = key || (element.dataset['footfallForm'] as string)
    const opened = (await forms.init(named)) as Opened | null
    // The previous content stays.
    if (!opened || !opened.form_blueprint) return console.warn(`Footfall: ${opened && opened.message}`, element)
    forms.bind(draw(element, opened.form_blueprint, opened.texts), named, opened)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      // For example, the element cannot have a shadow root: the previous content stays.
      show().catch((error) => console.warn(`Footfall: ${error}`, element))
    },
    { rootMargin: '300px' },
  )
  observer.observe(element)
}

/** Does so for all present and future elements with `data-footfall-form`. */
export function watchManaged(forms: FormsPart): void {
  const find = (): void =>
    document.querySelectorAll<HTMLElement>('[data-footfall-form]').forEach((element) => render(forms, element, ''))
  find()
  new MutationObserver(find).observe(document, { childList: true, subtree: true })
}
