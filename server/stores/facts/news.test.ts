// Processes that share a store tell each other of which sessions something was stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type News, NewsBoard } from './news.ts'

/** More than are told by their ids, all together. */
const MANY = 20_001
const DAY = '2025-06-04'

/** @returns the board of one of three, and what another one is told when it asks. */
function openBoard() {
  let give: ((to: number) => News) | undefined
  const line = {
    others: [2, 3],
    setNews: () => undefined,
    list: () => [],
    ask: () => Promise.reject(new Error('nobody is asked')),
    answer: (giver: (to: number) => News) => void (give = giver),
  }
  const board = new NewsBoard(line, () => undefined)
  const note = (sessions: readonly number[]) =>
    board.note(
      'views',
      sessions.map((session) => ({ property: 'p', day: DAY, session: `${session}` })),
    )
  return { note, tell: (to: number) => give!(to).rows.map(({ sessions }) => sessions) }
}

test('each is told of the sessions since it asked last', () => {
  const { note, tell } = openBoard()
  note([1, 2])
  assert.deepEqual(tell(2), [['1', '2']])
  note([2, 4])
  assert.deepEqual(tell(2), [['2', '4']])
  assert.deepEqual(tell(3), [['1', '2', '4']])
  assert.deepEqual([tell(2), tell(3)], [[], []])
})

test('of too many, any may have changed; from then on single ones are told again, also if one never asks', () => {
  const { note, tell } = openBoard()
  note(Array.from({ length: MANY }, (_, session) => session + 1))
  assert.deepEqual(tell(2), ['any'])
  note([7])
  assert.deepEqual(tell(2), [['7']])
  assert.deepEqual(tell(3), ['any'])
})
