// Invitations that nobody has used yet. Left out while there is none.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listInvitations, type PendingInvitation, withdrawInvitation } from '../../api/members.ts'
import { date } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { team as text } from '../../texts/index.ts'

const columnsWith = (onWithdraw: (one: PendingInvitation) => void): readonly Column<PendingInvitation>[] => [
  { id: 'email', header: text.email, cell: ({ email }) => email },
  { id: 'role', header: text.role, cell: ({ role }) => text.roles[role].label },
  { id: 'expires', header: text.expires, cell: ({ expires_ts }) => date(expires_ts) },
  {
    id: 'withdraw',
    header: text.withdraw,
    align: 'end',
    isAction: true,
    cell: (one) => (
      <Button size="small" look="danger" aria-label={`${text.withdraw}: ${one.email}`} onClick={() => onWithdraw(one)}>
        {text.withdraw}
      </Button>
    ),
  },
]

export function Invitations() {
  const property = useProperty()
  const client = useQueryClient()
  const [withdrawn, setWithdrawn] = useState<PendingInvitation>()
  const invitations = useQuery({
    queryKey: ['invitations', property.id],
    queryFn: ({ signal }) => listInvitations(property.id, signal),
  })
  if (!invitations.error && (invitations.data?.data.length ?? 0) === 0) return null
  return (
    <Panel title={text.pending} subtitle={text.pendingSubtitle} isFlush>
      <DataTable
        caption={text.pendingCaption}
        columns={columnsWith(setWithdrawn)}
        rows={invitations.data?.data}
        rowKey={({ id }) => id}
        error={invitations.error}
        onRetry={invitations.refetch}
      />
      {withdrawn && (
        <ConfirmDialog
          title={text.withdrawTitle(withdrawn.email)}
          action={text.withdraw}
          onConfirm={async () => {
            await withdrawInvitation(property.id, withdrawn.id)
            toast(text.withdrawn)
            await client.invalidateQueries({ queryKey: ['invitations', property.id] })
          }}
          onClose={() => setWithdrawn(undefined)}
        >
          {text.withdrawWords}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
