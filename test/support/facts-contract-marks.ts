// What every facts store promises of marks: a property without sessions that are marked as invalid is known
// as one, and never for too long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../../server/stores/facts.ts'
import { dropOldFacts } from '../../server/stores/facts/retention.ts'
import { freshProperty } from './facts-rows.ts'
import { untilEqual } from './until.ts'

/** A week that no other test has. */
const DAY = '1996-03-05'

export function marksContract(where: string, facts: () => Facts): void {
  const say = (property: string, session: string, mark: number) =>
    facts().append('marks', { property, day: DAY, session, mark, batch: '' })
  const has = (property: string) => facts().hasMarks(property)

  test(`${where}: a property has marks from its first one on, until the last one is taken back`, async () => {
    const [property, other] = [freshProperty(), freshProperty()]
    assert.equal(await has(property), false)
    await say(property, '1', 11)
    assert.equal(await has(property), true, 'at once')
    await say(property, '2', 13)
    await say(property, '1', 14)
    assert.equal(await has(property), true, 'one is left')
    await say(property, '2', 16)
    await untilEqual(() => has(property), false)
    await say(property, '2', 16)
    await say(property, '2', 15)
    await facts().marksShown()
    await untilEqual(() => has(property), false, 'an older word changes nothing')
    await say(property, '2', 17)
    assert.deepEqual([await has(property), await has(other)], [true, false])
  })

  test(`${where}: marks that retention takes away are none`, async () => {
    const property = freshProperty()
    await facts().append('views', { property, day: DAY, session: '1', view: 1, at: 1, seen: 1 })
    await say(property, '1', 11)
    assert.equal(await has(property), true)
    assert.ok((await dropOldFacts(facts(), 30, Date.parse('1996-06-01'))).includes('1996-03-04'))
    await untilEqual(() => has(property), false)
  })
}

/** Of stores that several nodes share: each is an own view of the same. */
export function sharedMarksContract(where: string, open: () => Promise<Facts>): void {
  test(`${where}: the first mark that a node acknowledges is known to every other, also to one that has just looked`, async () => {
    const [one, other] = [await open(), await open()]
    try {
      for (const round of [1, 2, 3]) {
        const property = freshProperty()
        for (const node of [one, other]) assert.equal(await node.hasMarks(property), false)
        const before = await other.version(property)
        await one.append('marks', { property, day: '2026-03-04', session: '1', mark: 2 * round + 1, batch: '' })
        assert.equal(await one.hasMarks(property), true, 'whoever marks knows at once')
        await one.marksShown()
        assert.equal(await other.hasMarks(property), true)
        assert.notEqual(await other.version(property), before)
        const late = await open()
        assert.equal(await late.hasMarks(property), true, 'after a start')
        await late.close()
      }
    } finally {
      await one.close()
      await other.close()
    }
  })
}
