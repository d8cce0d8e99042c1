// Which deliveries to claim next: as many as there are places for, of each endpoint in its turn, the urgent before the old. After a call to
// an endpoint has ended its lane alone is looked at; all lanes are when something new may have come, some hundred of them at a time.
import type { Records } from '../stores/records.ts'
import { type DueDelivery, type DueLane, findDue, findDueLanes, type LaneAsk } from './claims-records.ts'
import { isBulk, type Laned, type Lanes, type Room } from './lanes.ts'

export interface Picker {
  /** There is room in the lane again. */
  look(row: Pick<Laned, 'lane' | 'propertyId'>): void
  /** Something may be due in any lane. */
  lookAround(): void
  /** Whether there is something to look at. */
  isAsked(): boolean
  /** Rows to claim, by `seq`. */
  pick(nowMs: number): Promise<number[]>
}

type Roomy = Pick<Lanes<Laned>, 'room' | 'plan'>

/** First one of each lane, then the second ones: no lane takes the place of the only one of another. */
function byRank(rows: readonly DueDelivery[]): DueDelivery[] {
  const lanes = [...Map.groupBy(rows, ({ lane }) => lane).values()]
  const longest = Math.max(0, ...lanes.map(({ length }) => length))
  const ranks = Array.from({ length: longest }, (_, rank) => lanes.flatMap((own) => own.slice(rank, rank + 1)))
  return ranks.flat()
}

/** Those of the rows for which there is room; and the lanes of those for which there was none in all lanes together. */
function choose(lanes: Roomy, rows: readonly DueDelivery[]): { seqs: number[]; missed: DueLane[] } {
  const plan = lanes.plan()
  const rooms = new Map<string, { -readonly [Key in keyof Room]: Room[Key] }>()
  const seqs: number[] = []
  const missed: DueLane[] = []
  for (const { seq, lane, priority, property_id: propertyId, next_attempt_ms: dueMs } of byRank(rows)) {
    const room = rooms.get(lane) ?? { ...lanes.room(lane) }
    rooms.set(lane, room)
    const isSlow = isBulk({ priority })
    if (room.all === 0 || (isSlow && room.bulk === 0)) continue
    if (!plan.hasRoom(room.standing, propertyId)) {
      missed.push({ lane, propertyId, priority, dueMs })
      continue
    }
    plan.take(room.standing, propertyId)
    room.all--
    if (isSlow) room.bulk--
    seqs.push(seq)
  }
  return { seqs, missed }
}

const byUrgency = (a: DueLane, b: DueLane): number => a.priority - b.priority || a.dueMs - b.dueMs

/** Behind those of which it is known what waits in them: its endpoint has just been called. */
const LAST_PRIORITY = 3

/** Lanes in which something is due, and for which there may be no room yet. */
function openBacklog() {
  const lanes = new Map<string, DueLane>()
  return {
    add(lane: DueLane) {
      const known = lanes.get(lane.lane)
      if (!known || byUrgency(lane, known) < 0) lanes.set(lane.lane, lane)
    },
    all: () => [...lanes.values()],
    remove: (lane: string) => void lanes.delete(lane),
  }
}

interface Turn {
  readonly due: DueLane
  readonly room: Room
}

/** The one whose last turn was longest ago: whatever is old and urgent in the others, each comes to its turn. */
const byTurn = (a: Turn, b: Turn): number => a.room.triedAt - b.room.triedAt || byUrgency(a.due, b.due)

/** A lane that has no room itself is looked at again when it has; one that finds no place stays where it is. */
function asksOf(lanes: Roomy, due: readonly DueLane[], done: (lane: string) => void): LaneAsk[] {
  const plan = lanes.plan()
  const asks: LaneAsk[] = []
  const inTurn = due.map((lane) => ({ due: lane, room: lanes.room(lane.lane) })).sort(byTurn)
  for (const {
    due: { lane, propertyId },
    room,
  } of inTurn) {
    if (!plan.hasRoom(room.standing, propertyId)) continue
    done(lane)
    if (room.all === 0) continue
    asks.push({ lane, limit: Math.min(room.all, plan.left()) })
    plan.take(room.standing, propertyId)
  }
  return asks
}

export function openPicker(records: Records, lanes: Roomy): Picker {
  const backlog = openBacklog()
  /** Where the look around is; it is over when it comes to the end again. */
  let after = ''
  let isLooking = true
  /** Something came while it was under way: it may be in a lane that it has passed. */
  let isAgain = false
  let isFreed = false
  let isReading = false

  const lookAround = (): void => {
    isLooking = true
    isAgain = isReading || after !== ''
  }

  const lookOn = async (nowMs: number): Promise<void> => {
    isReading = true
    const page = await findDueLanes(records, after, nowMs).finally(() => (isReading = false))
    for (const lane of page.due) backlog.add(lane)
    after = page.next
    if (after !== '') return
    isLooking = isAgain
    isAgain = false
  }

  const pick = async (nowMs: number): Promise<number[]> => {
    isFreed = false
    if (isLooking) await lookOn(nowMs)
    const asks = asksOf(lanes, backlog.all(), (lane) => backlog.remove(lane))
    if (asks.length === 0) return []
    const { seqs, missed } = choose(lanes, await findDue(records, asks, nowMs))
    for (const lane of missed) backlog.add(lane)
    return seqs
  }

  return {
    look({ lane, propertyId }) {
      backlog.add({ lane, propertyId, priority: LAST_PRIORITY, dueMs: Infinity })
      isFreed = true
    },
    lookAround,
    isAsked: () => isLooking || isFreed,
    pick: (nowMs) =>
      pick(nowMs).catch((error: unknown) => {
        lookAround() // what was to be looked at is forgotten
        throw error
      }),
  }
}
