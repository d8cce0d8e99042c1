// A contact is changed: its texts, its stage and state, its custom fields. Only what differs is sent.
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import {
  type Contact,
  type ContactChange,
  type ContactText,
  type MetaValue,
  updateContact,
} from '../../api/contacts.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { FieldError } from '../../parts/field.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState, useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty } from '../../session.tsx'
import { common, contacts as text } from '../../texts/index.ts'
import { contactRows, contactTexts, inputOf } from './fields.ts'
import styles from './contact.module.css'

interface MetaField {
  readonly key: string
  readonly written: string
  /** As it is stored: kept, with its type, while nobody writes something else. */
  readonly value: MetaValue
}

interface Values extends Record<ContactText, string> {
  lifecycle_stage: string
  isUnsubscribed: boolean
  meta: readonly MetaField[]
}

const written = (value: MetaValue): string => (value === null ? '' : String(value))

function valuesOf(contact: Contact): Values {
  const texts = Object.fromEntries(contactTexts.map((field) => [field, contact[field] ?? '']))
  return {
    ...(texts as Record<ContactText, string>),
    lifecycle_stage: contact.lifecycle_stage,
    isUnsubscribed: contact.state === 'unsubscribed',
    meta: contact.meta.map(({ key, value }) => ({ key, value, written: written(value) })),
  }
}

/** What was true stays true, and what was a number stays one while a number is written. */
function metaValue({ value, written: now }: MetaField): MetaValue {
  if (now === written(value)) return value
  if (typeof value === 'number' && now.trim() !== '' && Number.isFinite(Number(now))) return Number(now)
  if (typeof value === 'boolean' && (now === 'true' || now === 'false')) return now === 'true'
  return now
}

function changeOf({ lifecycle_stage, isUnsubscribed, meta, ...others }: Partial<Values>): ContactChange {
  const texts = Object.entries(others).map(([field, now]) => [field, now === '' ? null : now] as const)
  const given = meta?.filter(({ key }) => key.trim() !== '')
  return {
    ...Object.fromEntries(texts),
    ...(lifecycle_stage !== undefined && { lifecycle_stage }),
    ...(isUnsubscribed !== undefined && { state: isUnsubscribed ? 'unsubscribed' : 'active' }),
    ...(given && { meta: given.map((field) => ({ key: field.key.trim(), value: metaValue(field) })) }),
  }
}

export function EditDrawer({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const property = useProperty()
  const queryClient = useQueryClient()
  const form = useForm<Values>(valuesOf(contact), async (_values, { changed, hasMore }) => {
    const answer = await updateContact(property.id, contact.id, changeOf(changed))
    queryClient.setQueryData(['contact', property.id, contact.id], answer)
    void queryClient.invalidateQueries({ queryKey: ['contacts', property.id] })
    toast(text.edit.saved)
    if (!hasMore()) onClose()
  })
  return (
    <FormDialog
      form={form}
      action={common.actions.save}
      isOff={!form.isChanged}
      side
      title={text.edit.title}
      onClose={onClose}
    >
      <Texts form={form} />
      <TextField {...form.field('lifecycle_stage')} label={text.one.stage} hint={text.edit.stageHint} />
      <Checkbox
        label={text.edit.unsubscribed}
        hint={text.edit.unsubscribedHint}
        isOn={form.values.isUnsubscribed}
        onChange={(isUnsubscribed) => form.set({ isUnsubscribed })}
      />
      <MetaFields form={form} />
    </FormDialog>
  )
}

function Texts({ form }: { form: FormState<Values> }) {
  const fieldOf = (name: ContactText) => (
    <TextField
      key={name}
      {...form.field(name)}
      {...inputOf(name)}
      label={text.one.fields[name]}
      autoComplete="off"
      hint={name === 'external_id' ? text.edit.externalIdHint : undefined}
    />
  )
  return contactRows.map((row) =>
    row.length === 1 ? row.map(fieldOf) : <FormRow key={row[0]}>{row.map(fieldOf)}</FormRow>,
  )
}

function MetaFields({ form }: { form: FormState<Values> }) {
  const { meta } = form.values
  const setOne = (at: number, patch: Partial<MetaField>): void =>
    form.set({ meta: meta.map((field, index) => (index === at ? { ...field, ...patch } : field)) })
  return (
    <fieldset className={styles.metaFields}>
      <legend>
        <h3>{text.edit.custom}</h3>
      </legend>
      {meta.map((field, index) => (
        <div key={index} className={styles.row}>
          <TextField
            label={text.edit.keyOf(index + 1)}
            hidesLabel
            placeholder={text.edit.key}
            value={field.key}
            onChange={(key) => setOne(index, { key })}
          />
          <TextField
            label={text.edit.valueOf(index + 1)}
            hidesLabel
            placeholder={text.edit.value}
            value={field.written}
            onChange={(now) => setOne(index, { written: now })}
          />
          <IconButton
            label={text.edit.removeField(field.key)}
            icon={<Trash2 />}
            onClick={() => form.set({ meta: meta.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <FieldError label={text.edit.custom} errors={form.errorsOf('meta')} />
      <div>
        <Button
          size="small"
          icon={<Plus />}
          onClick={() => form.set({ meta: [...meta, { key: '', written: '', value: '' }] })}
        >
          {text.edit.addField}
        </Button>
      </div>
    </fieldset>
  )
}
