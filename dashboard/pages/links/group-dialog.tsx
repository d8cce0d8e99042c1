// A group of links, made or changed.
import { useLocation } from 'wouter'
import {
  changeGroup,
  createGroup,
  type GroupChange,
  type LinkGroup,
  type Purpose,
  purposes,
  utmNames,
  type UtmValues,
} from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useRefresh } from './links.ts'
import type { UtmTexts } from './suggest.ts'
import { TemplateFields } from './template-fields.tsx'
import { templateTexts } from './utm-template.ts'

const words = text.group

export const purposeOptions = purposes.map((value) => ({ value, label: text.purposes[value] }))

interface GroupValues extends UtmTexts {
  readonly name: string
  readonly description: string
  readonly purpose: Purpose
  readonly track_clicks: boolean
}

const noTemplate = Object.fromEntries(utmNames.map((name) => [name, null])) as unknown as UtmValues

/** Values of the template that are not named stay. */
function changeOf(values: Partial<GroupValues>): GroupChange {
  const { name, description, purpose, track_clicks, ...template } = values
  const named = utmNames.filter((key) => template[key] !== undefined)
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(purpose !== undefined && { purpose }),
    ...(track_clicks !== undefined && { track_clicks }),
    ...(named.length > 0 && { utm_template: Object.fromEntries(named.map((key) => [key, template[key] || null])) }),
  }
}

/** @param group undefined: a new one. */
export function GroupDialog({ group, onClose }: { group?: LinkGroup; onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  const initial: GroupValues = {
    name: group?.name ?? '',
    description: group?.description ?? '',
    purpose: group?.purpose ?? 'campaign',
    track_clicks: group?.track_clicks ?? true,
    ...templateTexts(group?.utm_template ?? noTemplate),
  }
  const form = useForm(initial, async (values, { changed, hasMore }) => {
    const saving = group
      ? changeGroup(property.id, group.id, changeOf(changed))
      : createGroup(property.id, { ...changeOf(values), name: values.name })
    const saved = await saving.catch((error: unknown) => {
      throw spoken(error, (path) => path.replace(/^utm_template\./, ''))
    })
    await refresh()
    toast(words.saved)
    if (!group) navigate(path(`/links/groups/${saved.group.id}`), { replace: true })
    else if (!hasMore()) onClose()
  })
  return (
    <FormDialog form={form} action={words.save} title={group ? words.editTitle : words.newTitle} onClose={onClose}>
      <TextField label={words.name} maxLength={120} {...form.field('name')} />
      <Select
        label={words.purpose}
        hint={words.purposeHint}
        options={purposeOptions}
        {...form.field('purpose')}
        onChange={(purpose) => form.set({ purpose: purpose as Purpose })}
      />
      <TextArea label={words.description} rows={2} maxLength={500} {...form.field('description')} />
      <Checkbox
        label={words.track}
        hint={words.trackHint}
        isOn={form.values.track_clicks}
        onChange={(track_clicks) => form.set({ track_clicks })}
      />
      <TemplateFields
        values={form.values}
        groupName={form.values.name}
        onChange={form.set}
        field={(name) => form.field(name)}
      />
    </FormDialog>
  )
}
