// Who may call which endpoint now. Deliveries of one endpoint form a lane; a lane has few places, a slow or dead one fewer still, so that
// none of them can keep the others waiting. In memory, of one node; nothing is asked here.

/** Attempts of one lane at once: enough for a quick endpoint, few enough for a small one. */
export const LANE_SLOTS = 4
/** Attempts of a node at once: each holds a socket and its answer. */
export const MAX_SENDING = 128
/** Deliveries that a node holds at once, those whose bodies are being made among them. */
export const MAX_HELD = 256
/** Of them those to endpoints that have not answered well: the others always find a place. */
export const MAX_UNPROVEN = 96
/** Claimed beyond its slots by a lane that answers at once, so that it does not wait for the database between two calls. */
export const LANE_AHEAD = 16
/** Sixteen deliveries ahead in four slots are then a second's work at most: nothing is held up behind them for longer. */
const QUICK_MS = 250
/** From this priority on (kernel/triggers.ts: page views, contact changes) a delivery leaves the last slot of its lane to the others. */
const BULK_PRIORITY = 2
/** Endpoints that a node remembers; one it has forgotten begins with one slot again. */
const MAX_LANES = 10_000

export interface Laned {
  readonly lane: string
  readonly priority: number
}

export type Result = 'arrived' | 'failed' | 'unsent'

interface Lane<Row> {
  readonly name: string
  /** Answered well the last time. */
  isProven: boolean
  isQuick: boolean
  held: number
  heldBulk: number
  sending: number
  sendingBulk: number
  /** With a body, in the order in which they go. */
  readonly waiting: Row[]
}

export interface Room {
  /** Deliveries of any kind that may be claimed for it, as far as there is room in all lanes together. */
  readonly all: number
  /** Of them those of low priority. */
  readonly bulk: number
  readonly isProven: boolean
}

export interface Lanes<Row extends Laned> {
  room(lane: string): Room
  /** In all lanes together, and in those of unproven endpoints. */
  left(): { readonly all: number; readonly unproven: number }
  /** Claimed: it takes room until `done`. */
  hold(row: Row): void
  /** It has a body and may go when it is its turn. */
  ready(row: Row): void
  /** Those whose turn it is; each has a slot until `done`. */
  next(): Row[]
  /** @param ms how long the endpoint took. */
  done(row: Row, result: Result, ms?: number): void
  /** Those that wait for a slot, in one lane or in all, wait no more; they stay held until `done`. */
  takeBack(lane?: string): Row[]
}

export const isBulk = ({ priority }: Laned): boolean => priority >= BULK_PRIORITY

/** The last one is for what cannot wait; a single one is for everybody. */
const withoutReserve = (slots: number): number => Math.max(1, slots - 1)

function newLane<Row>(name: string): Lane<Row> {
  return {
    name,
    isProven: false,
    isQuick: false,
    held: 0,
    heldBulk: 0,
    sending: 0,
    sendingBulk: 0,
    waiting: [],
  }
}

const slotsOf = ({ isProven }: Lane<unknown>): number => (isProven ? LANE_SLOTS : 1)
const mostOf = (lane: Lane<unknown>): number => slotsOf(lane) + (lane.isProven && lane.isQuick ? LANE_AHEAD : 0)

function hasSlot<Row extends Laned>(lane: Lane<Row>, row: Row): boolean {
  const slots = slotsOf(lane)
  return lane.sending < slots && (!isBulk(row) || lane.sendingBulk < withoutReserve(slots))
}

/** Behind those that go before it, and behind those like it. */
function queue<Row extends Laned>(waiting: Row[], row: Row): void {
  const at = waiting.findIndex(({ priority }) => priority > row.priority)
  waiting.splice(at === -1 ? waiting.length : at, 0, row)
}

/** The endpoint used last is the last to be forgotten; one that is in use never is. */
function openMemory<Row>(): { find(name: string): Lane<Row>; touch(name: string): Lane<Row> } {
  const lanes = new Map<string, Lane<Row>>()
  const find = (name: string): Lane<Row> => lanes.get(name) ?? newLane(name)
  const forgetOne = (): void => {
    const [name] = lanes.entries().find(([, { held }]) => held === 0) ?? []
    if (name !== undefined) lanes.delete(name)
  }
  return {
    find,
    touch(name) {
      const lane = find(name)
      lanes.delete(name)
      if (lanes.size >= MAX_LANES) forgetOne()
      lanes.set(name, lane)
      return lane
    },
  }
}

/** What a delivery that is held counts as until it is done. */
interface Place {
  readonly isUnproven: boolean
  isSending: boolean
}

export function openLanes<Row extends Laned>(): Lanes<Row> {
  const memory = openMemory<Row>()
  const places = new Map<Row, Place>()
  /** Lanes in which something waits for a slot. */
  const waiting = new Set<Lane<Row>>()
  let sending = 0
  let unproven = 0

  const take = (lane: Lane<Row>, row: Row): void => {
    places.get(row)!.isSending = true
    sending++
    lane.sending++
    if (isBulk(row)) lane.sendingBulk++
  }
  const give = (lane: Lane<Row>, row: Row): void => {
    sending--
    lane.sending--
    if (isBulk(row)) lane.sendingBulk--
  }
  const startSome = (lane: Lane<Row>): Row[] => {
    const going: Row[] = []
    for (;;) {
      const [row] = lane.waiting
      if (row === undefined || sending >= MAX_SENDING || !hasSlot(lane, row)) break
      lane.waiting.shift()
      take(lane, row)
      going.push(row)
    }
    if (lane.waiting.length === 0) waiting.delete(lane)
    return going
  }
  const takeBack = (lane: Lane<Row>): Row[] => {
    waiting.delete(lane)
    return lane.waiting.splice(0)
  }

  return {
    room(name) {
      const lane = memory.find(name)
      const most = mostOf(lane)
      const all = Math.max(0, most - lane.held)
      return { all, bulk: Math.max(0, Math.min(withoutReserve(most) - lane.heldBulk, all)), isProven: lane.isProven }
    },
    left: () => ({ all: MAX_HELD - places.size, unproven: MAX_UNPROVEN - unproven }),
    hold(row) {
      const lane = memory.touch(row.lane)
      places.set(row, { isUnproven: !lane.isProven, isSending: false })
      lane.held++
      if (isBulk(row)) lane.heldBulk++
      if (!lane.isProven) unproven++
    },
    ready(row) {
      const lane = memory.find(row.lane)
      queue(lane.waiting, row)
      waiting.add(lane)
    },
    next: () => [...waiting].flatMap(startSome),
    done(row, result, ms = 0) {
      const place = places.get(row)
      if (!place) return
      const lane = memory.touch(row.lane)
      places.delete(row)
      lane.held--
      if (isBulk(row)) lane.heldBulk--
      if (place.isUnproven) unproven--
      if (place.isSending) give(lane, row)
      if (result === 'unsent') return
      lane.isProven = result === 'arrived'
      lane.isQuick = lane.isProven && ms <= QUICK_MS
    },
    takeBack: (name) => (name === undefined ? [...waiting] : [memory.find(name)]).flatMap(takeBack),
  }
}
