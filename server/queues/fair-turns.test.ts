// Fair turns: nobody is pushed back by who asks much, the bounds hold for who goes beyond them alone, and who
// has left has no turn.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { eventually } from '../../test/support/site.ts'
import { FairTurns, type FairTurnsOptions, type Load } from './fair-turns.ts'
import { Problem } from '../kernel/problem.ts'

const open = (size: number, ofAProperty: number, more?: Pick<FairTurnsOptions, 'rests' | 'beside'>) =>
  new FairTurns({
    ...more,
    size,
    ofAProperty,
    givingWay: 1,
    mostWaiting: { ofACaller: 3, ofAProperty: 5, ofAll: 7 },
    tooMany: (whose) => new Problem('unavailable', whose),
  })

/** Until whoever may begin has begun. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

/** Turns that take time are ended by hand; those that are begun write down their name. */
function openWork(turns: FairTurns) {
  const begun: string[] = []
  const loads: Record<string, Load> = {}
  const ends = new Map<string, () => void>()
  const ask = (name: string, signal?: AbortSignal): Promise<void> => {
    const [propertyId = '', caller = ''] = name.split('.')
    return turns.run({ propertyId, caller, signal }, (load) => {
      begun.push(name)
      loads[name] = load
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await settle()
  }
  return { begun, loads, ask, end }
}

/** As long as it takes for the time that was taken to tell one from the other. */
const spin = (): void => {
  for (const endMs = performance.now() + 3; performance.now() < endMs;);
}

test('a property that asks much leaves a place to others, and waits behind who has taken less', async () => {
  const { begun, ask, end } = openWork(open(3, 2))
  const all = [ask('much.a.1'), ask('much.a.2'), ask('much.a.3'), ask('much.b.1'), ask('one.c.1'), ask('one.c.2')]
  assert.deepEqual(begun, ['much.a.1', 'much.a.2', 'one.c.1'])
  spin()
  await end('one.c.1')
  assert.deepEqual(begun.slice(3), ['one.c.2'], 'it was asked last, by who had taken least')
  spin()
  await end('much.a.1')
  assert.deepEqual(begun.slice(4), ['much.b.1'], 'the caller who has had nothing yet')
  for (const name of ['much.a.2', 'one.c.2', 'much.b.1']) await end(name)
  await end('much.a.3')
  await Promise.all(all)
})

test('too many are too many for the caller, the property and all, each told apart, and everybody else goes on', async () => {
  const { begun, ask, end } = openWork(open(1, 1))
  const names = ['p.a.0', 'p.a.1', 'p.a.2', 'p.a.3', 'p.b.1', 'p.b.2', 'q.a.1', 'q.a.2']
  const all = names.map((name) => ask(name))
  const refused = (name: string, whose: string) =>
    assert.rejects(ask(name), (error) => error instanceof Problem && error.message === whose)
  await refused('p.a.4', 'caller')
  await refused('p.c.1', 'property')
  await refused('r.a.1', 'all')
  for (let done = 0; done < names.length; done++) await end(begun[done] ?? '')
  await Promise.all(all)
  assert.deepEqual(begun.toSorted(), names.toSorted())
})

test('who does not wait any more has no turn, and takes no place from others', async () => {
  const { begun, ask, end } = openWork(open(1, 1))
  const gone = new AbortController()
  const first = ask('p.a.1')
  const left = ask('p.b.1', gone.signal)
  const last = ask('p.c.1')
  gone.abort(new Error('left'))
  await assert.rejects(left, /left/)
  await assert.rejects(ask('p.d.1', gone.signal), /left/)
  await end('p.a.1')
  assert.deepEqual(begun, ['p.a.1', 'p.c.1'])
  await end('p.c.1')
  await Promise.all([first, last])
})

test('a turn that fails frees its place', async () => {
  const turns = open(1, 1)
  const fail = turns.run({ propertyId: 'p', caller: 'a' }, async () => {
    throw new Error('this one')
  })
  const next = turns.run({ propertyId: 'p', caller: 'a' }, async () => 'the next')
  await assert.rejects(fail, /this one/)
  assert.equal(await next, 'the next')
})

test('who has taken much lately is told so', async () => {
  const turns = open(1, 1)
  const told: boolean[] = []
  const ask = { propertyId: 'p', caller: 'a' }
  await turns.run(ask, async ({ takesMuch }) => void told.push(takesMuch))
  const nowMs = performance.now()
  const clock = performance.now.bind(performance)
  performance.now = () => clock() + 5_000
  try {
    await turns.run(ask, async () => {
      performance.now = () => clock() + 10_000
    })
    await turns.run(ask, async ({ takesMuch }) => void told.push(takesMuch))
    performance.now = () => clock() + 60_000
    await turns.run(ask, async ({ takesMuch }) => void told.push(takesMuch))
  } finally {
    performance.now = clock
  }
  assert.ok(nowMs > 0)
  assert.deepEqual(told, [false, true, false])
})

/** Time that passes only when it is told to. */
function stopTime(t: TestContext): (ms: number) => void {
  let nowMs = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => nowMs)
  return (ms) => (nowMs += ms)
}

const usual: Load = { takesMuch: false, givesWay: false }
const yielding: Load = { takesMuch: true, givesWay: true }

test('whoever asks dear questions gives way to cheaper ones, and has all places again once nobody else asks', async (t) => {
  const pass = stopTime(t)
  const { begun, loads, ask, end } = openWork(open(3, 2))
  const first = [ask('dear.a.1'), ask('dear.a.2')]
  pass(5_000)
  const cheap = [ask('cheap.b.1')]
  for (const name of ['dear.a.1', 'dear.a.2']) await end(name)
  const dear = [ask('dear.a.3'), ask('dear.a.4'), ask('dear.a.5')]
  cheap.push(ask('cheap.b.2'))
  assert.deepEqual(begun.slice(2), ['cheap.b.1', 'dear.a.3', 'cheap.b.2'])
  assert.deepEqual([loads['cheap.b.1'], loads['dear.a.3'], loads['cheap.b.2']], [usual, yielding, usual])
  for (const name of ['cheap.b.1', 'cheap.b.2']) await end(name)
  assert.deepEqual(begun.slice(5), [], 'they asked a moment ago')
  pass(2_000)
  dear.push(ask('dear.b.1'))
  await settle()
  assert.deepEqual(begun.slice(5), ['dear.a.4'], 'who waits comes before who has just come')
  assert.deepEqual(loads['dear.a.4'], { takesMuch: true, givesWay: false }, 'others may come while it runs')
  for (const name of ['dear.a.3', 'dear.a.4', 'dear.b.1', 'dear.a.5']) await end(name)
  await Promise.all([...first, ...cheap, ...dear])
})

test('of those whose questions take about as long nobody gives way', async (t) => {
  const pass = stopTime(t)
  const { begun, loads, ask, end } = openWork(open(8, 4))
  const names = ['one.a.1', 'one.a.2', 'other.b.1', 'other.b.2']
  const all = names.map((name) => ask(name))
  pass(9_000)
  const again = ['one.a.3', 'one.a.4', 'other.b.3', 'other.b.4']
  all.push(...again.map((name) => ask(name)))
  assert.deepEqual(begun.slice(4), again)
  for (const name of again) assert.deepEqual(loads[name], usual)
  for (const name of [...names, ...again]) await end(name)
  await Promise.all(all)
})

test('after a dear turn its place stays empty for a while, but only for as long as others ask', async (t) => {
  const pass = stopTime(t)
  const { begun, ask, end } = openWork(open(3, 2, { rests: 3 }))
  const all = [ask('dear.a.1'), ask('cheap.b.1')]
  pass(1_000)
  await end('cheap.b.1')
  all.push(ask('cheap.b.2'))
  pass(5_000)
  await end('cheap.b.2')
  all.push(ask('cheap.b.3'))
  await end('dear.a.1')
  all.push(ask('dear.a.2'), ask('cheap.b.4'))
  assert.deepEqual(begun, ['dear.a.1', 'cheap.b.1', 'cheap.b.2', 'cheap.b.3', 'cheap.b.4'])
  for (const name of ['cheap.b.3', 'cheap.b.4']) await end(name)
  assert.deepEqual(begun.slice(5), [])
  pass(2_000)
  const sixth = await eventually(
    async () => begun[5],
    (name) => name !== undefined,
  )
  assert.equal(sixth, 'dear.a.2')
  await end('dear.a.2')
  await Promise.all(all)
})

test('those who ask beside are others too, of the same property as well and however short their turns are', async (t) => {
  const pass = stopTime(t)
  const beside = open(1, 1)
  const people = openWork(beside)
  const shared = openWork(open(2, 2, { beside }))
  const all = [shared.ask('p.share.1'), shared.ask('p.share.2')]
  pass(5_000)
  for (const name of ['p.share.1', 'p.share.2']) await shared.end(name)
  all.push(people.ask('p.owner.1'), shared.ask('p.share.3'), shared.ask('p.share.4'))
  assert.deepEqual(shared.begun.slice(2), ['p.share.3'])
  assert.deepEqual(shared.loads['p.share.3'], yielding)
  await people.end('p.owner.1')
  for (const name of ['p.share.3', 'p.share.4']) await shared.end(name)
  await Promise.all(all)
})
