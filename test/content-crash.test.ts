// The whole service, killed while pages tell of their content: what was acknowledged is there afterwards,
// once; and neither its log nor the files of the facts name anybody.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounds } from './support/long.ts'
import { type Ids, type Node, renderIds, track } from './support/content-calls.ts'
import { ADMIN_TOKEN } from './support/server.ts'
import { callService, createServiceProperty, startService, type Service } from './support/service.ts'
import { openLeftFacts } from './support/stores.ts'

const ROUNDS = rounds(1, 20)
/** Pages that tell one thing after the other. */
const PAGES = 8
/** Answered in a round before the blow falls, at a random moment of the next MORE_MS. */
const ENOUGH = PAGES * 2
const MORE_MS = 200

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-content-crash-'))
const closers: (() => Promise<void>)[] = []

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => startService({ after: (close) => closers.push(close) }, dataDir, { LOG_LEVEL: 'debug' })

const nodeOf = (service: Service): Node => ({
  call: (method, path, { headers, body } = {}) =>
    callService(service, { key: '', token: null }, method, path, body, { ...headers }),
})

/** @returns the key of a block with one version. */
async function createBlock(service: Service): Promise<string> {
  const { id } = await createServiceProperty(service)
  const admin = { key: '', token: ADMIN_TOKEN }
  const post = async (path: string, body: unknown) => {
    const { status, json, text } = await callService(service, admin, 'POST', path, body)
    assert.equal(status, 200, text)
    return json.data
  }
  const { content } = await post(`/manage/properties/${id}/content`, { name: 'Banner' })
  await post(`/manage/properties/${id}/content/${content.id}/versions`, { label: 'A', html: '<p>A</p>' })
  return content.key
}

/** Clicks of one page, each of its own, until the service is gone. */
async function tellOn(service: Service, ids: Ids, told: Set<string>): Promise<void> {
  for (let n = 0; ; n++) {
    const from = { address: `198.51.100.${n % 200}`, agent: `marker-agent/${n}`, headers: { cookie: 'marker-cookie' } }
    try {
      const { status, json, text } = await track(nodeOf(service), { ...ids, action: 'click', cta_key: 'buy' }, from)
      assert.equal(status, 200, text)
      told.add(json.interaction_id)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // it is gone, in the middle of this request
    }
  }
}

async function storedIds(): Promise<string[]> {
  const facts = await openLeftFacts(dataDir)
  const rows = await facts.query<{ id: string }>('crash', 'SELECT toString(id) AS id FROM impressions FINAL')
  await facts.close()
  return rows.map(({ id }) => id)
}

test(`every interaction that was acknowledged survives kill -9, ${ROUNDS} times, and none is there twice`, async () => {
  const told = new Set<string>()
  let log = ''
  let service = await start()
  const key = await createBlock(service)
  // Given out before the first end, and good after the last one.
  const ids = await renderIds(nodeOf(service), key)
  for (let round = 0; round < ROUNDS; round++) {
    const pages = Array.from({ length: PAGES }, () => tellOn(service, ids, told))
    const before = told.size
    while (told.size < before + ENOUGH) await sleep(5)
    await sleep(randomInt(MORE_MS))
    await service.end('SIGKILL')
    await Promise.all(pages)
    log += service.output()
    service = await start()
  }
  await service.end('SIGTERM')
  log += service.output()
  const stored = await storedIds()
  assert.deepEqual(
    [...told].filter((id) => !stored.includes(id)),
    [],
    'acknowledged and lost',
  )
  assert.equal(new Set(stored).size, stored.length, 'an interaction is there twice')
  assert.match(log, /"route":"\/v2\/content\/track"/)
  assert.doesNotMatch(log, /marker-|198\.51\.100/)
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const held = files.filter((file) =>
    /marker-|198\.51\.100/.test(readFileSync(join(file.parentPath, file.name), 'latin1')),
  )
  assert.deepEqual(
    held.map((file) => file.name),
    [],
  )
})
