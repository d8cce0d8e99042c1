// What happens to a delivery that this node has claimed: its body is made and waits to be stored, it waits for a slot of its lane, it is
// sent, and what became of it waits to be written. Nothing is written here; worker.ts does that for many at once.
import { settledWithin } from '../kernel/deadline.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { WebhookClient } from '../webhooks/client.ts'
import { attempt, type Attempted } from './attempt.ts'
import type { Body } from './body.ts'
import type { DeliveryRow, Sender } from './claims-records.ts'
import { endingOf, failedHere } from './endings.ts'
import type { Lanes } from './lanes.ts'
import { type Ending, isManual, type Outcome } from './outcome-records.ts'

/** Nothing is sent that could still be under way at the end of its lease: an attempt takes ten seconds at most. */
const LEASE_MARGIN_MS = 15_000
/** While the facts are away bodies cannot be made: nothing is claimed for so long. */
const FACTS_AWAY_MS = 5_000

export type Client = Pick<WebhookClient, 'post'>

export interface CarrierDeps extends Pick<Deps, 'config' | 'keys' | 'log' | 'now'> {
  /** The bytes of a delivery, asked for before its first attempt. @throws Problem('unavailable') while a store is away. */
  readonly makeBody: (row: DeliveryRow) => Promise<Body>
}

/** A delivery that this node has claimed. */
export interface Held {
  readonly row: DeliveryRow
  readonly lane: string
  readonly priority: number
  readonly sender: Sender | undefined
  body: string | null
  leaseEndMs: number
}

/** What waits to be written. */
export interface Load {
  readonly outcomes: readonly Outcome[]
  /** With bodies that are to be stored before they are sent. */
  readonly made: readonly Held[]
}

export interface Carrier {
  take(row: DeliveryRow, sender: Sender | undefined, leaseEndMs: number): void
  /** Sends those whose turn it is. */
  start(): void
  load(): Load
  /** The load is written. @param stored those that were still held when their bodies were. */
  unload(load: Load, stored: ReadonlySet<Held>, leaseEndMs: number): void
  /** False for a moment after a body could not be made for want of a store. */
  mayClaim(): boolean
  /** Sends nothing more and waits for what is under way; what was not sent is in the next load, to be given back. */
  stop(waitMs: number): Promise<void>
}

/** A secret that cannot be opened is a failed attempt: the owner sees it, and nothing is tried without end. */
async function tryToSend({ log, ...deps }: CarrierDeps, client: Client, held: Held): Promise<Attempted> {
  const { row, sender, body } = held
  if (!sender || body === null) return failedHere(deps.now(), 'there is nothing to send')
  try {
    return await attempt(deps, client, { ...row, body }, sender)
  } catch (error) {
    log.error({ err: error, delivery: row.id }, 'a delivery could not be signed')
    return failedHere(deps.now(), 'it could not be signed')
  }
}

export interface Hooks {
  /** A body is made, or something ended that was not sent: there is a load. */
  readonly changed: () => void
  /** A call has ended: there is a load, which may grow in a moment. */
  readonly sent: () => void
  /** There is room in the lane again. */
  readonly freed: (lane: string) => void
}

export function openCarrier(
  deps: CarrierDeps,
  client: Client,
  lanes: Lanes<Held>,
  { leaseMs, awayMs = FACTS_AWAY_MS }: { readonly leaseMs: number; readonly awayMs?: number },
  { changed, sent, freed }: Hooks,
): Carrier {
  const { log, now } = deps
  const marginMs = Math.min(LEASE_MARGIN_MS, leaseMs / 2)
  /** Without a stored body. */
  const bodiless = new Set<Held>()
  const sending = new Set<Promise<void>>()
  let outcomes: Outcome[] = []
  let made: Held[] = []
  let isStopping = false
  /** By the process' own clock. */
  let claimsFrom = 0

  const settle = (held: Held, ending: Ending, attempted?: Attempted): void => {
    outcomes.push({ row: held.row, ending, nowMs: now(), ...(attempted && { attempted }) })
    freed(held.lane)
  }
  const drop = (held: Held): void => {
    bodiless.delete(held)
    lanes.done(held, 'unsent')
  }
  const endUnsent = (held: Held, ending: Ending, attempted?: Attempted): void => {
    drop(held)
    settle(held, ending, attempted)
  }
  const giveBack = (held: Held, atMs = now()): void => endUnsent(held, { kind: 'unsent', atMs })
  const endingAfter = ({ row, sender }: Held, attempted: Attempted): Ending =>
    endingOf(deps.config, row, sender?.is_active === 1, attempted, now())

  /** A store that is away comes back; anything else is a fault of ours, and may not be tried without end. */
  const withoutBody = (held: Held, error: unknown): void => {
    if (error instanceof Problem && error.kind === 'unavailable') {
      claimsFrom = performance.now() + awayMs
      return giveBack(held, now() + FACTS_AWAY_MS)
    }
    log.error({ err: error, delivery: held.row.id }, 'the body of a delivery could not be made')
    const attempted = failedHere(now(), 'its body could not be made')
    endUnsent(held, endingAfter(held, attempted), attempted)
  }

  const withBody = (held: Held, answer: Body): void => {
    if ('skipped' in answer) return endUnsent(held, { kind: 'skipped' })
    held.body = answer.body
    made.push(held)
  }

  const makeBody = async (held: Held): Promise<void> => {
    bodiless.add(held)
    // Given back meanwhile, it is nobody's business any more what comes of it.
    await deps.makeBody(held.row).then(
      (answer) => bodiless.has(held) && withBody(held, answer),
      (error: unknown) => bodiless.has(held) && withoutBody(held, error),
    )
    changed()
  }

  const send = async (held: Held): Promise<void> => {
    if (now() > held.leaseEndMs - marginMs) return giveBack(held)
    const attempted = await tryToSend(deps, client, held)
    const hasArrived = attempted.error === null
    lanes.done(held, hasArrived ? 'arrived' : 'failed', attempted.durationMs)
    // One slot is left to it now: whoever waits for another may be sent by anybody.
    if (!hasArrived) for (const other of lanes.takeBack(held.lane)) giveBack(other)
    settle(held, endingAfter(held, attempted), attempted)
  }

  const start = (): void => {
    if (isStopping) return
    for (const held of lanes.next()) {
      const call: Promise<void> = send(held).finally(() => {
        sending.delete(call)
        start()
        sent()
      })
      sending.add(call)
    }
  }

  return {
    take(row, sender, leaseEndMs) {
      const { lane, priority, body } = row
      const held: Held = { row, lane, priority, sender, body, leaseEndMs }
      lanes.hold(held)
      const goesAnyway = row.is_test === 1 || isManual(row)
      if (isStopping) giveBack(held)
      else if (!sender) endUnsent(held, { kind: 'gone' })
      else if (sender.is_active === 0 && !goesAnyway) endUnsent(held, { kind: 'held' })
      else if (body === null) void makeBody(held)
      else return lanes.ready(held)
      changed()
    },
    start,
    load: () => ({ outcomes: [...outcomes], made: [...made] }),
    unload(load, stored, leaseEndMs) {
      outcomes = outcomes.slice(load.outcomes.length)
      made = made.filter((held) => !load.made.includes(held))
      for (const held of load.made) {
        held.leaseEndMs = leaseEndMs
        // One that is not: erased, somebody else's, or given back in the next load.
        if (bodiless.delete(held)) {
          if (stored.has(held)) lanes.ready(held)
          else lanes.done(held, 'unsent')
        }
      }
    },
    mayClaim: () => !isStopping && performance.now() >= claimsFrom,
    async stop(waitMs) {
      isStopping = true
      made = []
      for (const held of [...bodiless, ...lanes.takeBack()]) giveBack(held)
      await settledWithin(Promise.all(sending), waitMs)
    },
  }
}
