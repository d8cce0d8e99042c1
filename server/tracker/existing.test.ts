// Which sessions exist: few questions to the facts, and no answer that this node knows to be out of date.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deps } from '../kernel/deps.ts'
import { openExisting } from './existing.ts'

const DAY = 20_000
const session = (hash: number) => ({ day: DAY, hash: BigInt(hash) })

/** Facts that hold the sessions of `held` and answer when told to. */
function openNode(held: Set<string>) {
  const clock = { ms: 1_000_000 }
  const questions: { hashes: bigint[]; answer: () => void }[] = []
  const lookup = (_name: string, _sql: string, params: { hashes: bigint[] }) => {
    const { promise, resolve } = Promise.withResolvers<{ text: string }[]>()
    const rows = params.hashes.map((hash) => ({ text: `pr_1 2024-10-04 ${hash}` })).filter(({ text }) => held.has(text))
    questions.push({ hashes: params.hashes, answer: () => resolve(rows) })
    return promise
  }
  const existing = openExisting({ facts: { lookup } as unknown as Deps['facts'], now: () => clock.ms }, 0)
  const has = (hash: number) => existing.has('pr_1', session(hash))
  return { clock, questions, existing, has }
}

test('however many ask at once, one question runs at a time and holds all that wait', async () => {
  const { questions, has } = openNode(new Set(['pr_1 2024-10-04 2', 'pr_1 2024-10-04 3']))
  const answers = [1, 2, 3, 2, 4].map(has)
  assert.deepEqual(
    questions.map(({ hashes }) => hashes),
    [[1n]],
  )
  questions[0]!.answer()
  assert.equal(await answers[0], false)
  await new Promise(setImmediate)
  assert.deepEqual(questions.map(({ hashes }) => hashes).slice(1), [[2n, 3n, 4n]])
  questions[1]!.answer()
  assert.deepEqual(await Promise.all(answers), [false, true, true, true, false])
})

test('what is not there is asked about again only after some seconds, or when this node stores it', async () => {
  const { clock, questions, existing, has } = openNode(new Set())
  const ask = async (): Promise<boolean> => {
    const asked = questions.length
    const answer = has(1)
    if (questions.length > asked) questions.at(-1)!.answer()
    return answer
  }
  for (let i = 0; i < 3; i++) assert.equal(await ask(), false)
  assert.equal(questions.length, 1)
  clock.ms += 3_001
  assert.equal(await ask(), false)
  assert.equal(questions.length, 2)
  existing.add(session(1))
  assert.equal(await ask(), true)
  assert.equal(questions.length, 2)
})

test('a session stored while the facts are asked is there', async () => {
  const { questions, existing, has } = openNode(new Set())
  const answer = has(1)
  existing.add(session(1))
  questions[0]!.answer()
  assert.equal(await answer, true)
  assert.equal(await has(1), true)
})
