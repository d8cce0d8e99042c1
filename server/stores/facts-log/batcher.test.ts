// The batcher over an engine that does as it is told: what is acknowledged, what is refused, and what is
// tried again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Problem } from '../../kernel/problem.ts'
import { Batcher, type BatcherLimits } from './batcher.ts'
import type { FactTable } from '../tables.ts'

interface Insert {
  readonly table: FactTable
  readonly lines: readonly string[]
  readonly token: string
}

const log = pino({ level: 'silent' })
const limits: BatcherLimits = { isBehind: false, lingerMs: 5, queueRows: 10, retryMs: 300 }
const badRow = Object.assign(new Error('no date'), { code: '38', type: 'CANNOT_PARSE_DATE' })

/** An engine that asks `answer` before it stores. */
function fakeEngine(answer: (insert: Insert) => Promise<void> | void = () => {}) {
  const tried: Insert[] = []
  const stored: string[] = []
  return {
    tried,
    stored,
    insert: async (table: FactTable, _columns: string, lines: readonly string[], token: string) => {
      tried.push({ table, lines, token })
      await answer({ table, lines, token })
      stored.push(...lines)
    },
  }
}

test('rows of the same moment share one insert', async () => {
  const engine = fakeEngine()
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  await Promise.all([batcher.add(['a']), batcher.add(['b'])])
  assert.deepEqual(
    engine.tried.map(({ table, lines }) => [table, lines]),
    [['views', ['a', 'b']]],
  )
})

test('rows that are worth an insert of their own do not wait for the pause between inserts to end', async () => {
  const engine = fakeEngine()
  const batcher = new Batcher({
    engine,
    table: 'views',
    log,
    limits: { ...limits, queueRows: 10_000, lingerMs: 3_600_000 },
  })
  await batcher.add(['first'])
  await Promise.all(Array.from({ length: 2_000 }, (_, i) => batcher.add([`row ${i}`])))
  assert.equal(engine.stored.length, 2_001)
  await batcher.close()
})

test('rows that nobody waits for are gathered until an insert is full', async () => {
  const engine = fakeEngine()
  const behind = { ...limits, isBehind: true, queueRows: 30_000, lingerMs: 3_600_000 }
  const batcher = new Batcher({ engine, table: 'views', log, limits: behind })
  const added: Promise<void>[] = []
  for (let moment = 0; moment < 4; moment++) {
    added.push(batcher.add(Array.from({ length: 1_000 }, (_, row) => `row ${row}`)))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(added)
  assert.deepEqual(
    engine.tried.map(({ lines }) => lines.length),
    [4_000],
  )
  await batcher.close()
})

test('each of several nodes gathers for longer, so that together they make no more inserts than one', async (t) => {
  const USUAL_MS = 20
  const original = globalThis.setTimeout
  const pauses: number[] = []
  t.mock.method(globalThis, 'setTimeout', (work: () => void, ms: number) => {
    pauses.push(ms)
    return original(work, 0)
  })
  const longestOf = async (nodes: number): Promise<number> => {
    pauses.length = 0
    const { lingerMs: _none, ...others } = limits
    const batcher = new Batcher({
      engine: fakeEngine(),
      table: 'views',
      log,
      limits: { ...others, nodes: () => nodes },
    })
    await batcher.add(['first'])
    await batcher.add(['second'])
    await batcher.close()
    return Math.max(0, ...pauses)
  }
  assert.ok((await longestOf(1)) <= USUAL_MS)
  // A pause that the machine made has been waited already.
  let longest = 0
  while (longest <= USUAL_MS) longest = await longestOf(3)
  assert.ok(longest <= 3 * USUAL_MS)
})

test('a stop does not wait for the pause between inserts to end', async () => {
  const batcher = new Batcher({
    engine: fakeEngine(),
    table: 'views',
    log,
    limits: { ...limits, queueRows: 10_000, lingerMs: 3_600_000 },
  })
  await batcher.add(['first'])
  await batcher.close()
  assert.equal(batcher.stats().insertedRows, 1)
})

test('whoever asks before more is added waits while very many rows wait, and no longer', async () => {
  const gate = Promise.withResolvers<void>()
  const engine = fakeEngine(() => gate.promise)
  const batcher = new Batcher({ engine, table: 'views', log, limits: { ...limits, isBehind: true, queueRows: 30_000 } })
  await batcher.calm()
  const added = Array.from({ length: 15 }, () => batcher.add(Array.from({ length: 1_000 }, (_, row) => `row ${row}`)))
  let isCalm = false
  const calm = batcher.calm().then(() => (isCalm = true))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(isCalm, false)
  gate.resolve()
  await calm
  assert.ok(batcher.stats().waitingRows <= 12_000)
  await Promise.all(added)
  await batcher.close()
})

test('an append resolves after its insert, never before', async () => {
  const gate = Promise.withResolvers<void>()
  const engine = fakeEngine(() => gate.promise)
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  let acknowledged = false
  const append = batcher.add(['a']).then(() => (acknowledged = true))
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.equal(acknowledged, false)
  gate.resolve()
  await append
  assert.deepEqual(engine.stored, ['a'])
})

test('rows that come during an insert go together into the next one', async () => {
  const gate = Promise.withResolvers<void>()
  const engine = fakeEngine(() => gate.promise)
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  const first = batcher.add(['a'])
  await new Promise((resolve) => setTimeout(resolve, 10))
  const later = ['b', 'c', 'd'].map((line) => batcher.add([line]))
  gate.resolve()
  await Promise.all([first, ...later])
  assert.deepEqual(
    engine.tried.map(({ lines }) => lines),
    [['a'], ['b', 'c', 'd']],
  )
})

test('a failing insert is tried again under the same token', async () => {
  let failures = 2
  const engine = fakeEngine(() => {
    if (failures-- > 0) throw new Error('ECONNREFUSED')
  })
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  await batcher.add(['a'])
  assert.equal(engine.tried.length, 3)
  assert.equal(new Set(engine.tried.map(({ token }) => token)).size, 1)
  assert.deepEqual(batcher.stats(), { waitingRows: 0, inserts: 1, insertedRows: 1, failedInserts: 2 })
})

test('a store that stays away is a 503 with Retry-After, and never a success', async () => {
  const engine = fakeEngine(() => Promise.reject(new Error('ECONNREFUSED')))
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  await assert.rejects(batcher.add(['a']), isUnavailable)
  assert.deepEqual(engine.stored, [])
  assert.equal(batcher.stats().waitingRows, 0)
})

test('a full queue refuses at once, and takes rows again when it has room', async () => {
  const gate = Promise.withResolvers<void>()
  const engine = fakeEngine(() => gate.promise)
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  const waiting = Array.from({ length: limits.queueRows }, (_, i) => batcher.add([`${i}`]))
  await assert.rejects(batcher.add(['one too many']), isUnavailable)
  gate.resolve()
  await Promise.all(waiting)
  await batcher.add(['welcome'])
  assert.equal(engine.stored.length, limits.queueRows + 1)
  assert.ok(!engine.stored.includes('one too many'))
})

test('bad rows fail alone, each with its own error, and are not tried again', async () => {
  const engine = fakeEngine(({ lines }) => {
    if (lines.some((line) => line.startsWith('bad'))) throw badRow
  })
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  const results = await Promise.allSettled(['a', 'bad1', 'b', 'c', 'bad2', 'd'].map((line) => batcher.add([line])))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(engine.stored.toSorted(), ['a', 'b', 'c', 'd'])
  assert.equal(engine.tried.filter(({ lines }) => lines.length === 1 && lines[0] === 'bad1').length, 1)
  for (const result of results) if (result.status === 'rejected') assert.ok(!(result.reason instanceof Problem))
})

test('closing stores what waits, and refuses what comes later', async () => {
  const engine = fakeEngine(() => new Promise((resolve) => setTimeout(resolve, 10)))
  const batcher = new Batcher({ engine, table: 'views', log, limits })
  const waiting = ['a', 'b', 'c'].map((line) => batcher.add([line]))
  await batcher.close()
  assert.deepEqual(engine.stored, ['a', 'b', 'c'])
  await Promise.all(waiting)
  await assert.rejects(batcher.add(['late']), isUnavailable)
})

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'unavailable' && error.retryAfterSeconds !== undefined
}
