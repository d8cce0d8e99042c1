// Who belongs to the property: members with their roles, and invitations that wait.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  changeMember,
  type LeftBehind,
  listMembers,
  type Member,
  MEMBERS_PER_PAGE,
  removeMember,
} from '../../api/members.ts'
import type { Role } from '../../api/session.ts'
import { date } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/fields.tsx'
import { isNothingLeft, LeftAccess } from '../../parts/left-access.tsx'
import { Avatar, Badge } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { refreshSession, useProperty, useSession } from '../../session.tsx'
import { team as text } from '../../texts/index.ts'
import { flagParam, numberParam, useUrlState } from '../../url.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite.tsx'
import styles from './page.module.css'

const codecs = { page: numberParam(1), invite: flagParam }
const roleIds = ['viewer', 'admin', 'owner'] as const satisfies readonly Role[]

const nameOf = ({ name, email }: Member): string => name || email

interface RoleChange {
  readonly member: Member
  readonly role: Role
}

interface Doing {
  readonly me: string | undefined
  readonly onRole: (member: Member, role: Role) => void
  readonly onRemove: (member: Member) => void
}

const columnsWith = ({ me, onRole, onRemove }: Doing): readonly Column<Member>[] => [
  {
    id: 'person',
    header: text.person,
    skeleton: <TwoLinesSkeleton />,
    cell: (member) => <Person member={member} isMe={member.id === me} />,
  },
  {
    id: 'role',
    header: text.role,
    width: '9rem',
    cell: (member) => (
      <Select
        label={text.roleOf(nameOf(member))}
        hidesLabel
        value={member.role}
        options={roleIds.map((value) => ({ value, label: text.roles[value].label }))}
        onChange={(role) => onRole(member, roleIds.find((id) => id === role) ?? member.role)}
      />
    ),
  },
  {
    id: 'security',
    header: text.security,
    isMinor: true,
    cell: ({ has_totp: has }) => (has ? <Badge tone="good">{text.hasTotp}</Badge> : <Badge>{text.noTotp}</Badge>),
  },
  { id: 'since', header: text.since, isMinor: true, cell: ({ created_ts }) => date(created_ts) },
  {
    id: 'remove',
    header: text.remove,
    align: 'end',
    isAction: true,
    cell: (member) => (
      <Button
        size="small"
        look="danger"
        aria-label={`${text.remove}: ${nameOf(member)}`}
        onClick={() => onRemove(member)}
      >
        {text.remove}
      </Button>
    ),
  },
]

const Person = ({ member, isMe }: { member: Member; isMe: boolean }) => (
  <TwoLines
    mark={<Avatar name={nameOf(member)} />}
    title={
      <span className={styles.badges}>
        {nameOf(member)}
        {isMe && <Badge tone="accent">{text.you}</Badge>}
        {!member.is_active && <Badge tone="warn">{text.inactive}</Badge>}
      </span>
    }
    detail={member.email}
  />
)

/** @param me the reader: errors of a change of their own role are shown in its dialog. */
function useRoleChange(me: string | undefined) {
  const property = useProperty()
  const client = useQueryClient()
  const changed = async (member: Member): Promise<void> => {
    // A new role and a removal end the invitations of that person.
    for (const list of ['members', 'invitations']) await client.invalidateQueries({ queryKey: [list, property.id] })
    if (member.id === me) await refreshSession()
  }
  const change = useMutation({
    mutationFn: ({ member, role }: RoleChange) => changeMember(property.id, member.id, role),
    onSuccess: (_, { member, role }) => toast(text.roleChanged(nameOf(member), text.roles[role].label)),
    onError: (error, { member }) => member.id !== me && toastError(error),
    onSettled: (_answer, _error, { member }) => changed(member),
  })
  return { changed, change }
}

function useMembers(page: number) {
  const property = useProperty()
  return useQuery({
    queryKey: ['members', property.id, page],
    queryFn: ({ signal }) => listMembers(property.id, page, signal),
    placeholderData: keepPreviousData,
  })
}

export function Team() {
  const me = useSession().data?.user?.id
  const [state, setState] = useUrlState<{ page: number; invite: boolean }>(codecs)
  const [leaving, setLeaving] = useState<Member>()
  const [gone, setGone] = useState<{ readonly person: string; readonly left: LeftBehind }>()
  const [ownChange, setOwnChange] = useState<RoleChange>()
  const members = useMembers(state.page)
  const { changed, change } = useRoleChange(me)
  /** Of one's own, a slip of the hand could not be taken back. */
  const onRole = (member: Member, role: Role): void =>
    member.id === me ? setOwnChange({ member, role }) : change.mutate({ member, role })
  const removed = (member: Member, left: LeftBehind): Promise<void> => {
    // Somebody who leaves has no right any more to revoke anything.
    if (member.id !== me && !isNothingLeft(left)) setGone({ person: nameOf(member), left })
    return changed(member)
  }
  const add = <InviteButton onClick={() => setState({ invite: true })} />
  return (
    <>
      <Panel
        title={text.title}
        subtitle={text.subtitle}
        actions={(members.data?.total ?? 0) > 0 ? add : undefined}
        isFlush
      >
        <PagedTable
          list={members}
          page={state.page}
          perPage={MEMBERS_PER_PAGE}
          onPage={(page, how) => setState({ page }, how)}
          caption={text.caption}
          columns={columnsWith({ me, onRole, onRemove: setLeaving })}
          skeletonRows={3}
          empty={<NoMembers add={add} />}
        />
      </Panel>
      <Invitations />
      {state.invite && <InviteDialog onClose={() => setState({ invite: false }, { replace: true })} />}
      {ownChange && (
        <OwnRole
          role={ownChange.role}
          onConfirm={() => change.mutateAsync(ownChange)}
          onClose={() => setOwnChange(undefined)}
        />
      )}
      {leaving && (
        <Removal
          member={leaving}
          isMe={leaving.id === me}
          onRemoved={(left) => removed(leaving, left)}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {gone && <LeftAccess {...gone} onClose={() => setGone(undefined)} />}
    </>
  )
}

const NoMembers = ({ add }: { add: ReactNode }) => (
  <EmptyState isSmall icon={<UsersRound />} title={text.emptyTitle} actions={add}>
    {text.empty}
  </EmptyState>
)

const InviteButton = ({ onClick }: { onClick: () => void }) => (
  <Button icon={<UserPlus aria-hidden="true" />} onClick={onClick}>
    {text.invite}
  </Button>
)

interface OwnRoleProps {
  readonly role: Role
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

const OwnRole = ({ role, onConfirm, onClose }: OwnRoleProps) => (
  <ConfirmDialog
    title={text.ownRoleTitle(text.roles[role].label)}
    action={text.ownRoleChange}
    onConfirm={onConfirm}
    onClose={onClose}
  >
    {text.ownRoleWords}
  </ConfirmDialog>
)

interface RemovalProps {
  readonly member: Member
  readonly isMe: boolean
  readonly onRemoved: (left: LeftBehind) => Promise<unknown>
  readonly onClose: () => void
}

function Removal({ member, isMe, onRemoved, onClose }: RemovalProps) {
  const property = useProperty()
  const remove = async (): Promise<void> => {
    const left = await removeMember(property.id, member.id)
    toast(text.removed(nameOf(member)))
    await onRemoved(left)
  }
  return (
    <ConfirmDialog title={text.removeTitle(nameOf(member))} action={text.remove} onConfirm={remove} onClose={onClose}>
      {isMe ? text.leaveWords : text.removeWords}
    </ConfirmDialog>
  )
}
