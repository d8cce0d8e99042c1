// Where the marks of a chart stand: round steps of a scale, and SVG paths. Pure functions, tested without a
// browser.
import { fieldsOfTs } from '../format.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A null is a gap. */
export type Points = readonly (Point | null)[]

const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** 1, 2 or 5 times a power of ten, not below what is given. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10
  return step * power
}

/** Counts and minor units have no halves; lengths of time go by minutes. */
function stepFor(least: number, format: string): number {
  if (format === 'seconds') return secondSteps.find((step) => step >= least) ?? niceStep(least / 3600) * 3600
  if (format === 'cents') return Math.max(100, niceStep(least))
  if (format === 'count' || format === 'scroll') return Math.max(1, niceStep(least))
  return niceStep(least)
}

/** How far a scale goes that has nothing to show: a whole of what is a share, and else what is common. */
const emptyScale: Readonly<Record<string, number>> = { fraction: 100, scroll: 100, seconds: 60, cents: 10_000 }

/** From 0 to a step that nothing is above; at least one step. */
export function ticksFor(largest: number, format: string, wanted = 4): number[] {
  const most = largest > 0 ? largest : (emptyScale[format] ?? 1)
  const step = stepFor(most / wanted, format)
  const count = Math.max(1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const at = ({ x, y }: Point): string => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`

/** Unbroken stretches of points. */
export function stretches(points: Points): Point[][] {
  const found: Point[][] = [[]]
  for (const point of points) {
    if (point) found.at(-1)?.push(point)
    else if (found.at(-1)?.length) found.push([])
  }
  return found.filter((stretch) => stretch.length > 0)
}

export const linePath = (points: Points): string =>
  stretches(points)
    .map((stretch) => `M${stretch.map(at).join('L')}`)
    .join('')

/**
 * Points without a neighbour, which no line shows: each as a line without length, which round ends make a
 * dot.
 */
export const dotPath = (points: Points): string =>
  stretches(points)
    .filter(({ length }) => length === 1)
    .map(([point]) => (point ? `M${at(point)}h0` : ''))
    .join('')

/** Down to a line at `base`. */
export const areaPath = (points: Points, base: number): string =>
  stretches(points)
    .map((stretch) => {
      const [first, last] = [stretch[0], stretch.at(-1)]
      if (!first || !last) return ''
      return `M${at({ x: first.x, y: base })}L${stretch.map(at).join('L')}L${at({ x: last.x, y: base })}Z`
    })
    .join('')

/** Which of `count` labels are shown when one needs `room` of `width`: evenly, and the last one. */
export function labelEvery(count: number, width: number, room: number): number {
  const fits = Math.max(1, Math.floor(width / room))
  return Math.max(1, Math.ceil(count / fits))
}

/** Equal bands side by side, as the buckets of a window are. */
export function bands(count: number, left: number, width: number) {
  const band = count === 0 ? width : width / count
  return {
    band,
    middle: (index: number): number => left + (index + 0.5) * band,
    begin: (index: number): number => left + index * band,
    /** The band that a place is in. */
    at: (x: number): number => Math.min(Math.max(Math.floor((x - left) / band), 0), Math.max(count - 1, 0)),
  }
}

export interface Group<Placed> {
  /** In the middle of what it holds. */
  readonly x: number
  /** From left to right. */
  readonly all: readonly Placed[]
}

/** Groups places on a line that would overlap. @param room how much of the line a group takes. */
export function grouped<Placed extends { readonly x: number }>(
  places: readonly Placed[],
  room: (all: readonly Placed[]) => number,
): Group<Placed>[] {
  const found: Group<Placed>[] = []
  for (const place of places.toSorted((a, b) => a.x - b.x)) {
    let group: Group<Placed> = { x: place.x, all: [place] }
    for (let last = found.at(-1); last && isOver(last, group, room); last = found.at(-1)) {
      found.pop()
      const all = [...last.all, ...group.all]
      group = { x: ((all[0]?.x ?? 0) + (all.at(-1)?.x ?? 0)) / 2, all }
    }
    found.push(group)
  }
  return found
}

const isOver = <Placed>(one: Group<Placed>, next: Group<Placed>, room: (all: readonly Placed[]) => number): boolean =>
  next.x - one.x < (room(one.all) + room(next.all)) / 2

export interface Spanned {
  readonly from_ts: number
  readonly to_ts: number
}

/** The bucket of a time, and where in it; undefined outside of all. */
export function placeOf(buckets: readonly Spanned[], ts: number): { index: number; part: number } | undefined {
  const index = buckets.findIndex(({ from_ts, to_ts }) => from_ts <= ts && ts < to_ts)
  const bucket = buckets[index]
  if (!bucket) return undefined
  return { index, part: (ts - bucket.from_ts) / (bucket.to_ts - bucket.from_ts) }
}

const dayOf = (ts: number): string => fieldsOfTs(ts).date

/** The whole days of a stretch of buckets, as a custom period takes them. */
export function daysOf(buckets: readonly Spanned[], first: number, last: number): { from: string; to: string } | null {
  const [begin, end] = [buckets[Math.min(first, last)], buckets[Math.max(first, last)]]
  if (!begin || !end) return null
  return { from: dayOf(begin.from_ts), to: dayOf(Math.max(begin.from_ts, end.to_ts - 1)) }
}
