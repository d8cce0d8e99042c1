// Which deliveries to claim next: as many as there is room for, the urgent before the old. After a call to an endpoint has ended its lane
// alone is looked at; all lanes are when something new may have come, some hundred of them at a time.
import type { Records } from '../stores/records.ts'
import { type DueDelivery, type DueLane, findDue, findDueLanes } from './claims-records.ts'
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

/** Those of the rows, in their order, for which there is room; and whether the room of all lanes together was what was missing. */
function choose(lanes: Roomy, rows: readonly DueDelivery[]): { seqs: number[]; isFull: boolean } {
  const left = { ...lanes.left() }
  const rooms = new Map<string, { all: number; bulk: number; isProven: boolean }>()
  const seqs: number[] = []
  let isFull = false
  for (const row of rows) {
    const room = rooms.get(row.lane) ?? { ...lanes.room(row.lane) }
    rooms.set(row.lane, room)
    if (room.all === 0 || (isBulk(row) && room.bulk === 0)) continue
    if (left.all === 0 || (!room.isProven && left.unproven === 0)) {
      isFull = true
      continue
    }
    room.all--
    left.all--
    if (isBulk(row)) room.bulk--
    if (!room.isProven) left.unproven--
    seqs.push(row.seq)
  }
  return { seqs, isFull }
}

const byUrgency = (a: DueLane, b: DueLane): number => a.priority - b.priority || a.dueMs - b.dueMs

export function openPicker(records: Records, lanes: Roomy): Picker {
  const freed = new Set<string>()
  /** Where the look around is; it is over when it comes to the end again. */
  let after = ''
  let isLooking = true
  /** Something came while it was under way: it may be in a lane that it has passed. */
  let isAgain = false
  /** There was more than there was room for in all. */
  let isFull = false

  const lookAround = (): void => {
    isLooking = true
    isAgain = after !== ''
  }

  const dueAround = async (nowMs: number): Promise<string[]> => {
    const page = await findDueLanes(records, after, nowMs)
    after = page.next
    if (after === '') {
      isLooking = isAgain
      isAgain = false
    }
    return page.due.sort(byUrgency).map(({ lane }) => lane)
  }

  const pick = async (nowMs: number): Promise<number[]> => {
    const names = new Set(freed)
    freed.clear()
    if (isLooking) for (const lane of await dueAround(nowMs)) names.add(lane)
    const asks = [...names].map((lane) => ({ lane, limit: lanes.room(lane).all })).filter(({ limit }) => limit > 0)
    if (asks.length === 0) return []
    const chosen = choose(lanes, await findDue(records, asks, nowMs))
    isFull ||= chosen.isFull
    return chosen.seqs
  }

  return {
    look(lane) {
      freed.add(lane)
      if (!isFull) return
      isFull = false
      lookAround()
    },
    lookAround,
    isAsked: () => isLooking || freed.size > 0,
    pick: (nowMs) =>
      pick(nowMs).catch((error: unknown) => {
        lookAround() // what was to be looked at is forgotten
        throw error
      }),
  }
}
