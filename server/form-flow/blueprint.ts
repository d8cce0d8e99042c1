// What the page draws for a managed form: `form_blueprint` of init (docs/api/forms.md). It is public, and
// never trusted later.
import type { Form, FormField, Presentation, Rules, Validation } from '../forms/form-model.ts'
import { parseRule } from '../forms/rule-table.ts'
import { rulesOf } from '../forms/rules.ts'

export interface BlueprintField extends FormField {
  readonly required: boolean
  /**
   * Including the rules that its type implies; that answers are among the options is obvious from the
   * options.
   */
  readonly rules: Rules
}

export interface Blueprint extends Presentation {
  readonly fields: readonly BlueprintField[]
}

function shownField(field: FormField, validation: Validation): BlueprintField {
  const rules = Object.entries(rulesOf(field, validation)).map(([text, message]) => ({
    text,
    message,
    rule: parseRule(text),
  }))
  const isImplied = (name: string | undefined, message: string | null) => name === 'in' && message === null
  const shown = rules.filter(({ rule, message }) => field.options.length === 0 || !isImplied(rule?.name, message))
  return {
    ...field,
    required: rules.some(({ rule }) => rule?.name === 'required' || rule?.name === 'accepted'),
    rules: Object.fromEntries(shown.map(({ text, message }) => [text, message])),
  }
}

export const blueprintOf = ({ fields, validation, presentation }: Form): Blueprint => ({
  fields: fields.map((field) => shownField(field, validation)),
  button: presentation.button,
  header: presentation.header,
  footer: presentation.footer,
  theme: presentation.theme,
  form_type: presentation.form_type,
  website_theme: presentation.website_theme,
})
