// The room for files, on either store of the records, when two nodes take in files at the same moment.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { type Home, openHomes, openMigrated, openNode, testOnEach } from '../../test/support/records.ts'
import { readConfig } from '../config.ts'
import type { FileRule } from '../forms/form-model.ts'
import { Problem } from '../kernel/problem.ts'
import { createProperty } from '../properties/properties.ts'
import type { Records } from '../stores/records.ts'
import { sumBytes } from './records.ts'
import { openUploads } from './storage.ts'
import { receiveFile } from './uploads.ts'

const { homes } = await openHomes()
const MB = 1024 * 1024
const LARGE = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MB - 9)])
const rule: FileRule = { max_bytes: MB, max_count: 5, types: ['application/pdf'] }

async function openNodes(t: TestContext, home: Home, roomMb: number) {
  const { records, options } = await openMigrated(t, home)
  const config = readConfig({ DATA_DIR: options.dataDir, UPLOADS_MB: String(roomMb) })
  const given = { config, now: () => Date.UTC(2026, 10, 18, 12), randomBytes, log: pino({ level: 'silent' }) }
  const nodeOn = (handle: Records) => ({ ...given, records: handle, uploads: openUploads(config) })
  const nodes = [nodeOn(records), nodeOn(await openNode(t, options))] as const
  const draft = { name: 'Site', domains: [], default_period: null, plan: 'paid' } as const
  /** @returns why each was refused, '' for those that were taken. */
  const send = (count: number, target: (at: number) => { propertyId: string; addressMac: string }) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const file = { name: 'a.pdf', content: Readable.from([LARGE]) }
        const to = { ...target(at), sessionHash: 'session', field: 'cv', rule }
        try {
          const upload = await receiveFile(nodes[at % 2]!, to, file)
          return typeof upload === 'string' ? upload : ''
        } catch (error) {
          return error instanceof Problem ? error.kind : String(error)
        }
      }),
    )
  const addProperty = async () => (await createProperty(nodes[0], { ...draft, domains: [] })).id
  return { send, addProperty, records }
}

const count = (words: readonly string[], word: string) => words.filter((one) => one === word).length

testOnEach(homes, 'files of one moment fill the room of a property, and no more', async (t, home) => {
  const { send, addProperty, records } = await openNodes(t, home, 4)
  const propertyId = await addProperty()
  const replies = await send(20, (at) => ({ propertyId, addressMac: `address ${at}` }))
  assert.deepEqual([count(replies, ''), count(replies, 'no_room')], [4, 16], replies.join())
  assert.equal(await sumBytes(records, propertyId), 4 * MB)
})

testOnEach(homes, 'an address sends no more at one moment to several properties', async (t, home) => {
  const { send, addProperty } = await openNodes(t, home, 1000)
  const properties = [await addProperty(), await addProperty()]
  const target = (at: number) => ({ propertyId: properties[at % 2]!, addressMac: 'address' })
  // Some at a time: a hundred at once may wait for a connection longer than they are given.
  for (let sent = 0; sent < 90; sent += 10) assert.equal(count(await send(10, target), ''), 10)
  const replies = await send(20, target)
  assert.deepEqual([count(replies, ''), count(replies, 'rate_limited')], [10, 10], replies.join())
})
