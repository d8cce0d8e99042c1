// Lanes in which something is due and for which there may be no room yet. After a call has ended only its
// lane is looked at. All lanes are looked at, some hundred of them at a time, when something new may have
// come.
import type { Records } from '../stores/records.ts'
import { findDueLanes } from './queue-records.ts'
import type { Laned, Share } from './slots.ts'

/** Behind lanes of which it is known what waits in them: the endpoint has just been called. */
const LAST_PRIORITY = 3

export class DueLanes {
  readonly #records: Records
  readonly #lanes = new Map<string, Laned>()
  /** Where the look around goes on; undefined when it is over. */
  #after: string | undefined = ''
  /** Something came while it was under way, perhaps in a lane that it has passed. */
  #isAgain = false

  constructor(records: Records) {
    this.#records = records
  }

  get isLooking(): boolean {
    return this.#after !== undefined
  }

  /** Something may be due in any lane. */
  lookAround(): void {
    if (this.#after === undefined) this.#after = ''
    else this.#isAgain = true
  }

  /** Something may be due in this lane: there is room in it again. */
  add({ lane, propertyId }: Laned): void {
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, { lane, propertyId, priority: LAST_PRIORITY })
  }

  /** All lanes that are known to be due, after one more step of the look around. */
  async find(nowMs: number): Promise<Laned[]> {
    if (this.#after !== undefined) await this.#lookOn(this.#after, nowMs)
    return [...this.#lanes.values()]
  }

  async #lookOn(after: string, nowMs: number): Promise<void> {
    if (after === '') this.#isAgain = false
    const { due, next } = await findDueLanes(this.#records, after, nowMs)
    for (const lane of due) this.#lanes.set(lane.lane, lane)
    this.#after = next ?? (this.#isAgain ? '' : undefined)
  }

  /**
   * Those that have all that they may have, or nothing more, are due again when one of their calls has ended.
   */
  asked(shares: readonly Share[], found: readonly { readonly lane: string }[]): void {
    const counts = Map.groupBy(found, ({ lane }) => lane)
    for (const { lane, slots, isWhole } of shares)
      if (isWhole || (counts.get(lane)?.length ?? 0) < slots) this.#lanes.delete(lane)
  }
}
