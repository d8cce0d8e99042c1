// How many deliveries this node may hold and call at once: of one endpoint, of one property, of all. One
// counter for all of these limits, in memory. Deliveries to one URL form a lane; a lane whose endpoint is
// slow or dead has one slot, so that it keeps no other lane waiting.
import { LRUCache } from 'lru-cache'

/** Calls of one endpoint at once: enough for a quick one, few enough for a small one. */
export const LANE_SLOTS = 4
/**
 * Claimed beyond these for an endpoint that answers at once, so that it never waits for the database between
 * two calls.
 */
export const LANE_AHEAD = 16
/** Sixteen deliveries ahead in four slots are then a second's work at most. */
const QUICK_MS = 250
/** An endpoint that refuses within this time keeps nobody waiting. */
const PROMPT_MS = 2_000
/**
 * From this priority on a delivery leaves the last slot of its lane to more urgent ones
 * (kernel/trigger-table.ts).
 */
export const BULK_PRIORITY = 2
/** Endpoints that a node remembers; one that it has forgotten begins with one slot again. */
const MAX_LANES = 10_000

interface Most {
  readonly all: number
  readonly ofProperty: number
}

export const most = {
  /** Each holds its body. */
  claimed: { all: 256, ofProperty: 192 },
  /** Of them those to endpoints that are not known to answer: each may take ten seconds. */
  unproven: { all: 96, ofProperty: 32 },
  /** Of those the ones to endpoints that failed the last time. */
  failing: { all: 64, ofProperty: 24 },
  /** Calls under way, each with a socket and its answer. */
  sending: { all: 128, ofProperty: 96 },
} as const satisfies Record<string, Most>

/**
 * What is known of an endpoint: it answered; nothing yet; the last time it did not answer, or took long to
 * refuse.
 */
type Standing = 'trusted' | 'new' | 'failing'

/** `answered`: with anything but a 2xx; `failed`: not at all. */
export type Result = 'arrived' | 'answered' | 'failed'

interface Endpoint {
  readonly standing: Standing
  /** The last delivery arrived. */
  readonly isWell: boolean
  readonly isQuick: boolean
  /** Of its last claim, counted from the start; 0: there was none. */
  readonly claimNumber: number
}

const unknown: Endpoint = { standing: 'new', isWell: false, isQuick: false, claimNumber: 0 }

export interface Laned {
  readonly lane: string
  readonly priority: number
  readonly propertyId: string
}

/** What may be claimed for a lane. */
export interface Share {
  readonly lane: string
  readonly slots: number
  /** Of them those for deliveries of low priority. */
  readonly bulkSlots: number
  /** False when the lane could have had more, had there been room beside the other lanes. */
  readonly isWhole: boolean
}

/** An endpoint that refuses at once is as good as any to its neighbours. */
function standingAfter({ standing }: Endpoint, result: Result, ms: number): Standing {
  if (result === 'failed' || ms > PROMPT_MS) return 'failing'
  return standing === 'trusted' ? 'trusted' : 'new'
}

interface Limit {
  readonly name: string
  readonly most: number
}

interface Waiting<Row> {
  readonly row: Row
  readonly go: (hasSlot: boolean) => void
}

const isBulk = (priority: number): boolean => priority >= BULK_PRIORITY

/** The last slot is for what cannot wait; a single one is for all. */
const withoutReserve = (slots: number): number => Math.max(1, slots - 1)

function limitsOf(kind: keyof typeof most, propertyId: string): Limit[] {
  const { all, ofProperty } = most[kind]
  return [
    { name: kind, most: all },
    { name: `${kind} ${propertyId}`, most: ofProperty },
  ]
}

function limitsOfLane(kind: 'claimed' | 'sending', { lane, priority }: Laned, slots: number): Limit[] {
  const own = { name: `${kind} in ${lane}`, most: slots }
  return isBulk(priority) ? [own, { name: `bulk ${own.name}`, most: withoutReserve(slots) }] : [own]
}

const kindsOf: Readonly<Record<Standing, readonly (keyof typeof most)[]>> = {
  trusted: ['claimed'],
  new: ['claimed', 'unproven'],
  failing: ['claimed', 'unproven', 'failing'],
}

/** How many slots of each limit are taken. */
class Counter {
  readonly #taken: Map<string, number>

  constructor(taken: Iterable<readonly [string, number]> = []) {
    this.#taken = new Map(taken)
  }

  copy = (): Counter => new Counter(this.#taken)
  left = ({ name, most }: Limit): number => Math.max(0, most - (this.#taken.get(name) ?? 0))
  hasRoom = (limits: readonly Limit[]): boolean => limits.every((limit) => this.left(limit) > 0)

  add(limits: readonly Limit[], by: 1 | -1): void {
    for (const { name } of limits) {
      const count = (this.#taken.get(name) ?? 0) + by
      if (count === 0) this.#taken.delete(name)
      else this.#taken.set(name, count)
    }
  }
}

export class Slots<Row extends Laned> {
  readonly #counter = new Counter()
  readonly #endpoints = new LRUCache<string, Endpoint>({ max: MAX_LANES })
  #claims = 0
  /** The limits that each row counts for until it is released. */
  readonly #takenBy = new Map<Row, Limit[]>()
  /** By lane, in the order in which they go. */
  readonly #waiting = new Map<string, Waiting<Row>[]>()

  #endpointOf = (lane: string): Endpoint => this.#endpoints.get(lane) ?? unknown

  #claimLimits(row: Laned): Limit[] {
    const { standing, isWell, isQuick } = this.#endpointOf(row.lane)
    const slots = isWell ? LANE_SLOTS + (isQuick ? LANE_AHEAD : 0) : 1
    return [
      ...kindsOf[standing].flatMap((kind) => limitsOf(kind, row.propertyId)),
      ...limitsOfLane('claimed', row, slots),
    ]
  }

  #sendingLimits(row: Laned): Limit[] {
    const slots = this.#endpointOf(row.lane).isWell ? LANE_SLOTS : 1
    return [...limitsOf('sending', row.propertyId), ...limitsOfLane('sending', row, slots)]
  }

  /**
   * Divides the free slots: one for each lane, then a second one for each, and so on. The lane whose last
   * turn was longest ago comes first, whatever is old and urgent in the others.
   */
  shares(lanes: readonly Laned[]): Share[] {
    const turnOf = ({ lane }: Laned): number => this.#endpointOf(lane).claimNumber
    const counter = this.#counter.copy()
    const shares = lanes
      .toSorted((a, b) => turnOf(a) - turnOf(b) || a.priority - b.priority)
      .map((row) => ({ row, limits: this.#claimLimits({ ...row, priority: 0 }), slots: 0 }))
    for (let open = shares; open.length > 0;)
      open = open.filter((share) => {
        if (!counter.hasRoom(share.limits)) return false
        counter.add(share.limits, 1)
        share.slots++
        return true
      })
    return shares.map(({ row: { lane, propertyId }, limits, slots }) => {
      const bulk = this.#claimLimits({ lane, propertyId, priority: BULK_PRIORITY }).at(-1)!
      const isWhole = counter.left(limits.at(-1)!) === 0
      return { lane, slots, bulkSlots: Math.min(slots, this.#counter.left(bulk)), isWhole }
    })
  }

  /** It takes room until it is released. */
  claim(row: Row): void {
    const limits = this.#claimLimits(row)
    this.#takenBy.set(row, limits)
    this.#counter.add(limits, 1)
    this.#endpoints.set(row.lane, { ...this.#endpointOf(row.lane), claimNumber: ++this.#claims })
  }

  /** False when there is no slot to call its endpoint now, or others that are as urgent wait for one. */
  start(row: Row): boolean {
    const [first] = this.#waiting.get(row.lane) ?? []
    return (!first || first.row.priority > row.priority) && this.#takeSlot(row)
  }

  /**
   * @returns whether it has a slot; false when its endpoint has failed meanwhile, so that any node may send
   * it.
   */
  wait(row: Row): Promise<boolean> {
    const waiting = this.#waiting.get(row.lane) ?? []
    const at = waiting.findIndex((other) => other.row.priority > row.priority)
    return new Promise((go) => {
      waiting.splice(at === -1 ? waiting.length : at, 0, { row, go })
      this.#waiting.set(row.lane, waiting)
      this.#startWaiting()
    })
  }

  /** What its endpoint has just answered. */
  judge(lane: string, result: Result, ms: number): void {
    const isWell = result === 'arrived'
    const known = this.#endpointOf(lane)
    const standing = isWell ? 'trusted' : standingAfter(known, result, ms)
    this.#endpoints.set(lane, { ...known, standing, isWell, isQuick: isWell && ms <= QUICK_MS })
    if (!isWell) this.#endWaiting(lane)
  }

  release(row: Row): void {
    const waiting = this.#waiting.get(row.lane)
    const at = waiting?.findIndex((one) => one.row === row) ?? -1
    if (at !== -1) waiting!.splice(at, 1)
    this.#counter.add(this.#takenBy.get(row) ?? [], -1)
    this.#takenBy.delete(row)
    this.#startWaiting()
  }

  #takeSlot(row: Row): boolean {
    const limits = this.#sendingLimits(row)
    if (!this.#counter.hasRoom(limits)) return false
    this.#counter.add(limits, 1)
    this.#takenBy.get(row)?.push(...limits)
    return true
  }

  #startWaiting(): void {
    for (const [lane, waiting] of this.#waiting) {
      while (waiting[0] && this.#takeSlot(waiting[0].row)) waiting.shift()?.go(true)
      if (waiting.length === 0) this.#waiting.delete(lane)
    }
  }

  #endWaiting(lane: string): void {
    const waiting = this.#waiting.get(lane) ?? []
    this.#waiting.delete(lane)
    for (const { go } of waiting) go(false)
  }
}
