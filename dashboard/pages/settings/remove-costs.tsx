// Takes the costs of some days away: what was imported by mistake, or of years that nobody asks about.
import { removeCosts } from '../../api/costs.ts'
import { number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { costs as all } from '../../texts/index.ts'
import { useRefreshCosts } from './costs.tsx'

const text = all.removing

export function RemoveCosts({ onClose }: { onClose: () => void }) {
  const { id } = useProperty()
  const refresh = useRefreshCosts()
  const form = useForm({ from: '', to: '' }, async (days) => {
    const { removed } = await removeCosts(id, days)
    toast(text.done(number(removed), removed))
    onClose()
    await refresh()
  })
  return (
    <FormDialog title={text.title} subtitle={text.words} form={form} action={text.action} onClose={onClose}>
      <TextField label={text.from} type="date" required {...form.field('from')} />
      <TextField label={text.to} type="date" required {...form.field('to')} />
    </FormDialog>
  )
}
