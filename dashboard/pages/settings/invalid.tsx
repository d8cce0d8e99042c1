// Sessions that do not count: found by time, network and host, previewed, marked, and restored from the lists
// below.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { Link } from 'wouter'
import { listMarkedSessions, listMarkings, type MarkedSession, type Marking, undoMarking } from '../../api/marks.ts'
import { markSession } from '../../api/sessions.ts'
import { shownAddress } from '../../address.ts'
import { dateTime, number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Progress, RelativeTime, StatusDot, type Tone } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { invalid as text } from '../../texts/index.ts'
import { MarkMany } from './mark-many.tsx'
import styles from './page.module.css'

const WATCH_MS = 1000

export default function Invalid() {
  const canMark = useCan('admin')
  return (
    <>
      <Panel title={text.title} subtitle={text.subtitle}>
        {canMark && <MarkMany />}
      </Panel>
      <Together />
      <Alone />
    </>
  )
}

const isUnderWay = ({ state }: Marking): boolean => state === 'marking' || state === 'undoing'

const spanOf = ({ from_ts, to_ts }: Marking): string => `${dateTime(from_ts)} – ${dateTime(to_ts)}`

function whichOf({ network, host }: Marking): string {
  const named = [network !== null && text.ofNetwork(network), host !== null && text.ofHost(host)].filter(Boolean)
  return named.length === 0 ? text.any : named.join(' · ')
}

const tones: Readonly<Record<Marking['state'], Tone>> = {
  marking: 'warn',
  marked: 'bad',
  undoing: 'warn',
  undone: 'plain',
}

const State = ({ one }: { one: Marking }) => (
  <span className={styles.state}>
    <StatusDot tone={tones[one.state]}>{text.states[one.state]}</StatusDot>
    {isUnderWay(one) && (
      <>
        <span className={styles.small}>
          {text.progress(number(one.done), number(Math.max(one.sessions, one.done)))}
        </span>
        <Progress value={one.sessions === 0 ? 0 : Math.min(1, one.done / one.sessions)} label={text.progressOf} />
      </>
    )}
  </span>
)

const togetherColumns = (onUndo: ((one: Marking) => void) | undefined): readonly Column<Marking>[] => [
  {
    id: 'which',
    header: text.which,
    skeleton: <TwoLinesSkeleton />,
    cell: (one) => <TwoLines title={whichOf(one)} detail={<span className={styles.wraps}>{spanOf(one)}</span>} />,
  },
  { id: 'state', header: text.state, cell: (one) => <State one={one} /> },
  { id: 'marked', header: text.marked, align: 'end', cell: ({ done }) => number(done) },
  { id: 'when', header: text.when, isMinor: true, cell: ({ created_ts: ts }) => <RelativeTime ts={ts} /> },
  ...(onUndo
    ? [
        {
          id: 'undo',
          header: text.undo,
          align: 'end',
          isAction: true,
          cell: (one: Marking) =>
            (one.state === 'marked' || one.state === 'marking') && (
              <Button
                size="small"
                aria-label={text.undoOf(`${whichOf(one)}, ${spanOf(one)}`)}
                onClick={() => onUndo(one)}
              >
                {text.undo}
              </Button>
            ),
        } as const,
      ]
    : []),
]

function Together() {
  const property = useProperty()
  const canMark = useCan('admin')
  const client = useQueryClient()
  const markings = useQuery({
    queryKey: ['markings', property.id],
    queryFn: ({ signal }) => listMarkings(property.id, signal),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) ? WATCH_MS : false),
    staleTime: 0,
  })
  const undo = useMutation({
    mutationFn: ({ id }: Marking) => undoMarking(property.id, id),
    onSuccess: async () => {
      toast(text.undoing)
      // Every figure may be another one now.
      await client.invalidateQueries()
    },
  })
  return (
    <Panel title={text.together} subtitle={text.togetherSubtitle} isFlush>
      <DataTable
        caption={text.togetherCaption}
        columns={togetherColumns(canMark ? (one) => undo.mutate(one) : undefined)}
        rows={markings.data?.data}
        rowKey={({ id }) => id}
        error={markings.error}
        onRetry={markings.refetch}
        skeletonRows={2}
        empty={
          <EmptyState isSmall icon={<Ban />} title={text.none}>
            {text.noneHint}
          </EmptyState>
        }
      />
    </Panel>
  )
}

const nameOf = ({ host, path, session_id: id }: MarkedSession): string =>
  host === '' && path === '' ? id : shownAddress(`${host}${path}`)

interface AloneActions {
  readonly storyOf: (session: string) => string
  readonly onCount: ((one: MarkedSession) => void) | undefined
}

const aloneColumns = ({ storyOf, onCount }: AloneActions): readonly Column<MarkedSession>[] => [
  {
    id: 'session',
    header: text.session,
    skeleton: <TwoLinesSkeleton />,
    cell: (one) => (
      <TwoLines
        title={<Link href={storyOf(one.session_id)}>{nameOf(one)}</Link>}
        detail={text.began(dateTime(one.entry_ts))}
      />
    ),
  },
  { id: 'network', header: text.network, isMinor: true, cell: ({ network }) => network || text.notKnown },
  { id: 'when', header: text.marked, cell: ({ marked_ts: ts }) => <RelativeTime ts={ts} /> },
  ...(onCount
    ? [
        {
          id: 'again',
          header: text.again,
          align: 'end',
          isAction: true,
          cell: (one: MarkedSession) => (
            <Button size="small" aria-label={text.againOf(nameOf(one))} onClick={() => onCount(one)}>
              {text.again}
            </Button>
          ),
        } as const,
      ]
    : []),
]

function Alone() {
  const property = useProperty()
  const path = usePropertyPath()
  const canMark = useCan('admin')
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['marked-sessions', property.id],
    queryFn: ({ signal }) => listMarkedSessions(property.id, signal),
    staleTime: 0,
  })
  const count = useMutation({
    mutationFn: (one: MarkedSession) => markSession(property.id, one.session_id, false),
    onSuccess: async () => {
      toast(text.counted)
      await client.invalidateQueries()
    },
  })
  const actions: AloneActions = {
    storyOf: (session) => path(`/sessions/${encodeURIComponent(session)}`),
    onCount: canMark ? (one) => count.mutate(one) : undefined,
  }
  return (
    <Panel title={text.alone} subtitle={text.aloneSubtitle} isFlush>
      <DataTable
        caption={text.aloneCaption}
        columns={aloneColumns(actions)}
        rows={sessions.data?.data}
        rowKey={({ session_id: id }) => id}
        error={sessions.error}
        onRetry={sessions.refetch}
        skeletonRows={2}
        empty={
          <EmptyState isSmall icon={<Ban />} title={text.noneAlone}>
            {text.noneAloneHint}
          </EmptyState>
        }
      />
    </Panel>
  )
}
