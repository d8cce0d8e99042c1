// The memory before the database: what may be answered from it, for how long, and what a flood can cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { openDirectory } from './directory.ts'

/** A database of one table that notes what it was asked, answers when told to, and can be away. */
function openFake(staleMs = 0) {
  const rows = new Map<string, string>()
  const asked: string[][] = []
  const clock = { ms: 1_000_000 }
  const state = { isAway: false, gate: Promise.resolve() }
  const directory = openDirectory<string>({
    now: () => clock.ms,
    staleMs,
    load: async (texts) => {
      asked.push([...texts])
      const found = new Map(texts.flatMap((text) => (rows.has(text) ? [[text, rows.get(text)!] as const] : [])))
      await state.gate
      if (state.isAway) throw new Problem('unavailable', 'away')
      return found
    },
  })
  return { rows, asked, clock, state, directory }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a warm look-up is answered at once, without the database', async () => {
  const { rows, asked, directory } = openFake()
  rows.set('a', 'row')
  assert.equal(await directory.get('a'), 'row')
  for (let i = 0; i < 100; i++) assert.equal(directory.get('a'), 'row', 'not a promise')
  assert.equal(asked.length, 1)
})

test('a row that changed elsewhere is seen within two seconds, and looked up in the background before', async () => {
  const { rows, asked, clock, directory } = openFake()
  rows.set('a', 'old')
  await directory.get('a')
  rows.set('a', 'new')
  clock.ms += 1_500
  assert.equal(directory.get('a'), 'old', 'answered from memory while it is read again')
  await settle()
  assert.equal(directory.get('a'), 'new')
  assert.equal(asked.length, 2)
})

test('a row removed elsewhere is not answered after two seconds, whatever happened in between', async () => {
  const { rows, clock, directory } = openFake()
  rows.set('a', 'row')
  await directory.get('a')
  rows.delete('a')
  clock.ms += 2_001
  assert.equal(await directory.get('a'), undefined)
  assert.equal(directory.get('a'), undefined, 'and its absence is known at once')
})

test('a row read again keeps the age of the question, not of the answer', async () => {
  const { rows, clock, state, directory } = openFake()
  rows.set('a', 'row')
  let open = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const first = directory.get('a')
  clock.ms += 1_900
  rows.delete('a')
  open()
  assert.equal(await first, 'row')
  clock.ms += 200
  assert.equal(await directory.get('a'), undefined)
})

test('a clock that is set back does not keep a row alive', async () => {
  const { rows, clock, directory } = openFake()
  rows.set('a', 'row')
  await directory.get('a')
  rows.delete('a')
  clock.ms -= 3_600_000
  assert.equal(await directory.get('a'), undefined)
})

test('what was forgotten is gone at once, and a look-up under way does not bring it back', async () => {
  const { rows, state, directory } = openFake()
  rows.set('a', 'row').set('b', 'other')
  await directory.get('a')
  await directory.get('b')
  let open = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  directory.forget((row) => row === 'row')
  const underWay = directory.get('a')
  await settle()
  rows.delete('a')
  directory.forget((row) => row === 'row')
  const after = directory.get('a')
  open()
  assert.equal(await underWay, 'row', 'asked before the removal')
  assert.equal(await after, undefined, 'asked after it')
  assert.equal(await directory.get('a'), undefined)
  assert.equal(directory.get('b'), 'other', 'others stay')
})

test('an answer that was under way while its row was forgotten is not remembered', async () => {
  const { rows, state, directory } = openFake()
  rows.set('a', 'row')
  let open = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const underWay = directory.get('a')
  rows.delete('a')
  directory.forget((row) => row === 'row')
  open()
  assert.equal(await underWay, 'row')
  assert.equal(await directory.get('a'), undefined)
})

test('a text that somebody has from now on is found at once, also by who asks while its absence is being read', async () => {
  const { rows, state, directory } = openFake()
  assert.equal(await directory.get('a'), undefined)
  rows.set('a', 'row')
  directory.forgetText('a')
  assert.equal(await directory.get('a'), 'row')
  let open = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const underWay = directory.get('b')
  await settle()
  rows.set('b', 'other')
  directory.forgetText('b')
  const after = directory.get('b')
  open()
  assert.deepEqual([await underWay, await after, await directory.get('b')], [undefined, 'other', 'other'])
})

test('the same text asked by many at once is one question', async () => {
  const { rows, asked, directory } = openFake()
  rows.set('a', 'row')
  assert.deepEqual(await Promise.all(Array.from({ length: 50 }, async () => directory.get('a'))), Array(50).fill('row'))
  assert.deepEqual(asked, [['a']])
})

test('a flood of made-up texts is one statement at a time, and cannot push out the real ones or fill the memory', async () => {
  const { rows, asked, directory } = openFake()
  rows.set('real', 'row')
  await directory.get('real')
  for (let wave = 0; wave < 6; wave++)
    await Promise.all(Array.from({ length: 5_000 }, async (_, i) => directory.get(`made-up-${wave}-${i}`)))
  assert.ok(asked.length <= 6 * 12, `${asked.length} statements for 30,000 texts`)
  assert.ok(asked.every((batch) => batch.length <= 500))
  assert.equal(directory.get('real'), 'row')
  const { found, missing } = directory.size()
  assert.equal(found, 1)
  assert.ok(missing <= 10_000, `${missing} remembered`)
})

test('too many waiting look-ups are refused as "unavailable", not heaped up', async () => {
  const { state, directory } = openFake()
  let open = () => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const ends = Array.from({ length: 25_000 }, async (_, i) => directory.get(`text-${i}`))
  const settled = Promise.allSettled(ends)
  open()
  const refused = (await settled).filter((end) => end.status === 'rejected')
  assert.ok(refused.length > 0 && refused.length <= 5_000)
  assert.ok(refused.every((end) => end.reason instanceof Problem && end.reason.kind === 'unavailable'))
})

test('while the database is away, a row answers as long as it may, and no longer', async () => {
  const { rows, clock, state, directory } = openFake(60_000)
  rows.set('a', 'row')
  await directory.get('a')
  state.isAway = true
  for (let waited = 0; waited < 60_000; waited += 5_000) {
    assert.equal(await directory.get('a'), 'row')
    clock.ms += 5_000
  }
  clock.ms += 5_000
  await assert.rejects(async () => directory.get('a'), /away/)
  await assert.rejects(async () => directory.get('never seen'), /away/)
  state.isAway = false
  assert.equal(await directory.get('a'), 'row')
})

test('with no grace a row is refused two seconds after the database went away', async () => {
  const { rows, clock, state, directory } = openFake(0)
  rows.set('a', 'row')
  await directory.get('a')
  state.isAway = true
  clock.ms += 1_500
  assert.equal(directory.get('a'), 'row')
  await settle()
  clock.ms += 600
  await assert.rejects(async () => directory.get('a'), /away/)
})
