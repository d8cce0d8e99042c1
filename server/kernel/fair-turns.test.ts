// Fair turns: nobody is pushed back by who asks much, the bounds hold for who goes beyond them alone, and who has left has no turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairTurns } from './fair-turns.ts'
import { Problem } from './problem.ts'

const open = (size: number, ofAProperty: number) =>
  new FairTurns({
    size,
    ofAProperty,
    mostWaiting: { ofACaller: 3, ofAProperty: 5, ofAll: 7 },
    tooMany: (whose) => new Problem('unavailable', whose),
  })

/** Turns that take time are ended by hand; those that are begun write down their name. */
function openWork(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, signal?: AbortSignal): Promise<void> => {
    const [propertyId = '', caller = ''] = name.split('.')
    return turns.run({ propertyId, caller, signal }, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  return { begun, ask, end }
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
  await turns.run(ask, async (takesMuch) => void told.push(takesMuch))
  const nowMs = performance.now()
  const clock = performance.now.bind(performance)
  performance.now = () => clock() + 5_000
  try {
    await turns.run(ask, async () => {
      performance.now = () => clock() + 10_000
    })
    await turns.run(ask, async (takesMuch) => void told.push(takesMuch))
    performance.now = () => clock() + 60_000
    await turns.run(ask, async (takesMuch) => void told.push(takesMuch))
  } finally {
    performance.now = clock
  }
  assert.ok(nowMs > 0)
  assert.deepEqual(told, [false, true, false])
})
