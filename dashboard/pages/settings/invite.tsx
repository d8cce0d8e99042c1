// Inviting somebody: a member at once, or a link to hand on, which is shown once.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invite } from '../../api/members.ts'
import type { Role } from '../../api/session.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { team as text } from '../../texts/index.ts'

const roleIds = ['viewer', 'admin', 'owner'] as const satisfies readonly Role[]

interface Link {
  readonly email: string
  readonly url: string
  readonly expires_ts: number
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<Link>()
  if (link)
    return (
      <Dialog title={text.linkTitle} onClose={onClose}>
        <SecretOnce
          isRepeatable
          label={text.link}
          secret={link.url}
          hint={text.linkHint(link.email, dateTime(link.expires_ts))}
          onDone={onClose}
        />
      </Dialog>
    )
  return (
    <Dialog title={text.inviteTitle} onClose={onClose}>
      <InviteForm onLink={setLink} onDone={onClose} />
    </Dialog>
  )
}

function InviteForm({ onLink, onDone }: { onLink: (link: Link) => void; onDone: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm<{ email: string; role: Role }>({ email: '', role: 'viewer' }, async ({ email, role }) => {
    const { member, invitation } = await invite(property.id, { email: email.trim(), role })
    if (invitation) {
      onLink(invitation)
      await client.invalidateQueries({ queryKey: ['invitations', property.id] })
    } else {
      toast(text.added(member?.name || email))
      onDone()
      // An invitation that waited for them is over.
      for (const list of ['members', 'invitations']) await client.invalidateQueries({ queryKey: [list, property.id] })
    }
  })
  return (
    <Form form={form} action={text.send}>
      <TextField label={text.email} hint={text.emailHint} type="email" autoComplete="off" {...form.field('email')} />
      <RadioGroup
        label={text.role}
        options={roleIds.map((value) => ({ value, ...text.roles[value] }))}
        {...form.field('role')}
      />
    </Form>
  )
}
