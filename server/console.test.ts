// What a library writes to the console becomes one line of the log, whatever it holds.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { logConsole } from './console.ts'

test('a line that somebody forged is one line of the log, and short', () => {
  let text = ''
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      text += piece.toString()
      done()
    },
  })
  const target = { ...console }
  const restore = logConsole(pino({ level: 'debug' }, stream), target)
  target.log(`Invalid '%s'`, `a\n{"level":"fatal","msg":"forged"}\n${'x'.repeat(100_000)}`)
  target.error(new Error('with\na stack'))
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.length, 2)
  for (const line of lines) {
    assert.ok(line.length < 500)
    assert.equal((JSON.parse(line) as { msg: string }).msg, 'a library wrote to the console')
  }
  restore()
  assert.deepEqual(target, { ...console })
})
