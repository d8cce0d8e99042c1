// How many nodes there are, as each of them counts.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { openHomes, openMigrated, testOnEach } from '../test/support/records.ts'
import { NodeCount } from './node-count.ts'

const { homes } = await openHomes()

testOnEach(
  homes,
  'nodes count each other, those that leave at once and those that are killed soon',
  async (t, home) => {
    const { records } = await openMigrated(t, home)
    let nowMs = 1_000_000
    const deps = { records, now: () => nowMs, randomBytes }
    const nodes = [new NodeCount(), new NodeCount(), new NodeCount()] as const
    const note = async (): Promise<number[]> => {
      for (const node of nodes) await node.note(deps)
      return nodes.map(({ count }) => count)
    }
    assert.deepEqual(await note(), [1, 2, 3])
    assert.deepEqual(await note(), [3, 3, 3])
    await nodes[2].leave(deps)
    await nodes[0].note(deps)
    assert.equal(nodes[0].count, 2)
    nowMs += 30_001
    await nodes[0].note(deps)
    assert.equal(nodes[0].count, 1)
  },
)
