// One day of a property whose sessions are kept as rows (running.ts): its table, and what was added to it
// since that was written.
import type { QuietVersions } from '../running-columns.ts'
import type { DayOfProperty, Rounds } from './running-rows.ts'

/** Above it the whole day is folded again. */
const MOST_TOUCHED = 4_000

/** What can be read of a day. */
export interface RunningTable {
  readonly name: string
  readonly rounds: Rounds
  readonly quiet: Promise<QuietVersions>
  /** The newest round, and how many rows were written in all rounds but the first. */
  readonly round: number
  readonly added: number
  /** When it was last known to be there. */
  readonly seenMs: number
}

export class Day implements DayOfProperty {
  readonly propertyId: string
  readonly day: string
  /** Sessions to which something was added since the last round. */
  touched = new Set<string>()
  /** Any of its sessions may have changed, or none was folded yet. */
  needsFold = true
  usedMs = performance.now()
  /** Of its table. */
  bytes = 0
  /** It is not tried before. */
  againMs = 0
  /** The one that the next question reads or replaces. */
  table: Promise<RunningTable | undefined> = Promise.resolve(undefined)

  constructor(propertyId: string, day: string) {
    this.propertyId = propertyId
    this.day = day
  }

  touch(sessions: readonly string[] | 'any'): void {
    if (this.needsFold) return
    if (sessions === 'any') return this.foldAnew()
    for (const session of sessions) this.touched.add(session)
    if (this.touched.size > MOST_TOUCHED) this.foldAnew()
  }

  foldAnew(): void {
    this.needsFold = true
    this.touched = new Set()
  }

  /**
   * What is touched from now on is of a later round.
   * @returns undefined when all sessions are to be folded.
   */
  takeTouched(): ReadonlySet<string> | undefined {
    const touched = this.needsFold ? undefined : this.touched
    this.touched = new Set()
    this.needsFold = false
    return touched
  }

  /** It has no table any more. */
  lose(): void {
    this.foldAnew()
    this.bytes = 0
  }

  /** It gets no table for so long. */
  refuse(forMs: number): void {
    this.lose()
    this.againMs = performance.now() + forMs
  }
}
