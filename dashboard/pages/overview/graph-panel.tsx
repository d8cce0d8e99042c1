// The chosen metric over time, as a graph or as a table, with the window's days, the interval and the notes.
import { ChartLine, ChevronDown, MessageSquarePlus, Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { Annotation, Overview } from '../../api/overview.ts'
import { daysOf } from '../../charts/geometry.ts'
import { Graph } from '../../charts/graph.tsx'
import { date, dateRange, zoneName } from '../../format.ts'
import { later } from '../../later.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/cx.ts'
import { Menu } from '../../parts/popover.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useCan } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import type { Comparison } from '../../window.ts'
import styles from './graph-panel.module.css'
import { comparisonOf } from './known.ts'
import { momentWords, type Shown, shownMetric } from './metric.ts'
import { notesByBucket } from './notes.ts'
import type { SetView, View } from './view.ts'

const NoteMark = lazy(later(async () => ({ default: (await import('./note-mark.tsx')).NoteMark })))
const GraphTable = lazy(later(async () => ({ default: (await import('./graph-table.tsx')).GraphTable })))

export interface GraphPanelProps {
  readonly overview: Overview
  readonly view: View
  readonly setView: SetView
  /** Where nothing can be pinned to it. */
  readonly hasNotes?: boolean
}

export function GraphPanel({ overview, view, setView, hasNotes = true }: GraphPanelProps) {
  // Figures of a goal are there once it is chosen and its answer has come.
  const metric = overview.series.current[view.metric] ? view.metric : 'sessions'
  const shown = useMemo(() => shownMetric(overview, metric, view.compare), [overview, metric, view.compare])
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <Legend overview={overview} shown={shown} compare={view.compare} />
        <Tools overview={overview} view={view} setView={setView} hasNotes={hasNotes} />
      </div>
      {view.view === 'table' ? (
        <Suspense fallback={<Skeleton height="280px" />}>
          <GraphTable shown={shown} />
        </Suspense>
      ) : (
        <Drawn overview={overview} shown={shown} setView={setView} />
      )}
    </div>
  )
}

interface LegendProps {
  readonly overview: Overview
  readonly shown: Shown
  readonly compare: Comparison
}

function Legend({ overview, shown, compare }: LegendProps) {
  const { window, previous_window: before, meta } = overview
  return (
    <div className={styles.legend}>
      <h2>{shown.label}</h2>
      <ul>
        <li>
          <span className={cx(styles.line, styles.current)} aria-hidden="true" />
          {text.graph.clock(dateRange(window.from_ts, window.to_ts), zoneName())}
        </li>
        {shown.isCompared && (
          <li>
            <span className={cx(styles.line, styles.before)} aria-hidden="true" />
            {text.graph.comparedWith(dateRange(before.from_ts, before.to_ts))}
          </li>
        )}
        {comparisonOf(overview, compare) === 'early' && (
          <li>{text.graph.notCompared(date(meta.first_view_ts ?? 0))}</li>
        )}
      </ul>
    </div>
  )
}

function Tools({ overview, view, setView, hasNotes }: GraphPanelProps) {
  const canNote = useCan('admin') && hasNotes
  const isTable = view.view === 'table'
  const { interval } = overview.inputs
  const button = (
    <>
      <span className="visually-hidden">{text.interval.label}: </span>
      {common.intervals[interval]}
      <ChevronDown aria-hidden="true" />
    </>
  )
  const items = overview.options.intervals.map(({ id }) => ({
    label: common.intervals[id],
    isChosen: id === interval,
    onSelect: () => setView({ interval: id }),
  }))
  return (
    <div className={styles.tools}>
      {items.length > 1 ? (
        <Menu button={button} buttonClass={styles.interval} align="end" items={items} />
      ) : (
        <span className={styles.only}>{common.intervals[interval]}</span>
      )}
      {canNote && (
        <Button
          size="small"
          look="quiet"
          icon={<MessageSquarePlus />}
          className={styles.noteButton}
          aria-label={text.graph.addNote}
          onClick={() => setView({ note: 'new' })}
        >
          {text.graph.addNote}
        </Button>
      )}
      <IconButton
        size="small"
        label={isTable ? text.graph.asGraph : text.graph.asTable}
        icon={isTable ? <ChartLine /> : <Table2 />}
        onClick={() => setView({ view: isTable ? null : 'table' }, { replace: true })}
      />
    </div>
  )
}

interface DrawnProps {
  readonly overview: Overview
  readonly shown: Shown
  readonly setView: SetView
}

function Drawn({ overview, shown, setView }: DrawnProps) {
  const { series, annotations, inputs } = overview
  const notes = useMemo(() => notesByBucket(series.buckets, annotations), [series, annotations])
  const notesAt = (index: number): readonly Annotation[] => notes.get(index)?.all ?? []
  const marks = [...notes].map(([index, { part, all }]) => ({ key: String(index), index, part, count: all.length }))
  const rangeOf = (first: number, last: number): string => {
    const [from, to] = [series.buckets[Math.min(first, last)], series.buckets[Math.max(first, last)]]
    return from && to ? dateRange(from.from_ts, to.to_ts) : ''
  }
  const canZoom = inputs.interval !== 'hour' && series.buckets.length > 1
  const zoom = (first: number, last: number): void => {
    const days = daysOf(series.buckets, first, last)
    if (days) setView({ period: 'custom', date_from: days.from, date_to: days.to, interval: null })
  }
  return (
    <Graph
      label={text.graph.label(shown.label)}
      help={canZoom ? `${text.graph.help} ${text.graph.helpZoom}` : text.graph.help}
      buckets={shown.moments}
      values={shown.moments.map(({ value }) => value)}
      before={shown.isCompared ? shown.moments.map(({ before }) => before) : undefined}
      projected={shown.projected}
      format={shown.format}
      tick={shown.tick}
      words={(index) =>
        momentWords(
          shown,
          index,
          notesAt(index).map((note) => note.text),
        )
      }
      readOut={(index) => <ReadOut shown={shown} index={index} notes={notesAt(index)} />}
      onZoom={canZoom ? zoom : undefined}
      zoomWords={(first, last) => text.graph.zoomTo(rangeOf(first, last))}
      marks={marks}
      mark={(group) => (
        <Suspense>
          <NoteMark notes={group.flatMap(({ index }) => notesAt(index))} setView={setView} />
        </Suspense>
      )}
    />
  )
}

function ReadOut({
  shown,
  index,
  notes,
}: {
  shown: Shown
  index: number
  notes: readonly { id: string; text: string }[]
}) {
  const moment = shown.moments[index]
  if (!moment) return null
  return (
    <div className={styles.readOut}>
      <strong>{moment.name}</strong>
      <dl>
        <div>
          <dt>
            <span className={moment.isRunning ? styles.ring : cx(styles.line, styles.current)} />
            {moment.isRunning ? `${shown.label} ${text.graph.soFar}` : shown.label}
          </dt>
          <dd>{moment.shown}</dd>
        </div>
        {moment.expected !== null && (
          <div>
            <dt>
              <span className={cx(styles.ring, styles.expected)} />
              {text.graph.projected}
            </dt>
            <dd>{moment.expected}</dd>
          </div>
        )}
        {moment.shownBefore !== null && (
          <div>
            <dt>
              <span className={cx(styles.line, styles.before)} />
              {text.graph.before}
            </dt>
            <dd>
              {moment.shownBefore}
              {moment.change !== null && <span className={styles.change}> {moment.change}</span>}
            </dd>
          </div>
        )}
      </dl>
      {moment.known !== null && <p>{moment.known}</p>}
      {notes.map(({ id, text: words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}
