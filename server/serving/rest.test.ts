// The heap is collected once after a start, and not while somebody is connected.
import assert from 'node:assert/strict'
import { getHeapStatistics } from 'node:v8'
import { test } from 'node:test'
import { untilEqual } from '../../test/support/until.ts'
import { restWhenQuiet } from './rest.ts'

type Told = (error: Error | null, connections: number) => void

test('the heap is made smaller once, when nobody is connected', async () => {
  const state = { looks: 0, connections: 1, rests: 0 }
  const getConnections = (told: Told) => {
    state.looks++
    told(null, state.connections)
  }
  const rest = () => void state.rests++
  restWhenQuiet({ getConnections } as Parameters<typeof restWhenQuiet>[0], rest, 1)
  await untilEqual(() => state.looks > 3, true)
  assert.equal(state.rests, 0)
  state.connections = 0
  await untilEqual(() => state.rests, 1)
  const looks = state.looks
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual([state.rests, state.looks], [1, looks])
})

test('what is not held is given back', async () => {
  let held: unknown[] | undefined = Array.from({ length: 300_000 }, (_, number) => ({ number }))
  const before = getHeapStatistics().total_heap_size
  assert.equal(held.length, 300_000)
  held = undefined
  restWhenQuiet({ getConnections: (told: Told) => told(null, 0) } as Parameters<typeof restWhenQuiet>[0], undefined, 1)
  await untilEqual(() => getHeapStatistics().total_heap_size < before, true)
})
