// Everybody who can sign in to this installation. For its owners.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserPlus, UsersRound } from 'lucide-react'
import { type ListedUser, listUsers, USERS_PER_PAGE } from '../../api/accounts.ts'
import { date } from '../../format.ts'
import { aroundOf } from '../../parts/around.tsx'
import { Button } from '../../parts/button.tsx'
import { Avatar, Badge, StatusDot } from '../../parts/marks.tsx'
import { OwnersOnly } from '../../parts/owners-only.tsx'
import { PageHeader, Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { users as text } from '../../texts/index.ts'
import { flagParam, numberParam, optionalParam, useUrlState } from '../../url.ts'
import { AddPerson } from './add.tsx'
import { PersonDrawer } from './person.tsx'
import { nameOf, stateOf, tones } from './words.ts'
import styles from './page.module.css'

interface PageState {
  readonly page: number
  readonly new: boolean
  /** Whose drawer is open, and which page of the sign-ins in it. */
  readonly user: string | null
  readonly log: number
}

const codecs = { page: numberParam(1), new: flagParam, user: optionalParam, log: numberParam(1) }

const columnsFor = (me: string | undefined): readonly Column<ListedUser>[] => [
  {
    id: 'person',
    header: text.person,
    skeleton: <TwoLinesSkeleton />,
    cell: (user) => (
      <TwoLines
        mark={<Avatar name={nameOf(user)} />}
        title={
          <span className={styles.name}>
            {nameOf(user)}
            {user.id === me && <Badge tone="accent">{text.you}</Badge>}
          </span>
        }
        detail={user.email}
      />
    ),
  },
  {
    id: 'state',
    header: text.state,
    cell: (user) => <StatusDot tone={tones[stateOf(user)]}>{text.states[stateOf(user)]}</StatusDot>,
  },
  {
    id: 'rights',
    header: text.rights,
    cell: ({ is_owner: isOwner }) => (isOwner ? <Badge tone="accent">{text.owner}</Badge> : text.member),
  },
  {
    id: 'security',
    header: text.security,
    isMinor: true,
    cell: ({ has_totp: has }) => (has ? <Badge tone="good">{text.on}</Badge> : <Badge>{text.off}</Badge>),
  },
  { id: 'since', header: text.since, isMinor: true, cell: ({ created_ts: ts }) => date(ts) },
]

export default function UsersPage() {
  return (
    <OwnersOnly title={text.title} words={text.noRight}>
      {({ id }) => <People me={id} />}
    </OwnersOnly>
  )
}

/** The list with somebody's drawer open; paths are those of the list. */
const addressOf = (user: string): string => {
  const search = new URLSearchParams(location.search)
  search.delete('log')
  search.set('user', user)
  return `/users?${search.toString()}`
}

function People({ me }: { me: string }) {
  const [state, setState] = useUrlState<PageState>(codecs)
  const users = useQuery({
    queryKey: ['users', state.page],
    queryFn: ({ signal }) => listUsers(state.page, signal),
    placeholderData: keepPreviousData,
  })
  const opened = users.data?.data.find(({ id }) => id === state.user)
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={text.subtitle}
        actions={
          <Button look="primary" icon={<UserPlus aria-hidden="true" />} onClick={() => setState({ new: true })}>
            {text.add}
          </Button>
        }
      />
      <Panel isFlush>
        <PagedTable
          list={users}
          page={state.page}
          perPage={USERS_PER_PAGE}
          onPage={(page, how) => setState({ page }, how)}
          caption={text.caption}
          columns={columnsFor(me)}
          rowHref={({ id }) => addressOf(id)}
          empty={<EmptyState icon={<UsersRound />} title={text.emptyTitle} />}
        />
      </Panel>
      {state.new && <AddPerson onClose={() => setState({ new: false }, { replace: true })} />}
      {state.user !== null && users.data && (
        <PersonDrawer
          key={state.user}
          user={opened}
          isMe={opened?.id === me}
          log={state.log}
          onLog={(log) => setState({ log })}
          around={aroundOf(
            users.data.data.map(({ id }) => id),
            state.user,
            (user) => setState({ user, log: 1 }, { replace: true }),
          )}
          onClose={() => setState({ user: null, log: 1 })}
        />
      )}
    </>
  )
}
