// Sends what waits in the outbox. In turns: what has ended is written, bodies are stored and what is due is claimed, in one transaction;
// between the turns deliveries are sent. What a node leaves undone when it dies, any node does after the lease, with the same bytes.
import { randomUUID } from 'node:crypto'
import type { Records, Tx } from '../stores/records.ts'
import type { Client } from './calls.ts'
import { type Carrier, type CarrierDeps, type CarrierOptions, openCarrier, type Unloaded } from './carrier.ts'
import { type Claim, claimDeliveries, findSenders, storeBody } from './claims-records.ts'
import type { Held, Load } from './held.ts'
import { holdDeliveries, putRight } from './hold-records.ts'
import { openLanes } from './lanes.ts'
import { type Disabled, type Ending, writeOutcomes, type Written } from './outcome-records.ts'
import { openPicker, type Picker } from './picker.ts'
import { openTurns, type Turns } from './turns.ts'

/** Three times what an attempt may take: past it the node is dead, or as good as. */
const LEASE_MS = 30_000
/** Finds retries that are due, and what other nodes and the command line have put down. */
const POLL_MS = 1_000
/** Looks for what a call that was cut short has left on hold, or on its way. */
const PUT_RIGHT_MS = 15_000
/** Most attempts are over within one second; a process that is told to stop has ten in all (main.ts). */
const CLOSE_WAIT_MS = 8_000

export interface WorkerDeps extends CarrierDeps {
  /** Told of each automation that is switched off here. */
  readonly disabled: (automation: Disabled) => void
  /** Told of what became of each delivery, and of each attempt after which there will be another. */
  readonly counted: (kind: Ending['kind']) => void
}

export interface Worker {
  /** Something is due: it is looked for at once. */
  wake(): void
  /** Claims nothing more, lets attempts under way end, and gives back what was not sent. */
  close(): Promise<void>
}

export interface WorkerOptions extends Partial<CarrierOptions> {
  readonly closeWaitMs?: number
}

interface Turned extends Unloaded {
  readonly written: Written
}

async function storeBodies(tx: Tx, made: readonly Held[], untilMs: number): Promise<ReadonlySet<Held>> {
  const stored = new Set<Held>()
  for (const held of made) if (await storeBody(tx, held.row, held.body ?? '', untilMs)) stored.add(held)
  return stored
}

/** One commit for all of it. Claims come last: whoever waits for a row waits for nobody who waits for him. */
function write(records: Records, load: Load, seqs: readonly number[], claim: Claim): Promise<Turned> {
  return records.transaction().execute(async (tx) => {
    const written = await writeOutcomes(tx, load.outcomes)
    const stored = await storeBodies(tx, load.made, claim.untilMs)
    const claimed = await claimDeliveries(records, tx, seqs, claim)
    const rows = [...claimed, ...load.made.map(({ row }) => row)]
    const senders = await findSenders(
      tx,
      rows.map(({ automation_id }) => automation_id),
    )
    return { written, stored, claimed, senders, leaseEndMs: claim.untilMs }
  })
}

/** What a worker is made of. */
interface Parts {
  readonly picker: Picker
  readonly carrier: Carrier
  readonly leaseMs: number
  readonly note: (written: Written) => void
}

/** @returns the work of one turn. */
function openTurn({ records, now }: WorkerDeps, { picker, carrier, leaseMs, note }: Parts): () => Promise<void> {
  const node = randomUUID()
  let turnNumber = 0
  return async () => {
    const seqs = carrier.mayClaim() ? await picker.pick(now()) : []
    const load = carrier.load()
    if (load.outcomes.length + load.made.length + seqs.length === 0) return
    const nowMs = now()
    const claim = { name: `${node}/${++turnNumber}`, nowMs, untilMs: nowMs + leaseMs }
    const turned = await write(records, load, seqs, claim)
    carrier.unload(load, turned)
    note(turned.written)
    // Another node was quicker: there may be something else.
    if (turned.claimed.length < seqs.length) picker.lookAround()
  }
}

/** Says once, for each time that the records are away, that they are, however often they are asked meanwhile. */
function openComplaints(log: WorkerDeps['log']) {
  let isAway = false
  return {
    complain: (error: unknown): void => {
      if (!isAway) log.error({ err: error }, 'deliveries wait: their records cannot be read or written')
      isAway = true
    },
    isBack: (): void => {
      isAway = false
    },
  }
}

/** Looks for what is due every second, and for what was left on hold or on its way now and then. @returns what ends it. */
function every(records: Records, wake: () => void, complain: (error: unknown) => void): () => void {
  const poll = setInterval(wake, POLL_MS)
  const mend = setInterval(() => void putRight(records).catch(complain), PUT_RIGHT_MS)
  return () => {
    clearInterval(poll)
    clearInterval(mend)
  }
}

export function openWorker(deps: WorkerDeps, client: Client, options: WorkerOptions = {}): Worker {
  const { records } = deps
  const { leaseMs = LEASE_MS, closeWaitMs = CLOSE_WAIT_MS, awayMs } = options
  const { complain, isBack } = openComplaints(deps.log)
  const lanes = openLanes<Held>()
  const picker = openPicker(records, lanes)
  const carrier = openCarrier(
    deps,
    client,
    lanes,
    { leaseMs, awayMs },
    { changed: () => turns.soon(), sent: () => turns.later(), freed: (row) => picker.look(row) },
  )
  const note = ({ settled, disabled }: Written): void => {
    for (const { ending } of settled) deps.counted(ending.kind)
    for (const automation of disabled) {
      deps.disabled(automation)
      holdDeliveries(records, automation.automationId).catch(complain)
    }
  }
  const turn = openTurn(deps, { picker, carrier, leaseMs, note })
  const turns: Turns = openTurns(async () => {
    await turn()
    isBack()
    if (carrier.mayClaim() && picker.isAsked()) turns.soon()
  }, complain)
  const wake = (): void => {
    picker.lookAround()
    turns.soon()
  }
  const rest = every(records, wake, complain)
  wake()

  return {
    wake,
    async close() {
      rest()
      await carrier.stop(closeWaitMs)
      await turns.end()
    },
  }
}
