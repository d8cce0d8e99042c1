// What happens to a delivery that this node has claimed: its body is made and waits to be stored, it waits for a slot of its lane, it is
// sent, and what became of it waits to be written. Nothing is written here; worker.ts does that for many at once.
import { openBasket } from './basket.ts'
import { type BodiesDeps, openBodies } from './bodies.ts'
import { type CallsDeps, type Client, openCalls } from './calls.ts'
import type { DeliveryRow, Sender } from './claims-records.ts'
import { type Held, type Load, newHeld, refusalOf } from './held.ts'
import type { Laned, Lanes } from './lanes.ts'

export type CarrierDeps = BodiesDeps & CallsDeps

/** Automations by id, as they were read when a load was written. */
type Senders = ReadonlyMap<string, Sender>

/** What was done with a load. */
export interface Unloaded {
  /** Those that were still held when their bodies were. */
  readonly stored: ReadonlySet<Held>
  readonly claimed: readonly DeliveryRow[]
  readonly senders: Senders
  readonly leaseEndMs: number
}

export interface Carrier {
  load(): Load
  /** The load is written and more is claimed: those whose turn it is are sent. */
  unload(load: Load, unloaded: Unloaded): void
  /** False for a moment after a body could not be made for want of a store. */
  mayClaim(): boolean
  /** Sends nothing more and waits for what is under way; what was not sent is in the next load, to be given back. */
  stop(waitMs: number): Promise<void>
}

export interface Hooks {
  /** A body is made, or something ended that was not sent: there is a load. */
  readonly changed: () => void
  /** A call has ended: there is a load, which may grow in a moment. */
  readonly sent: () => void
  /** There is room in the lane again. */
  readonly freed: (row: Laned) => void
}

export interface CarrierOptions {
  readonly leaseMs: number
  /** How long nothing is claimed after a body could not be made for want of a store. */
  readonly awayMs?: number | undefined
}

export function openCarrier(
  deps: CarrierDeps,
  client: Client,
  lanes: Lanes<Held>,
  { leaseMs, awayMs }: CarrierOptions,
  { changed, sent, freed }: Hooks,
): Carrier {
  const basket = openBasket(deps, lanes, freed)
  const bodies = openBodies(deps, basket, changed, awayMs)
  const calls = openCalls(deps, client, { lanes, basket, leaseMs }, sent)
  let isStopping = false

  const admit = (held: Held): void => {
    const refusal = refusalOf(held, held.sender)
    if (isStopping) basket.giveBack(held)
    else if (refusal) basket.end(held, refusal)
    else if (held.body === null) return bodies.make(held)
    else return calls.ready(held)
    changed()
  }
  const restore = (held: Held, { stored, senders, leaseEndMs }: Unloaded): void => {
    held.leaseEndMs = leaseEndMs
    held.sender = senders.get(held.row.automation_id)
    // Otherwise it was erased or is somebody else's.
    if (stored.has(held)) admit(held)
    else basket.lose(held)
  }

  return {
    load: () => ({ outcomes: basket.outcomes(), made: bodies.made() }),
    unload({ outcomes, made }, unloaded) {
      basket.written(outcomes.length)
      for (const held of bodies.taken(made)) restore(held, unloaded)
      for (const row of unloaded.claimed) {
        const held = newHeld(row, unloaded.senders.get(row.automation_id), unloaded.leaseEndMs)
        lanes.hold(held)
        admit(held)
      }
      calls.start()
    },
    mayClaim: () => !isStopping && bodies.mayClaim(),
    async stop(waitMs) {
      isStopping = true
      for (const held of bodies.stop()) basket.giveBack(held)
      await calls.stop(waitMs)
    },
  }
}
