// Slots of endpoints: what holds whatever happens in which order, and who gives way to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LANE_AHEAD, LANE_SLOTS, most, type Result, type Share, Slots } from './slots.ts'

interface Row {
  readonly lane: string
  readonly priority: number
  readonly propertyId: string
}

const rowsOf = (lane: string, count: number, priority = 0, propertyId = 'p'): Row[] =>
  Array.from({ length: count }, () => ({ lane, priority, propertyId }))

function shareOf(slots: Slots<Row>, lane: string, propertyId = 'p'): Share {
  const [share] = slots.shares([{ lane, priority: 0, propertyId }])
  return share!
}

const roomOf = (slots: Slots<Row>, lane: string): [number, number] => {
  const { slots: all, bulkSlots } = shareOf(slots, lane)
  return [all, bulkSlots]
}

/** Claimed, and ready to be sent. @returns those that had to wait, and in the end how each of them fared. */
function admit(slots: Slots<Row>, rows: readonly Row[], went: (row: Row, hasSlot: boolean) => void): void {
  for (const row of rows) {
    slots.claim(row)
    if (slots.start(row)) went(row, true)
    else void slots.wait(row).then((hasSlot) => went(row, hasSlot))
  }
}

const settled = () => new Promise(setImmediate)

/** Claimed and sent, all of those for which there is a slot. */
async function send(slots: Slots<Row>, rows: readonly Row[]): Promise<{ sent: Row[]; refused: Row[] }> {
  const sent: Row[] = []
  const refused: Row[] = []
  admit(slots, rows, (row, hasSlot) => (hasSlot ? sent : refused).push(row))
  await settled()
  return { sent, refused }
}

function end(slots: Slots<Row>, row: Row, result: Result, ms = 1): void {
  slots.judge(row.lane, result, ms)
  slots.release(row)
}

/** An endpoint that has answered once. */
function prove(slots: Slots<Row>, lane: string, ms = 1): void {
  const [row] = rowsOf(lane, 1)
  slots.claim(row!)
  assert.ok(slots.start(row!))
  end(slots, row!, 'arrived', ms)
}

const step = fc.record({
  lane: fc.integer({ min: 0, max: 60 }),
  priority: fc.integer({ min: 0, max: 3 }),
  count: fc.integer({ min: 1, max: 30 }),
  ends: fc.array(
    fc.record({
      at: fc.nat(),
      result: fc.constantFrom<(Result | 'unsent')[]>('arrived', 'answered', 'failed', 'unsent'),
    }),
  ),
  ms: fc.constantFrom(1, 5_000),
})

test('whatever comes in whatever order, no lane, property or node has more calls than it may, and all room comes back', async () => {
  const steps = fc.array(step, { maxLength: 60 })
  const holds = fc.asyncProperty(steps, async (all) => {
    const slots = new Slots<Row>()
    const sending: Row[] = []
    const waiting = new Set<Row>()
    const check = async (): Promise<void> => {
      await settled()
      assert.ok(sending.length <= most.sending.all)
      for (const rows of Map.groupBy(sending, ({ lane }) => lane).values()) assert.ok(rows.length <= LANE_SLOTS)
      for (const rows of Map.groupBy(sending, ({ propertyId }) => propertyId).values())
        assert.ok(rows.length <= most.sending.ofProperty)
      assert.ok(waiting.size + sending.length <= most.claimed.all)
    }
    for (const { lane: number, priority, count, ends, ms } of all) {
      const [lane, propertyId] = [`lane ${number}`, `p${number % 2}`]
      const { slots: room, bulkSlots } = shareOf(slots, lane, propertyId)
      assert.ok(room <= LANE_SLOTS + LANE_AHEAD && bulkSlots <= room)
      const rows = rowsOf(lane, Math.min(priority >= 2 ? bulkSlots : room, count), priority, propertyId)
      for (const row of rows) waiting.add(row)
      admit(slots, rows, (row, hasSlot) => {
        waiting.delete(row)
        if (hasSlot) sending.push(row)
        else slots.release(row)
      })
      await check()
      for (const { at, result } of ends) {
        const [row] = sending.splice(at % Math.max(1, sending.length), 1)
        if (!row) break
        if (result === 'unsent') slots.release(row)
        else end(slots, row, result, ms)
        await check()
      }
    }
    for (const row of [...waiting, ...sending]) slots.release(row)
    const fresh = Array.from({ length: 300 }, (_, n) => ({ lane: `fresh ${n}`, priority: 0, propertyId: `q${n}` }))
    const shared = slots.shares(fresh).reduce((sum, share) => sum + share.slots, 0)
    assert.equal(shared, most.unproven.all, 'some room did not come back')
  })
  await fc.assert(holds, { numRuns: 100 })
})

test('free slots are divided: one for each lane before any has a second one', () => {
  const slots = new Slots<Row>()
  const lanes = Array.from({ length: 100 }, (_, n) => `lane ${n}`)
  for (const lane of lanes) prove(slots, lane)
  const shares = slots.shares(lanes.map((lane) => ({ lane, priority: 0, propertyId: lane })))
  const counts = shares.map((share) => share.slots)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    most.claimed.all,
  )
  assert.deepEqual([Math.min(...counts), Math.max(...counts)], [2, 3])
  assert.ok(shares.every(({ isWhole }) => !isWhole))
})

test('an endpoint begins with one call, has four once it has answered, and one again after a failure', async () => {
  const slots = new Slots<Row>()
  assert.deepEqual(roomOf(slots, 'a'), [1, 1])
  prove(slots, 'a', 5_000)
  assert.deepEqual(roomOf(slots, 'a'), [4, 3])
  const { sent } = await send(slots, rowsOf('a', LANE_SLOTS))
  assert.equal(sent.length, LANE_SLOTS)
  assert.deepEqual([shareOf(slots, 'a').slots, shareOf(slots, 'a').isWhole], [0, true])
  end(slots, sent[0]!, 'failed', 10)
  for (const row of sent.slice(1)) slots.release(row)
  assert.deepEqual(roomOf(slots, 'a'), [1, 1])
})

test('only a quick endpoint is claimed ahead for', () => {
  const slots = new Slots<Row>()
  prove(slots, 'slow', 251)
  prove(slots, 'quick', 250)
  assert.equal(shareOf(slots, 'slow').slots, LANE_SLOTS)
  assert.equal(shareOf(slots, 'quick').slots, LANE_SLOTS + LANE_AHEAD)
})

test('the last slot of an endpoint is for what is urgent, and what is urgent goes before what waits', async () => {
  const slots = new Slots<Row>()
  prove(slots, 'a')
  const sent: Row[] = []
  const went = (row: Row, hasSlot: boolean): unknown => hasSlot && sent.push(row)
  const contacts = rowsOf('a', LANE_SLOTS + 3, 3)
  admit(slots, contacts, went)
  await settled()
  assert.deepEqual(sent, contacts.slice(0, LANE_SLOTS - 1))
  const [lead] = rowsOf('a', 1, 0)
  admit(slots, [lead!], went)
  await settled()
  assert.equal(sent.at(-1), lead)
  const [event] = rowsOf('a', 1, 1)
  admit(slots, [event!], went)
  end(slots, contacts[0]!, 'arrived', 1)
  await settled()
  assert.equal(sent.length, LANE_SLOTS + 1)
  assert.equal(sent.at(-1), event)
})

test('those that wait behind one that failed may be sent by any node', async () => {
  const slots = new Slots<Row>()
  prove(slots, 'a')
  const sent: Row[] = []
  const refused: Row[] = []
  const rows = rowsOf('a', LANE_SLOTS + 3)
  admit(slots, rows, (row, hasSlot) => (hasSlot ? sent : refused).push(row))
  await settled()
  end(slots, sent[0]!, 'failed', 10)
  await settled()
  assert.deepEqual(refused, rows.slice(LANE_SLOTS))
})

/** As many of a property as there is room for, each to an endpoint of its own. */
function fill(slots: Slots<Row>, propertyId: string, count: number): number {
  for (let n = 0; n < count; n++) {
    const lane = `${propertyId} ${n}`
    if (shareOf(slots, lane, propertyId).slots === 0) return n
    const [row] = rowsOf(lane, 1, 0, propertyId)
    slots.claim(row!)
    slots.start(row!)
  }
  return count
}

test('endpoints that do not answer leave room for those that do, and those of one property for those of the others', async () => {
  const slots = new Slots<Row>()
  prove(slots, 'good')
  assert.equal(fill(slots, 'a', 1_000), most.unproven.ofProperty)
  assert.equal(fill(slots, 'b', 1_000), most.unproven.ofProperty)
  assert.equal(fill(slots, 'c', 1_000), most.unproven.ofProperty)
  assert.equal(fill(slots, 'd', 1_000), 0, 'no more of those that nobody knows')
  const { sent } = await send(slots, rowsOf('good', LANE_SLOTS))
  assert.equal(sent.length, LANE_SLOTS)
})

test('endpoints that failed the last time leave room for those that nobody has called yet', () => {
  const slots = new Slots<Row>()
  for (const property of ['a', 'b', 'c', 'd'])
    for (let n = 0; n < most.failing.ofProperty; n++) {
      const [row] = rowsOf(`${property} ${n}`, 1, 0, property)
      slots.claim(row!)
      end(slots, row!, 'failed', 10_000)
    }
  const held = ['a', 'b', 'c', 'd'].map((property) => fill(slots, property, most.failing.ofProperty))
  assert.equal(
    held.reduce((all, some) => all + some),
    most.failing.all,
  )
  assert.equal(fill(slots, 'new', 1_000), Math.min(most.unproven.all - most.failing.all, most.unproven.ofProperty))
})

test('an endpoint that refuses at once counts as one that answers, with one call at a time until one arrives', () => {
  const slots = new Slots<Row>()
  prove(slots, 'a')
  const refuse = (lane: string, ms: number): void => {
    const [row] = rowsOf(lane, 1)
    slots.claim(row!)
    slots.start(row!)
    end(slots, row!, 'answered', ms)
  }
  /**
   * How many lanes of one property, of which this is one, may have a call beside those that fill the other
   * places.
   */
  const isTrusted = (lane: string): boolean => {
    const filled = ['x', 'y', 'z'].flatMap((property) =>
      Array.from({ length: most.unproven.ofProperty }, (_, n) => rowsOf(`${property} ${n}`, 1, 0, property)[0]!),
    )
    for (const row of filled) slots.claim(row)
    const { slots: room } = shareOf(slots, lane)
    for (const row of filled) slots.release(row)
    return room > 0
  }
  refuse('a', 20)
  assert.ok(isTrusted('a'))
  assert.equal(shareOf(slots, 'a').slots, 1)
  refuse('b', 20)
  assert.ok(!isTrusted('b'))
  refuse('a', 9_000)
  assert.ok(!isTrusted('a'), 'one that takes long to refuse is no better than one that says nothing')
  const isFailing = (lane: string): boolean => {
    const filled = ['x', 'y', 'z'].flatMap((property) =>
      Array.from({ length: most.failing.ofProperty }, (_, n) => rowsOf(`dead ${property} ${n}`, 1, 0, property)[0]!),
    )
    const claimed = filled.slice(0, most.failing.all)
    for (const row of filled) slots.judge(row.lane, 'failed', 10_000)
    for (const row of claimed) slots.claim(row)
    const { slots: room } = shareOf(slots, lane)
    for (const row of claimed) slots.release(row)
    return room === 0
  }
  assert.ok(isFailing('a'))
  refuse('a', 20)
  assert.ok(!isFailing('a'), 'one that refuses at once is as good as a new one again')
  assert.ok(!isTrusted('a'))
})
