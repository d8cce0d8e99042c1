// Whether submissions make contacts, and which fields say who somebody is.
import { useMutation } from '@tanstack/react-query'
import { type LeadPart, leadParts } from '../../../server/forms/lead-parts.ts'
import { applyToEarlier, type OwnForm } from '../../api/forms.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Checkbox, Select, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { useProperty } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { useFormChange } from './change.ts'
import styles from './forms.module.css'

/** `auto`: found by type, autofill and name; in the select, where a name cannot be: it has a blank. */
const AUTO = ' auto'

type Values = Readonly<Record<LeadPart, string>> & { readonly creates_contacts: boolean }

function valuesOf({ creates_contacts, contact_fields, kind }: OwnForm): Values {
  const unsaid = kind === 'managed' ? AUTO : ''
  const parts = leadParts.map((part) => [part, contact_fields[part] ?? unsaid] as const)
  return { ...(Object.fromEntries(parts) as Record<LeadPart, string>), creates_contacts }
}

/** Of an open form nobody knows the fields: an empty name means that they are found. */
function writtenFields(values: Values, kind: OwnForm['kind']): Partial<Record<LeadPart, string>> {
  const unsaid = kind === 'managed' ? AUTO : ''
  return Object.fromEntries(leadParts.flatMap((part) => (values[part] === unsaid ? [] : [[part, values[part]]])))
}

export function LeadSettings({ form }: { form: OwnForm }) {
  return (
    <Panel title={text.leads.title} subtitle={text.leads.subtitle}>
      <LeadForm key={form.id} form={form} />
    </Panel>
  )
}

function LeadForm({ form }: { form: OwnForm }) {
  const change = useFormChange(form)
  const state = useForm<Values>(valuesOf(form), async (values, { settle }) => {
    const { creates_contacts } = values
    const contact_fields = writtenFields(values, form.kind)
    const saved = await change({ creates_contacts, contact_fields }).catch(rethrowSpoken)
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  const { creates_contacts } = state.values
  return (
    <SaveForm form={state} label={text.settings.save} isPrimary more={form.creates_contacts && <Earlier form={form} />}>
      <Checkbox
        label={text.leads.creates}
        hint={text.leads.createsHint}
        isOn={creates_contacts}
        onChange={(isOn) => state.set({ creates_contacts: isOn })}
        errors={state.errorsOf('creates_contacts')}
      />
      {creates_contacts && (
        <div className={styles.leadFields}>
          {leadParts.map((part) => (
            <PartField
              key={part}
              form={form}
              part={part}
              value={state.values[part]}
              onChange={(value) => state.set({ [part]: value })}
              errors={state.errorsOf(`contact_fields.${part}`)}
            />
          ))}
        </div>
      )}
    </SaveForm>
  )
}

interface PartFieldProps {
  readonly form: OwnForm
  readonly part: LeadPart
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errors: readonly string[]
}

function PartField({ form, part, value, onChange, errors }: PartFieldProps) {
  const label = text.leads.parts[part]
  if (form.kind === 'open')
    return <TextField label={label} placeholder={text.leads.auto} value={value} onChange={onChange} errors={errors} />
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      errors={errors}
      options={[
        { value: AUTO, label: text.leads.auto },
        { value: '', label: text.leads.none },
        ...form.fields.map((field) => ({ value: field.name, label: field.label })),
      ]}
    />
  )
}

function Earlier({ form }: { form: OwnForm }) {
  const property = useProperty()
  const apply = useMutation({
    mutationFn: () => applyToEarlier(property.id, form.id),
    onSuccess: ({ submissions }) => toast(text.leads.applied(number(submissions), submissions)),
  })
  return (
    <Button look="quiet" isBusy={apply.isPending} onClick={() => apply.mutate()}>
      {text.leads.apply}
    </Button>
  )
}
