// Who a question to the facts is for. It goes along with a request by itself: of a hundred calls that ask,
// one that forgot to name its asker would take a turn from nobody, outlive its caller, and never be missed.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../kernel/problem.ts'

export interface Asker {
  readonly propertyId: string
  /** A person, a token, a share link or the administrator; '' for the service itself. */
  readonly caller: string
  /** By a share link, which anybody may have. */
  readonly isShared: boolean
  /** Aborted with a Problem once nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

const askers = new AsyncLocalStorage<Asker>()

/** Of what runs now; undefined for the service itself. */
export const currentAsker = (): Asker | undefined => askers.getStore()

/** Everything that the work asks, also later, is asked by them. */
export const asAsker = <Result>(asker: Asker, work: () => Result): Result => askers.run(asker, work)

/** For work that goes on when the request is over. */
export const asNobody = <Result>(work: () => Result): Result => askers.exit(work)

/** The work, bound to who asks now: for callbacks of streams, which are called by whoever reads. */
export function boundToAsker<Result>(work: () => Result): () => Result {
  const asker = currentAsker()
  return asker ? () => asAsker(asker, work) : work
}

const CANCELED = 'The query was canceled.'

/** Why a question ends when its caller has hung up. Nobody reads the words but the log. */
export const nobodyWaits = () => new Problem('unavailable', CANCELED)

/** Whether a question has ended for that reason. */
export const isCanceled = (error: unknown): boolean => error instanceof Problem && error.message === CANCELED
