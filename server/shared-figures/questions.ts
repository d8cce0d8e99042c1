// Questions that a share link may ask as well: of these, few and small clauses, one question after the other.
import { inShareTurn } from '../http/share-turns.ts'
import type { Ask } from '../analytics/ask.ts'
import { parseClauses } from '../analytics/clauses.ts'
import { checkSharedClauses, type Shared } from './shared.ts'

type Share = Parameters<typeof inShareTurn>[0]

/** @throws Problem('validation_failed') */
export function checkSharedAsk(share: Share, { clauses }: Pick<Ask, 'clauses'>): void {
  if (share) checkSharedClauses(parseClauses(clauses ?? []))
}

/** @throws Problem: validation_failed; rate_limited */
export async function answerBy<Answer>(
  share: Share,
  ask: Pick<Ask, 'clauses'>,
  answer: (by: Shared) => Promise<Answer>,
): Promise<Answer> {
  checkSharedAsk(share, ask)
  return inShareTurn(share, () => answer({ isShared: share !== undefined }))
}
