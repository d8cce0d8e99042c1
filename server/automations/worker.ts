// Sends what waits in the outbox. In turns: what has ended is written, bodies are stored and what is due is claimed, in one transaction;
// between the turns deliveries are sent. What a node leaves undone when it dies, any node does after the lease, with the same bytes.
import { randomUUID } from 'node:crypto'
import type { Deps } from '../kernel/deps.ts'
import type { Records, Tx } from '../stores/records.ts'
import { type CarrierDeps, type Client, type Held, type Load, openCarrier } from './carrier.ts'
import { type Claim, claimDeliveries, type DeliveryRow, findSenders, type Sender, storeBody } from './claims-records.ts'
import { holdDeliveries, putRight } from './hold-records.ts'
import { openLanes } from './lanes.ts'
import { type Disabled, type Ending, writeOutcomes, type Written } from './outcome-records.ts'
import { openPicker } from './picker.ts'
import { openTurns } from './turns.ts'

/** Three times what an attempt may take: past it the node is dead, or as good as. */
const LEASE_MS = 30_000
/** Finds retries that are due, and what other nodes and the command line have put down. */
const POLL_MS = 1_000
/** Looks for what a call that was cut short has left on hold, or on its way. */
const PUT_RIGHT_MS = 15_000
/** Most attempts are over within one second; a process that is told to stop has ten in all (main.ts). */
const CLOSE_WAIT_MS = 8_000

export interface WorkerDeps extends CarrierDeps, Pick<Deps, 'records'> {
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

export interface WorkerOptions {
  readonly leaseMs?: number
  readonly closeWaitMs?: number
  /** How long nothing is claimed after a body could not be made for want of a store. */
  readonly awayMs?: number
}

interface Turned {
  readonly written: Written
  readonly stored: ReadonlySet<Held>
  readonly claimed: readonly DeliveryRow[]
  readonly senders: ReadonlyMap<string, Sender>
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
    const ids = claimed.map(({ automation_id }) => automation_id)
    return { written, stored, claimed, senders: await findSenders(tx, ids) }
  })
}

export function openWorker(deps: WorkerDeps, client: Client, options: WorkerOptions = {}): Worker {
  const { records, log, now } = deps
  const { leaseMs = LEASE_MS, closeWaitMs = CLOSE_WAIT_MS, ...waits } = options
  const node = randomUUID()
  const lanes = openLanes<Held>()
  const picker = openPicker(records, lanes)
  let turnNumber = 0
  let isAway = false

  const note = ({ settled, disabled }: Written): void => {
    for (const { ending } of settled) deps.counted(ending.kind)
    for (const automation of disabled) {
      deps.disabled(automation)
      holdDeliveries(records, automation.automationId).catch(complain)
    }
  }

  const turn = async (): Promise<void> => {
    const seqs = carrier.mayClaim() ? await picker.pick(now()) : []
    const load = carrier.load()
    if (load.outcomes.length + load.made.length + seqs.length > 0) {
      const nowMs = now()
      const claim = { name: `${node}/${++turnNumber}`, nowMs, untilMs: nowMs + leaseMs }
      const { written, stored, claimed, senders } = await write(records, load, seqs, claim)
      carrier.unload(load, stored, claim.untilMs)
      for (const row of claimed) carrier.take(row, senders.get(row.automation_id), claim.untilMs)
      carrier.start()
      note(written)
      // Another node was quicker: there may be something else.
      if (claimed.length < seqs.length) picker.lookAround()
    }
    isAway = false
    if (carrier.mayClaim() && picker.isAsked()) turns.soon()
  }

  /** Once for each time that the records are away, however often they are asked meanwhile. */
  const complain = (error: unknown): void => {
    if (!isAway) log.error({ err: error }, 'deliveries wait: their records cannot be read or written')
    isAway = true
  }

  const turns = openTurns(turn, complain)
  const carrier = openCarrier(
    deps,
    client,
    lanes,
    { leaseMs, ...waits },
    {
      changed: () => turns.soon(),
      sent: () => turns.later(),
      freed: (lane) => picker.look(lane),
    },
  )
  const wake = (): void => {
    picker.lookAround()
    turns.soon()
  }
  const poll = setInterval(wake, POLL_MS)
  const mend = setInterval(() => void putRight(records).catch(complain), PUT_RIGHT_MS)
  wake()

  return {
    wake,
    async close() {
      clearInterval(poll)
      clearInterval(mend)
      await carrier.stop(closeWaitMs)
      await turns.end()
    },
  }
}
