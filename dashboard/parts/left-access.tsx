// After a person was removed: the tokens and share links that they created still work, and can be revoked
// here.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeftBehind } from '../api/members.ts'
import { revokeShare } from '../api/shares.ts'
import { revokeToken } from '../api/tokens.ts'
import { date } from '../format.ts'
import { left as text } from '../texts/index.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Badge } from './marks.tsx'
import { type Column, DataTable } from './table.tsx'
import { TwoLines } from './two-lines.tsx'

interface Item {
  readonly id: string
  readonly property_id: string
  readonly name: string
  readonly created_ts: number
  readonly kind: 'tokens' | 'shares'
}

const itemsOf = ({ tokens, shares }: LeftBehind): Item[] => [
  ...tokens.map((token) => ({ ...token, kind: 'tokens' as const })),
  ...shares.map((share) => ({ ...share, kind: 'shares' as const })),
]

export const isNothingLeft = (left: LeftBehind): boolean => itemsOf(left).length === 0

const revoke = ({ id, property_id: property, kind }: Item): Promise<unknown> =>
  kind === 'tokens' ? revokeToken(property, id) : revokeShare(property, id)

interface Doing {
  readonly revoked: ReadonlySet<string>
  readonly busy: string | undefined
  readonly onRevoke: (item: Item) => void
}

const columnsWith = ({ revoked, busy, onRevoke }: Doing): readonly Column<Item>[] => [
  {
    id: 'name',
    header: text.name,
    cell: ({ name, kind, created_ts }) => (
      <TwoLines title={name} detail={text.createdOn(text.kinds[kind], date(created_ts))} />
    ),
  },
  {
    id: 'revoke',
    header: text.revoke,
    align: 'end',
    isAction: true,
    cell: (item) =>
      revoked.has(item.id) ? (
        <Badge>{text.revoked}</Badge>
      ) : (
        <Button
          size="small"
          look="danger"
          aria-label={`${text.revoke}: ${item.name}`}
          isBusy={busy === item.id}
          onClick={() => onRevoke(item)}
        >
          {text.revoke}
        </Button>
      ),
  },
]

interface LeftAccessProps {
  readonly person: string
  readonly left: LeftBehind
  readonly onClose: () => void
}

export function LeftAccess({ person, left, onClose }: LeftAccessProps) {
  const client = useQueryClient()
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set())
  const ending = useMutation({
    mutationFn: revoke,
    onSuccess: (_answer, { id }) => setRevoked((before) => new Set([...before, id])),
    onSettled: (_answer, _error, { kind, property_id: property }) =>
      client.invalidateQueries({ queryKey: [kind, property] }),
  })
  const busy = ending.isPending ? ending.variables.id : undefined
  return (
    <Dialog
      title={text.title(person)}
      subtitle={text.subtitle}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {text.done}
        </Button>
      }
    >
      <DataTable
        caption={text.caption}
        columns={columnsWith({ revoked, busy, onRevoke: ending.mutate })}
        rows={itemsOf(left)}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Dialog>
  )
}
