// Results of a link or a group in the window of the page: from clicks to value, over time, by list, and the
// people behind it; another link or group beside it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine, Download } from 'lucide-react'
import { type LinkResults, readLinkResults, resultsUrl } from '../../api/link-results.ts'
import type { LinkOwner } from '../../api/links.ts'
import { Graph } from '../../charts/graph.tsx'
import { axisFigure, bucketName, bucketTick, number } from '../../format.ts'
import { FileButton, LinkButton } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { link as text, overview as overviewText } from '../../texts/index.ts'
import { textParam, useUrlState } from '../../url.ts'
import { useWindow, writeClause } from '../../window.ts'
import { Compare, ComparedWith } from './compare.tsx'
import styles from './links.module.css'
import { ResultsLists } from './results-lists.tsx'
import { ResultsPeople } from './results-people.tsx'
import { ResultsStrip, ResultsStripSkeleton } from './results-strip.tsx'

const words = text.results
const codecs = { with: textParam }
const GRAPH_HEIGHT = 200

export function Results({ owner }: { owner: LinkOwner }) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const [{ with: other }, setState] = useUrlState<{ with: string }>(codecs)
  const ask = { period, date_from, date_to }
  const results = useQuery({
    queryKey: ['link-results', property.id, owner, ask, other],
    queryFn: ({ signal }) => readLinkResults(property.id, owner, { ...ask, with: other }, signal),
    placeholderData: keepPreviousData,
  })
  const shown = results.data?.results
  const compare = (id: string): void => setState({ with: id })
  return (
    <>
      <Panel
        title={words.title}
        actions={
          <>
            <Compare owner={owner} onChoose={compare} />
            <PeriodPicker byDefault={shown?.period} />
          </>
        }
      >
        {other !== '' && <ComparedWith name={shown?.other?.name ?? other} onStop={() => compare('')} />}
        <Loaded query={results} skeleton={<ResultsStripSkeleton />}>
          {({ results: loaded }) => <Shown results={loaded} />}
        </Loaded>
        <div className={styles.resultsFoot}>
          <SeeVisits owner={owner} />
          <FileButton size="small" icon={<Download aria-hidden="true" />} href={resultsUrl(property.id, owner, ask)}>
            {words.csv}
          </FileButton>
        </div>
      </Panel>
      {shown && shown.own.totals.clicks > 0 && (
        <>
          <ResultsLists results={shown} />
          <ResultsPeople own={shown.own} />
        </>
      )}
    </>
  )
}

/** The visits that began through it, as the overview counts them. */
function SeeVisits({ owner: { kind, id } }: { owner: LinkOwner }) {
  const path = usePropertyPath()
  const [{ period, date_from, date_to }] = useWindow()
  const given = Object.entries({ period, date_from, date_to }).filter(([, value]) => value !== null)
  const search = new URLSearchParams(given as [string, string][])
  search.append('f', writeClause({ id: kind, op: 'equals', values: [id] }))
  return (
    <LinkButton size="small" icon={<ChartLine aria-hidden="true" />} href={`${path('')}?${search.toString()}`}>
      {words.visits}
    </LinkButton>
  )
}

function Shown({ results }: { results: LinkResults }) {
  const { own, other } = results
  const floods = own.bots['flood'] ?? 0
  const { already_on_site: here } = own.totals
  return (
    <>
      <ResultsStrip own={own} other={other} />
      {here > 0 && <p className={styles.aside}>{words.alreadyOnSite(number(here), here)}</p>}
      {own.count_bots > 0 && (
        <p className={styles.aside}>
          {words.bots(number(own.count_bots), own.count_bots)} {floods > 0 && words.floods(number(floods))}
        </p>
      )}
      <div className={styles.graph}>
        <ClickGraph results={results} />
      </div>
    </>
  )
}

function ClickGraph({ results: { own, other, buckets, interval } }: { results: LinkResults }) {
  if (own.totals.clicks === 0 && !other?.totals.clicks)
    return (
      <EmptyState isSmall icon={<ChartLine />} title={words.nothing}>
        {words.nothingHint}
      </EmptyState>
    )
  const named = buckets.map(({ from_ts, to_ts, is_running }) => ({
    name: bucketName(from_ts, to_ts, interval),
    tick: bucketTick(from_ts, interval),
    isRunning: is_running,
  }))
  const said = ({ series, name }: typeof own, index: number): string =>
    `${other ? `${name}: ` : ''}${number(series[index]?.clicks ?? 0)} ${words.steps.clicks}`
  const lines = (index: number): string[] => [own, ...(other ? [other] : [])].map((each) => said(each, index))
  return (
    <>
      <h3>{words.graph}</h3>
      <Graph
        label={words.graph}
        help={overviewText.graph.help}
        buckets={named}
        values={own.series.map(({ clicks }) => clicks)}
        before={other?.series.map(({ clicks }) => clicks)}
        format="count"
        tick={(value) => axisFigure(value, 'count')}
        height={GRAPH_HEIGHT}
        words={(index) => `${named[index]?.name ?? ''}: ${lines(index).join(', ')}`}
        readOut={(index) => (
          <>
            <strong>{named[index]?.name}</strong>
            {lines(index).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </>
        )}
      />
    </>
  )
}
