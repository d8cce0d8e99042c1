// A new person: the link with which they choose a password is shown once, to be handed on.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createUser } from '../../api/accounts.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { users as text } from '../../texts/index.ts'

interface Made {
  readonly email: string
  readonly url: string
}

export function AddPerson({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made>()
  if (made)
    return (
      <Dialog title={text.linkTitle} onClose={onClose}>
        <SecretOnce
          isRepeatable
          label={text.link}
          secret={made.url}
          hint={text.linkHint(made.email)}
          onDone={onClose}
        />
      </Dialog>
    )
  return (
    <Dialog title={text.addTitle} onClose={onClose}>
      <PersonForm onMade={setMade} />
    </Dialog>
  )
}

function PersonForm({ onMade }: { onMade: (made: Made) => void }) {
  const client = useQueryClient()
  const form = useForm({ name: '', email: '', is_owner: false }, async ({ name, email, is_owner }) => {
    const asked = { name: name.trim(), email: email.trim(), is_owner }
    const { user, invitation_url } = await createUser(asked).catch(rethrowSpoken)
    onMade({ email: user.email, url: invitation_url })
    await client.invalidateQueries({ queryKey: ['users'] })
  })
  return (
    <Form form={form} action={text.create}>
      <TextField label={text.name} autoComplete="off" {...form.field('name')} />
      <TextField label={text.email} type="email" autoComplete="off" {...form.field('email')} />
      <Checkbox
        label={text.isOwner}
        hint={text.isOwnerHint}
        isOn={form.values.is_owner}
        onChange={(is_owner) => form.set({ is_owner })}
      />
    </Form>
  )
}
