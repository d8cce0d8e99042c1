// What an error of ClickHouse means: that a node is away, which is over soon, or that something is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../kernel/problem.ts'
import { asQueryFailure, isBadRow } from './engine.ts'

const errorOf = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** As they were seen while a server died, hung or came up. */
const away: readonly (readonly [code: string, message: string])[] = [
  ['236', 'The server is shutting down due to a fatal error. '],
  ['32', 'Attempt to read after eof: while receiving packet from 127.0.0.1:9000. '],
  ['33', 'Cannot read all data. Bytes read: 3. Bytes expected: 8.: while receiving packet from 127.0.0.1:9000. '],
  ['209', 'Timeout exceeded while reading from socket (127.0.0.1:9000, 2000 ms). '],
  ['210', 'Connection refused (127.0.0.1:9000). '],
  ['279', 'All connection tries failed. '],
  ['242', 'Table is in readonly mode. '],
]

test('whatever a dying node says, a question is answered 503 with Retry-After, and no row is taken for a bad one', () => {
  for (const [code, message] of away) {
    const failure = asQueryFailure('test', errorOf(code, message))
    assert.ok(failure instanceof Problem && failure.kind === 'unavailable', message)
    assert.ok(Number(failure.retryAfterSeconds) > 0)
    assert.equal(isBadRow(errorOf(code, message)), false, message)
  }
})

test('a statement that is wrong is a fault of ours, and a row that is wrong is known', () => {
  assert.ok(!(asQueryFailure('test', errorOf('47', 'Unknown expression identifier')) instanceof Problem))
  assert.equal(isBadRow(errorOf('33', 'Cannot read all data: (at row 1)')), true)
})
