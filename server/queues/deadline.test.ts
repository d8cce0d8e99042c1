// Waits that have an end, each alone and several out of one allowance. Timers are fake: nothing here takes
// any time.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openAllowance, settledWithin } from './deadline.ts'

const never = () => new Promise<string>(() => {})
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A clock and timers that go on together. */
function openTime(t: TestContext) {
  let nowMs = 5_000
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms
    t.mock.timers.tick(ms)
    await turn()
  }
  return { now: () => nowMs, pass }
}

/** What became of the work so far. */
function watch<T>(work: Promise<T>): { is: string } {
  const seen = { is: 'waiting' }
  void work.then((value) => (seen.is = String(value)))
  return seen
}

test('what is there in time is given, what is late or fails is undefined; a failure is told, a late one too', async (t) => {
  const { pass } = openTime(t)
  const told: unknown[] = []
  const failed = (error: unknown) => told.push(error)
  assert.equal(await settledWithin(Promise.resolve('done'), 300, failed), 'done')
  assert.equal(await settledWithin(Promise.reject(new Error('no')), 300, failed), undefined)
  const late = Promise.withResolvers<string>()
  const seen = watch(settledWithin(late.promise, 300, failed))
  await pass(299)
  assert.equal(seen.is, 'waiting')
  await pass(1)
  assert.equal(seen.is, 'undefined')
  late.reject(new Error('late'))
  await turn()
  assert.deepEqual(told.map(String), ['Error: no', 'Error: late'])
})

test('several waits have one allowance: what one took the next has not; time between them costs nothing', async (t) => {
  const { now, pass } = openTime(t)
  const wait = openAllowance(300, now)
  const first = Promise.withResolvers<string>()
  const one = watch(wait(first.promise))
  await pass(200)
  first.resolve('first')
  await turn()
  assert.equal(one.is, 'first')
  await pass(10_000)
  const two = watch(wait(never()))
  await pass(99)
  assert.equal(two.is, 'waiting')
  await pass(1)
  assert.equal(two.is, 'undefined')
  const three = watch(wait(never()))
  await pass(1)
  assert.equal(three.is, 'undefined')
  assert.equal(await wait(Promise.resolve('known at once')), 'known at once')
})

test('waits of one moment take from the allowance what the time between the first and the last is', async (t) => {
  const { now, pass } = openTime(t)
  const wait = openAllowance(300, now)
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const seen = [watch(wait(first.promise))]
  await pass(50)
  seen.push(watch(wait(second.promise)))
  await pass(100)
  first.resolve('first')
  await pass(50)
  second.resolve('second')
  await turn()
  assert.deepEqual(
    seen.map(({ is }) => is),
    ['first', 'second'],
  )
  await pass(10_000)
  const third = watch(wait(never()))
  await pass(99)
  assert.equal(third.is, 'waiting')
  await pass(1)
  assert.equal(third.is, 'undefined')
})

test('another allowance is not touched', async (t) => {
  const { now, pass } = openTime(t)
  const spent = watch(openAllowance(300, now)(never()))
  await pass(300)
  assert.equal(spent.is, 'undefined')
  const other = watch(openAllowance(300, now)(never()))
  await pass(299)
  assert.equal(other.is, 'waiting')
})
