// Figures that add up, counted once for each bucket of a window, so that a card cannot differ from its graph.
import type { Facts } from '../stores/facts.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { scopeOf } from '../analytics/question.ts'
import { columnsOf, readParts, type Scope } from '../analytics/facts.ts'
import {
  type FigureName,
  type Figures,
  knownFigureNames,
  neededBy,
  noFigures,
  shownMetricIds,
  sumOf,
} from '../analytics/metrics.ts'
import { noPart, type Part, type ShownParts, shownParts } from '../shared-figures/cells.ts'
import { readCellParts } from '../shared-figures/facts.ts'
import type { OverviewQuestion } from './question.ts'

/** By bucket. */
export interface WindowFigures {
  readonly current: readonly Figures[]
  readonly previous: readonly Figures[]
}

const shownFigures: readonly FigureName[] = [...new Set([...neededBy(shownMetricIds), ...knownFigureNames])]

/** What these read of a session. */
export const overviewColumns: readonly SessionColumn[] = ['entry_at', ...columnsOf(shownFigures)]

/** Reads what there is of each part of the scope that begins at one of the edges. */
interface PartReader<Part> {
  readonly read: (scope: Scope, edges: readonly number[]) => Promise<readonly Part[]>
  readonly none: Part
}

/**
 * By bucket, of the part of the window that the scope is. Buckets cut by it hold what is inside.
 * @param edges where the buckets begin. Two at one time, as around 29 February, are one without length and
 * one that has all.
 */
export async function readWithin<Part>(
  scope: Scope,
  edges: readonly number[],
  { read, none }: PartReader<Part>,
): Promise<Part[]> {
  const { span } = scope
  const places = edges.map((edge, index) => ({ edge: Math.max(edge, span.fromMs), end: edges[index + 1] ?? Infinity }))
  const isInside = ({ edge, end }: { edge: number; end: number }) => end > edge && edge < span.toMs
  const inside = [...new Set(places.filter(isInside).map(({ edge }) => edge))]
  if (inside.length === 0) return edges.map(() => none)
  const parts = await read(scope, inside)
  const byEdge = new Map(inside.map((edge, index) => [edge, parts[index] ?? none]))
  return places.map((place) => (isInside(place) && byEdge.get(place.edge)) || none)
}

const NAME = 'analytics.overview'

const figuresFrom = (facts: Facts): PartReader<Figures> => ({
  read: (scope, edges) => readParts(facts, scope, { name: NAME, edges, figures: shownFigures }),
  none: noFigures,
})

const cellsFrom = (facts: Facts): PartReader<Part> => ({
  read: (scope, edges) => readCellParts(facts, scope, { name: NAME, edges, figures: shownFigures }),
  none: noPart,
})

const openAt = ({ openFromMs }: OverviewQuestion, scope: Scope): Scope => ({ ...scope, openFromMs })
export const previousOf = (question: OverviewQuestion): Scope => openAt(question, scopeOf(question, question.previous))
export const edgesOf = ({ buckets }: OverviewQuestion): number[] => buckets.map(({ fromMs }) => fromMs)

/** @param scope of the question, or a part of it. */
export function readCurrent(facts: Facts, question: OverviewQuestion, scope: Scope): Promise<Figures[]> {
  return readWithin(openAt(question, scope), edgesOf(question), figuresFrom(facts))
}

/** The same of both parts of the scope, which is cut at a time. */
export async function readCurrentParts(facts: Facts, question: OverviewQuestion, scope: Scope, cutMs: number) {
  const buckets = edgesOf(question)
  const edges = [...new Set([...buckets, cutMs])].toSorted((a, b) => a - b)
  const figures = await readWithin(openAt(question, scope), edges, figuresFrom(facts))
  const byEdge = new Map(edges.map((edge, index) => [edge, figures[index] ?? noFigures]))
  const partOf = (edge: number, isRecent: boolean) => (edge >= cutMs === isRecent && byEdge.get(edge)) || noFigures
  const cutBucket = buckets.findLastIndex((edge) => edge <= cutMs)
  return {
    past: buckets.map((edge) => partOf(edge, false)),
    recent: buckets.map((edge, index) => partOf(index === cutBucket ? cutMs : edge, true)),
  }
}

export function readPrevious(facts: Facts, question: OverviewQuestion): Promise<Figures[]> {
  return readWithin(previousOf(question), question.previousEdges, figuresFrom(facts))
}

/**
 * Of parts that begin at these edges, ascending; the last one has no length. They lie around the window that
 * the question is compared with.
 */
export function readPreviousParts(facts: Facts, question: OverviewQuestion, edges: readonly number[]) {
  const span = { fromMs: edges[0] ?? 0, toMs: edges.at(-1) ?? 0 }
  return readWithin({ ...previousOf(question), span }, edges, figuresFrom(facts))
}

/** Both windows as a share link is shown them. */
export async function readShared(
  facts: Facts,
  question: OverviewQuestion,
): Promise<Record<'current' | 'previous', ShownParts>> {
  const [current, previous] = await Promise.all([
    readWithin(openAt(question, scopeOf(question)), edgesOf(question), cellsFrom(facts)),
    readWithin(previousOf(question), question.previousEdges, cellsFrom(facts)),
  ])
  return { current: shownParts(current), previous: shownParts(previous) }
}

/** Of two parts of one window, bucket by bucket. */
export function addParts(one: readonly Figures[], other: readonly Figures[]): Figures[] {
  return one.map((figures, index) => sumOf([figures, other[index] ?? noFigures]))
}
