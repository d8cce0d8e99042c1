// What waits to be written: outcomes of deliveries that are over, and bodies without which nothing is sent.
// Both are written with the next claims, in one transaction; what could not be written is written with the
// ones after them.
import type { Records, Tx } from '../stores/records.ts'
import { type Claim, claimDeliveries, findSendingAutomations, storeBody } from './queue-records.ts'
import { type Claimed, newClaimed, type Outcome } from './delivery-model.ts'
import { writeOutcomes, type Written } from './state-records.ts'

interface Turned extends Written {
  /** The more urgent first. */
  readonly claimed: readonly Claimed[]
}

async function storeBodies(tx: Tx, bodies: readonly Claimed[], untilMs: number): Promise<ReadonlySet<Claimed>> {
  const stored = new Set<Claimed>()
  for (const claimed of bodies) if (await storeBody(tx, claimed.row, claimed.body ?? '', untilMs)) stored.add(claimed)
  return stored
}

export class Ledger {
  readonly #records: Records
  #outcomes: Outcome[] = []
  readonly #bodies = new Map<Claimed, (isStored: boolean) => void>()

  constructor(records: Records) {
    this.#records = records
  }

  get isEmpty(): boolean {
    return this.#outcomes.length + this.#bodies.size === 0
  }

  record(outcome: Outcome): void {
    this.#outcomes.push(outcome)
  }

  /** @returns false when the claim was lost meanwhile: the delivery was erased, or another node has it. */
  store(claimed: Claimed): Promise<boolean> {
    return new Promise((resolve) => this.#bodies.set(claimed, resolve))
  }

  /**
   * Claims come last in the transaction: it waits for rows of others only while it holds none that they wait
   * for.
   */
  async write(seqs: readonly number[], claim: Claim): Promise<Turned> {
    const outcomes = [...this.#outcomes]
    const bodies = [...this.#bodies]
    const { written, stored, rows, automations } = await this.#records.transaction().execute(async (tx) => {
      const written = await writeOutcomes(tx, outcomes)
      const waiting = bodies.map(([claimed]) => claimed)
      const stored = await storeBodies(tx, waiting, claim.untilMs)
      const rows = await claimDeliveries(this.#records, tx, seqs, claim)
      const ids = [...rows, ...waiting.map(({ row }) => row)].map(({ automation_id }) => automation_id)
      return { written, stored, rows, automations: await findSendingAutomations(tx, ids) }
    })
    this.#outcomes = this.#outcomes.slice(outcomes.length)
    for (const [claimed, resolve] of bodies) {
      this.#bodies.delete(claimed)
      claimed.leaseEndMs = claim.untilMs
      claimed.automation = automations.get(claimed.row.automation_id)
      resolve(stored.has(claimed))
    }
    const claimed = rows.map((row) => newClaimed(row, automations.get(row.automation_id), claim.untilMs))
    return { ...written, claimed: claimed.sort((a, b) => a.priority - b.priority || a.row.seq - b.row.seq) }
  }
}
