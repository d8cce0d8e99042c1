import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { forPeople, levelForPeople, readableLine } from './log-lines.ts'

test('a line says what is wrong, with what is known of it', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-11-20T00:00:00Z',
    folder: '/data',
    msg: 'the disk is nearly full',
  })
  assert.equal(readableLine(line), 'Warning: the disk is nearly full folder="/data"')
})

test('an error is shown with its origin, and not as JSON', () => {
  const said: string[] = []
  const log = pino(
    { level: 'warn', base: null, formatters: { level: (label) => ({ level: label }) } },
    forPeople({ write: (text) => said.push(text) }),
  )
  log.error({ err: new Error('no room') }, 'stopping failed')
  assert.match(said.join(''), /^Error: stopping failed\nError: no room\n {4}at /)
})

test('what is told to people is what is wrong, unless more is asked for', () => {
  assert.deepEqual(['debug', 'info', 'warn', 'error'].map(levelForPeople), ['debug', 'warn', 'warn', 'error'])
})

test('no text of others moves the cursor of a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (msg, value) => {
      const shown = readableLine(JSON.stringify({ level: 'error', msg, value }))
      // oxlint-disable-next-line no-control-regex -- these are meant
      assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }),
  )
})
