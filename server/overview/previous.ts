// The window that an overview is compared with: its figures, and the edges by which they and its goal are
// read. Where that window moves with the time these are also those that it will have in the next minutes, so
// that the answers after this one only add up (docs/decisions/0080-running-day.md).
import { type Figures, figureNames } from '../analytics/metrics.ts'
import { type CachedDeps, cutAt, keyOf } from '../analytics/window-parts.ts'
import { byName } from '../kernel/by-name.ts'
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { type OverviewQuestion, shapeOf } from './question.ts'
import { readPrevious, readPreviousParts } from './figures.ts'

/** An open dashboard asks every minute. */
const AHEAD_SECONDS = 120
/** Of one statement, which names them all. */
const MOST_EDGES = 4_000

/** Figures of consecutive parts: each begins at an edge and ends at the next one. */
interface KnownParts {
  readonly edges: readonly number[]
  /** By edge, in the order of `figureNames`; there are none of what begins at the last one. */
  readonly parts: readonly (readonly number[])[]
}

/** Those of the window, and where it ends. */
const edgesAndEnd = ({ previousEdges, previous }: OverviewQuestion): number[] => [...previousEdges, previous.toMs]

/** What moves with the time: of the window before all but its end, backwards; a year before its end alone. */
const movingOf = ({ compare, previousEdges, previous }: OverviewQuestion) =>
  ({
    preceding: { edges: previousEdges, stepMs: -1000 },
    year: { edges: [previous.toMs], stepMs: 1000 },
    custom: { edges: [], stepMs: 0 },
  })[compare]

/** For how long edges are read ahead at a time. */
const aheadMs = (question: OverviewQuestion): number =>
  1000 * Math.max(1, Math.min(AHEAD_SECONDS, Math.floor(MOST_EDGES / (movingOf(question).edges.length + 1))))

/**
 * The edges of this question and of those until then. On a day on which clocks change these may be others,
 * and are read as they come.
 */
function edgesUntil(question: OverviewQuestion, untilMs: number): number[] {
  const { edges, stepMs } = movingOf(question)
  const steps = Array.from({ length: (untilMs - question.window.toMs) / 1000 }, (_, step) => step * stepMs)
  const moved = steps.flatMap((byMs) => edges.map((edge) => edge + byMs))
  return [...new Set([...edgesAndEnd(question), ...moved])].toSorted((a, b) => a - b)
}

async function readKnown(facts: Facts, question: OverviewQuestion, edges: readonly number[]): Promise<KnownParts> {
  const parts = await readPreviousParts(facts, question, edges)
  return { edges, parts: parts.map((figures) => figureNames.map((name) => figures[name])) }
}

function sumOfParts(parts: KnownParts['parts']): Figures {
  return byName(figureNames, (name) => {
    const place = figureNames.indexOf(name)
    return parts.reduce((sum, part) => sum + (part[place] ?? 0), 0)
  })
}

/**
 * By bucket of the window before. Undefined when one of them has an edge that is not known.
 * @param parts by edge.
 */
export function addUpParts<Part, Sum>(
  edges: readonly number[],
  parts: readonly Part[],
  question: OverviewQuestion,
  sum: (parts: readonly Part[]) => Sum,
): Sum[] | undefined {
  const places = new Map(edges.map((edge, index) => [edge, index]))
  const asked = edgesAndEnd(question).map((edge) => places.get(edge))
  if (asked.includes(undefined)) return undefined
  return question.previousEdges.map((_, index) => sum(parts.slice(asked[index], asked[index + 1])))
}

/** Until then the answers after this one find their edges among those that it has read. */
function untilOf(question: OverviewQuestion): number {
  const lengthMs = aheadMs(question)
  return (Math.floor(question.window.toMs / lengthMs) + 1) * lengthMs
}

/**
 * Kept until the edges that are read ahead end, or something of the days before those that are written to now
 * is written.
 */
async function keepMoving<Answer extends object>(
  deps: CachedDeps,
  question: OverviewQuestion,
  name: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  const { propertyId, window } = question
  const version = await deps.facts.version(propertyId, storedDay(dayOf(cutAt(deps, window.toMs - 1))))
  const key = [name, untilOf(question), ...shapeOf(question), ...keyOf(question)]
  return (await deps.answers.get(version, { propertyId, key, maxAgeMs: Infinity }, read)).answer
}

/**
 * All edges that the window before has now and in the next minutes, the same ones for all who ask meanwhile.
 * Undefined when it does not move with the time, or is not over.
 */
export async function movingEdges(
  deps: CachedDeps,
  question: OverviewQuestion,
): Promise<readonly number[] | undefined> {
  const { window, previous } = question
  if (!window.endsNow || previous.toMs > cutAt(deps, window.toMs - 1)) return undefined
  const read = async () => ({ edges: edgesUntil(question, untilOf(question)) })
  return (await keepMoving(deps, question, 'previous edges', read)).edges
}

/** By bucket. @param edges of movingEdges. */
async function readMoving(deps: CachedDeps, question: OverviewQuestion, edges: readonly number[]) {
  const known = await keepMoving(deps, question, 'previous', () => readKnown(deps.facts, question, edges))
  return addUpParts(known.edges, known.parts, question, sumOfParts) ?? readPrevious(deps.facts, question)
}

/**
 * By bucket. Sessions of days that are over do not change with the time: what is known of them holds until
 * something of these days is written.
 */
export async function readPreviousFigures(deps: CachedDeps, question: OverviewQuestion): Promise<readonly Figures[]> {
  const { facts, answers } = deps
  const { propertyId, previous, window } = question
  const edges = await movingEdges(deps, question)
  if (edges) return readMoving(deps, question, edges)
  if (window.endsNow) return readPrevious(facts, question)
  const version = await facts.version(propertyId, storedDay(dayOf(previous.toMs - 1) + 1))
  const ask = { propertyId, key: ['previous', ...shapeOf(question), ...keyOf(question)], maxAgeMs: Infinity }
  const { answer } = await answers.get(version, ask, async () => ({ figures: await readPrevious(facts, question) }))
  return answer.figures
}
