// The calls of a node: a delivery goes when there is a slot for it. One that had to wait is looked at again right before: what was erased,
// deleted, switched off or given another secret meanwhile is not sent as it was.
import { settledWithin } from '../queues/deadline.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Records } from '../stores/records.ts'
import type { WebhookClient } from '../webhooks/client.ts'
import { attempt, type Attempted } from './attempt.ts'
import type { Basket } from './basket.ts'
import { claimKey, findStill, type Still } from './claims-records.ts'
import { endingOf, failedHere, hasBegun } from './endings.ts'
import { openGather } from '../queues/gather.ts'
import { type Held, refusalOf } from './held.ts'
import type { Lanes, Result } from './lanes.ts'

/** Nothing is sent that could still be under way at the end of its lease: an attempt takes ten seconds at most. */
const LEASE_MARGIN_MS = 15_000

export type Client = Pick<WebhookClient, 'post'>
export type CallsDeps = Pick<Deps, 'config' | 'keys' | 'log' | 'now' | 'records'>

export interface Calls {
  /** As it is now it may go; it waits for its slot. */
  ready(held: Held): void
  /** Sends those whose turn it is. What became ready since the last start goes as it is: it has just been read. */
  start(): void
  /** Sends nothing more and waits for what is under way. */
  stop(waitMs: number): Promise<void>
}

/** A secret that cannot be opened is a failed attempt: the owner sees it, and nothing is tried without end. */
async function tryToSend({ log, ...deps }: CallsDeps, client: Client, held: Held): Promise<Attempted> {
  const { row, sender, body } = held
  if (!sender || body === null) return failedHere(deps.now(), 'there is nothing to send')
  try {
    return await attempt(deps, client, { ...row, body }, sender)
  } catch (error) {
    log.error({ err: error, delivery: row.id }, 'a delivery could not be signed')
    return failedHere(deps.now(), 'it could not be signed')
  }
}

function resultOf({ error, status }: Attempted): Result {
  if (error === null) return 'arrived'
  return status === null ? 'failed' : 'answered'
}

/** Those that set out in one moment are looked at together. */
const openLook = (records: Records) =>
  openGather<Held, Still>({
    groupOf: () => '',
    keyOf: ({ row }) => claimKey(row),
    load: (asks) =>
      findStill(
        records,
        asks.map(({ row }) => row),
      ),
  })

interface Slots {
  readonly lanes: Lanes<Held>
  readonly basket: Basket
  readonly leaseMs: number
}

/** One call from its slot to its outcome. @returns what does it. */
function openSending(deps: CallsDeps, client: Client, { lanes, basket, leaseMs }: Slots, isStopping: () => boolean) {
  const { now } = deps
  const marginMs = Math.min(LEASE_MARGIN_MS, leaseMs / 2)
  const look = openLook(deps.records)

  const isStillSent = (held: Held, { sender }: Still): boolean => {
    held.sender = sender
    const refusal = refusalOf(held, sender)
    if (refusal) basket.end(held, refusal)
    return !refusal
  }
  /** False when it ends here. */
  const mayGo = async (held: Held): Promise<boolean> => {
    // While the records are away, so is what is written in them: it waits.
    const still = await look(held).catch(() => 'away' as const)
    if (still === 'away' || isStopping()) basket.giveBack(held)
    else if (still) return isStillSent(held, still)
    else basket.lose(held)
    return false
  }
  return async (held: Held, isFresh: boolean): Promise<void> => {
    if (!isFresh && !(await mayGo(held))) return
    if (now() > held.leaseEndMs - marginMs) return basket.giveBack(held)
    const attempted = await tryToSend(deps, client, held)
    lanes.done(held, resultOf(attempted), attempted.durationMs)
    // One slot is left to it now: whoever waits for another may be sent by anybody.
    if (attempted.error !== null) for (const other of lanes.takeBack(held.lane)) basket.giveBack(other)
    const ending = endingOf(deps.config, held.row, held.sender?.is_active === 1, attempted, now())
    // One that has not begun kept its place for as long, and is no attempt all the same.
    basket.settle(held, ending, hasBegun(attempted) ? attempted : undefined)
  }
}

/** @param sent a call has ended. */
export function openCalls(deps: CallsDeps, client: Client, slots: Slots, sent: () => void): Calls {
  const { lanes, basket } = slots
  const sending = new Set<Promise<void>>()
  const fresh = new Set<Held>()
  let isStopping = false
  const send = openSending(deps, client, slots, () => isStopping)

  const startSome = (): void => {
    if (isStopping) return
    for (const held of lanes.next()) {
      const call: Promise<void> = send(held, fresh.has(held)).finally(() => {
        sending.delete(call)
        startSome()
        sent()
      })
      sending.add(call)
    }
  }
  return {
    ready(held) {
      fresh.add(held)
      lanes.ready(held)
    },
    start() {
      startSome()
      fresh.clear()
    },
    async stop(waitMs) {
      isStopping = true
      for (const held of lanes.takeBack()) basket.giveBack(held)
      await settledWithin(Promise.all(sending), waitMs)
    },
  }
}
