// A group of links, made or changed.
import { useLocation } from 'wouter'
import { changeGroup, createGroup, type LinkGroup, type Purpose, purposes } from '../../api/links.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useRefresh } from './links.ts'

const words = text.group

export const purposeOptions = purposes.map((value) => ({ value, label: text.purposes[value] }))

interface GroupValues {
  readonly name: string
  readonly description: string
  readonly purpose: Purpose
  readonly track_clicks: boolean
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
  }
  const form = useForm(initial, async (values, { changed, hasMore }) => {
    const saving = group ? changeGroup(property.id, group.id, changed) : createGroup(property.id, values)
    const saved = await saving.catch(rethrowSpoken)
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
    </FormDialog>
  )
}
