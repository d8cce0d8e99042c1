// What the rest of the service knows of its other workers, where there are some (WORKERS).
import type { Limits } from '../http/limits.ts'
import type { Beside } from '../stores/beside.ts'

export interface Team {
  /** From 1. The first does what one process alone has to do: jobs, and files that are exported. */
  readonly slot: number
  /** How many there are. */
  readonly count: number
  /** Nobody else has begun: the others do once this one listens. */
  readonly isFirst: boolean
  /** Whether the stores have to be brought up to date, and mended: not by those that begin right after it. */
  readonly mends: boolean
  /** How the command line was started, for the first words. */
  readonly command: string
  /** Of the engine that the primary runs; undefined where the facts are on a server. */
  readonly engineUrl: string | undefined
  readonly beside: Beside
  /** Counts for all of them. */
  readonly limits: Limits
  /** What others ask under the name is answered by this; until then they wait. */
  answer(name: string, work: (from: number, ...given: never[]) => unknown): void
  /** @throws what the work throws; Problem('unavailable') when no answer comes. */
  ask(slot: number, name: string, ...given: readonly unknown[]): Promise<unknown>
  /** Of everyone, this one as well; of those that cannot answer soon, nothing. */
  askAll(name: string): Promise<unknown[]>
  /** Signals of the system go to the primary, which passes them on. */
  onStop(stop: (signal: NodeJS.Signals) => void): void
}
