// The columns of a list of messages.
import type { Mail } from '../../api/mail.ts'
import { RelativeTime, StatusDot } from '../../parts/marks.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { mail as text } from '../../texts/index.ts'
import styles from './page.module.css'

const tones = { pending: 'plain', sent: 'good', failed: 'bad', erased: 'plain' } as const

export const columns: readonly Column<Mail>[] = [
  {
    id: 'what',
    header: text.what,
    skeleton: <TwoLinesSkeleton />,
    cell: (mail) => <TwoLines title={mail.subject} detail={mail.to === '' ? text.erasedTo : mail.to} />,
  },
  {
    id: 'state',
    header: text.state,
    cell: (mail) => (
      <span className={styles.state}>
        <StatusDot tone={tones[mail.state]}>{text.states[mail.state]}</StatusDot>
        {mail.error !== null && <span className={styles.error}>{mail.error}</span>}
        {mail.next_attempt_ts !== null && (
          <span className={styles.error}>
            {text.next} <RelativeTime ts={mail.next_attempt_ts} />
          </span>
        )}
      </span>
    ),
  },
  { id: 'kind', header: text.kind, isMinor: true, cell: ({ kind }) => text.kinds[kind] },
  { id: 'when', header: text.when, cell: ({ created_ts: ts }) => <RelativeTime ts={ts} /> },
]
