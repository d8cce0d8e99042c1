// Writes are refused while an installation is carried to other stores (docs/move.md).
import { Problem } from './problem.ts'

/** What comes again by then finds either the new installation, or this one writing again. */
const RETRY_SECONDS = 5

/** Nothing was done, and nothing is wrong: the log does not tell of it. */
export class Paused extends Problem {
  constructor() {
    super('unavailable', 'Footfall is being moved to other databases. Changes are not accepted at the moment.', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
}

/** @param thrown what was thrown, or what a line of the log is given. */
export function isPaused(thrown: unknown): boolean {
  if (thrown instanceof Paused) return true
  return typeof thrown === 'object' && thrown !== null && 'err' in thrown && thrown.err instanceof Paused
}
