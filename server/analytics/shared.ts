// What a share link may be asked, and what it is shown. Anybody may have the link, so a question is a small one, names nothing that belongs to
// one person, and is never answered about fewer than three sessions: they are shown as none (docs/definitions.md).
import { invalid } from '../kernel/problem.ts'
import { checkSize, type Clause, type ClauseId } from './clauses.ts'
import { dimensionIds } from './dimensions.ts'
import type { TopLists } from './facts.ts'
import type { ListId } from './list-rows.ts'
import { type Figures, noFigures } from './metrics.ts'

/** Whether an answer is for a share link. */
export interface Shared {
  readonly isShared: boolean
}

export const notShared: Shared = { isShared: false }

const MAX_CLAUSES = 5
const MAX_VALUES = 20
const MAX_VALUE_BYTES = 4 * 1024

export const sharedClauseIds: readonly ClauseId[] = [
  ...dimensionIds,
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]

/** @throws Problem('validation_failed') naming the first clause that a share link may not ask. */
export function checkSharedClauses(clauses: readonly Clause[]): void {
  for (const [index, { id }] of clauses.entries())
    if (!sharedClauseIds.includes(id))
      throw invalid(
        `clauses.${index}.id`,
        `A share link cannot be filtered by ${id}: clauses.${index}.id must be one of ${sharedClauseIds.join(', ')}.`,
      )
  if (clauses.length > MAX_CLAUSES)
    throw invalid('clauses', `A share link takes at most ${MAX_CLAUSES} clauses in one question.`)
  if (clauses.flatMap(({ values }) => values).length > MAX_VALUES)
    throw invalid('clauses', `A share link takes at most ${MAX_VALUES} values in all clauses together.`)
  checkSize(clauses, MAX_VALUE_BYTES)
}

/** Tags hold references of orders, each of one person. @throws Problem('validation_failed') */
export function checkSharedList(id: ListId): void {
  if (id === 'tag') throw invalid('dimension', 'A share link shows no list of tags.')
}

// ---------------------------------------------------------------- what is shown

/** Sessions, or whatever else stands for people: fewer tell of each of them. */
export const FEWEST = 3

export const isEnough = (count: number): boolean => count >= FEWEST
export const shownCount = (count: number): number => (isEnough(count) ? count : 0)
export const shownFigures = (figures: Figures): Figures => (isEnough(figures.sessions) ? figures : noFigures)

/**
 * Parts of a window whose sum is shown as well. Where the parts that are left out have fewer than three sessions together, what they have
 * would be the sum less the others: the smallest of those goes with them.
 */
export function shownParts(parts: readonly Figures[]): Figures[] {
  const shown = parts.map(shownFigures)
  const left = parts.reduce((sum, { sessions }) => sum + (isEnough(sessions) ? 0 : sessions), 0)
  if (left === 0 || isEnough(left)) return shown
  const counts = shown.map(({ sessions }) => sessions || Infinity)
  const smallest = counts.indexOf(Math.min(...counts))
  return shown.map((figures, index) => (index === smallest ? noFigures : figures))
}

export function shownTop(top: TopLists): TopLists {
  const lists = Object.entries(top).map(([name, rows]) => [name, rows.filter(({ sessions }) => isEnough(sessions))])
  return Object.fromEntries(lists) as TopLists
}
