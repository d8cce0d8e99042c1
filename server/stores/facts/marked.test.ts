// Who may leave marks out of a question: only who knows for sure, and not for longer than whoever marks a
// session waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactsEngine } from './engine.ts'
import { Marked, type Sharing } from './marked.ts'

const layout = { cluster: null, database: null, fsync: true }

/** A store that has this to say, once it is let. */
function openWorld(sharing: Sharing) {
  const world = {
    nowMs: 1_000_000,
    held: undefined as Promise<void> | undefined,
    isAway: false,
    version: '1',
    properties: new Set<string>(),
    looks: 0,
    lists: 0,
  }
  const read = async (sql: string): Promise<unknown[]> => {
    if (sql.includes('markedVersion')) world.looks++
    else world.lists++
    await world.held
    if (world.isAway) throw new Error('away')
    if (sql.includes('markedVersion')) return [{ version: world.version }]
    return [...world.properties].map((property) => ({ property }))
  }
  const marked = new Marked({ read } as unknown as FactsEngine, layout, sharing, () => world.nowMs)
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
  assert.equal(await openWorld('copies').marked.has('p'), true, 'one copy may lag behind another')
})

test('a look that takes long is good for those who came when it began, and for nobody who comes later', async () => {
  const { world, marked, mark } = openWorld('one')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  world.held = held
  const early = marked.has('p')
  world.nowMs += 999
  const alsoEarly = marked.has('p')
  world.nowMs += 1
  world.held = undefined
  mark('p')
  assert.equal(await marked.has('p'), true)
  letGo()
  await Promise.all([early, alsoEarly])
  assert.equal(await marked.has('p'), true, 'what was seen later stands')
  assert.equal(world.looks, 2)
})

test('alone, a store is asked once, and what is marked while it is asked counts', async () => {
  const { world, marked } = openWorld('none')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  world.held = held
  const asked = marked.has('p')
  marked.touch([{ property: 'p', mark: 3 }])
  world.nowMs += 60_000
  letGo()
  assert.equal(await asked, true)
  world.nowMs += 86_400_000
  assert.deepEqual([await marked.has('p'), await marked.has('q'), world.lists], [true, false, 1])
  marked.touchAll()
  assert.deepEqual([await marked.has('p'), world.lists], [false, 2])
})
