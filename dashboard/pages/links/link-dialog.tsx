// Creates or edits a link: its destination, its UTM values, and a preview of how visitors will be counted.
import { useRef, useState } from 'react'
import {
  changeLink,
  createGroup,
  createLink,
  type Domain,
  domains as domainNames,
  type Link,
  type LinkChange,
  type LinkGroup,
  type Purpose,
  utmNames,
  type UtmValues,
} from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Select, TextArea, TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState, type Saving, useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useUrlState } from '../../url.ts'
import { purposeOptions } from './group-dialog.tsx'
import { CodeField } from './code-field.tsx'
import { createdCodecs } from './created-dialog.tsx'
import { withScheme } from './destination.ts'
import { shortName, useGroups, useLinkDomains, useRefresh, usualGroup } from './links.ts'
import styles from './links.module.css'
import { LinkPreview } from './link-preview.tsx'
import type { UtmTexts } from './suggest.ts'
import { tagsIn } from './tags.ts'
import { type Template, UtmFields } from './utm-fields.tsx'
import { filledTexts, hasTemplate, typedOrFilled } from './utm-template.ts'

const words = text.editor

interface Values extends UtmTexts {
  readonly destination_url: string
  /** Of a new one; '' for a random one. */
  readonly code: string
  readonly name: string
  /** Between commas. */
  readonly tags: string
  readonly notes: string
  readonly domain: Domain
  /** '' for a new one. */
  readonly group_id: string
  readonly group_name: string
  readonly purpose: Purpose
  /** Of a new one: whether the template of its group fills in what is not typed. */
  readonly uses_template: boolean
}

const utmTexts = (link: Link | undefined): UtmTexts =>
  Object.fromEntries(utmNames.map((name) => [name, link?.utm[name] ?? ''])) as unknown as UtmTexts

export const utmValues = (values: UtmTexts): UtmValues =>
  Object.fromEntries(utmNames.map((name) => [name, values[name] || null])) as unknown as UtmValues

const initialOf = (link: Link | undefined, group: string, destination: string): Values => ({
  destination_url: link?.destination_url ?? destination,
  code: '',
  name: link?.name ?? '',
  tags: link?.tags.join(', ') ?? '',
  notes: link?.notes ?? '',
  domain: link?.domain ?? 'link-a',
  group_id: link?.group_id ?? group,
  group_name: text.group.usual,
  purpose: 'campaign',
  uses_template: true,
  ...utmTexts(link),
})

/** Of a new link: what is left out is the template's to fill in, and null says that there is none. */
const newUtm = (values: Values): Partial<UtmValues> =>
  values.uses_template
    ? Object.fromEntries(utmNames.filter((name) => values[name] !== '').map((name) => [name, values[name]]))
    : utmValues(values)

/** Of what is no part of a link nothing is changed. */
function changeOf({ destination_url, name, domain, tags, notes, ...others }: Partial<Values>): LinkChange {
  const utm = utmNames.filter((value) => others[value] !== undefined)
  return {
    ...(destination_url !== undefined && { destination_url: withScheme(destination_url) }),
    ...(name !== undefined && { name }),
    ...(domain !== undefined && { domain }),
    ...(tags !== undefined && { tags: tagsIn(tags) }),
    ...(notes !== undefined && { notes }),
    ...(utm.length > 0 && { utm: Object.fromEntries(utm.map((value) => [value, others[value] || null])) }),
  }
}

const ownField = (path: string): string => path.replace(/^utm\./, '')

export interface LinkDialogProps {
  /** undefined: a new one. */
  readonly link?: Link
  /** Of a new one: the id of the group that is looked at, or ''. */
  readonly group?: string
  /** Of a new one, as it was typed before. */
  readonly destination?: string
  readonly onClose: () => void
}

/** Its groups are there before it asks which of them. */
export function LinkDialog({ link, group = '', destination = '', onClose }: LinkDialogProps) {
  const groups = useGroups()
  if (!groups.data && !groups.error) return null
  const known = (groups.data ?? []).filter(({ state }) => state === 'active')
  const first = initialOf(link, usualGroup(known, group), destination)
  return <Editor link={link} first={first} groups={known} onClose={onClose} />
}

interface EditorProps {
  readonly link: Link | undefined
  readonly first: Values
  readonly groups: readonly LinkGroup[]
  readonly onClose: () => void
}

function useSave({ link, onClose }: Pick<EditorProps, 'link' | 'onClose'>) {
  const property = useProperty()
  const refresh = useRefresh()
  const [, setCreated] = useUrlState<{ created: string }>(createdCodecs)
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
    const { code, name, domain, notes, group_id, group_name, purpose } = values
    const labels = { name, tags: tagsIn(values.tags), notes }
    const asked = { destination_url: withScheme(values.destination_url), code, domain, ...labels, utm: newUtm(values) }
    const groupId = group_id || (await newGroup(group_name, purpose))
    const answer = await createLink(property.id, { ...asked, group_id: groupId })
    await refresh()
    onClose()
    setCreated({ created: answer.link.id }, { replace: true })
  }
}

function Editor({ link, first, groups, onClose }: EditorProps) {
  const save = useSave({ link, onClose })
  // What a new one began with stays: a group that somebody adds meanwhile is not chosen by itself.
  const [fresh] = useState(first)
  const form = useForm<Values>(link ? first : fresh, async (values, saving) => {
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
      onClose={onClose}
    >
      <TextField
        label={words.destination}
        placeholder={words.destinationPlaceholder}
        inputMode="url"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={2048}
        {...form.field('destination_url')}
      />
      {!link && (
        <CodeField
          {...form.field('code')}
          domain={form.values.domain}
          linkName={form.values.name}
          destination={form.values.destination_url}
        />
      )}
      <More form={form} link={link} groups={groups} />
    </FormDialog>
  )
}

interface MoreProps {
  readonly form: FormState<Values>
  readonly link: Link | undefined
  readonly groups: readonly LinkGroup[]
}

/** Folded away for a new link, and open when one of its fields is refused. */
function More({ form, link, groups }: MoreProps) {
  const domains = useLinkDomains()
  const labelOf = (domain: Domain): string => {
    const url = domains.find((one) => one.domain === domain)?.url
    return url === undefined ? text.domains[domain] : shortName(url)
  }
  const group = groups.find(({ id }) => id === form.values.group_id)
  const template = link || !group ? undefined : templateOf(form, group)
  const typed = template?.isUsed ? typedOrFilled(form.values, template.filled) : form.values
  const hidden = ['name', 'tags', 'notes', 'group_name', 'group_id', ...utmNames] as const
  const isRefused = hidden.some((name) => form.errorsOf(name).length > 0)
  return (
    <details className={styles.more} open={link !== undefined || isRefused || undefined}>
      <summary>{words.more}</summary>
      <div className={styles.many}>
        <FormRow>
          <TextField label={words.name} hint={words.nameHint} maxLength={120} {...form.field('name')} />
          <Select
            label={words.domain}
            hint={link ? words.domainChange : undefined}
            options={domainNames.map((value) => ({ value, label: labelOf(value) }))}
            {...form.field('domain')}
            onChange={(domain) => form.set({ domain: domain as Domain })}
          />
        </FormRow>
        {!link && <GroupFields form={form} groups={groups} />}
        <TextField label={text.edits.tags} hint={text.edits.tagsHint} {...form.field('tags')} />
        <TextArea label={text.edits.notes} hint={words.nameHint} rows={2} maxLength={2000} {...form.field('notes')} />
        <UtmFields
          values={form.values}
          set={form.set}
          field={(name) => form.field(name)}
          group={group ?? { name: form.values.group_name, purpose: form.values.purpose }}
          template={template}
        />
        <LinkPreview destination={withScheme(form.values.destination_url)} utm={utmValues(typed)} />
      </div>
    </details>
  )
}

/** Undefined where the group has none. */
function templateOf({ values, set }: FormState<Values>, group: LinkGroup): Template | undefined {
  if (!hasTemplate(group)) return undefined
  return {
    filled: filledTexts(group, values),
    isUsed: values.uses_template,
    onUse: (uses_template) => set({ uses_template }),
  }
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
