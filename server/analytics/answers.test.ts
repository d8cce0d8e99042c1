// Turns of the dashboard's questions: some at once, the others in order, those that may come later after all others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './answers.ts'

test('what may come later waits for all others that wait, and comes in the end', async () => {
  const inTurn = openTurns()
  const ends: (() => void)[] = []
  const busy = Array.from({ length: 4 }, () => inTurn(() => new Promise<void>((resolve) => ends.push(resolve))))
  await new Promise(setImmediate)
  const order: string[] = []
  const note = (name: string, isLater: boolean) => inTurn(async () => void order.push(name), { isLater })
  const waiting = [note('shared', true), note('owner', false), note('shared too', true), note('owner too', false)]
  for (const end of ends) end()
  await Promise.all([...busy, ...waiting])
  assert.deepEqual(order, ['owner', 'owner too', 'shared', 'shared too'])
})
