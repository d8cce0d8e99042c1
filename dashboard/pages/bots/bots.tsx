// Which bots came, how often, over which networks, and what they looked at.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { type Bots, readBots } from '../../api/bots.ts'
import type { ListRow } from '../../api/live.ts'
import { isolated, shownAddress } from '../../address.ts'
import { bucketName, bucketTick, number, percent } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Button } from '../../parts/button.tsx'
import { Columns, ColumnsSkeleton } from '../../parts/columns.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Badge, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { bots as text } from '../../texts/index.ts'
import { askOf, useWindow } from '../../window.ts'
import styles from './page.module.css'

export function useBots(isWanted: boolean): UseQueryResult<Bots> {
  const property = useProperty()
  const [window] = useWindow()
  const ask = askOf(window)
  return useQuery({
    queryKey: ['bots', property.id, ask],
    queryFn: ({ signal }) => readBots(property.id, ask, signal),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
}

export function BotsTab({ bots: query }: { bots: UseQueryResult<Bots> }) {
  const bots = query.data
  return (
    <>
      <FilterBar />
      <BotsShown bots={bots} error={query.error} onRetry={query.refetch} isStale={query.isPlaceholderData} />
    </>
  )
}

interface BotsShownProps {
  readonly bots: Bots | undefined
  readonly error: Error | null
  readonly onRetry: () => unknown
  readonly isStale: boolean
}

function BotsShown({ bots, error, onRetry, isStale }: BotsShownProps) {
  if (bots === undefined && error)
    return (
      <Panel>
        <ErrorState error={error} onRetry={onRetry} />
      </Panel>
    )
  if (bots?.total === 0)
    return (
      <Panel>
        <NoBots />
      </Panel>
    )
  return (
    <>
      <Panel>
        <Sum bots={bots} />
      </Panel>
      <Panel title={text.who} subtitle={text.whoHint} isFlush>
        <DataTable
          caption={text.who}
          columns={columns}
          rows={bots?.names}
          rowKey={({ name, kind }) => `${kind} ${name}`}
          isStale={isStale}
        />
      </Panel>
      <div className={styles.lists}>
        <Panel title={text.pages.title}>
          <Shares isOfPaths rows={bots?.pages} head={text.pages.head} none={text.noPages} />
        </Panel>
        <Panel title={text.networks.title}>
          <Shares rows={bots?.networks} head={text.networks.head} none={text.networks.none} />
        </Panel>
      </div>
    </>
  )
}

function Sum({ bots }: { bots: Bots | undefined }) {
  return (
    <div className={styles.sum}>
      <p className={styles.count}>
        <strong>{bots ? number(bots.total) : <Skeleton width="6rem" />}</strong>
        <span>{text.sessions(bots?.total ?? 0)}</span>
        <span>{bots ? text.views(number(bots.views), bots.views) : <Skeleton width="6rem" />}</span>
      </p>
      {bots ? <Series bots={bots} /> : <ColumnsSkeleton />}
    </div>
  )
}

function Series({ bots: { series, inputs } }: { bots: Bots }) {
  const { interval } = inputs
  const tickOf = (bucket = series[0]): string => (bucket ? bucketTick(bucket.from_ts, interval) : '')
  const values = series.map(({ from_ts, to_ts, sessions }) => ({
    label: bucketName(from_ts, to_ts, interval),
    value: sessions,
  }))
  return <Columns label={text.graph} values={values} ends={[tickOf(), tickOf(series.at(-1))]} />
}

type Name = Bots['names'][number]

const kinds: Readonly<Record<string, { readonly name: string; readonly hint: string }>> = text.kinds

const columns: readonly Column<Name>[] = [
  { id: 'name', header: text.columns.name, cell: ({ name }) => <strong>{name === '' ? text.nameless : name}</strong> },
  {
    id: 'kind',
    header: text.columns.kind,
    cell: ({ kind }) => (
      <span title={kinds[kind]?.hint}>
        <Badge>{kinds[kind]?.name ?? kind}</Badge>
      </span>
    ),
  },
  { id: 'sessions', header: text.columns.sessions, align: 'end', cell: ({ sessions }) => number(sessions) },
  { id: 'views', header: text.columns.views, align: 'end', cell: ({ views }) => number(views) },
  { id: 'last', header: text.columns.last, align: 'end', cell: ({ last_ts }) => <RelativeTime ts={last_ts} /> },
]

interface SharesProps {
  readonly isOfPaths?: boolean
  readonly rows: readonly ListRow[] | undefined
  readonly head: readonly [string, string, string]
  readonly none: string
}

function Shares({ isOfPaths = false, rows, head, none }: SharesProps) {
  if (rows?.length === 0) return <p className={styles.none}>{none}</p>
  const most = rows?.[0]?.value ?? 1
  return (
    <BarList head={head}>
      {rows
        ? rows.map(({ id, label, value, percent: share }) => (
            <BarRow
              key={id}
              label={isOfPaths ? <Address address={label} /> : label}
              title={isOfPaths ? isolated(shownAddress(label)) : label}
              value={number(value)}
              percent={percent(share)}
              share={value / most}
            />
          ))
        : [0.9, 0.6, 0.5, 0.3, 0.2].map((share) => <BarRowSkeleton key={share} share={share} />)}
    </BarList>
  )
}

function NoBots() {
  const [{ f }, setWindow] = useWindow()
  const isFiltered = f.length > 0
  return (
    <EmptyState
      icon={<Bot />}
      title={text.empty.title}
      actions={isFiltered && <Button onClick={() => setWindow({ f: [] })}>{text.emptyFiltered.clear}</Button>}
    >
      {isFiltered ? text.emptyFiltered.hint : text.empty.hint}
    </EmptyState>
  )
}
