// Sends what waits in the outbox: deliveries are claimed, their bodies rendered and stored, sent, and what
// became of them recorded. What a node leaves undone when it dies, any node does after the lease, with the
// same bytes.
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { settledWithin } from '../queues/deadline.ts'
import { openGather } from '../queues/gather.ts'
import { openRounds, type Rounds } from '../queues/rounds.ts'
import { attempt, type Client, endingOf, failedHere, hasBegun } from './attempt.ts'
import type { Body } from './body.ts'
import { claimKey, type DeliveryRow, findDue, findStill, type Still } from './queue-records.ts'
import { type Attempted, type Claimed, type Ending, refusalOf } from './delivery-model.ts'
import { DueLanes } from './due-lanes.ts'
import { holdDeliveries, putRight } from './state-records.ts'
import { Ledger } from './ledger.ts'
import type { Disabled, Written } from './state-records.ts'
import { type Result, Slots } from './slots.ts'

/** Three times what an attempt may take: past it the node is dead, or as good as. */
const LEASE_MS = 30_000
/**
 * Nothing is sent that could still be under way at the end of its lease: an attempt takes ten seconds at
 * most.
 */
const LEASE_MARGIN_MS = 15_000
/** Finds retries that are due, and what other nodes and the command line have enqueued. */
const POLL_MS = 1_000
/** Looks for deliveries that a call that was cut short has left held, or pending. */
const PUT_RIGHT_MS = 15_000
/** While the facts are away bodies cannot be rendered: nothing is claimed for so long. */
const FACTS_AWAY_MS = 5_000
/** Most attempts are over within one second; a process that is to stop has ten in all (main.ts). */
const CLOSE_WAIT_MS = 8_000

export interface EngineDeps extends Pick<Deps, 'keys' | 'log' | 'now' | 'records'> {
  readonly config: Pick<Config, 'webhookRetryDelays'>
  /**
   * The bytes of a delivery, before its first attempt.
   * @throws Problem('unavailable') while a store is away.
   */
  readonly makeBody: (row: DeliveryRow) => Promise<Body>
  /** Called for each automation that is switched off here. */
  readonly disabled: (automation: Disabled) => void
  /** Called with what became of each delivery, and of each attempt after which there will be another. */
  readonly counted: (kind: Ending['kind']) => void
}

export interface EngineOptions {
  readonly leaseMs?: number
  readonly closeWaitMs?: number
  /** How long nothing is claimed after a body could not be rendered for want of a store. */
  readonly awayMs?: number
}

/** How a run ends. Without an ending the claim is lost: another writes what becomes of the delivery. */
interface End {
  readonly ending?: Ending
  readonly attempted?: Attempted | undefined
}

const lost: End = {}

function resultOf({ error, status }: Attempted): Result {
  if (error === null) return 'arrived'
  return status === null ? 'failed' : 'answered'
}

export class DeliveryEngine {
  readonly #deps: EngineDeps
  readonly #client: Client
  readonly #options: Required<EngineOptions>
  readonly #slots = new Slots<Claimed>()
  readonly #dueLanes: DueLanes
  readonly #ledger: Ledger
  readonly #rounds: Rounds
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #look: (claimed: Claimed) => Promise<Still | undefined>
  /** Of deliveries that this node has, until their ends are recorded. */
  readonly #runs = new Map<Claimed, Promise<void>>()
  readonly #node = randomUUID()
  #claims = 0
  /** By the clock of the process: nothing is claimed before. */
  #claimsFromMs = 0
  #isClosing = false
  #isAway = false

  constructor(deps: EngineDeps, client: Client, options: EngineOptions = {}) {
    const { records } = deps
    this.#deps = deps
    this.#client = client
    this.#options = { leaseMs: LEASE_MS, closeWaitMs: CLOSE_WAIT_MS, awayMs: FACTS_AWAY_MS, ...options }
    this.#dueLanes = new DueLanes(records)
    this.#ledger = new Ledger(records)
    // Those that had to wait for a slot in the same moment are looked up together.
    this.#look = openGather<Claimed, Still>({
      groupOf: () => '',
      keyOf: ({ row }) => claimKey(row),
      load: (some) =>
        findStill(
          records,
          some.map(({ row }) => row),
        ),
    })
    this.#rounds = openRounds(() => this.#round(), this.#complain)
    this.#timers = [
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void putRight(records).catch(this.#complain), PUT_RIGHT_MS),
    ]
    this.#rounds.soon()
  }

  /** Something may be due: it is looked for at once. */
  wake(): void {
    this.#dueLanes.lookAround()
    this.#rounds.soon()
  }

  /** Claims nothing more, lets attempts under way end, and gives back what was not sent. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const claimed of this.#runs.keys()) if (!claimed.isSending) this.#finish(claimed, this.#unsent())
    await settledWithin(Promise.all(this.#runs.values()), this.#options.closeWaitMs)
    await this.#rounds.end()
  }

  // ---------------------------------------------- a round: write what is over, claim what is due

  async #round(): Promise<void> {
    const nowMs = this.#deps.now()
    const found = this.#mayClaim() ? await this.#findDue(nowMs) : []
    if (found.length > 0 || !this.#ledger.isEmpty) await this.#write(found, nowMs)
    this.#isAway = false
    if (this.#mayClaim() && this.#dueLanes.isLooking) this.#rounds.soon()
  }

  #mayClaim = (): boolean => !this.#isClosing && performance.now() >= this.#claimsFromMs

  async #findDue(nowMs: number): Promise<number[]> {
    const shares = this.#slots.shares(await this.#dueLanes.find(nowMs))
    const found = await findDue(this.#deps.records, shares, nowMs)
    this.#dueLanes.asked(shares, found)
    return found.map(({ seq }) => seq)
  }

  async #write(seqs: readonly number[], nowMs: number): Promise<void> {
    const claim = { name: `${this.#node}/${++this.#claims}`, nowMs, untilMs: nowMs + this.#options.leaseMs }
    const { claimed, ...written } = await this.#ledger.write(seqs, claim)
    for (const each of claimed) this.#begin(each)
    this.#note(written)
    // Another node was quicker: there may be something else.
    if (claimed.length < seqs.length) this.#dueLanes.lookAround()
  }

  #note({ settled, disabled }: Written): void {
    for (const { ending } of settled) this.#deps.counted(ending.kind)
    for (const automation of disabled) {
      this.#deps.disabled(automation)
      holdDeliveries(this.#deps.records, automation.automationId).catch(this.#complain)
    }
  }

  /** Once for each time that the records are away, however often they are asked meanwhile. */
  #complain = (error: unknown): void => {
    if (!this.#isAway) this.#deps.log.error({ err: error }, 'deliveries wait: their records cannot be read or written')
    this.#isAway = true
  }

  // ---------------------------------------------- a run: one delivery from its claim to its end

  #begin(claimed: Claimed): void {
    this.#slots.claim(claimed)
    this.#runs.set(claimed, this.#isClosing ? Promise.resolve() : this.#run(claimed))
    if (this.#isClosing) this.#finish(claimed, this.#unsent())
  }

  async #run(claimed: Claimed): Promise<void> {
    const end = (await this.#render(claimed)) ?? (await this.#waitForSlot(claimed)) ?? (await this.#send(claimed))
    this.#finish(claimed, end)
  }

  /** Stored before the first attempt, and never rendered again. */
  async #render(claimed: Claimed): Promise<End | undefined> {
    const refused = this.#refused(claimed)
    if (refused || claimed.body !== null) return refused
    const made = await this.#deps.makeBody(claimed.row).catch((error: unknown) => this.#withoutBody(claimed, error))
    if ('ending' in made) return made
    if ('skipped' in made) return { ending: { kind: 'skipped' } }
    if (!this.#runs.has(claimed)) return lost
    claimed.body = made.body
    this.#rounds.soon()
    const isStored = await this.#ledger.store(claimed)
    return isStored ? this.#refused(claimed) : lost
  }

  /** A store that is away comes back; anything else is a fault of ours, and may not be tried without end. */
  #withoutBody(claimed: Claimed, error: unknown): Required<Pick<End, 'ending'>> & End {
    const { config, log, now } = this.#deps
    if (error instanceof Problem && error.kind === 'unavailable') {
      this.#claimsFromMs = performance.now() + this.#options.awayMs
      return this.#unsent(now() + FACTS_AWAY_MS)
    }
    log.error({ err: error, delivery: claimed.row.id }, 'the body of a delivery could not be made')
    const attempted = failedHere(now(), 'its body could not be made')
    return { ending: endingOf(config, claimed, attempted, now()), attempted }
  }

  async #waitForSlot(claimed: Claimed): Promise<End | undefined> {
    if (!this.#slots.start(claimed)) {
      if (!(await this.#slots.wait(claimed))) return this.#unsent()
      const end = await this.#lookAgain(claimed)
      if (end) return end
    }
    const { leaseMs } = this.#options
    const marginMs = Math.min(LEASE_MARGIN_MS, leaseMs / 2)
    return this.#deps.now() > claimed.leaseEndMs - marginMs ? this.#unsent() : undefined
  }

  /** What was erased, deleted, switched off or given another secret while it waited is not sent as it was. */
  async #lookAgain(claimed: Claimed): Promise<End | undefined> {
    const still = await this.#look(claimed).catch(() => 'away' as const)
    // While the records are away, so is what is written in them: it waits.
    if (still === 'away') return this.#unsent()
    if (!still) return lost
    claimed.automation = still.automation
    return this.#refused(claimed)
  }

  async #send(claimed: Claimed): Promise<End> {
    if (!this.#runs.has(claimed)) return lost
    claimed.isSending = true
    const attempted = await attempt(this.#deps, this.#client, claimed)
    this.#slots.judge(claimed.lane, resultOf(attempted), attempted.durationMs)
    const ending = endingOf(this.#deps.config, claimed, attempted, this.#deps.now())
    return { ending, attempted: hasBegun(attempted) ? attempted : undefined }
  }

  #refused(claimed: Claimed): End | undefined {
    const ending = refusalOf(claimed)
    return ending && { ending }
  }

  /** To be sent by the node that claims it next. */
  #unsent(atMs = this.#deps.now()): Required<Pick<End, 'ending'>> {
    return { ending: { kind: 'unsent', atMs } }
  }

  /** Nothing when it is finished already: a closing engine has given it back. */
  #finish(claimed: Claimed, { ending, attempted }: End): void {
    if (!this.#runs.delete(claimed)) return
    this.#slots.release(claimed)
    this.#dueLanes.add(claimed)
    if (ending) this.#ledger.record({ row: claimed.row, ending, attempted, nowMs: this.#deps.now() })
    this.#rounds.later()
  }
}
