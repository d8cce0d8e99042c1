// What a new form begins with. Each is a draft as the editor has it, written as the service takes it.
import type { FormChange } from '../../api/forms.ts'
import { forms as text } from '../../texts/index.ts'
import { type FieldDraft, readDraft, type RuleDraft, writeDraft } from './draft.ts'
import { newField, newStep } from './field-changes.ts'

const { templates: words } = text.create
const { fields: labels, steps, buttons } = words

export type TemplateId = keyof typeof words.names
export const templateIds = Object.keys(words.names) as TemplateId[]

const required: RuleDraft = { name: 'required', parameter: '', message: '' }
const needed = { rules: [required] } as const
const agreed = { rules: [{ ...required, name: 'accepted' }] } as const
const optionsOf = (shown: readonly string[]) => ({ options: shown.map((label) => ({ value: label, label })) })

type Row = readonly [type: FieldDraft['type'], label: string, more?: Partial<FieldDraft>]

const name: Row = ['text', labels.name, { autocomplete: 'name' }]
const email: Row = ['email', labels.email, { autocomplete: 'email', ...needed }]
const message: Row = ['textarea', labels.message, needed]
const pdf = { types: ['application/pdf'], max_bytes: 10 * 1024 * 1024, max_count: 1 } as const

const rows: Readonly<Record<TemplateId, readonly Row[]>> = {
  contact: [name, email, message],
  newsletter: [email, ['checkbox', labels.consent, { name: 'consent', hasOwnName: true, ...agreed }]],
  quote: [
    ['step', steps.project],
    ['radio', labels.service, { ...optionsOf(labels.services), ...needed }],
    ['textarea', labels.project],
    ['step', steps.budget],
    ['select', labels.budget, optionsOf(labels.budgets)],
    ['date', labels.start],
    ['step', steps.you],
    ['text', labels.name, { autocomplete: 'name', isHalf: true, ...needed }],
    ['text', labels.company, { autocomplete: 'organization', isHalf: true }],
    ['email', labels.email, { autocomplete: 'email', isHalf: true, ...needed }],
    ['tel', labels.phone, { autocomplete: 'tel', isHalf: true }],
  ],
  feedback: [
    ['radio', labels.rating, { ...optionsOf(labels.ratings), ...needed }],
    ['textarea', labels.improve],
    ['email', labels.emailOptional, { name: 'email', hasOwnName: true, autocomplete: 'email' }],
  ],
  event: [
    ['text', labels.name, { autocomplete: 'name', ...needed }],
    email,
    ['number', labels.guests, { value: '1', rules: [required, { name: 'min', parameter: '1', message: '' }] }],
    ['textarea', labels.note],
  ],
  job: [
    ['text', labels.name, { autocomplete: 'name', ...needed }],
    email,
    ['text', labels.position],
    ['file', labels.cv, { name: 'cv', hasOwnName: true, file: pdf, ...needed }],
    ['textarea', labels.letter],
  ],
  blank: [],
}

const emptyDraft = () =>
  readDraft({
    fields: [],
    validation: {},
    success_html: '',
    branding: false,
    button: { label: '', busy_label: '' },
    header: null,
    footer: null,
    theme: { accent: null, radius_px: 6, font: 'inherit', density: 'regular' },
    form_type: 'inline',
    website_theme: 'auto',
  })

/** The members of a new form; what a template does not say is as the service has it. */
export function templateOf(id: TemplateId): FormChange {
  const drafts: FieldDraft[] = []
  for (const [type, label, more] of rows[id])
    drafts.push(type === 'step' ? newStep(label) : { ...newField(type, label, drafts), ...more })
  const { fields, validation } = writeDraft({ ...emptyDraft(), fields: drafts })
  const button = (buttons as Readonly<Partial<Record<TemplateId, string>>>)[id]
  return { fields, validation, ...(button !== undefined && { button: { label: button, busy_label: '' } }) }
}
