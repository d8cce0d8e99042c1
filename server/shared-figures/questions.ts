// Questions that a share link may ask as well: of these, few and small clauses, one question after the other.
import { invalid } from '../kernel/problem.ts'
import { inShareTurn } from '../http/share-turns.ts'
import type { AnalyticsInput } from '../analytics/question.ts'
import { parseClauses } from '../analytics/clauses.ts'
import { checkSharedClauses, type Shared } from './shared.ts'

type Share = Parameters<typeof inShareTurn>[0]

/** What is looked at of a question before it is answered. */
type SharedInput = Pick<AnalyticsInput, 'clauses' | 'timezone'>

/**
 * By another clock its days would begin at other times: what they differ by would be the figures of minutes.
 * @throws Problem('validation_failed')
 */
export function checkSharedInput(share: Share, { clauses, timezone }: SharedInput): void {
  if (!share) return
  if (timezone) throw invalid('timezone', 'A share link cannot choose a time zone.')
  checkSharedClauses(parseClauses(clauses ?? []))
}

/** @throws Problem: validation_failed; rate_limited */
export async function answerBy<Answer>(
  share: Share,
  ask: SharedInput,
  answer: (by: Shared) => Promise<Answer>,
): Promise<Answer> {
  checkSharedInput(share, ask)
  return inShareTurn(share, () => answer({ isShared: share !== undefined }))
}
