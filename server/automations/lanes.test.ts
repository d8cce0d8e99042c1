// Slots of endpoints: what holds whatever happens in which order, and who gives way to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LANE_AHEAD, LANE_SLOTS, MAX_HELD, MAX_SENDING, MAX_UNPROVEN, openLanes, type Result } from './lanes.ts'

interface Row {
  readonly lane: string
  readonly priority: number
}

const rowsOf = (lane: string, count: number, priority = 0): Row[] =>
  Array.from({ length: count }, () => ({ lane, priority }))

function admit(lanes: ReturnType<typeof openLanes<Row>>, rows: readonly Row[]): void {
  for (const row of rows) {
    lanes.hold(row)
    lanes.ready(row)
  }
}

/** An endpoint that has answered once, at once. */
function prove(lanes: ReturnType<typeof openLanes<Row>>, lane: string, ms = 1): void {
  const [row] = rowsOf(lane, 1)
  admit(lanes, [row!])
  lanes.next()
  lanes.done(row!, 'arrived', ms)
}

test('whatever comes in whatever order, no lane and no node has more calls than it may, and all room comes back', () => {
  const step = fc.record({
    lane: fc.integer({ min: 0, max: 60 }),
    priority: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 1, max: 30 }),
    ends: fc.array(fc.record({ at: fc.nat(), result: fc.constantFrom<Result[]>('arrived', 'failed', 'unsent') })),
    ms: fc.constantFrom(1, 5_000),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lanes = openLanes<Row>()
      const sending: Row[] = []
      const waiting: Row[] = []
      const failedLast = new Map<string, boolean>()
      const start = (): void => {
        for (const row of lanes.next()) {
          waiting.splice(waiting.indexOf(row), 1)
          sending.push(row)
        }
        assert.ok(sending.length <= MAX_SENDING)
        const byLane = Map.groupBy(sending, ({ lane }) => lane)
        for (const rows of byLane.values()) assert.ok(rows.length <= LANE_SLOTS)
      }
      for (const { lane: number, priority, count, ends, ms } of steps) {
        const lane = `lane ${number}`
        const room = lanes.room(lane)
        assert.ok(room.all <= LANE_SLOTS + LANE_AHEAD && room.bulk <= room.all)
        const { all, unproven } = lanes.left()
        const may = Math.min(priority >= 2 ? room.bulk : room.all, all, room.isProven ? all : unproven, count)
        const rows = rowsOf(lane, Math.max(0, may), priority)
        waiting.push(...rows)
        admit(lanes, rows)
        start()
        for (const { at, result } of ends) {
          const [row] = sending.splice(at % Math.max(1, sending.length), 1)
          if (!row) break
          lanes.done(row, result, ms)
          if (result !== 'unsent') failedLast.set(row.lane, result === 'failed')
          start()
        }
      }
      for (const row of lanes.takeBack()) {
        waiting.splice(waiting.indexOf(row), 1)
        lanes.done(row, 'unsent')
      }
      assert.equal(waiting.length, 0)
      for (const row of sending) lanes.done(row, 'unsent')
      assert.deepEqual(lanes.left(), { all: MAX_HELD, unproven: MAX_UNPROVEN })
    }),
    { numRuns: 300 },
  )
})

test('an endpoint begins with one call, has four once it has answered, and one again after a failure', () => {
  const lanes = openLanes<Row>()
  assert.deepEqual(lanes.room('a'), { all: 1, bulk: 1, isProven: false })
  prove(lanes, 'a', 5_000)
  assert.deepEqual(lanes.room('a'), { all: 4, bulk: 3, isProven: true })
  const rows = rowsOf('a', LANE_SLOTS)
  admit(lanes, rows)
  assert.equal(lanes.next().length, LANE_SLOTS)
  assert.equal(lanes.room('a').all, 0)
  lanes.done(rows[0]!, 'failed', 10)
  for (const row of rows.slice(1)) lanes.done(row, 'unsent')
  assert.deepEqual(lanes.room('a'), { all: 1, bulk: 1, isProven: false })
})

test('only a quick endpoint is claimed ahead for', () => {
  const lanes = openLanes<Row>()
  prove(lanes, 'slow', 251)
  prove(lanes, 'quick', 250)
  assert.equal(lanes.room('slow').all, LANE_SLOTS)
  assert.equal(lanes.room('quick').all, LANE_SLOTS + LANE_AHEAD)
})

test('the last slot of an endpoint is for what is urgent, and what is urgent goes before what waits', () => {
  const lanes = openLanes<Row>()
  prove(lanes, 'a')
  const contacts = rowsOf('a', LANE_SLOTS + 3, 3)
  admit(lanes, contacts)
  assert.equal(lanes.next().length, LANE_SLOTS - 1)
  const [lead] = rowsOf('a', 1, 0)
  admit(lanes, [lead!])
  assert.deepEqual(lanes.next(), [lead])
  const [event] = rowsOf('a', 1, 1)
  admit(lanes, [event!])
  lanes.done(contacts[0]!, 'arrived', 1)
  assert.deepEqual(lanes.next(), [event])
})

test('endpoints that do not answer leave room for those that do, however many they are', () => {
  const lanes = openLanes<Row>()
  prove(lanes, 'good')
  for (let n = 0; n < MAX_UNPROVEN; n++) admit(lanes, rowsOf(`dead ${n}`, 1))
  lanes.next()
  assert.equal(lanes.left().unproven, 0)
  admit(lanes, rowsOf('good', LANE_SLOTS))
  assert.equal(lanes.next().length, LANE_SLOTS)
})
