// The columns of a list of messages.
import type { Mail } from '../../api/mail.ts'
import { RelativeTime } from '../../parts/marks.tsx'
import { Status, StatusDetail } from '../../parts/status.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { mail as text } from '../../texts/index.ts'

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
      <Status tone={tones[mail.state]} label={text.states[mail.state]}>
        {mail.error !== null && <StatusDetail>{mail.error}</StatusDetail>}
        {mail.next_attempt_ts !== null && (
          <StatusDetail>
            {text.next} <RelativeTime ts={mail.next_attempt_ts} />
          </StatusDetail>
        )}
      </Status>
    ),
  },
  { id: 'kind', header: text.kind, isMinor: true, cell: ({ kind }) => text.kinds[kind] },
  { id: 'when', header: text.when, cell: ({ created_ts: ts }) => <RelativeTime ts={ts} /> },
]
