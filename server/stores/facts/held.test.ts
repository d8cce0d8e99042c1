// Bounds of what is kept for questions, and what becomes of what a process has left behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactsEngine } from './engine.ts'
import type { HeldTables } from '../facts.ts'
import { Held, type HeldLimits } from './held.ts'

const query = { columns: ['day', 'session'], from: 'sessions', params: {} } as const
const turn = { name: 'test', lane: 'question', taker: { propertyId: 'p', caller: 'c' } } as const

/** A store that says this of its tables, and does what it is told. */
function openWorld(limits: Partial<HeldLimits> = {}, cluster: string | null = null) {
  const world = {
    nowMs: 0,
    rows: 1,
    bytes: 100,
    nodes: 2,
    isAway: false,
    tables: [] as string[],
    fillKeys: async (): Promise<void> => undefined,
  }
  const said: string[] = []
  const engine = {
    everywhere: async (sql: string) => {
      said.push(sql)
      if (world.isAway) throw new Error('away')
      if (/INSERT INTO \S*keys_/.test(sql)) await world.fillKeys()
    },
    read: async (sql: string) => {
      if (sql.includes('system.clusters')) return [{ nodes: `${world.nodes}` }]
      if (sql.includes('DISTINCT')) return world.tables.map((name) => ({ name }))
      return [{ rows: `${world.rows}`, bytes: `${world.bytes}`, of_all: `${world.bytes}` }]
    },
  } as unknown as FactsEngine
  const layout = { cluster, database: cluster && 'footfall', fsync: true }
  const held = new Held(engine, layout, { nodes: 1, mostRows: 10, mostBytes: 5000, ...limits }, () => world.nowMs)
  const hold = async (work: (tables: HeldTables | undefined) => Promise<unknown> = async () => undefined) =>
    held.holding(query, turn, async (tables) => {
      await work(tables)
      return tables !== undefined
    })
  const dropped = async () => {
    await held.close()
    return said.filter((sql) => sql.includes('DROP')).length
  }
  return { world, said, held, hold, dropped }
}

test('more rows than a question may keep are dropped at once, and never asked for', async () => {
  const { world, said, hold, dropped } = openWorld()
  assert.equal(await hold(), true)
  assert.ok(said.some((sql) => sql.includes('INSERT') && sql.includes('LIMIT 11')))
  world.rows = 11
  assert.equal(await hold(), false)
  assert.equal(await dropped(), 2)
})

test('questions keep no more together than they may', async () => {
  const { world, hold } = openWorld()
  world.bytes = 600
  const inside = await hold(async (tables) => {
    assert.ok(tables)
    assert.equal(await hold(), false, 'both together are too much')
  })
  assert.equal(inside, true)
  assert.equal(await hold(), true, 'what was dropped counts no more')
})

test('what needs the rows alone does not wait for the keys, and nothing is dropped under their fill', async () => {
  const { said, held, world } = openWorld()
  const filling = Promise.withResolvers<void>()
  world.fillKeys = () => filling.promise
  await held.holding(query, turn, async (tables) => {
    assert.ok(tables)
    const first = await Promise.race([tables.keys, Promise.resolve(tables.rows)])
    assert.equal(first, tables.rows, 'they are still being filled')
  })
  const drops = () => said.filter((sql) => sql.includes('DROP')).length
  assert.equal(drops(), 0)
  filling.resolve()
  await held.close()
  assert.equal(drops(), 1)
})

test('where the keys cannot be kept, the work is done again without', async () => {
  const { held, world } = openWorld()
  world.fillKeys = () => Promise.reject(new Error('out of memory'))
  const told: boolean[] = []
  const done = await held.holding(query, turn, async (tables) => {
    told.push(tables !== undefined)
    await tables?.keys
    return 'done'
  })
  assert.deepEqual([done, told], ['done', [true, false]])
  const unused = await held.holding(query, turn, async (tables) => tables !== undefined)
  assert.equal(unused, true, 'what asks for none has its rows')
})

test('keys count with what they will take', async () => {
  const { world, hold } = openWorld({ mostRows: 1_000_000, mostBytes: 20_000_000 })
  // 1,048,576 cells of 16 bytes.
  for (const rows of [131_073, 524_288]) {
    world.rows = rows
    world.bytes = 20_000_000 - 16_777_216
    assert.equal(await hold(), true)
    world.bytes++
    assert.equal(await hold(), false)
  }
  world.rows++
  world.bytes = 0
  assert.equal(await hold(), false, 'four times as many')
})

test('who leaves while the keys are filled ends the question', async () => {
  const { held, world } = openWorld()
  const leaving = new AbortController()
  world.fillKeys = () => {
    leaving.abort(new Error('left'))
    return Promise.reject(new Error('canceled'))
  }
  const taker = { ...turn.taker, signal: leaving.signal }
  const asked = held.holding(query, { ...turn, taker }, async (tables) => tables?.keys)
  await assert.rejects(asked, /left/)
})

test('where one node cannot be told from another nothing is kept', async () => {
  const { said, hold } = openWorld({ nodes: 0 })
  assert.equal(await hold(), false)
  assert.deepEqual(said, [])
})

test('in a cluster of which not every node is known nothing is kept', async () => {
  const { world, hold } = openWorld({ nodes: 2 }, 'c')
  assert.equal(await hold(), true)
  world.nodes = 3
  world.nowMs += 60_000
  assert.equal(await hold(), false)
})

test('a store that keeps nothing is not asked each time, and asked again a minute later', async () => {
  const { world, said, hold } = openWorld()
  world.isAway = true
  assert.equal(await hold(), false)
  assert.equal(await hold(), false)
  assert.equal(said.length, 1)
  world.isAway = false
  world.nowMs += 60_000
  assert.equal(await hold(), true)
})

test('what another process left behind is dropped ten minutes after it was seen, and nothing sooner', async () => {
  const { world, said, hold } = openWorld()
  const drops = () => said.filter((sql) => sql.includes('DROP') && sql.includes('rows_theirs')).length
  world.tables = ['theirs']
  await hold()
  world.nowMs += 599_000
  await hold()
  assert.equal(drops(), 0)
  world.nowMs += 60_000
  await hold()
  assert.equal(drops(), 1)
})
