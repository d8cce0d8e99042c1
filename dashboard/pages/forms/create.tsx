// Creates a form: its name, whether its fields are built here, and what a built one begins with.
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { createForm, type FormKind } from '../../api/forms.ts'
import { RadioGroup, Select, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { rethrowSpoken } from '../../field-errors.ts'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { type TemplateId, templateIds, templateOf } from './templates.ts'

interface NewForm {
  readonly name: string
  readonly kind: FormKind
  readonly template: TemplateId
}

const templates = text.create.templates
const first: NewForm = { name: templates.names.contact, kind: 'managed', template: 'contact' }

/** The name follows the template until it is one of its own. */
const withTemplate = ({ name, template }: NewForm, next: TemplateId): Partial<NewForm> => ({
  template: next,
  ...((name.trim() === '' || name === templates.names[template]) && { name: templates.names[next] }),
})

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useForm<NewForm>(first, async (asked) => {
    const { name, kind, template } = asked
    const more = kind === 'managed' ? templateOf(template) : { is_published: true }
    const always = { creates_contacts: true, branding: false }
    const { form: made } = await createForm(property.id, { name, kind, ...always, ...more }).catch(rethrowSpoken)
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
      {form.values.kind === 'managed' && (
        <Select
          label={templates.label}
          hint={templates.hints[form.values.template]}
          value={form.values.template}
          onChange={(template) => form.set(withTemplate(form.values, template as TemplateId))}
          options={templateIds.map((id) => ({ value: id, label: templates.names[id] }))}
        />
      )}
    </FormDialog>
  )
}
