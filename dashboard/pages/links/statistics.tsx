// Results of a link or group in the window of the page: from clicks to engaged visitors, over time and by
// list.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { useMemo } from 'react'
import { type LinkOwner, type LinkStatistics, readLinkStatistics } from '../../api/links.ts'
import { type ListRow, type Overview, readOverview } from '../../api/overview.ts'
import { Graph } from '../../charts/graph.tsx'
import { compactNumber, number, percent, shareOf } from '../../format.ts'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Figures, FiguresSkeleton, Pair } from '../../parts/figures.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Loaded, Skeleton } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { links as text, overview as overviewText } from '../../texts/index.ts'
import { askOf, useWindow } from '../../window.ts'
import { momentWords, type Shown, shownMetric } from '../overview/metric.ts'
import { RowLabel } from '../overview/row-label.tsx'
import { rowIcon } from '../overview/row-icons.tsx'
import styles from './links.module.css'

const words = text.statistics
const lists = ['entry_path_full', 'source', 'country', 'device'] as const
const ROWS = 6
const GRAPH_HEIGHT = 200

/** The sessions that began through it, as the overview counts them. */
function useSessions({ kind, id }: LinkOwner) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const f = [{ id: kind, op: 'equals', values: [id] }]
  const ask = { ...askOf({ period, date_from, date_to, f }), interval: null, compare: 'preceding' as const }
  return useQuery({
    queryKey: ['overview', property.id, ask],
    queryFn: ({ signal }) => readOverview(property.id, ask, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function Statistics({ owner }: { owner: LinkOwner }) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const ask = { period, date_from, date_to }
  const statistics = useQuery({
    queryKey: ['link-statistics', property.id, owner, ask],
    queryFn: ({ signal }) => readLinkStatistics(property.id, owner, ask, signal),
    placeholderData: keepPreviousData,
  })
  const overview = useSessions(owner)
  const isEmpty = overview.data && lists.every((id) => (overview.data.lists[id]?.rows ?? []).length === 0)
  return (
    <>
      <Panel title={words.title} actions={<PeriodPicker byDefault={statistics.data?.statistics.period} />}>
        <Loaded query={statistics} skeleton={<FiguresSkeleton count={4} />}>
          {({ statistics: loaded }) => <Funnel statistics={loaded} />}
        </Loaded>
        <div className={styles.graph}>
          <Loaded query={overview} skeleton={<Skeleton height={`${GRAPH_HEIGHT}px`} />}>
            {(loaded) => <SessionGraph overview={loaded} />}
          </Loaded>
        </div>
      </Panel>
      {!isEmpty && (
        <Pair>
          {lists.map((id) => (
            <Panel key={id} title={words.lists[id]}>
              <Loaded query={overview} skeleton={<ListSkeleton />}>
                {(loaded) => <List id={id} rows={loaded.lists[id]?.rows ?? []} />}
              </Loaded>
            </Panel>
          ))}
        </Pair>
      )}
    </>
  )
}

function Funnel({ statistics }: { statistics: LinkStatistics }) {
  const { clicks, visitors, arrived, already_on_site, engaged, arrival_rate, engagement_rate, count_bots } = statistics
  const floods = statistics.bots['flood'] ?? 0
  return (
    <>
      <Figures
        figures={[
          { label: words.clicks, value: number(clicks), hint: words.clicksHint },
          { label: words.visitors, value: number(visitors), hint: words.visitorsHint },
          { label: words.arrived, value: number(arrived), hint: words.arrivedHint(shareOf(arrival_rate, visitors)) },
          { label: words.engaged, value: number(engaged), hint: words.engagedHint(shareOf(engagement_rate, arrived)) },
        ]}
      />
      {already_on_site > 0 && (
        <p className={styles.aside}>{words.alreadyOnSite(number(already_on_site), already_on_site)}</p>
      )}
      {count_bots > 0 && (
        <p className={styles.aside}>
          {words.bots(number(count_bots), count_bots)} {floods > 0 && words.floods(number(floods))}
        </p>
      )}
    </>
  )
}

function SessionGraph({ overview }: { overview: Overview }) {
  const shown = useMemo(() => shownMetric(overview, 'sessions', 'none'), [overview])
  const values = shown.moments.map(({ value }) => value)
  if (values.every((value) => !value))
    return (
      <EmptyState isSmall icon={<ChartLine />} title={words.nothing}>
        {words.nothingHint}
      </EmptyState>
    )
  return (
    <>
      <h3>{words.graph}</h3>
      <Graph
        label={words.graph}
        help={overviewText.graph.help}
        buckets={shown.moments}
        values={values}
        projected={shown.projected}
        format={shown.format}
        tick={shown.tick}
        height={GRAPH_HEIGHT}
        words={(index) => momentWords(shown, index, [])}
        readOut={(index) => <ReadOut shown={shown} index={index} />}
      />
    </>
  )
}

function ReadOut({ shown: { moments, label }, index }: { shown: Shown; index: number }) {
  const moment = moments[index]
  if (!moment) return null
  const { name, shown, isRunning, expected } = moment
  return (
    <>
      <strong>{name}</strong>
      <div>{isRunning ? `${shown} ${label} ${overviewText.graph.soFar}` : `${shown} ${label}`}</div>
      {expected !== null && <div>{`${overviewText.graph.projected}: ${expected}`}</div>}
    </>
  )
}

const head = ['', words.sessions, words.share] as const

const ListSkeleton = () => (
  <BarList head={head}>
    {Array.from({ length: ROWS }, (_, index) => (
      <BarRowSkeleton key={index} share={0.9 / (1 + index * 0.5)} />
    ))}
  </BarList>
)

function List({ id, rows }: { id: (typeof lists)[number]; rows: readonly ListRow[] }) {
  if (rows.length === 0) return <p className={styles.small}>{overviewText.rows.empty}</p>
  const largest = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <BarList head={head}>
      {rows.slice(0, ROWS).map((row) => (
        <BarRow
          key={row.id}
          label={<RowLabel id={id} row={row} />}
          icon={rowIcon(id, row)}
          value={compactNumber(row.value)}
          percent={percent(row.percent)}
          share={row.value / largest}
        />
      ))}
    </BarList>
  )
}
