// The live view: it updates by itself, and can be paused.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { useSearch } from 'wouter'
import { type Live, type ListRow, readLive } from '../../api/live.ts'
import { useLostTs } from '../../connection.ts'
import { number } from '../../format.ts'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Columns, ColumnsSkeleton } from '../../parts/columns.tsx'
import { Switch } from '../../parts/fields.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { useLostWords } from '../../parts/lost.ts'
import { StatusDot } from '../../parts/marks.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Rolled } from '../../parts/rolled.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useCan, useMayExclude, useProperty, usePropertyPath } from '../../session.tsx'
import { live as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { asksOf, useWindow, withClause } from '../../window.ts'
import { liveColumns } from '../sessions/columns.tsx'
import { useNames } from '../sessions/names.ts'
import { rowIcon } from '../overview/row-icons.tsx'
import { labelOf, RowLabel } from '../overview/row-label.tsx'
import { useNewcomers } from './newcomers.ts'
import styles from './page.module.css'

const ASK_MS = 5_000

const codecs = { paused: flagParam }

/** What each list shows, and the clause that its rows are for. */
const lists = [
  { id: 'pages', clause: 'exit_path_full' },
  { id: 'sources', clause: 'source' },
  { id: 'countries', clause: 'country' },
] as const

export default function LivePage() {
  const property = useProperty()
  const [{ f }] = useWindow()
  const [{ paused }, setState] = useUrlState(codecs)
  useTitle(text.title, property.name)
  const lost = useLostWords()
  const live = useQuery({
    queryKey: ['live', property.id, f],
    queryFn: ({ signal }) => readLive(property.id, asksOf(f), signal),
    refetchInterval: paused ? false : ASK_MS,
    refetchOnReconnect: !paused,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const words = paused ? text.paused : text.following
  return (
    <>
      <PageHeader
        isCompact
        title={text.title}
        subtitle={lost === undefined ? words : <StatusDot>{lost}</StatusDot>}
        actions={
          <FilterBar isInHeader>
            <Switch
              label={text.follow}
              isOn={!paused}
              onChange={(isOn) => setState({ paused: !isOn }, { replace: true })}
            />
          </FilterBar>
        }
      />
      <Stack>
        {live.data === undefined && live.error ? (
          <Panel>
            <ErrorState error={live.error} onRetry={live.refetch} />
          </Panel>
        ) : (
          <Shown live={live.data} />
        )}
      </Stack>
    </>
  )
}

function Shown({ live }: { live: Live | undefined }) {
  return (
    <>
      <Panel>
        <Now live={live} />
      </Panel>
      {live?.count === 0 ? (
        <Panel>
          <Nobody />
        </Panel>
      ) : (
        <Everybody live={live} />
      )}
    </>
  )
}

function Now({ live }: { live: Live | undefined }) {
  return (
    <div className={styles.now}>
      <p className={styles.count}>
        <strong>{live ? <Rolled words={number(live.count)} /> : <Skeleton width="4rem" />}</strong>
        <StatusDot tone={live && live.count > 0 ? 'good' : 'plain'} isLive={live !== undefined && live.count > 0}>
          {text.now(live?.count ?? 0)}
        </StatusDot>
      </p>
      {live ? <Columns label={text.graph} values={live.series} ends={text.ends} /> : <ColumnsSkeleton />}
    </div>
  )
}

function Everybody({ live }: { live: Live | undefined }) {
  const path = usePropertyPath()
  const search = useSearch()
  const mayOpen = useCan('viewer')
  const names = useNames(live?.sessions)
  const [{ f }] = useWindow()
  const newcomers = useNewcomers(
    live?.sessions.map(({ id }) => id),
    JSON.stringify(f),
  )
  const rowHref = ({ id }: { id: string }) => `${path(`/sessions/${encodeURIComponent(id)}`)}${search && `?${search}`}`
  return (
    <>
      <div className={styles.lists}>
        {lists.map(({ id, clause }) => (
          <Panel key={id} title={text[id].title}>
            <LiveList rows={live?.[id]} head={text[id].head} clause={clause} />
          </Panel>
        ))}
      </div>
      {mayOpen && (
        <Panel title={text.sessions} subtitle={text.latest} isFlush>
          <DataTable
            caption={text.sessions}
            columns={liveColumns(names, text.here)}
            rows={live?.sessions}
            rowKey={({ id }) => id}
            rowHref={rowHref}
            isFresh={({ id }) => newcomers.has(id)}
            skeletonRows={5}
          />
        </Panel>
      )}
    </>
  )
}

interface LiveListProps {
  readonly rows: readonly ListRow[] | undefined
  readonly head: readonly [string, string]
  readonly clause: (typeof lists)[number]['clause']
}

function LiveList({ rows, head, clause }: LiveListProps) {
  const [{ f }, setWindow] = useWindow()
  const mayExclude = useMayExclude()
  if (rows?.length === 0) return <p className={styles.none}>{text.none}</p>
  const most = rows?.[0]?.value ?? 1
  const choose = (value: string, isExcluding: boolean): void =>
    setWindow({
      f: withClause(f, { id: clause, op: isExcluding && mayExclude ? 'not_equals' : 'equals', values: [value] }),
    })
  return (
    <BarList head={head}>
      {rows
        ? rows.map((row) => (
            <BarRow
              key={row.id}
              label={<RowLabel id={clause} row={row} />}
              icon={rowIcon(clause, row)}
              value={number(row.value)}
              share={row.value / most}
              title={text.filterBy(labelOf(clause, row))}
              onChoose={(isExcluding) => choose(row.id, isExcluding)}
            />
          ))
        : [0.9, 0.6, 0.5, 0.3].map((share) => <BarRowSkeleton key={share} share={share} />)}
    </BarList>
  )
}

function Nobody() {
  const path = usePropertyPath()
  const mayCheck = useCan('viewer')
  const { isShared } = useProperty()
  const [{ f }, setWindow] = useWindow()
  const isLost = useLostTs() !== undefined
  if (isLost) return <EmptyState icon={<Radio />} title={text.emptyThen} />
  if (isShared && f.length === 0)
    return (
      <EmptyState icon={<Radio />} title={text.few.title}>
        {text.few.hint}
      </EmptyState>
    )
  if (f.length > 0)
    return (
      <EmptyState
        icon={<Radio />}
        title={isShared ? text.few.title : text.emptyFiltered.title}
        actions={<Button onClick={() => setWindow({ f: [] })}>{text.emptyFiltered.clear}</Button>}
      >
        {isShared ? text.few.filteredHint : text.emptyFiltered.hint}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Radio />}
      title={text.empty.title}
      actions={mayCheck && <LinkButton href={path('/start')}>{text.empty.check}</LinkButton>}
    >
      {text.empty.hint}
    </EmptyState>
  )
}
