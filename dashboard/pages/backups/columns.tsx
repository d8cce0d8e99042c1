// The columns of the backups that can be restored, and of the runs that took them.
import type { Backup, BackupRun } from '../../api/backups.ts'
import { bytes, duration } from '../../format.ts'
import { Progress, RelativeTime } from '../../parts/marks.tsx'
import { Status, StatusDetail } from '../../parts/status.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { backups as text } from '../../texts/index.ts'

export const backupColumns: readonly Column<Backup>[] = [
  {
    id: 'taken',
    header: text.taken,
    skeleton: <TwoLinesSkeleton />,
    cell: ({ created_ts: ts, id }) => <TwoLines title={<RelativeTime ts={ts} />} detail={id} />,
  },
  { id: 'size', header: text.size, align: 'end', cell: (backup) => bytes(backup.bytes) },
  { id: 'added', header: text.added, align: 'end', cell: ({ new_bytes: added }) => bytes(added) },
  { id: 'took', header: text.took, align: 'end', isMinor: true, cell: ({ took_seconds: took }) => duration(took) },
  { id: 'version', header: text.version, isMinor: true, cell: ({ version }) => version },
]

const tones = { asked: 'plain', running: 'plain', done: 'good', failed: 'bad' } as const

const RunState = ({ run: { state, progress, error } }: { run: BackupRun }) => (
  <Status tone={tones[state]} label={text.states[state]}>
    {state === 'running' && <Progress value={progress} label={text.progress} />}
    {error !== null && <StatusDetail>{error}</StatusDetail>}
  </Status>
)

export const runColumns: readonly Column<BackupRun>[] = [
  { id: 'when', header: text.startedAt, cell: ({ asked_ts: ts }) => <RelativeTime ts={ts} /> },
  { id: 'state', header: text.state, cell: (run) => <RunState run={run} /> },
  {
    id: 'by',
    header: text.by,
    isMinor: true,
    cell: ({ is_scheduled: isScheduled }) => (isScheduled ? text.bySchedule : text.byPerson),
  },
]
