// A managed form while its owner edits it: stored values turned into what the editor's controls hold, and
// back.
import type { FieldOption, FormField, OwnForm, Presentation, Validation } from '../../api/forms.ts'
import type { Blueprint, BlueprintField } from '../../../browser/managed.ts'

export interface RuleDraft {
  readonly name: string
  readonly parameter: string
  /** '': the service's own words. */
  readonly message: string
}

export interface FieldDraft {
  /** Of this draft alone; names change while they are typed. */
  readonly uid: string
  /** `step`: no field, but the place in the list where a step begins. */
  readonly type: FormField['type'] | 'step'
  readonly label: string
  readonly name: string
  /** While false the name follows the label. */
  readonly hasOwnName: boolean
  readonly placeholder: string
  readonly help: string
  readonly value: string
  readonly options: readonly FieldOption[]
  readonly autocomplete: string
  readonly rows: number | null
  readonly isHalf: boolean
  /** Which files a field of the type `file` takes; undefined: the default. */
  readonly file?: FormField['file']
  /** All of them in order, `required` and `accepted` among them. */
  readonly rules: readonly RuleDraft[]
  /** The form names the field among its rules, with none: kept so that saving changes nothing. */
  readonly hasNoRules: boolean
}

export interface FormDraft {
  readonly fields: readonly FieldDraft[]
  readonly hasHeader: boolean
  readonly headerTitle: string
  readonly headerText: string
  readonly footerText: string
  readonly buttonLabel: string
  readonly busyLabel: string
  readonly hasAccent: boolean
  readonly accent: string
  readonly radius: number | null
  readonly font: string
  readonly density: string
  readonly formType: string
  readonly websiteTheme: string
  readonly successHtml: string
  readonly branding: boolean
}

/** What a draft is made from and saved as. */
export type Definition = Pick<OwnForm, 'fields' | 'validation' | 'success_html' | 'branding'> & Presentation

const DEFAULT_ACCENT = '#2d5bd7'

/** Rules that take something in brackets. */
export const parameterKinds: Readonly<Record<string, 'number' | 'text' | 'field'>> = {
  min: 'number',
  max: 'number',
  min_length: 'number',
  max_length: 'number',
  in: 'text',
  regex: 'text',
  matches: 'field',
}

/** What can be asked of an answer beyond that there is one. */
export const ruleNames = [
  'min_length',
  'max_length',
  'min',
  'max',
  'numeric',
  'integer',
  'email',
  'url',
  'phone',
  'date',
  'in',
  'matches',
  'regex',
] as const

export const hasOptions = (type: string): boolean => /^(?:select|radio|checkbox)/.test(type)
/** One box to be ticked. */
export const isSingleBox = ({ type, options }: Pick<FieldDraft, 'type' | 'options'>): boolean =>
  type === 'checkbox' && options.length === 0

export const isStep = ({ type }: Pick<FieldDraft, 'type'>): boolean => type === 'step'

// ---------------------------------------------------------------- required

const isNeeded = ({ name }: RuleDraft): boolean => name === 'required' || name === 'accepted'
const neededName = (field: Pick<FieldDraft, 'type' | 'options'>): string =>
  isSingleBox(field) ? 'accepted' : 'required'

/** The rule that requires an answer, under either of its two names; undefined when no answer is required. */
export const neededRule = ({ rules }: Pick<FieldDraft, 'rules'>): RuleDraft | undefined => rules.find(isNeeded)

export function withNeeded(field: FieldDraft, isAsked: boolean): RuleDraft[] {
  const others = field.rules.filter((rule) => !isNeeded(rule))
  return isAsked ? [{ name: neededName(field), parameter: '', message: '' }, ...others] : others
}

export const withNeededMessage = (field: FieldDraft, message: string): RuleDraft[] => {
  const needed = neededRule(field)
  return field.rules.map((rule) => (rule === needed ? { ...rule, message } : rule))
}

/** A checkbox must be accepted, any other field required: the rule changes with the type of the field. */
export function withNeededName(field: FieldDraft): FieldDraft {
  const needed = neededRule(field)
  if (!needed) return field
  return { ...field, rules: [{ ...needed, name: neededName(field) }, ...field.rules.filter((rule) => !isNeeded(rule))] }
}

// ---------------------------------------------------------------- read

function readRule(written: string, message: string | null): RuleDraft {
  const [, name = written, parameter = ''] = /^([a-z_]+)(?:\[(.*)\])?$/s.exec(written) ?? []
  return { name, parameter, message: message ?? '' }
}

let made = 0
export const newUid = (): string => `f${(made += 1)}`

type Listed = Omit<FormField, 'type' | 'step'> & Pick<FieldDraft, 'type'>

/** As the list shows them: a step before the field that begins it. The name of a step is no field's. */
const listedOf = (fields: readonly FormField[]): Listed[] =>
  fields.flatMap(({ step, ...field }): Listed[] => {
    if (step === undefined) return [field]
    const plain = { placeholder: null, help: null, value: null, options: [], autocomplete: null, rows: null } as const
    return [{ type: 'step', name: `step ${field.name}`, label: step, width: 'full', ...plain }, field]
  })

function readField(field: Listed, validation: Validation, uid: string): FieldDraft {
  const given = Object.hasOwn(validation, field.name) ? validation[field.name] : undefined
  const rules = Object.entries(given ?? {})
  return {
    uid,
    type: field.type,
    label: field.label,
    name: field.name,
    hasOwnName: true,
    placeholder: field.placeholder ?? '',
    help: field.help ?? '',
    value: field.value ?? '',
    options: field.options,
    autocomplete: field.autocomplete ?? '',
    rows: field.rows,
    isHalf: field.width === 'half',
    ...(field.file && { file: field.file }),
    rules: rules.map(([written, message]) => readRule(written, message)),
    hasNoRules: given !== undefined && rules.length === 0,
  }
}

/** @param uidOf what a field is already known by in the editor. */
export function readDraft(
  form: Definition,
  uidOf: (field: Pick<Listed, 'name'>, index: number) => string | undefined = () => undefined,
): FormDraft {
  const { header, footer, button, theme } = form
  return {
    fields: listedOf(form.fields).map((field, index) =>
      readField(field, form.validation, uidOf(field, index) ?? newUid()),
    ),
    hasHeader: header !== null,
    headerTitle: header?.title ?? '',
    headerText: header?.text ?? '',
    footerText: footer?.text ?? '',
    buttonLabel: button.label,
    busyLabel: button.busy_label,
    hasAccent: theme.accent !== null,
    accent: theme.accent ?? DEFAULT_ACCENT,
    radius: theme.radius_px,
    font: theme.font,
    density: theme.density,
    formType: form.form_type,
    websiteTheme: form.website_theme,
    successHtml: form.success_html,
    branding: form.branding,
  }
}

// ---------------------------------------------------------------- written

/** Blanks around a number mean nothing; in a pattern and in a list of values they may. */
function writeRule({ name, parameter }: RuleDraft): string {
  const kind = parameterKinds[name]
  if (kind === undefined) return name
  return `${name}[${kind === 'number' ? parameter.trim() : parameter}]`
}

const textOr = (text: string): string | null => (text.trim() === '' ? null : text)

/** The rules of a field as the service takes them. */
export const rulesOf = ({ rules }: Pick<FieldDraft, 'rules'>): Record<string, string | null> =>
  Object.fromEntries(rules.map((rule) => [writeRule(rule), textOr(rule.message)]))

/** Where the service names the fault of one rule. */
export const rulePath = (field: FieldDraft, rule: RuleDraft): string => `validation.${field.name}.${writeRule(rule)}`

/** Without steps that hold no field: these are not saved. */
export const savedOf = (fields: readonly FieldDraft[]): FieldDraft[] =>
  fields.filter((field, at) => {
    const next = fields[at + 1]
    return !isStep(field) || (field.label.trim() !== '' && next !== undefined && !isStep(next))
  })

/** Without the beginnings of steps. */
export const fieldsOf = (fields: readonly FieldDraft[]): FieldDraft[] => fields.filter((field) => !isStep(field))

/** The title of the step that begins with a field. */
function stepOf(fields: readonly FieldDraft[], field: FieldDraft): Pick<FormField, 'step'> {
  const before = fields[fields.indexOf(field) - 1]
  const step = before && isStep(before) ? before.label.trim() : ''
  return step === '' ? {} : { step }
}

const writeField = (field: FieldDraft, fields: readonly FieldDraft[]): FormField => ({
  name: field.name,
  type: field.type as FormField['type'],
  label: field.label.trim() || field.name,
  placeholder: textOr(field.placeholder),
  help: textOr(field.help),
  value: textOr(field.value),
  options: hasOptions(field.type) ? field.options : [],
  autocomplete: textOr(field.autocomplete),
  rows: field.rows,
  width: field.isHalf ? 'half' : 'full',
  ...(field.type === 'file' && field.file && { file: field.file }),
  ...stepOf(fields, field),
})

type Chosen = Presentation['theme'] & Pick<Presentation, 'form_type' | 'website_theme'>

export function writeDraft(draft: FormDraft): Definition {
  const ruled = draft.fields.filter(({ rules, hasNoRules }) => hasNoRules || rules.length > 0)
  return {
    fields: fieldsOf(draft.fields).map((field) => writeField(field, draft.fields)),
    validation: Object.fromEntries(ruled.map((field) => [field.name, rulesOf(field)])),
    button: { label: draft.buttonLabel, busy_label: draft.busyLabel },
    header: draft.hasHeader ? { title: draft.headerTitle, text: textOr(draft.headerText) } : null,
    footer: draft.footerText.trim() === '' ? null : { text: draft.footerText },
    theme: {
      accent: draft.hasAccent ? draft.accent : null,
      radius_px: draft.radius ?? 6,
      font: draft.font as Chosen['font'],
      density: draft.density as Chosen['density'],
    },
    form_type: draft.formType as Chosen['form_type'],
    website_theme: draft.websiteTheme as Chosen['website_theme'],
    success_html: draft.successHtml,
    branding: draft.branding,
  }
}

/** What a page would draw of it. */
export function blueprintOf(draft: FormDraft): Blueprint {
  const { fields, ...definition } = writeDraft(draft)
  const all = fieldsOf(draft.fields)
  const shown = fields.map((field, index): BlueprintField => {
    const drafted = all[index]
    return {
      ...field,
      required: drafted !== undefined && neededRule(drafted) !== undefined,
      rules: drafted ? rulesOf(drafted) : {},
    }
  })
  return { ...definition, fields: shown }
}
