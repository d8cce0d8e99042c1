// Creates a form: its name, and whether its fields are built here. A built one begins as a small contact
// form.
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { createForm, type FormField, type FormKind } from '../../api/forms.ts'
import { RadioGroup, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { rethrowSpoken } from '../../field-errors.ts'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { newField, writeDraft, readDraft, type FieldDraft, type RuleDraft } from './draft.ts'

const { starter } = text.create

const required: RuleDraft = { name: 'required', parameter: '', message: '' }

function starterFields(): FieldDraft[] {
  const written: readonly [FormField['type'], string, Partial<FieldDraft>][] = [
    ['text', starter.name, { autocomplete: 'name' }],
    ['email', starter.email, { autocomplete: 'email', rules: [required] }],
    ['textarea', starter.message, { rules: [required] }],
  ]
  const fields: FieldDraft[] = []
  for (const [type, label, more] of written) fields.push({ ...newField(type, label, fields), ...more })
  return fields
}

/** The fields and rules of the starter as the service takes them. */
function starterDefinition() {
  const draft = readDraft({
    fields: [],
    validation: {},
    success_html: '',
    branding: true,
    button: { label: '', busy_label: '' },
    header: null,
    footer: null,
    theme: { accent: null, radius_px: 6, font: 'inherit', density: 'regular' },
    form_type: 'inline',
    website_theme: 'auto',
  })
  const { fields, validation } = writeDraft({ ...draft, fields: starterFields() })
  return { fields, validation }
}

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useForm<{ name: string; kind: FormKind }>({ name: '', kind: 'managed' }, async ({ name, kind }) => {
    const more = kind === 'managed' ? starterDefinition() : { is_published: true }
    const { form: made } = await createForm(property.id, { name, kind, creates_contacts: true, ...more }).catch(
      rethrowSpoken,
    )
    await client.invalidateQueries({ queryKey: ['forms', property.id] })
    navigate(path(`/forms/${made.id}/${kind === 'managed' ? 'build' : 'embed'}`), { replace: true })
  })
  return (
    <FormDialog form={form} action={text.create.submit} title={text.create.title} onClose={onClose}>
      <TextField label={text.create.name} hint={text.create.nameHint} maxLength={120} {...form.field('name')} />
      <RadioGroup<FormKind>
        label={text.create.kind}
        value={form.values.kind}
        onChange={(kind) => form.set({ kind })}
        errors={form.errorsOf('kind')}
        options={[
          { value: 'managed', label: text.kinds.managed, hint: text.kinds.managedHint },
          { value: 'open', label: text.kinds.open, hint: text.kinds.openHint },
        ]}
      />
    </FormDialog>
  )
}
