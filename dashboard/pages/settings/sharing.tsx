// Links that show the figures to people without an account.
import { useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { createShare, listShares, revokeShare, type ShareLink, SHARES_PER_PAGE } from '../../api/shares.ts'
import { SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { RevocableList } from '../../parts/revocable-list.tsx'
import type { Column } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'

const text = all.sharing

const protectionColumn: Column<ShareLink> = {
  id: 'password',
  header: text.protection,
  cell: ({ has_password: has }) => (has ? <Badge tone="good">{text.protected}</Badge> : <Badge>{text.open}</Badge>),
}

/** Links are made on the overview too. */
export function Sharing() {
  const property = useProperty()
  return (
    <RevocableList
      title={text.title}
      subtitle={text.subtitle}
      words={text}
      icon={<Link2 />}
      column={protectionColumn}
      queryKey={['shares', property.id]}
      load={(page, signal) => listShares(property.id, page, signal)}
      perPage={SHARES_PER_PAGE}
      revoke={({ id }) => revokeShare(property.id, id)}
      isNeverKept
      dialog={(onClose) => <NewShare onClose={onClose} />}
    />
  )
}

function NewShare({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState<string>()
  if (url !== undefined)
    return (
      <Dialog title={text.madeTitle} onClose={onClose}>
        <SecretOnce label={text.url} secret={url} hint={text.madeHint} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={text.add} subtitle={text.subtitle} onClose={onClose}>
      <ShareForm onMade={setUrl} />
    </Dialog>
  )
}

function ShareForm({ onMade }: { onMade: (url: string) => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const { url } = await createShare(property.id, { name: name.trim(), ...(password !== '' && { password }) })
    onMade(url)
    await client.invalidateQueries({ queryKey: ['shares', property.id] })
  })
  return (
    <Form form={form} action={text.make}>
      <TextField
        label={text.name}
        placeholder={text.namePlaceholder}
        hint={text.nameHint}
        autoComplete="off"
        {...form.field('name')}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={text.password}
        hint={text.passwordHint}
        {...form.field('password')}
      />
    </Form>
  )
}
