// A connection to the engine that breaks off, as one does now and then.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '../../config.ts'
import { openDatabase } from '../../../test/support/engine.ts'
import { Nodes, parseNode } from './nodes.ts'

const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Between the service and its engine. @returns what says how many of the next requests are broken off. */
async function openBetween(url: string) {
  const { hostname, port } = new URL(url)
  let left = 0
  const between = createServer((socket) => {
    const engine = connect(Number(port), hostname)
    for (const end of [socket, engine]) end.on('error', () => undefined)
    engine.on('data', (bytes) => socket.write(bytes)).on('close', () => socket.destroy())
    socket.on('close', () => engine.destroy())
    socket.on('data', (bytes) => {
      if (left > 0 && left--) socket.resetAndDestroy()
      else engine.write(bytes)
    })
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  ends.push(() => between.close())
  return {
    url: Object.assign(new URL(url), { port: String((between.address() as AddressInfo).port) }).href,
    breakOff: (requests: number) => void (left = requests),
  }
}

test('a question whose connection breaks off is asked once more, an insert is not', async () => {
  const database = await openDatabase(readConfig({}))
  const between = await openBetween(database.url)
  const nodes = new Nodes([parseNode(between.url)], {})
  ends.push(() => nodes.close())
  const ask = (lane: 'question' | 'write') =>
    nodes.onAny(lane, async (client) => {
      const result = await client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })
      return result.json()
    })
  assert.deepEqual(await ask('question'), [{ one: 1 }])
  between.breakOff(1)
  assert.deepEqual(await ask('question'), [{ one: 1 }])
  between.breakOff(2)
  await assert.rejects(ask('question'), { code: 'ECONNRESET' })
  between.breakOff(1)
  await assert.rejects(ask('write'), { code: 'ECONNRESET' })
})
