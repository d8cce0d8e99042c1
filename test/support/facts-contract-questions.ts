// What every facts store promises of its answers: they do not mix, none holds up the others, and what goes
// wrong is said without showing anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../server/kernel/problem.ts'
import type { Facts } from '../../server/stores/facts.ts'
import { DAY } from './facts-fold.ts'
import { freshProperty } from './facts-rows.ts'

export function questionContract(where: string, facts: () => Facts): void {
  test(`${where}: a look-up does not wait for questions`, async () => {
    let answered = 0
    const slow = 'SELECT sum(sleepEachRow(0.01)) AS slept FROM numbers(200) SETTINGS max_block_size = 1'
    const questions = Array.from({ length: 6 }, async () => {
      await facts().query('test', slow)
      answered++
    })
    assert.deepEqual(await facts().lookup('test', 'SELECT 1 AS one'), [{ one: 1 }])
    assert.equal(answered, 0)
    await Promise.all(questions)
  })

  test(`${where}: parameters of many questions at once do not mix`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        facts().query<{ n: number; s: string | null }>('test', 'SELECT {n:UInt32} AS n, {s:Nullable(String)} AS s', {
          n: i,
          s: i % 2 ? `s${i}` : null,
        }),
      ),
    )
    assert.deepEqual(
      answers.map(([row]) => row),
      Array.from({ length: 60 }, (_, i) => ({ n: i, s: i % 2 ? `s${i}` : null })),
    )
  })

  test(`${where}: a question that is too heavy is refused in words, and appends go on meanwhile`, async () => {
    const property = freshProperty()
    const heavy = facts().query('test', 'SELECT length(groupArray(number)) FROM numbers(2000000000)')
    const refused = assert.rejects(
      heavy,
      (error) =>
        error instanceof Problem &&
        error.kind === 'unavailable' &&
        /narrower/.test(error.message) &&
        !/SELECT|numbers/.test(error.message),
    )
    await facts().append('views', { property, day: DAY, session: '1', view: 1, at: 1, seen: 1 })
    await refused
    const slow = facts().query(
      'test',
      'SELECT sleepEachRow(0.05) FROM numbers(100) SETTINGS max_execution_time = 0.2, max_block_size = 1',
    )
    await assert.rejects(slow, (error) => error instanceof Problem && error.retryAfterSeconds !== undefined)
  })

  test(`${where}: what a question had found when it was stopped never shows in another answer`, async () => {
    const stopped = () =>
      facts().query(
        'test',
        'SELECT 7 AS leaked, sleepEachRow(0.02) FROM numbers(100) SETTINGS max_execution_time = 0.2, max_block_size = 1',
      )
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled([stopped(), stopped(), stopped(), stopped()])
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, one) => facts().query('test', 'SELECT {one:UInt8} AS one', { one })),
      )
      assert.deepEqual(
        answers,
        Array.from({ length: 8 }, (_, one) => [{ one }]),
      )
    }
  })

  test(`${where}: a mistake of ours is no Problem and shows no SQL`, async () => {
    await assert.rejects(
      facts().query('test', 'SELECT nothing FROM nowhere'),
      (error) =>
        error instanceof Error &&
        !(error instanceof Problem) &&
        !error.message.includes('nowhere') &&
        String(error.cause).includes('nowhere'),
    )
  })
}
