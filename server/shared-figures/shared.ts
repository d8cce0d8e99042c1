// What a share link may be asked. Anybody may have the link, so a question is a small one, names nothing that
// belongs to one person, and is never answered about fewer than three sessions: they are shown as none, and
// so is what would leave one or two of another answer (docs/definitions.md).
import { invalid } from '../kernel/problem.ts'
import { checkSize, type Clause } from '../analytics/clauses.ts'
import { type ListId, sharedClauseIds, sharedOperators } from '../analytics/dimensions.ts'

/** Whether an answer is for a share link. */
export interface Shared {
  readonly isShared: boolean
}

export const notShared: Shared = { isShared: false }

const MAX_CLAUSES = 5
const MAX_VALUES = 20
const MAX_VALUE_BYTES = 4 * 1024

/** @throws Problem('validation_failed') naming the first clause that a share link may not ask. */
export function checkSharedClauses(clauses: readonly Clause[]): void {
  for (const [index, { id, operator }] of clauses.entries()) {
    if (!sharedClauseIds.some((known) => known === id))
      throw invalid(
        `clauses.${index}.id`,
        `A share link cannot be filtered by ${id}: clauses.${index}.id must be one of ${sharedClauseIds.join(', ')}.`,
      )
    if (!sharedOperators.some((known) => known === operator))
      throw invalid(
        `clauses.${index}.op`,
        `A share link cannot be filtered with ${operator}: clauses.${index}.op must be one of ${sharedOperators.join(', ')}.`,
      )
  }
  if (clauses.length > MAX_CLAUSES)
    throw invalid('clauses', `A share link takes at most ${MAX_CLAUSES} clauses in one question.`)
  if (clauses.flatMap(({ values }) => values).length > MAX_VALUES)
    throw invalid('clauses', `A share link takes at most ${MAX_VALUES} values in all clauses together.`)
  checkSize(clauses, MAX_VALUE_BYTES)
}

/**
 * Tags hold references of orders, and properties of events whatever a page put there, each of one person; and
 * the figures of a row could tell of one session where its number of sessions does not.
 * @throws Problem('validation_failed')
 */
export function checkSharedList(id: ListId, hasMetrics: boolean): void {
  if (id === 'tag') throw invalid('dimension', 'Share links do not include tags.')
  if (id === 'event_meta') throw invalid('dimension', 'Share links do not include event properties.')
  if (hasMetrics) throw invalid('metrics', 'Lists of share links only include sessions.')
}

// ---------------------------------------------------------------- what is shown

/** Sessions, or whatever else stands for people: fewer tell of each of them. */
export const FEWEST = 3

export const isEnough = (count: number): boolean => count >= FEWEST
/** A count that would tell of one session, or of two. */
export const isFew = (count: number): boolean => count > 0 && count < FEWEST
export const shownCount = (count: number): number => (isEnough(count) ? count : 0)
