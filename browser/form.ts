// Sends HTML forms of a page through the service. Nothing here throws at the page, and a form that cannot be
// sent through the service is submitted as usual.
import { openFilling } from './filling.ts'
import { openForms } from './form/forms.ts'

export interface FormsOptions {
  /** URL of the service without a trailing slash, `https://stats.example.com`. */
  readonly base: string
  /** The key of the property: for reporting errors in here. */
  readonly key?: string | undefined
  /** The id of the visitor's session, which connects submissions with the visit: `() => signals.session`. */
  readonly session: () => string | null | undefined
}

export interface Forms {
  /**
   * Sends a form of the page through the service. @param key of the form; '' for `data-footfall`. @param
   * opened answer of `init`, for a managed form.
   */
  bind(form: HTMLFormElement, key: string, opened?: object): void
  /** Opens a managed form. @returns the answer of `init`; null when there is none. */
  init(key: string): Promise<object | null>
  /**
   * Binds all present and future forms with `data-footfall`. @param draw called when there is a managed form,
   * `data-footfall-form`.
   */
  watch(draw?: (forms: Forms) => void): void
}

/** Once per page and service. */
export const createForms = (options: FormsOptions): Forms => openForms(options, async () => openFilling)
