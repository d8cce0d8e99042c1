// Questions that a share link may ask as well: of these, few and small clauses, one question after the other.
import { inShareTurn } from '../http/share-turns.ts'
import type { AnalyticsInput } from '../analytics/question.ts'
import { parseClauses } from '../analytics/clauses.ts'
import { checkSharedClauses, type Shared } from './shared.ts'

type Share = Parameters<typeof inShareTurn>[0]

/** @throws Problem('validation_failed') */
export function checkSharedInput(share: Share, { clauses }: Pick<AnalyticsInput, 'clauses'>): void {
  if (share) checkSharedClauses(parseClauses(clauses ?? []))
}

/** @throws Problem: validation_failed; rate_limited */
export async function answerBy<Answer>(
  share: Share,
  ask: Pick<AnalyticsInput, 'clauses'>,
  answer: (by: Shared) => Promise<Answer>,
): Promise<Answer> {
  checkSharedInput(share, ask)
  return inShareTurn(share, () => answer({ isShared: share !== undefined }))
}
