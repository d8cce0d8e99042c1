// Which deliveries to claim next: as many as there is room for, the urgent before the old. After a call to an endpoint has ended its lane
// alone is looked at; all lanes are when something new may have come, some hundred of them at a time.
import type { Records } from '../stores/records.ts'
import { type DueDelivery, type DueLane, findDue, findDueLanes, type LaneAsk } from './claims-records.ts'
import { isBulk, type Laned, type Lanes } from './lanes.ts'

export interface Picker {
  /** There is room in the lane again. */
  look(lane: string): void
  /** Something may be due in any lane. */
  lookAround(): void
  /** Whether there is something to look at. */
  isAsked(): boolean
  /** Rows to claim, by `seq`. */
  pick(nowMs: number): Promise<number[]>
}

type Roomy = Pick<Lanes<Laned>, 'room' | 'left'>

/** Those of the rows, in their order, for which there is room; and the lanes of those for which there was none in all lanes together. */
function choose(lanes: Roomy, rows: readonly DueDelivery[]): { seqs: number[]; missed: DueLane[] } {
  const left = { ...lanes.left() }
  const rooms = new Map<string, { all: number; bulk: number; isProven: boolean }>()
  const seqs: number[] = []
  const missed: DueLane[] = []
  for (const { seq, lane, priority, next_attempt_ms: dueMs } of rows) {
    const room = rooms.get(lane) ?? { ...lanes.room(lane) }
    rooms.set(lane, room)
    const isSlow = isBulk({ lane, priority })
    if (room.all === 0 || (isSlow && room.bulk === 0)) continue
    if (left.all === 0 || (!room.isProven && left.unproven === 0)) {
      missed.push({ lane, priority, dueMs })
      continue
    }
    room.all--
    left.all--
    if (isSlow) room.bulk--
    if (!room.isProven) left.unproven--
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
    /** The most urgent first. */
    all: () => [...lanes.values()].sort(byUrgency),
    remove: (lane: string) => void lanes.delete(lane),
  }
}

/** A lane that has no room itself is looked at again when it has; one that finds none in all of them together stays where it is. */
function asksOf(lanes: Roomy, due: readonly DueLane[], done: (lane: string) => void): LaneAsk[] {
  const left = { ...lanes.left() }
  const asks: LaneAsk[] = []
  for (const { lane } of due) {
    if (left.all <= 0) break
    const room = lanes.room(lane)
    if (!room.isProven && left.unproven <= 0) continue
    done(lane)
    if (room.all === 0) continue
    asks.push({ lane, limit: Math.min(room.all, left.all) })
    left.all--
    if (!room.isProven) left.unproven--
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

  const lookAround = (): void => {
    isLooking = true
    isAgain = after !== ''
  }

  const lookOn = async (nowMs: number): Promise<void> => {
    const page = await findDueLanes(records, after, nowMs)
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
    look(lane) {
      backlog.add({ lane, priority: LAST_PRIORITY, dueMs: Infinity })
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
