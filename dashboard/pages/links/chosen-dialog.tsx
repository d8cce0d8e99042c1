// Asks what is to be changed of the links that are chosen.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { type LinksChange, listLinkTags, utmNames } from '../../api/links.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { tsOfFields } from '../../format.ts'
import { Select, TextField } from '../../parts/fields.tsx'
import { type FormState, useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import type { Asked } from './chosen-bar.tsx'
import { useGroups } from './links.ts'
import styles from './links.module.css'
import { tagsIn } from './tags.ts'

const words = text.edits

const noUtm = { utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' }
const first = { add_tags: '', remove_tags: '', group_id: '', ends_ts: '', ...noUtm }
type Values = typeof first
type Form = FormState<Values>

/** What is left empty stays as it is; an expiry that is left empty is taken away. */
const changes: Readonly<Record<Asked, (values: Values) => LinksChange>> = {
  tags: ({ add_tags, remove_tags }) => ({ add_tags: tagsIn(add_tags), remove_tags: tagsIn(remove_tags) }),
  group: ({ group_id }) => ({ group_id }),
  utm: (values) => ({
    utm: Object.fromEntries(utmNames.filter((name) => values[name] !== '').map((name) => [name, values[name]])),
  }),
  expiry: ({ ends_ts }) => ({ ends_ts: ends_ts === '' ? null : (tsOfFields(ends_ts) ?? null) }),
}

const fields: Readonly<Record<Asked, (props: { form: Form }) => ReactNode>> = {
  tags: TagFields,
  group: GroupField,
  utm: UtmFields,
  expiry: ExpiryField,
}

export interface ChosenDialogProps {
  readonly asked: Asked
  readonly title: string
  readonly onSave: (change: LinksChange) => Promise<void>
  readonly onClose: () => void
}

export default function ChosenDialog({ asked, title, onSave, onClose }: ChosenDialogProps) {
  const form = useForm(first, async (values) => {
    await onSave(changes[asked](values)).catch(rethrowSpoken)
    onClose()
  })
  const Fields = fields[asked]
  return (
    <FormDialog form={form} action={words.save} title={title} onClose={onClose} size="small">
      <Fields form={form} />
    </FormDialog>
  )
}

function TagFields({ form }: { form: Form }) {
  const property = useProperty()
  const id = useId()
  const tags = useQuery({
    queryKey: ['link-tags', property.id],
    queryFn: ({ signal }) => listLinkTags(property.id, signal),
  })
  return (
    <>
      <TextField label={words.addTags} hint={words.tagsHint} list={id} {...form.field('add_tags')} />
      <TextField label={words.removeTags} list={id} {...form.field('remove_tags')} />
      <datalist id={id}>
        {tags.data?.tags.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

function GroupField({ form }: { form: Form }) {
  const groups = useGroups().data ?? []
  return (
    <Select
      label={words.toGroup}
      hint={words.toGroupHint}
      options={[{ value: '', label: '–' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
      {...form.field('group_id')}
    />
  )
}

function UtmFields({ form }: { form: Form }) {
  return (
    <>
      <p className={styles.small}>{words.utmHint}</p>
      {utmNames.map((name) => (
        <TextField
          key={name}
          label={text.utm[name].label}
          spellCheck={false}
          autoCapitalize="none"
          maxLength={255}
          {...form.field(name, `utm.${name}`)}
        />
      ))}
    </>
  )
}

function ExpiryField({ form }: { form: Form }) {
  return <TextField label={words.expires} hint={words.expiresHint} type="datetime-local" {...form.field('ends_ts')} />
}
