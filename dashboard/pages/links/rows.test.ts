// What is pasted becomes a file, whatever it holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './rows.ts'

test('lines become rows of one column in their places, one line below', () => {
  assert.deepEqual(csvOf(' https://a.example/?x=1,2 \r\n\n"odd"'), {
    csv: 'destination_url\n"https://a.example/?x=1,2"\n\n"""odd"""\n',
    lineOffset: -1,
  })
  assert.deepEqual(csvOf(' \n'), { csv: ' \n', lineOffset: 0 })
})

test('a file with a header stays as it is', () => {
  for (const file of ['name;destination_url\nx;y\n', '\ufeffDestination URL\ny\n'])
    assert.deepEqual(csvOf(file), { csv: file, lineOffset: 0 })
})
