// The drawing of a graph: where everything stands on its stage, and what stands there.
import { areaPath, bands, dotPath, labelEvery, linePath, type Point, type Points, ticksFor } from './geometry.ts'
import { cx } from '../parts/cx.ts'
import styles from './graph.module.css'

export interface GraphBucket {
  /** In full, for the read-out. */
  readonly name: string
  /** Short, for the axis. */
  readonly tick: string
  readonly isRunning: boolean
}

/** On the baseline, in the middle of its bucket or wherever `part` of it says. */
export interface Mark {
  readonly key: string
  readonly index: number
  readonly part: number
  /** How many things it stands for. */
  readonly count: number
}

/** What decides how a graph looks. */
export interface Drawn {
  readonly buckets: readonly GraphBucket[]
  readonly values: readonly (number | null)[]
  /** Drawn at the same buckets. */
  readonly before?: readonly (number | null)[] | undefined
  /** Of the running bucket, in full. */
  readonly projected?: number | null | undefined
  /** count, ratio, fraction (of 100), seconds, scroll, cents: decides the steps of the scale. */
  readonly format: string
  readonly tick: (value: number) => string
  readonly marks?: readonly Mark[] | undefined
}

/** Of these a part of a bucket has less than the whole. */
const isSum = (format: string): boolean => format === 'count' || format === 'cents'

const TOP = 12
/** The names of the buckets stand there. */
const BOTTOM = 30
const EDGE = 6
/** A figure is about as wide. */
const LETTER = 7.2

/** Pixels: the plot lies between left and right, above its base line. */
export interface Stage {
  readonly left: number
  readonly right: number
  readonly base: number
  readonly width: number
  readonly ticks: readonly number[]
  readonly axis: ReturnType<typeof bands>
  readonly y: (value: number) => number
}

export function stageOf(
  { buckets, values, before, projected, format, tick }: Drawn,
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

export const placeOfMark = ({ axis }: Stage, { index, part }: Mark): number => axis.begin(index) + part * axis.band

export interface DrawingProps extends Drawn {
  readonly stage: Stage
  readonly height: number
  readonly at: number | null
  readonly part: readonly [number, number] | null
}

/** Of one size; it is drawn anew when that, the figures or the reader's place in them change. */
export function Drawing({
  stage,
  height,
  at,
  part,
  buckets,
  values,
  before,
  projected,
  format,
  tick,
  marks = [],
}: DrawingProps) {
  const { left, right, base, ticks, axis, y, width } = stage
  const points = pointsOf(stage, values)
  const running = buckets.findIndex(({ isRunning }) => isRunning)
  const over = running < 0 ? points : points.with(running, null)
  const expected = typeof projected === 'number' && running >= 0 ? { x: axis.middle(running), y: y(projected) } : null
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
      {marks.map((mark) => {
        const { key } = mark
        const x = placeOfMark(stage, mark)
        return <line key={key} className={styles.markLine} x1={x} x2={x} y1={TOP} y2={base} />
      })}
      {before && <Line points={pointsOf(stage, before)} className={styles.before} />}
      <path className={styles.area} d={areaPath(over, base)} />
      <Line points={over} className={styles.line} />
      <Running
        last={over[running - 1] ?? null}
        now={points[running] ?? null}
        expected={expected}
        isSum={isSum(format)}
      />
      {at !== null && <line className={styles.cursor} x1={axis.middle(at)} x2={axis.middle(at)} y1={TOP} y2={base} />}
      {shown && <circle className={styles.point} cx={shown.x} cy={shown.y} r={4.5} />}
    </svg>
  )
}

const Line = ({ points, className }: { points: Points; className: string | undefined }) => (
  <>
    <path className={className} d={linePath(points)} />
    <path className={cx(className, styles.dots)} d={dotPath(points)} />
  </>
)

interface RunningProps {
  /** Of the bucket before it. */
  readonly last: Point | null
  readonly now: Point | null
  readonly expected: Point | null
  readonly isSum: boolean
}

/**
 * What is not over is an open point. No line leads down to what a sum has come to so far, since that is no
 * fall; one leads to what it will come to, and to a mean, which is of what there is.
 */
function Running({ last, now, expected, isSum }: RunningProps) {
  const towards = expected ?? (isSum ? null : now)
  return (
    <>
      {last && towards && <path className={styles.running} d={linePath([last, towards])} />}
      {now && expected && <path className={styles.rest} d={linePath([now, expected])} />}
      {now && <circle className={styles.openPoint} cx={now.x} cy={now.y} r={4} />}
      {expected && <circle className={styles.expectedPoint} cx={expected.x} cy={expected.y} r={4} />}
    </>
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
