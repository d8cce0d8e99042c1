// The people who arrived through a link or a group and are known by name, each with the story of the visit.
import { ContactRound, History } from 'lucide-react'
import { Link } from 'wouter'
import type { ResultPerson, ResultsOf } from '../../api/link-results.ts'
import { money, NO_FIGURE, number } from '../../format.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Avatar, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { usePropertyPath } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import styles from './links.module.css'

const words = text.results

function Person({ person: { contact_id, name, sessions } }: { person: ResultPerson }) {
  const path = usePropertyPath()
  const title = name === null ? words.removed : <Link href={path(`/contacts/${contact_id}`)}>{name}</Link>
  return (
    <TwoLines mark={<Avatar name={name ?? ''} />} title={title} detail={words.visitsOf(number(sessions), sessions)} />
  )
}

function Story({ person: { session_id } }: { person: ResultPerson }) {
  const path = usePropertyPath()
  return (
    <LinkButton size="small" icon={<History aria-hidden="true" />} href={path(`/sessions/${session_id}`)}>
      {words.showStory}
    </LinkButton>
  )
}

const columns: readonly Column<ResultPerson>[] = [
  { id: 'person', header: words.person, width: '40%', cell: (person) => <Person person={person} /> },
  { id: 'arrived', header: words.arrivedAt, cell: ({ arrived_ts }) => <RelativeTime ts={arrived_ts} /> },
  { id: 'form', header: words.form, cell: ({ has_sent_form }) => (has_sent_form ? words.sent : NO_FIGURE) },
  {
    id: 'value',
    header: words.value,
    align: 'end',
    cell: ({ value_cents }) => (value_cents === 0 ? NO_FIGURE : money(value_cents)),
  },
  { id: 'story', header: words.story, isAction: true, align: 'end', cell: (person) => <Story person={person} /> },
]

export function ResultsPeople({ own: { people, count_people } }: { own: ResultsOf }) {
  return (
    <Panel title={words.people} isFlush>
      <DataTable
        caption={words.peopleCaption}
        columns={columns}
        rows={people}
        rowKey={({ contact_id }) => contact_id}
        empty={
          <EmptyState isSmall icon={<ContactRound />} title={words.nobody}>
            {words.nobodyHint}
          </EmptyState>
        }
      />
      {count_people > people.length && <p className={styles.foot}>{words.morePeople(number(people.length))}</p>}
    </Panel>
  )
}
