// Slots of endpoints: what holds whatever happens in which order, and who gives way to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LANE_AHEAD, LANE_SLOTS, MAX_SENDING, MAX_SENDING_OF_PROPERTY, openLanes, type Result } from './lanes.ts'
import { places } from './places.ts'

interface Row {
  readonly lane: string
  readonly priority: number
  readonly propertyId: string
}

const rowsOf = (lane: string, count: number, priority = 0, propertyId = 'p'): Row[] =>
  Array.from({ length: count }, () => ({ lane, priority, propertyId }))

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

test('whatever comes in whatever order, no lane, property or node has more calls than it may, and all room comes back', () => {
  const step = fc.record({
    lane: fc.integer({ min: 0, max: 60 }),
    priority: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 1, max: 30 }),
    ends: fc.array(
      fc.record({ at: fc.nat(), result: fc.constantFrom<Result[]>('arrived', 'answered', 'failed', 'unsent') }),
    ),
    ms: fc.constantFrom(1, 5_000),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lanes = openLanes<Row>()
      const sending: Row[] = []
      const waiting: Row[] = []
      const start = (): void => {
        for (const row of lanes.next()) {
          waiting.splice(waiting.indexOf(row), 1)
          sending.push(row)
        }
        assert.ok(sending.length <= MAX_SENDING)
        for (const rows of Map.groupBy(sending, ({ lane }) => lane).values()) assert.ok(rows.length <= LANE_SLOTS)
        for (const rows of Map.groupBy(sending, ({ propertyId }) => propertyId).values())
          assert.ok(rows.length <= MAX_SENDING_OF_PROPERTY)
      }
      for (const { lane: number, priority, count, ends, ms } of steps) {
        const [lane, propertyId] = [`lane ${number}`, `p${number % 2}`]
        const { standing, ...room } = lanes.room(lane)
        assert.ok(room.all <= LANE_SLOTS + LANE_AHEAD && room.bulk <= room.all)
        const plan = lanes.plan()
        const rows: Row[] = []
        const may = Math.min(priority >= 2 ? room.bulk : room.all, count)
        for (; rows.length < may && plan.hasRoom(standing, propertyId); plan.take(standing, propertyId))
          rows.push(...rowsOf(lane, 1, priority, propertyId))
        waiting.push(...rows)
        admit(lanes, rows)
        start()
        assert.ok(waiting.length + sending.length <= places.held.all)
        for (const { at, result } of ends) {
          const [row] = sending.splice(at % Math.max(1, sending.length), 1)
          if (!row) break
          lanes.done(row, result, ms)
          start()
        }
      }
      for (const row of lanes.takeBack()) {
        waiting.splice(waiting.indexOf(row), 1)
        lanes.done(row, 'unsent')
      }
      assert.equal(waiting.length, 0)
      for (const row of sending) lanes.done(row, 'unsent')
      const plan = lanes.plan()
      assert.equal(plan.left(), places.held.all)
      for (let n = 0; n < places.failing.ofProperty; n++) {
        assert.ok(plan.hasRoom('failing', 'p0'))
        plan.take('failing', 'p0')
      }
    }),
    { numRuns: 300 },
  )
})

test('an endpoint begins with one call, has four once it has answered, and one again after a failure', () => {
  const lanes = openLanes<Row>()
  const seen = ({ all, bulk, standing }: ReturnType<typeof lanes.room>) => [all, bulk, standing]
  assert.deepEqual(seen(lanes.room('a')), [1, 1, 'new'])
  prove(lanes, 'a', 5_000)
  assert.deepEqual(seen(lanes.room('a')), [4, 3, 'trusted'])
  const rows = rowsOf('a', LANE_SLOTS)
  admit(lanes, rows)
  assert.equal(lanes.next().length, LANE_SLOTS)
  assert.equal(lanes.room('a').all, 0)
  lanes.done(rows[0]!, 'failed', 10)
  for (const row of rows.slice(1)) lanes.done(row, 'unsent')
  assert.deepEqual(seen(lanes.room('a')), [1, 1, 'failing'])
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

/** As many of a property as there is room for, each to an endpoint of its own. */
function fill(lanes: ReturnType<typeof openLanes<Row>>, propertyId: string, most: number): number {
  for (let n = 0; n < most; n++) {
    const lane = `${propertyId} ${n}`
    if (!lanes.plan().hasRoom(lanes.room(lane).standing, propertyId)) return n
    admit(lanes, rowsOf(lane, 1, 0, propertyId))
    lanes.next()
  }
  return most
}

test('endpoints that do not answer leave room for those that do, and those of one property for those of the others', () => {
  const lanes = openLanes<Row>()
  prove(lanes, 'good')
  assert.equal(fill(lanes, 'a', 1_000), places.unproven.ofProperty)
  assert.equal(fill(lanes, 'b', 1_000), places.unproven.ofProperty)
  assert.equal(fill(lanes, 'c', 1_000), places.unproven.ofProperty)
  assert.equal(fill(lanes, 'd', 1_000), 0, 'no more of those that nobody knows')
  admit(lanes, rowsOf('good', LANE_SLOTS))
  assert.equal(lanes.next().length, LANE_SLOTS)
})

test('endpoints that failed the last time leave room for those that nobody has called yet', () => {
  const lanes = openLanes<Row>()
  for (const property of ['a', 'b', 'c', 'd'])
    for (let n = 0; n < places.failing.ofProperty; n++) {
      const [row] = rowsOf(`${property} ${n}`, 1, 0, property)
      admit(lanes, [row!])
      lanes.next()
      lanes.done(row!, 'failed', 10_000)
    }
  const held = ['a', 'b', 'c', 'd'].map((property) => fill(lanes, property, places.failing.ofProperty))
  assert.equal(
    held.reduce((all, some) => all + some),
    places.failing.all,
  )
  assert.equal(fill(lanes, 'new', 1_000), places.unproven.all - places.failing.all)
})

test('whoever says no at once stays among those that answer, with one call at a time until one arrives', () => {
  const lanes = openLanes<Row>()
  prove(lanes, 'a')
  const refuse = (lane: string, ms: number): string => {
    const [row] = rowsOf(lane, 1)
    admit(lanes, [row!])
    lanes.next()
    lanes.done(row!, 'answered', ms)
    return lanes.room(lane).standing
  }
  assert.equal(refuse('a', 20), 'trusted')
  assert.equal(lanes.room('a').all, 1)
  assert.equal(refuse('b', 20), 'new')
  assert.equal(refuse('a', 9_000), 'failing', 'one that takes long to say no is no better than one that says nothing')
  assert.equal(refuse('a', 20), 'new')
})
