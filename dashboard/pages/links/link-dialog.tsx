// Creates or edits a link: its destination, its UTM values, and a preview of how visitors will be counted.
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  changeLink,
  createGroup,
  createLink,
  type Domain,
  domains,
  type Link,
  type LinkChange,
  type LinkGroup,
  type Purpose,
  utmNames,
  type UtmValues,
} from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState, type Saving, useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { purposeOptions } from './group-dialog.tsx'
import { useGroups, useRefresh } from './links.ts'
import styles from './links.module.css'
import { LinkPreview } from './link-preview.tsx'
import { suggested, type UtmTexts } from './suggest.ts'

const words = text.editor

interface Values extends UtmTexts {
  readonly destination_url: string
  readonly name: string
  readonly domain: Domain
  /** '' for a new one. */
  readonly group_id: string
  readonly group_name: string
  readonly purpose: Purpose
}

const utmTexts = (link: Link | undefined): UtmTexts =>
  Object.fromEntries(utmNames.map((name) => [name, link?.utm[name] ?? ''])) as unknown as UtmTexts

export const utmValues = (values: UtmTexts): UtmValues =>
  Object.fromEntries(utmNames.map((name) => [name, values[name] || null])) as unknown as UtmValues

const initialOf = (link: Link | undefined, group: string): Values => ({
  destination_url: link?.destination_url ?? '',
  name: link?.name ?? '',
  domain: link?.domain ?? 'link-a',
  group_id: link?.group_id ?? group,
  group_name: '',
  purpose: 'campaign',
  ...utmTexts(link),
})

/** Of what is no part of a link nothing is changed. */
function changeOf({ destination_url, name, domain, ...others }: Partial<Values>): LinkChange {
  const utm = utmNames.filter((value) => others[value] !== undefined)
  return {
    ...(destination_url !== undefined && { destination_url }),
    ...(name !== undefined && { name }),
    ...(domain !== undefined && { domain }),
    ...(utm.length > 0 && { utm: Object.fromEntries(utm.map((value) => [value, others[value] || null])) }),
  }
}

const ownField = (path: string): string => path.replace(/^utm\./, '')

export interface LinkDialogProps {
  /** undefined: a new one. */
  readonly link?: Link
  /** Of a new one: its id, or '' for the newest. */
  readonly group?: string
  readonly onClose: () => void
}

/** Its groups are there before it asks which of them. */
export function LinkDialog({ link, group = '', onClose }: LinkDialogProps) {
  const groups = useGroups()
  if (!groups.data && !groups.error) return null
  const known = (groups.data ?? []).filter(({ state }) => state === 'active')
  const first = known.some(({ id }) => id === group) ? group : (known[0]?.id ?? '')
  return <Editor link={link} group={first} groups={known} onClose={onClose} />
}

interface EditorProps {
  readonly link: Link | undefined
  readonly group: string
  readonly groups: readonly LinkGroup[]
  readonly onClose: () => void
}

function useSave({ link, onClose }: Pick<EditorProps, 'link' | 'onClose'>) {
  const property = useProperty()
  const path = usePropertyPath()
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  /** Made once, also when the link itself is refused. */
  const made = useRef<{ name: string; id: string }>(undefined)
  const newGroup = async (name: string, purpose: Purpose): Promise<string> => {
    if (made.current?.name !== name)
      made.current = { name, id: (await createGroup(property.id, { name, purpose })).group.id }
    return made.current.id
  }
  return async (values: Values, { changed, hasMore }: Saving<Values>): Promise<void> => {
    if (link) {
      await changeLink(property.id, link.id, changeOf(changed))
      await refresh()
      toast(words.saved)
      if (!hasMore()) onClose()
      return
    }
    const { destination_url, name, domain, group_id, group_name, purpose } = values
    const asked = { destination_url, name, domain, utm: utmValues(values) }
    const groupId = group_id || (await newGroup(group_name, purpose))
    const answer = await createLink(property.id, { ...asked, group_id: groupId })
    await refresh()
    toast(words.created)
    navigate(path(`/links/${answer.link.id}`), { replace: true })
  }
}

function Editor({ link, group, groups, onClose }: EditorProps) {
  const save = useSave({ link, onClose })
  // What a new one began with stays: a group that somebody adds meanwhile is not chosen by itself.
  const [fresh] = useState(() => initialOf(undefined, group))
  const form = useForm<Values>(link ? initialOf(link, group) : fresh, async (values, saving) => {
    try {
      await save(values, saving)
    } catch (error) {
      throw spoken(error, (path) => (path === 'name' && values.group_id === '' ? 'group_name' : ownField(path)))
    }
  })
  return (
    <FormDialog
      form={form}
      action={link ? words.save : words.create}
      title={link ? words.editTitle : words.newTitle}
      size="wide"
      onClose={onClose}
    >
      <div className={styles.editor}>
        <div className={styles.many}>
          <TextField
            label={words.destination}
            hint={words.destinationHint}
            type="url"
            inputMode="url"
            spellCheck={false}
            maxLength={2048}
            {...form.field('destination_url')}
          />
          <FormRow>
            <TextField label={words.name} hint={words.nameHint} maxLength={120} {...form.field('name')} />
            <Select
              label={words.domain}
              hint={link ? words.domainChange : undefined}
              options={domains.map((value) => ({ value, label: text.domains[value] }))}
              {...form.field('domain')}
              onChange={(domain) => form.set({ domain: domain as Domain })}
            />
          </FormRow>
          {!link && <GroupFields form={form} groups={groups} />}
          <UtmFields form={form} group={groups.find(({ id: known }) => known === form.values.group_id)} />
        </div>
        <LinkPreview destination={form.values.destination_url} utm={utmValues(form.values)} />
      </div>
    </FormDialog>
  )
}

function GroupFields({ form, groups }: { form: FormState<Values>; groups: readonly LinkGroup[] }) {
  return (
    <FormRow>
      {groups.length > 0 && (
        <Select
          label={words.group}
          options={[
            ...groups.map(({ id, name }) => ({ value: id, label: name })),
            { value: '', label: words.newGroup },
          ]}
          {...form.field('group_id')}
        />
      )}
      {form.values.group_id === '' && (
        <>
          <TextField label={words.groupName} maxLength={120} {...form.field('group_name')} />
          <Select
            label={text.group.purpose}
            options={purposeOptions}
            {...form.field('purpose')}
            onChange={(purpose) => form.set({ purpose: purpose as Purpose })}
          />
        </>
      )}
    </FormRow>
  )
}

function UtmFields({ form, group }: { form: FormState<Values>; group: LinkGroup | undefined }) {
  const { values, set } = form
  const purpose = group?.purpose ?? values.purpose
  const suggest = (): void => {
    set(suggested(values, purpose, group?.name ?? values.group_name))
    toast(words.suggested)
  }
  return (
    <fieldset className={styles.utm}>
      <legend>{words.utmTitle}</legend>
      <div className={styles.suggest}>
        <p className={styles.small}>{words.utmHint}</p>
        <Button size="small" onClick={suggest}>
          {words.suggest(text.purposes[purpose])}
        </Button>
      </div>
      <div className={styles.utmFields}>
        {utmNames.map((name) => (
          <TextField
            key={name}
            label={text.utm[name].label}
            hint={text.utm[name].hint}
            spellCheck={false}
            autoCapitalize="none"
            maxLength={255}
            {...form.field(name)}
          />
        ))}
      </div>
    </fieldset>
  )
}
