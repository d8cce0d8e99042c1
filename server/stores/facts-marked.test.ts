// Who may leave marks out of a question: only who knows for sure, and not for longer than whoever marks a session waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactsEngine } from './facts-engine.ts'
import { openMarked, type Sharing } from './facts-marked.ts'

const layout = { cluster: null, database: null, fsync: true }

/** A store of which each look takes so long and has this to say. */
function openWorld(sharing: Sharing) {
  const world = { nowMs: 1_000_000, takesMs: 0, isAway: false, version: '1', properties: new Set<string>(), lists: 0 }
  const read = async (sql: string): Promise<unknown[]> => {
    world.nowMs += world.takesMs
    if (world.isAway) throw new Error('away')
    if (sql.includes('markedVersion')) return [{ version: world.version }]
    world.lists++
    return [...world.properties].map((property) => ({ property }))
  }
  const marked = openMarked({ read } as unknown as FactsEngine, layout, sharing, () => world.nowMs)
  /** By another node. */
  const mark = (property: string) => {
    world.properties.add(property)
    world.version += '+'
  }
  return { world, marked, mark }
}

test('what others mark is known a second later at the latest, and nothing is looked up twice', async () => {
  const { world, marked, mark } = openWorld('one')
  assert.equal(await marked.has('p'), false)
  mark('p')
  world.nowMs += 999
  assert.equal(await marked.has('p'), false, 'nobody has been told of it')
  world.nowMs += 1
  assert.deepEqual([await marked.has('p'), await marked.has('q'), world.lists], [true, false, 2])
  world.nowMs += 10_000
  assert.deepEqual([await marked.has('p'), await marked.has('q'), world.lists], [true, false, 2], 'it is the same')
})

test('who does not know says that there are marks', async () => {
  const { world, marked } = openWorld('one')
  world.isAway = true
  assert.equal(await marked.has('p'), true)
  world.isAway = false
  world.nowMs += 1000
  assert.equal(await marked.has('p'), false)
  world.nowMs += 1000
  world.takesMs = 1000
  assert.equal(await marked.has('p'), true, 'an answer that comes late tells of long ago')
  assert.equal(await openWorld('copies').marked.has('p'), true, 'one copy may lag behind another')
})

test('alone, a store is asked once, and what is marked while it is asked counts', async () => {
  const { world, marked } = openWorld('none')
  world.takesMs = 60_000
  const asked = marked.has('p')
  marked.touch([{ property: 'p', mark: 3 }])
  assert.equal(await asked, true)
  world.nowMs += 86_400_000
  assert.deepEqual([await marked.has('p'), await marked.has('q'), world.lists], [true, false, 1])
  marked.touchAll()
  assert.deepEqual([await marked.has('p'), world.lists], [false, 2])
})
