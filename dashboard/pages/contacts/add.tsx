// A contact that is added by hand: what is known of them, an email at least.
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { addContact, type ContactText } from '../../api/contacts.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState, useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import { contactTexts, inputOf } from './fields.ts'

type Values = Record<ContactText, string>

const nothing = Object.fromEntries(contactTexts.map((field) => [field, ''])) as Values

const rows: readonly (readonly ContactText[])[] = [
  ['first_name', 'last_name'],
  ['email', 'phone'],
  ['company', 'job_title'],
]

export function AddDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useForm<Values>(nothing, async (values) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, written]) => written.trim() !== ''))
    const { contact } = await addContact(property.id, given).catch(rethrowSpoken)
    await client.invalidateQueries({ queryKey: ['contacts', property.id] })
    navigate(path(`/contacts/${contact.id}`))
  })
  return (
    <FormDialog
      form={form}
      action={text.add.action}
      isOff={form.values.email.trim() === ''}
      title={text.add.title}
      onClose={onClose}
    >
      {rows.map((row) => (
        <FormRow key={row[0]}>
          {row.map((name) => (
            <TextOf key={name} form={form} name={name} />
          ))}
        </FormRow>
      ))}
    </FormDialog>
  )
}

const TextOf = ({ form, name }: { form: FormState<Values>; name: ContactText }) => (
  <TextField {...form.field(name)} {...inputOf(name)} label={text.one.fields[name]} autoComplete="off" />
)
