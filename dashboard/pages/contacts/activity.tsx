// What a contact did, the latest first: visits and form submissions. Each visit links to its story.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ContactRound, MousePointerClick, TextCursorInput } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import {
  type Contact,
  type ContactSession,
  type ContactSubmission,
  listContactSessions,
  listContactSubmissions,
} from '../../api/contacts.ts'
import { number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Badge } from '../../parts/marks.tsx'
import { Facts } from '../../parts/panel.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../parts/states.tsx'
import { Happening, Timeline } from '../../parts/timeline.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './contact.module.css'
import { shortAddress } from './words.ts'
import { deviceName, sourceName } from '../../service-words.ts'

const words = text.one

interface Entry {
  readonly key: string
  readonly ts: number
  readonly shown: ReactNode
}

function useActivity(id: string) {
  const property = useProperty()
  const sessions = useInfiniteQuery({
    queryKey: ['contact-sessions', property.id, id],
    queryFn: ({ pageParam, signal }) => listContactSessions(property.id, id, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ paging }) => paging.next_cursor,
  })
  const submissions = useQuery({
    queryKey: ['contact-submissions', property.id, id],
    queryFn: ({ signal }) => listContactSubmissions(property.id, id, signal),
  })
  return { sessions, submissions }
}

export function Activity({ contact }: { contact: Contact }) {
  const { sessions, submissions } = useActivity(contact.id)
  const error = sessions.error ?? submissions.error
  if (error && (sessions.data === undefined || submissions.data === undefined))
    return <ErrorState error={error} isSmall onRetry={() => Promise.all([sessions.refetch(), submissions.refetch()])} />
  if (sessions.data === undefined || submissions.data === undefined) return <SkeletonLines lines={8} />
  const visits = sessions.data.pages.flatMap((page) => page.sessions)
  const sent = submissions.data.submissions
  if (visits.length === 0 && sent.length === 0)
    return (
      <EmptyState icon={<MousePointerClick />} title={words.noActivity.title} isSmall>
        {words.noActivity.hint}
      </EmptyState>
    )
  const earliest = sessions.hasNextPage ? (visits.at(-1)?.entry_ts ?? 0) : 0
  const entries: Entry[] = [
    ...visits.map(visitEntry),
    // Older than the visits that are shown: they come with those of their time.
    ...sent.filter(({ submitted_ts }) => submitted_ts >= earliest).map(submissionEntry),
    ...(contact.identified_ts >= earliest ? [knownEntry(contact)] : []),
  ]
  return (
    <>
      <Timeline>
        {entries
          .toSorted((a, b) => b.ts - a.ts)
          .map(({ key, shown }) => (
            <Fragment key={key}>{shown}</Fragment>
          ))}
      </Timeline>
      {sessions.hasNextPage && (
        <div className={styles.more}>
          <Button size="small" isBusy={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>
            {words.earlier}
          </Button>
        </div>
      )}
    </>
  )
}

const visitEntry = (session: ContactSession): Entry => ({
  key: session.id,
  ts: session.entry_ts,
  shown: <Visit session={session} />,
})

function Visit({ session }: { session: ContactSession }) {
  const path = usePropertyPath()
  const { id, entry_ts, entry_url, views, channel, geo, device } = session
  const place = [geo.city, geo.country].filter((part) => part !== null).join(', ')
  const details = [
    channel.source === null ? channel.name : sourceName(channel.source),
    views === null ? null : words.views(number(views), views),
    place === '' ? null : place,
    device && deviceName(device),
  ].filter((part) => part !== null)
  return (
    <Happening
      icon={<MousePointerClick />}
      ts={entry_ts}
      title={
        <Link href={path(`/sessions/${encodeURIComponent(id)}`)}>
          {entry_url === null ? words.visit : words.visited(shortAddress(entry_url))}
        </Link>
      }
    >
      <p className={styles.detail}>{details.join(' · ')}</p>
    </Happening>
  )
}

const submissionEntry = (submission: ContactSubmission): Entry => ({
  key: submission.id,
  ts: submission.submitted_ts,
  shown: <Sent submission={submission} />,
})

function Sent({ submission: { id, form, submitted_ts, is_spam, fields } }: { submission: ContactSubmission }) {
  const path = usePropertyPath()
  const answers = Object.entries(fields)
  return (
    <Happening
      icon={<TextCursorInput />}
      isSpecial={!is_spam}
      ts={submitted_ts}
      title={
        <>
          <Link href={path(`/forms/${encodeURIComponent(form.id)}?submission=${encodeURIComponent(id)}`)}>
            {words.sent(form.name)}
          </Link>
          {is_spam && <Badge tone="warn">{words.spam}</Badge>}
        </>
      }
    >
      {answers.length > 0 && (
        <details className={styles.answers}>
          <summary>{words.answers(answers.length)}</summary>
          <div>
            <Facts rows={answers} />
          </div>
        </details>
      )}
    </Happening>
  )
}

const knownEntry = ({ id, identified_ts }: Contact): Entry => ({
  key: `known ${id}`,
  ts: identified_ts,
  shown: <Happening icon={<ContactRound />} isSpecial ts={identified_ts} title={words.becameKnown} />,
})
