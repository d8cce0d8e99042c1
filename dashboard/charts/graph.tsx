// One metric over time: its area, the window before as a ghost, the running bucket dashed, what it will come to, and notes on the baseline.
// Read with the pointer, with a finger or with the arrow keys; a part that is dragged over, or chosen with Shift, can be shown alone.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { areaPath, bands, labelEvery, linePath, type Point, type Points, ticksFor } from './geometry.ts'
import styles from './graph.module.css'
import { useWidth } from './use-width.ts'

export interface GraphBucket {
  /** In full, for the read-out. */
  readonly name: string
  /** Short, for the axis. */
  readonly tick: string
  readonly isRunning: boolean
}

export interface GraphProps {
  readonly label: string
  /** How it is read and zoomed, for those who do not see it. */
  readonly help: string
  readonly buckets: readonly GraphBucket[]
  readonly values: readonly (number | null)[]
  /** Drawn at the same buckets. */
  readonly before?: readonly (number | null)[] | undefined
  /** Of the running bucket, in full. */
  readonly projected?: number | null | undefined
  /** count, ratio, fraction (of 100), seconds, scroll, cents: decides the steps of the scale. */
  readonly format: string
  readonly tick: (value: number) => string
  /** What is said of a bucket in words, for readers. */
  readonly words: (index: number) => string
  /** The same to be seen. */
  readonly readOut: (index: number) => ReactNode
  /** Asked to show these buckets alone; left out where nothing can be shown closer. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined
  /** Marks on the baseline, each in the middle of its bucket or wherever `part` of it says. */
  readonly marks?: readonly { key: string; index: number; part: number; mark: ReactNode }[] | undefined
  readonly height?: number | undefined
}

const TOP = 12
const BOTTOM = 30
const EDGE = 6
const LETTER = 7.2
/** A shorter drag is a shaky click. */
const LEAST_DRAG = 8

interface Stage {
  readonly left: number
  readonly right: number
  readonly base: number
  readonly width: number
  readonly ticks: readonly number[]
  readonly axis: ReturnType<typeof bands>
  readonly y: (value: number) => number
}

function stageOf(
  { buckets, values, before, projected, format, tick }: GraphProps,
  width: number,
  height: number,
): Stage {
  const most = Math.max(0, projected ?? 0, ...values.map((value) => value ?? 0), ...(before ?? []).map((v) => v ?? 0))
  const ticks = ticksFor(most, format)
  const left = Math.max(...ticks.map((value) => tick(value).length)) * LETTER + EDGE + 6
  const right = Math.max(left + 10, width - EDGE)
  const base = height - BOTTOM
  const top = ticks.at(-1) ?? 1
  return {
    left,
    right,
    base,
    width,
    ticks,
    axis: bands(buckets.length, left, right - left),
    y: (value) => base - (value / top) * (base - TOP),
  }
}

const pointsOf = ({ axis, y }: Stage, values: readonly (number | null)[]): Points =>
  values.map((value, index) => (value === null ? null : { x: axis.middle(index), y: y(value) }))

export function Graph(props: GraphProps) {
  const { buckets, height = 280, marks = [] } = props
  const id = useId()
  const [frame, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const [part, setPart] = useState<readonly [number, number] | null>(null)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- all that decides where things stand is in the props
  const stage = useMemo(() => stageOf(props, width, height), [props, width, height])
  const shown = at === null ? null : Math.min(at, buckets.length - 1)
  const reading = { buckets: buckets.length, stage, at: shown, setAt, part, setPart, onZoom: props.onZoom }
  const pointer = usePointer(reading)

  return (
    <div className={styles.graph} ref={frame} style={{ height }}>
      {width > 0 && (
        <>
          <div
            className={styles.surface}
            role="slider"
            tabIndex={0}
            aria-label={props.label}
            aria-describedby={`${id}-help`}
            aria-valuemin={1}
            aria-valuemax={Math.max(1, buckets.length)}
            aria-valuenow={(shown ?? buckets.length - 1) + 1}
            aria-valuetext={props.words(shown ?? buckets.length - 1)}
            onKeyDown={(event) => onKey(event, reading)}
            onFocus={(event) => event.target.matches(':focus-visible') && setAt(shown ?? buckets.length - 1)}
            onBlur={() => {
              setAt(null)
              setPart(null)
            }}
            {...pointer}
          >
            <Drawing {...props} stage={stage} height={height} at={shown} part={part} />
          </div>
          <span id={`${id}-help`} hidden>
            {props.help}
          </span>
          {marks.map(({ key, index, part: share, mark }) => (
            <div
              key={key}
              className={styles.mark}
              style={{ left: stage.axis.begin(index) + share * stage.axis.band, top: stage.base }}
            >
              {mark}
            </div>
          ))}
          {shown !== null && (
            <ReadOut x={stage.axis.middle(shown)} width={width}>
              {props.readOut(shown)}
            </ReadOut>
          )}
        </>
      )}
    </div>
  )
}

interface Reading {
  readonly buckets: number
  readonly stage: Stage
  readonly at: number | null
  readonly setAt: (at: number | null) => void
  readonly part: readonly [number, number] | null
  readonly setPart: (part: readonly [number, number] | null) => void
  readonly onZoom: GraphProps['onZoom']
}

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function onKey(event: KeyboardEvent, { buckets, at, setAt, part, setPart, onZoom }: Reading): void {
  const known = at ?? buckets - 1
  if (event.key === 'Enter' && onZoom) {
    event.preventDefault()
    setPart(null)
    onZoom(part?.[0] ?? known, part?.[1] ?? known)
  } else if (event.key === 'Escape' && part) {
    event.preventDefault()
    setPart(null)
  } else {
    const next = moves[event.key]?.(known, buckets)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const place = Math.min(Math.max(next, 0), buckets - 1)
    setAt(place)
    setPart(event.shiftKey && onZoom ? [part?.[0] ?? known, place] : null)
  }
}

/** Hovering reads; dragging chooses a part and, when it ends, shows that part alone. A finger that moves up or down scrolls the page. */
function usePointer({ stage, setAt, setPart, onZoom }: Reading) {
  const began = useRef<number | null>(null)
  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left
  const end = (): void => {
    began.current = null
    setPart(null)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return
      setAt(stage.axis.at(xOf(event)))
      if (!onZoom || event.pointerType === 'touch') return
      began.current = xOf(event)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent): void => {
      const x = xOf(event)
      setAt(stage.axis.at(x))
      const { current } = began
      if (current !== null)
        setPart(Math.abs(x - current) < LEAST_DRAG ? null : [stage.axis.at(current), stage.axis.at(x)])
    },
    onPointerUp: (event: PointerEvent): void => {
      const { current } = began
      const x = xOf(event)
      end()
      if (current !== null && Math.abs(x - current) >= LEAST_DRAG) onZoom?.(stage.axis.at(current), stage.axis.at(x))
    },
    onPointerCancel: end,
    onPointerLeave: (event: PointerEvent): void => {
      if (began.current === null && event.pointerType !== 'touch') setAt(null)
    },
  }
}

/** Below this there is no room beside the cursor: what is read stands at the other edge. */
const NARROW = 560
const GAP = 14

/** On the side with more room, so that it never covers what it is about. */
function ReadOut({ x, width, children }: { x: number; width: number; children: ReactNode }) {
  const isRightHalf = x > width / 2
  const distance = width < NARROW ? 0 : isRightHalf ? width - x + GAP : x + GAP
  const isAtStart = width < NARROW ? isRightHalf : !isRightHalf
  const style = isAtStart ? { left: distance } : { right: distance }
  return (
    <div className={styles.readOut} style={style} aria-hidden="true">
      {children}
    </div>
  )
}

interface DrawingProps extends GraphProps {
  readonly stage: Stage
  readonly height: number
  readonly at: number | null
  readonly part: readonly [number, number] | null
}

function Drawing({ stage, height, at, part, buckets, values, before, projected, tick, marks = [] }: DrawingProps) {
  const { left, right, base, ticks, axis, y, width } = stage
  const points = pointsOf(stage, values)
  const last = points.findLastIndex((point) => point !== null)
  const isRunning = buckets[last]?.isRunning === true && last > 0
  const full = isRunning ? points.slice(0, last) : points
  const [from, to] = [points[last - 1], points[last]]
  const expected: Point | null =
    isRunning && typeof projected === 'number' ? { x: axis.middle(last), y: y(projected) } : null
  const shown = at === null ? undefined : points[at]
  return (
    <svg className={styles.drawing} width={width} height={height} aria-hidden="true" focusable="false">
      {ticks.map((value) => (
        <g key={value}>
          <line className={styles.grid} x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text className={styles.tick} x={left - 8} y={y(value)} dy="0.32em" textAnchor="end">
            {tick(value)}
          </text>
        </g>
      ))}
      <Ticks stage={stage} buckets={buckets} height={height} />
      {part && <Part stage={stage} part={part} />}
      {marks.map(({ key, index, part: share }) => {
        const x = axis.begin(index) + share * axis.band
        return <line key={key} className={styles.markLine} x1={x} x2={x} y1={TOP} y2={base} />
      })}
      {before && <path className={styles.before} d={linePath(pointsOf(stage, before))} />}
      <path className={styles.area} d={areaPath(points, base)} />
      <path className={styles.line} d={linePath(full)} />
      {isRunning && from && to && <path className={styles.running} d={linePath([from, to])} />}
      {from && expected && <path className={styles.expected} d={linePath([from, expected])} />}
      {expected && <circle className={styles.expectedPoint} cx={expected.x} cy={expected.y} r={4} />}
      {points.length === 1 && to && <circle className={styles.point} cx={to.x} cy={to.y} r={4} />}
      {at !== null && <line className={styles.cursor} x1={axis.middle(at)} x2={axis.middle(at)} y1={TOP} y2={base} />}
      {shown && <circle className={styles.point} cx={shown.x} cy={shown.y} r={4.5} />}
    </svg>
  )
}

const TICK_ROOM = 64

function Ticks({ stage, buckets, height }: { stage: Stage; buckets: readonly GraphBucket[]; height: number }) {
  const { axis, left, right } = stage
  const every = labelEvery(buckets.length, right - left, TICK_ROOM)
  return buckets.map(({ tick }, index) => {
    if ((buckets.length - 1 - index) % every !== 0) return null
    const half = (tick.length * LETTER) / 2
    const x = Math.min(Math.max(axis.middle(index), half), right - half + EDGE)
    return (
      <text key={index} className={styles.tick} x={x} y={height - 6} textAnchor="middle">
        {tick}
      </text>
    )
  })
}

function Part({ stage: { axis, base }, part }: { stage: Stage; part: readonly [number, number] }) {
  const [first, last] = [Math.min(...part), Math.max(...part)]
  const x = axis.begin(first)
  return <rect className={styles.part} x={x} y={TOP} width={axis.begin(last + 1) - x} height={base - TOP} rx={6} />
}
