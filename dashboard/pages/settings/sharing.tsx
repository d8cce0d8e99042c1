// Links that show the figures to people without an account.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { createShare, listShares, revokeShare, type ShareLink, SHARES_PER_PAGE } from '../../api/shares.ts'
import { date } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { SecretOnce } from '../../parts/copy.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { text as all } from '../../texts/en/settings.ts'
import { flagParam, numberParam, useUrlState } from '../../url.ts'

const text = all.sharing
const codecs = { page: numberParam(1), new: flagParam }

const columnsWith = (onRevoke: (share: ShareLink) => void): readonly Column<ShareLink>[] => [
  { id: 'name', header: text.name, cell: ({ name }) => name, width: '14rem' },
  {
    id: 'password',
    header: text.protection,
    cell: ({ has_password: has }) => (has ? <Badge tone="good">{text.protected}</Badge> : <Badge>{text.open}</Badge>),
  },
  { id: 'created', header: text.created, cell: ({ created_ts }) => date(created_ts), isMinor: true, width: '8rem' },
  {
    id: 'revoke',
    header: text.revoke,
    align: 'end',
    isAction: true,
    cell: (share) => (
      <Button size="small" look="danger" aria-label={`${text.revoke}: ${share.name}`} onClick={() => onRevoke(share)}>
        {text.revoke}
      </Button>
    ),
  },
]

export function Sharing() {
  const property = useProperty()
  const [state, setState] = useUrlState<{ page: number; new: boolean }>(codecs)
  const [revoked, setRevoked] = useState<ShareLink>()
  const shares = useQuery({
    queryKey: ['shares', property.id, state.page],
    queryFn: ({ signal }) => listShares(property.id, state.page, signal),
    placeholderData: keepPreviousData,
    // Links are made on the overview too.
    staleTime: 0,
  })
  const add = (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setState({ new: true })}>
      {text.add}
    </Button>
  )
  return (
    <>
      <Panel
        title={text.title}
        subtitle={text.subtitle}
        actions={(shares.data?.total ?? 0) > 0 ? add : undefined}
        isFlush
      >
        <DataTable
          caption={text.caption}
          columns={columnsWith(setRevoked)}
          rows={shares.data?.data}
          rowKey={({ id }) => id}
          error={shares.error}
          onRetry={shares.refetch}
          isStale={shares.isPlaceholderData}
          skeletonRows={3}
          empty={
            <EmptyState isSmall icon={<Link2 />} title={text.emptyTitle} actions={add}>
              {text.empty}
            </EmptyState>
          }
        />
        <Pagination
          page={state.page}
          perPage={SHARES_PER_PAGE}
          total={shares.data?.total ?? 0}
          onPage={(page) => setState({ page })}
        />
      </Panel>
      {state.new && <NewShare onClose={() => setState({ new: false }, { replace: true })} />}
      {revoked && <Revocation share={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

function Revocation({ share, onClose }: { share: ShareLink; onClose: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const confirm = async (): Promise<void> => {
    await revokeShare(property.id, share.id)
    toast(text.revoked)
    await client.invalidateQueries({ queryKey: ['shares', property.id] })
  }
  return (
    <ConfirmDialog title={text.revokeTitle(share.name)} action={text.revoke} onConfirm={confirm} onClose={onClose}>
      {text.revokeWords}
    </ConfirmDialog>
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
    <Form
      form={form}
      actions={
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {text.make}
        </Button>
      }
    >
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
