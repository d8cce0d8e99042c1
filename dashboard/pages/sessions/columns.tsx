// Sessions as rows of a table, here and on the page “Live”.
import type { SessionDocument } from '../../api/sessions.ts'
import type { ReactNode } from 'react'
import { money, number } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { Badge, Flag, RelativeTime } from '../../parts/marks.tsx'
import { Skeleton } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { sessions as text } from '../../texts/index.ts'
import styles from './columns.module.css'
import type { Names } from './names.ts'
import { deviceOf, placeOf, sourceOf, timeOf } from './words.ts'

/** What came of a session, in a word each. */
function Outcomes({ session, isNamed }: { session: SessionDocument; isNamed: boolean }) {
  const { event_tags, form_tags = [], contact_id, signal_value_amount, signal_value_currency } = session
  const isAny = event_tags.length > 0 || form_tags.length > 0 || (contact_id !== undefined && !isNamed)
  if (!isAny && signal_value_amount === undefined) return null
  return (
    <span className={styles.outcomes}>
      {signal_value_amount !== undefined && (
        <Badge tone="good">{money(signal_value_amount, signal_value_currency)}</Badge>
      )}
      {form_tags.length > 0 && <Badge tone="accent">{text.form}</Badge>}
      {contact_id !== undefined && !isNamed && <Badge tone="accent">{text.contact}</Badge>}
      {event_tags.length > 0 && <Badge>{text.events(event_tags.length)}</Badge>}
    </span>
  )
}

const visitColumn = (
  header: string,
  names: Names,
  titleOf: (session: SessionDocument) => ReactNode,
): Column<SessionDocument> => ({
  id: 'visit',
  header,
  width: '31%',
  skeleton: <TwoLinesSkeleton />,
  cell: (session) => (
    <TwoLines
      mark={session.request_country === undefined ? <NoFlag /> : <Flag code={session.request_country} />}
      title={titleOf(session) ?? text.unknownPage}
      detail={[names[session.contact_id ?? ''], placeOf(session) ?? text.unknownPlace].filter(Boolean).join(' · ')}
    />
  ),
})

const addressOf = (address: string | undefined): ReactNode =>
  address === undefined ? undefined : <Address address={address} />

/** Of the width of a flag: names stay in line. */
function NoFlag() {
  return <span className={styles.noFlag} aria-hidden="true" />
}

const outcomeColumn = (names: Names): Column<SessionDocument> => ({
  id: 'outcome',
  header: text.columns.outcome,
  width: '21%',
  cell: (session) => <Outcomes session={session} isNamed={names[session.contact_id ?? ''] !== undefined} />,
})

const began: Column<SessionDocument> = {
  id: 'when',
  header: text.columns.when,
  cell: ({ entry_ts }) => <When ts={entry_ts} />,
}

const lastActive: Column<SessionDocument> = {
  id: 'active',
  header: text.columns.active,
  cell: ({ last_ts }) => <When ts={last_ts} />,
}

const others: readonly Column<SessionDocument>[] = [
  {
    id: 'source',
    header: text.columns.source,
    width: '19%',
    skeleton: <TwoLinesSkeleton isNarrow />,
    cell: (session) => (
      <TwoLines title={sourceOf(session) ?? text.unknown} detail={deviceOf(session) ?? text.unknownDevice} />
    ),
  },
  {
    id: 'views',
    header: text.columns.views,
    align: 'end',
    cell: ({ views }) => number(views),
    skeleton: <Short />,
    isMinor: true,
  },
  {
    id: 'time',
    header: text.columns.time,
    align: 'end',
    cell: timeOf,
    skeleton: <Short />,
  },
]

function When({ ts }: { ts: number }) {
  return (
    <span className={styles.when}>
      <RelativeTime ts={ts} />
    </span>
  )
}

function Short() {
  return <Skeleton width="2rem" />
}

/** By where they came in. */
export const sessionColumns = (names: Names) => [
  visitColumn(
    text.columns.visit,
    names,
    ({ entry_path, entry_title, entry_url }) => addressOf(entry_path) ?? entry_title ?? addressOf(entry_url),
  ),
  began,
  ...others,
  outcomeColumn(names),
]

/** By where they are, and when they were last active. */
export const liveColumns = (names: Names, header: string) => [
  visitColumn(header, names, ({ exit_path, entry_path }) => addressOf(exit_path ?? entry_path)),
  lastActive,
  ...others,
  outcomeColumn(names),
]
