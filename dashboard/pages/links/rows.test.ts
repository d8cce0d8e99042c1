// What is pasted becomes a file, whatever it holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf, rowsIn } from './rows.ts'

test('lines become rows of one column in their places, one line below', () => {
  assert.deepEqual(csvOf(' a.example/?x=1,2 \r\n\nhttp:"odd"'), {
    csv: 'destination_url\n"https://a.example/?x=1,2"\n\n"http:""odd"""\n',
    lineOffset: -1,
  })
  assert.deepEqual(csvOf(' \n'), { csv: ' \n', lineOffset: 0 })
})

test('a file with a header stays as it is', () => {
  for (const file of ['name;destination_url\nx;y\n', '\ufeffDestination URL\ny\n'])
    assert.deepEqual(csvOf(file), { csv: file, lineOffset: 0 })
})

test('an address with the name of the column in it is no header', () => {
  for (const address of [
    'https://shop.example/login?destination_url=/home',
    'https://shop.example/destination_url',
    'https://shop.example/?a=1,2;destination_url=3',
    'https://shop.example/?x="destination_url"',
  ]) {
    const { csv, lineOffset } = csvOf(`${address}\nhttps://b.example/\n`)
    assert.equal(lineOffset, -1, address)
    assert.equal(csv.split('\n', 1)[0], 'destination_url')
  }
})

test('the name of the column is known as the service knows it: in any case, quoted, with hyphens or blanks', () => {
  for (const header of [
    'DESTINATION-URL',
    'name, destination url ,group',
    '"destination_url";"name"',
    'a\t"Destination_Url"',
  ])
    assert.deepEqual(csvOf(`${header}\nx\n`), { csv: `${header}\nx\n`, lineOffset: 0 }, header)
})

test('the rows of a file are counted without its header, and those of JSON are not', () => {
  assert.equal(rowsIn('a,b\n1,"2\n2"\n\n3,4\n'), 2)
  assert.equal(rowsIn(''), 0)
  assert.equal(rowsIn(' [{"url":"x"}]'), undefined)
})
