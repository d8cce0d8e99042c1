// HTML forms of a page, sent through the service. Nothing here throws at the page, and a form that cannot be sent through the service is left to go
// where it would have gone.
import { openFilling } from './filling.ts'
import { openForms } from './form/forms.ts'

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
export const createForms = (options: FormsOptions): Forms => openForms(options, async () => openFilling)
