// A test mail, to one's own address unless another one is typed.
import { useQueryClient } from '@tanstack/react-query'
import { sendTestMail } from '../../api/mail.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useForm } from '../../parts/form.tsx'
import { mail as text } from '../../texts/index.ts'

export function TestDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({ to: address }, async ({ to }) => {
    await sendTestMail(to.trim()).catch(rethrowSpoken)
    onClose()
    toast(text.testDone(to.trim()))
    await client.invalidateQueries({ queryKey: ['mails'] })
  })
  return (
    <FormDialog title={text.testTitle} onClose={onClose} form={form} action={text.testAction}>
      <TextField label={text.testTo} type="email" autoComplete="off" {...form.field('to')} />
    </FormDialog>
  )
}
