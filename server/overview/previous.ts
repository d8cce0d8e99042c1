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

async function readKnown(facts: Facts, question: OverviewQuestion, untilMs: number): Promise<KnownParts> {
  const edges = edgesUntil(question, untilMs)
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

/** Whether the window of the question goes on, while that before it is over. */
function isMoving(deps: CachedDeps, { window, previous }: OverviewQuestion): boolean {
  return window.endsNow && previous.toMs <= cutAt(deps, window.toMs - 1)
}

/** Of the days before those that are written to now. */
const versionBefore = (deps: CachedDeps, { propertyId, window }: OverviewQuestion) =>
  deps.facts.version(propertyId, storedDay(dayOf(cutAt(deps, window.toMs - 1))))

/** By bucket, of a window that is moving. */
async function readMoving(deps: CachedDeps, question: OverviewQuestion) {
  const { propertyId } = question
  const untilMs = untilOf(question)
  const ask = { propertyId, key: ['previous', untilMs, ...shapeOf(question), ...keyOf(question)], maxAgeMs: Infinity }
  const { answer } = await deps.answers.get(await versionBefore(deps, question), ask, () =>
    readKnown(deps.facts, question, untilMs),
  )
  return addUpParts(answer.edges, answer.parts, question, sumOfParts) ?? readPrevious(deps.facts, question)
}

/**
 * All edges that the window before has now and in the next minutes, the same ones for all who ask meanwhile.
 * Undefined when it does not move, or is not over.
 */
export async function movingEdges(
  deps: CachedDeps,
  question: OverviewQuestion,
): Promise<readonly number[] | undefined> {
  if (!isMoving(deps, question)) return undefined
  const { propertyId } = question
  const untilMs = untilOf(question)
  const key = ['previous edges', untilMs, ...shapeOf(question), ...keyOf(question)]
  const version = await versionBefore(deps, question)
  const read = async () => ({ edges: edgesUntil(question, untilMs) })
  return (await deps.answers.get(version, { propertyId, key, maxAgeMs: Infinity }, read)).answer.edges
}

/**
 * By bucket. Sessions of days that are over do not change with the time: what is known of them holds until
 * something of these days is written.
 */
export async function readPreviousFigures(deps: CachedDeps, question: OverviewQuestion): Promise<readonly Figures[]> {
  const { facts, answers } = deps
  const { propertyId, previous, window } = question
  if (isMoving(deps, question)) return readMoving(deps, question)
  if (window.endsNow) return readPrevious(facts, question)
  const version = await facts.version(propertyId, storedDay(dayOf(previous.toMs - 1) + 1))
  const ask = { propertyId, key: ['previous', ...shapeOf(question), ...keyOf(question)], maxAgeMs: Infinity }
  const { answer } = await answers.get(version, ask, async () => ({ figures: await readPrevious(facts, question) }))
  return answer.figures
}
