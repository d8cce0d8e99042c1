// The whole service, killed while short links are followed: a click that was stored before its answer is
// there afterwards, once. And what it wrote on the way, in its log and in the files of the facts, names
// nobody.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEADLINE_MS } from '../server/clicks/click-recorder.ts'
import { rounds } from './support/long.ts'
import { CHROME } from './support/server.ts'
import {
  callService,
  createServiceProperty,
  startService,
  type Service,
  type ServiceProperty,
} from './support/service.ts'
import { openLeftFacts } from './support/stores.ts'
import { visit } from './support/visits.ts'

const ROUNDS = rounds(1, 20)
/** Visitors who follow one link after the other. */
const VISITORS = 8
/** Answered in a round before the blow falls, at a random moment of the next MORE_MS. */
const ENOUGH = VISITORS
const MORE_MS = 200

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-links-crash-'))
const closers: (() => Promise<void>)[] = []

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => startService({ after: (close) => closers.push(close) }, dataDir, { LOG_LEVEL: 'debug' })

async function createLink(service: Service, property: ServiceProperty): Promise<string> {
  const made = await callService(service, property, 'POST', '/v2/property/link-groups', { name: 'Crash' })
  const body = { group_id: made.json.data.group.id, domain: 'link-a', destination_url: 'https://example.com/' }
  return (await callService(service, property, 'POST', '/v2/property/links', body)).json.data.link.code
}

interface Sent {
  readonly all: Set<string>
  /** Answered so soon that the click was stored: at the deadline the visitor is sent on without. */
  readonly stored: Set<string>
  answers: number
}

/** Each click with a referrer of its own, until the service is gone. */
async function followOn(service: Service, code: string, visitor: string, sent: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const referer = `https://news.example/${visitor}/${n}`
    sent.all.add(referer)
    const begun = performance.now()
    try {
      const options = {
        address: `198.51.100.${n % 200}`,
        agent: `${CHROME} marker-agent`,
        headers: { referer, cookie: 'marker-cookie' },
      }
      const { status } = await visit(service.url, `/a/${code}?marker-query`, options)
      assert.equal(status, 302)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // it is gone, in the middle of this request
    }
    sent.answers++
    if (performance.now() - begun < DEADLINE_MS) sent.stored.add(referer)
  }
}

async function countedAs(service: Service, result: string): Promise<number> {
  const { text } = await callService(service, { key: '', token: null }, 'GET', '/metrics')
  return Number(new RegExp(`footfall_clicks_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1])
}

async function readClicks(): Promise<{ referrer_url: string }[]> {
  const facts = await openLeftFacts(dataDir)
  const rows = await facts.query<{ referrer_url: string }>('crash', 'SELECT referrer_url FROM clicks FINAL')
  await facts.close()
  return rows
}

test(`every click that was stored before its answer survives kill -9, ${ROUNDS} times, and none is there twice`, async () => {
  const sent: Sent = { all: new Set(), stored: new Set(), answers: 0 }
  let counted = 0
  let log = ''
  let service = await start()
  const property = await createServiceProperty(service)
  const code = await createLink(service, property)
  for (let round = 0; round < ROUNDS; round++) {
    const visitors = Array.from({ length: VISITORS }, (_, i) => followOn(service, code, `r${round}v${i}`, sent))
    const before = sent.answers
    while (sent.answers < before + ENOUGH) await sleep(5)
    assert.equal(await countedAs(service, 'lost'), 0)
    counted += await countedAs(service, 'stored')
    await sleep(randomInt(MORE_MS))
    await service.end('SIGKILL')
    await Promise.all(visitors)
    log += service.output()
    service = await start()
  }

  await service.end('SIGTERM')
  log += service.output()
  const rows = await readClicks()
  const stored = new Set(rows.map((row) => row.referrer_url))
  assert.deepEqual(
    [...sent.stored].filter((referrer) => !stored.has(referrer)),
    [],
    'acknowledged and lost',
  )
  assert.ok(rows.length >= counted, `${counted} counted as stored, ${rows.length} there`)
  assert.equal(stored.size, rows.length, 'a click is there twice')
  assert.deepEqual(
    [...stored].filter((referrer) => !sent.all.has(referrer)),
    [],
    'stored and never sent',
  )
  // The log tells of each answer, and of nobody.
  assert.match(log, /"route":"\/a\/\*"/)
  const personal = /marker-|198\.51\.100|news\.example/
  assert.doesNotMatch(log, personal)
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const held = files.filter((file) =>
    /marker-|198\.51\.100/.test(readFileSync(join(file.parentPath, file.name), 'latin1')),
  )
  assert.deepEqual(
    held.map((file) => file.name),
    [],
  )
})
