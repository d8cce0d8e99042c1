// What is pasted becomes a file, whatever it holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './rows.ts'

test('lines become rows of one column, blank ones none', () => {
  assert.equal(
    csvOf(' https://a.example/?x=1,2 \r\n\n"odd"\n'),
    'destination_url\n"https://a.example/?x=1,2"\n"""odd"""\n',
  )
  assert.equal(csvOf(' \n'), ' \n')
})

test('a file with a header stays as it is', () => {
  for (const file of ['name;destination_url\nx;y\n', '\ufeffDestination URL\ny\n']) assert.equal(csvOf(file), file)
})
