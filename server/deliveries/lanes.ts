// Who may call which endpoint now. Deliveries of one endpoint form a lane; a lane has few slots, a slow or dead one fewer still, so that
// none of them can keep the others waiting. In memory, of one node; nothing is asked here.
import { openPlaces, type Places, type Standing } from './places.ts'

/** Attempts of one lane at once: enough for a quick endpoint, few enough for a small one. */
export const LANE_SLOTS = 4
/** Attempts of a node at once: each holds a socket and its answer. */
export const MAX_SENDING = 128
/** Of them those of one property: however many endpoints it has, the others call theirs. */
export const MAX_SENDING_OF_PROPERTY = 96
/** Claimed beyond its slots by a lane that answers at once, so that it does not wait for the database between two calls. */
export const LANE_AHEAD = 16
/** Sixteen deliveries ahead in four slots are then a second's work at most: nothing is held up behind them for longer. */
const QUICK_MS = 250
/** Whoever says no as soon as this keeps nobody waiting. */
const PROMPT_MS = 2_000
/** From this priority on (kernel/triggers.ts: page views, contact changes) a delivery leaves the last slot of its lane to the others. */
const BULK_PRIORITY = 2
/** Endpoints that a node remembers; one it has forgotten begins with one slot again. */
const MAX_LANES = 10_000

export interface Laned {
  readonly lane: string
  readonly priority: number
  readonly propertyId: string
}

/** `answered`: with anything but a 2xx; `failed`: not at all. */
export type Result = 'arrived' | 'answered' | 'failed' | 'unsent'

interface Lane<Row> {
  readonly name: string
  standing: Standing
  /** The last delivery arrived. */
  isWell: boolean
  isQuick: boolean
  /** Counts up with each row of any lane that is held; 0: none of this one was. */
  triedAt: number
  held: number
  heldBulk: number
  sending: number
  sendingBulk: number
  /** With a body, in the order in which they go. */
  readonly waiting: Row[]
}

export interface Room {
  /** Deliveries of any kind that may be claimed for it, as far as there are places. */
  readonly all: number
  /** Of them those of low priority. */
  readonly bulk: number
  readonly standing: Standing
  /** The lower, the longer ago was its last turn. */
  readonly triedAt: number
}

export interface Lanes<Row extends Laned> {
  room(lane: string): Room
  /** The places in all lanes together, to plan with. */
  plan(): Places
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

export const isBulk = ({ priority }: Pick<Laned, 'priority'>): boolean => priority >= BULK_PRIORITY

/** The last one is for what cannot wait; a single one is for everybody. */
const withoutReserve = (slots: number): number => Math.max(1, slots - 1)

const nothing = { held: 0, heldBulk: 0, sending: 0, sendingBulk: 0, triedAt: 0 }

const newLane = <Row>(name: string): Lane<Row> => ({
  name,
  standing: 'new',
  isWell: false,
  isQuick: false,
  ...nothing,
  waiting: [],
})

const slotsOf = ({ isWell }: Lane<unknown>): number => (isWell ? LANE_SLOTS : 1)
const mostOf = (lane: Lane<unknown>): number => slotsOf(lane) + (lane.isWell && lane.isQuick ? LANE_AHEAD : 0)

function hasSlot<Row extends Laned>(lane: Lane<Row>, row: Row): boolean {
  const slots = slotsOf(lane)
  return lane.sending < slots && (!isBulk(row) || lane.sendingBulk < withoutReserve(slots))
}

/** An endpoint that says no at once is as good as any for the others; whether it takes the next delivery is its owner's concern. */
function standingAfter({ standing }: Lane<unknown>, result: Result, ms: number): Standing {
  if (result === 'arrived') return 'trusted'
  if (result !== 'answered' || ms > PROMPT_MS) return 'failing'
  return standing === 'trusted' ? 'trusted' : 'new'
}

function judge(lane: Lane<unknown>, result: Result, ms: number): void {
  if (result === 'unsent') return
  lane.standing = standingAfter(lane, result, ms)
  lane.isWell = result === 'arrived'
  lane.isQuick = lane.isWell && ms <= QUICK_MS
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

/** Calls under way, in all and of each property. */
function openCalls<Row extends Laned>() {
  const ofProperty = new Map<string, number>()
  const rows = new Set<Row>()
  const countOf = (propertyId: string): number => ofProperty.get(propertyId) ?? 0
  return {
    isFull: ({ propertyId }: Row) => rows.size >= MAX_SENDING || countOf(propertyId) >= MAX_SENDING_OF_PROPERTY,
    begin(lane: Lane<Row>, row: Row) {
      rows.add(row)
      ofProperty.set(row.propertyId, countOf(row.propertyId) + 1)
      lane.sending++
      if (isBulk(row)) lane.sendingBulk++
    },
    /** Nothing when it had not begun. */
    end(lane: Lane<Row>, row: Row) {
      if (!rows.delete(row)) return
      const left = countOf(row.propertyId) - 1
      if (left === 0) ofProperty.delete(row.propertyId)
      else ofProperty.set(row.propertyId, left)
      lane.sending--
      if (isBulk(row)) lane.sendingBulk--
    },
  }
}

/** Lanes in which something waits for a slot. */
function openWaiting<Row extends Laned>(calls: ReturnType<typeof openCalls<Row>>) {
  const lanes = new Set<Lane<Row>>()
  const startSome = (lane: Lane<Row>): Row[] => {
    const going: Row[] = []
    for (;;) {
      const [row] = lane.waiting
      if (row === undefined || calls.isFull(row) || !hasSlot(lane, row)) break
      lane.waiting.shift()
      calls.begin(lane, row)
      going.push(row)
    }
    if (lane.waiting.length === 0) lanes.delete(lane)
    return going
  }
  return {
    add(lane: Lane<Row>, row: Row) {
      queue(lane.waiting, row)
      lanes.add(lane)
    },
    start: (): Row[] => [...lanes].flatMap(startSome),
    takeBack: (some: readonly Lane<Row>[] = [...lanes]): Row[] =>
      some.flatMap((lane) => {
        lanes.delete(lane)
        return lane.waiting.splice(0)
      }),
  }
}

export function openLanes<Row extends Laned>(): Lanes<Row> {
  const memory = openMemory<Row>()
  const places = openPlaces()
  /** As what each row that is held counts until it is done. */
  const heldAs = new Map<Row, Standing>()
  const calls = openCalls<Row>()
  const waiting = openWaiting(calls)
  let holds = 0

  return {
    room(name) {
      const lane = memory.find(name)
      const most = mostOf(lane)
      const all = Math.max(0, most - lane.held)
      const bulk = Math.max(0, Math.min(withoutReserve(most) - lane.heldBulk, all))
      return { all, bulk, standing: lane.standing, triedAt: lane.triedAt }
    },
    plan: () => places.copy(),
    hold(row) {
      const lane = memory.touch(row.lane)
      heldAs.set(row, lane.standing)
      places.take(lane.standing, row.propertyId)
      lane.triedAt = ++holds
      lane.held++
      if (isBulk(row)) lane.heldBulk++
    },
    ready: (row) => waiting.add(memory.find(row.lane), row),
    next: () => waiting.start(),
    done(row, result, ms = 0) {
      const standing = heldAs.get(row)
      if (standing === undefined) return
      const lane = memory.touch(row.lane)
      heldAs.delete(row)
      places.give(standing, row.propertyId)
      lane.held--
      if (isBulk(row)) lane.heldBulk--
      calls.end(lane, row)
      judge(lane, result, ms)
    },
    takeBack: (name) => waiting.takeBack(name === undefined ? undefined : [memory.find(name)]),
  }
}
