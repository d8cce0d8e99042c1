// A new signing secret: how long the old one stays good, and then the new one, once.
import { useId, useState } from 'react'
import { type Automation, rotateSecret } from '../../api/automations.ts'
import { Button } from '../../parts/button.tsx'
import { SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { automations as text, common } from '../../texts/index.ts'

interface RotateDialogProps {
  readonly automation: Automation
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

export function RotateDialog({ automation, onDone, onClose }: RotateDialogProps) {
  const property = useProperty()
  const id = useId()
  const [secret, setSecret] = useState<string>()
  const form = useForm({ overlap: '24' }, async ({ overlap }) => {
    const { signing_secret } = await rotateSecret(property.id, automation.id, Number(overlap))
    setSecret(signing_secret)
    await onDone()
  })
  if (secret !== undefined)
    return (
      <Dialog title={text.secret.title} onClose={onClose}>
        <SecretOnce
          label={text.secret.label}
          secret={secret}
          hint={text.secret.hint}
          done={common.actions.done}
          onDone={onClose}
        />
      </Dialog>
    )
  const actions = (
    <>
      <Button onClick={onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={id} look="primary" isBusy={form.isBusy}>
        {text.secret.rotateAction}
      </Button>
    </>
  )
  return (
    <Dialog title={text.secret.rotateTitle} onClose={onClose} size="small" actions={actions}>
      <Form form={form} id={id}>
        <p>{text.secret.rotateWords}</p>
        <Select
          label={text.secret.overlap}
          options={Object.entries(text.secret.overlaps).map(([value, label]) => ({ value, label }))}
          {...form.field('overlap', 'overlap_hours')}
        />
      </Form>
    </Dialog>
  )
}
