// A group of links, made or changed.
import { useId } from 'react'
import { useLocation } from 'wouter'
import { changeGroup, createGroup, type LinkGroup, type Purpose, purposes } from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { common, links as text } from '../../texts/index.ts'
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
  const id = useId()
  const initial: GroupValues = {
    name: group?.name ?? '',
    description: group?.description ?? '',
    purpose: group?.purpose ?? 'campaign',
    track_clicks: group?.track_clicks ?? true,
  }
  const form = useForm(initial, async (values, { changed, hasMore }) => {
    const saving = group ? changeGroup(property.id, group.id, changed) : createGroup(property.id, values)
    const saved = await saving.catch((error: unknown) => {
      throw spoken(error)
    })
    await refresh()
    toast(words.saved)
    if (!group) navigate(path(`/links/groups/${saved.group.id}`), { replace: true })
    else if (!hasMore()) onClose()
  })
  const actions = (
    <>
      <Button onClick={onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={id} look="primary" isBusy={form.isBusy}>
        {words.save}
      </Button>
    </>
  )
  return (
    <Dialog title={group ? words.editTitle : words.newTitle} onClose={onClose} actions={actions}>
      <Form form={form} id={id}>
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
      </Form>
    </Dialog>
  )
}
