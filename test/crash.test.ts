// The whole service, killed in the middle of its work: what it acknowledged is there afterwards, and nothing
// twice.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounds } from './support/long.ts'
import { mainFile } from './support/programs.ts'
import { openLeftFacts } from './support/stores.ts'

const ROUNDS = rounds(3, 100)
/** Connections that send one page view after the other. */
const SENDERS = 40
/** Acknowledged in a round before the blow falls, at a random moment of the next MORE_MS. */
const ENOUGH = SENDERS
const MORE_MS = 300
const ADMIN_TOKEN = 'an-administrator-token-for-the-crash-test'
const AGENT = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-crash-'))
let child: ChildProcess | undefined

after(async () => {
  await kill()
  rmSync(dataDir, { recursive: true, force: true })
})

/** @returns its address, once it serves. */
async function start(): Promise<string> {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    WORKERS: '1',
    PUBLIC_RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1',
    GEO_DIR: '/nonexistent',
    LOG_LEVEL: 'silent',
    ADMIN_TOKEN,
  }
  child = spawn(process.execPath, [mainFile], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /serves (http:\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('the service ended before it served')
}

async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function createProperty(url: string): Promise<string> {
  const reply = await fetch(`${url}/manage/properties`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Crash', domains: ['example.com'] }),
  })
  const { data } = (await reply.json()) as { data: { property: { key: string } } }
  return data.property.key
}

interface Sent {
  readonly all: Set<string>
  readonly acknowledged: Set<string>
}

/** One page view after the other, each of a page of its own, until the service is gone. */
async function send(url: string, key: string, visitor: string, sent: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const path = `/${visitor}/${n}`
    sent.all.add(path)
    try {
      const reply = await fetch(`${url}/v2/signal/load`, {
        headers: {
          'x-svc-id': key,
          'x-svc-lib': '1.1.0',
          'x-svc-page': encodeURIComponent(`https://example.com${path}`),
          'x-forwarded-for': `203.0.113.${n % 200}`,
          'user-agent': AGENT,
          'accept-language': 'en',
        },
      })
      const answer = (await reply.json()) as { success?: boolean }
      if (answer.success) sent.acknowledged.add(path)
    } catch {
      return // it is gone, in the middle of this request
    }
  }
}

test(`every acknowledged page view survives kill -9, ${ROUNDS} times, and none is there twice`, async () => {
  const sent: Sent = { all: new Set(), acknowledged: new Set() }
  let key: string | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const url = await start()
    key ??= await createProperty(url)
    const senders = Array.from({ length: SENDERS }, (_, i) => send(url, key!, `r${round}v${i}`, sent))
    const before = sent.acknowledged.size
    while (sent.acknowledged.size < before + ENOUGH) await sleep(5)
    await sleep(randomInt(MORE_MS))
    await kill()
    await Promise.all(senders)
  }

  await start() // mends what the last blow left half done
  await kill()
  const facts = await openLeftFacts(dataDir)
  const rows = await facts.query<{ path: string }>('crash', 'SELECT path FROM views FINAL')
  const folded = await facts.query<{ path: string }>(
    'crash',
    `SELECT path FROM (SELECT session, view, path FROM views FINAL) AS v
     INNER JOIN (SELECT session, seconds FROM sessions FINAL) AS s USING (session) WHERE mapContains(s.seconds, v.view)`,
  )
  await facts.close()

  const stored = new Set(rows.map((row) => row.path))
  assert.ok(sent.acknowledged.size >= ROUNDS * ENOUGH)
  assert.deepEqual(
    [...sent.acknowledged].filter((path) => !stored.has(path)),
    [],
    'acknowledged and lost',
  )
  assert.equal(stored.size, rows.length, 'a page view is there twice')
  assert.deepEqual(
    [...stored].filter((path) => !sent.all.has(path)),
    [],
    'stored and never sent',
  )
  // Also a view that was on its way when the blow fell: if it has its row, it is in its session.
  const inSessions = new Set(folded.map((row) => row.path))
  assert.deepEqual(
    [...stored].filter((path) => !inSessions.has(path)),
    [],
    'stored and missing in its session',
  )
})
