// Questions that a share link may ask as well: of these, few and small clauses, one question after the other.
import type { Deps } from '../kernel/deps.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { inShareTurn } from '../http/share-turns.ts'
import type { AnalyticsInput } from '../analytics/question.ts'
import { type ClauseInput, parseClauses } from '../analytics/clauses.ts'
import { findSegments } from '../segments/records.ts'
import { checkSharedClauses, type Shared } from './shared.ts'

type Share = Parameters<typeof inShareTurn>[0]

/** What is looked at of a question before it is answered. */
type SharedInput = Pick<AnalyticsInput, 'clauses' | 'timezone'>

/** The filters of the segment that the link shows alone. @throws Problem when it shows nothing any more */
export async function segmentOf(
  { records }: Pick<Deps, 'records'>,
  { segmentId, propertyId }: NonNullable<Share>,
): Promise<readonly ClauseInput[]> {
  if (segmentId === null) return []
  const segment = (await findSegments(records, propertyId, [segmentId])).get(segmentId)
  if (!segment) throw new Problem('not_found', 'What this share link shows was deleted.')
  checkSharedClauses(parseClauses(segment.clauses))
  return segment.clauses
}

/**
 * The question as a share link may ask it: about nothing but its segment. By another clock its days would
 * begin at other times: what they differ by would be the figures of minutes.
 * @throws Problem('validation_failed')
 */
export async function sharedAsk<Ask extends SharedInput>(
  deps: Pick<Deps, 'records'>,
  share: Share,
  ask: Ask,
): Promise<Ask> {
  if (!share) return ask
  const { clauses, timezone } = ask
  if (timezone) throw invalid('timezone', 'Share links use the time zone of the property.')
  checkSharedClauses(parseClauses(clauses ?? []))
  const ofSegment = await segmentOf(deps, share)
  return ofSegment.length === 0 ? ask : { ...ask, clauses: [...(clauses ?? []), ...ofSegment] }
}

/** Who asks, and what they know of the service. */
interface Asking {
  readonly context: Pick<Deps, 'records'>
  readonly share: Share
}

/**
 * @param answer is given the question that may be asked, and no other.
 * @throws Problem: validation_failed; rate_limited
 */
export async function answerBy<Ask extends SharedInput, Answer>(
  { context, share }: Asking,
  ask: Ask,
  answer: (ask: Ask, by: Shared) => Promise<Answer>,
): Promise<Answer> {
  const asked = await sharedAsk(context, share, ask)
  return inShareTurn(share, () => answer(asked, { isShared: share !== undefined }))
}
