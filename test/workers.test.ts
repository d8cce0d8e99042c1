// Several processes that answer requests (WORKERS): whichever is asked knows what the others have done, any
// of them may be killed, and none is left when the first one ends.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounds } from './support/long.ts'
import { CHROME } from './support/server.ts'
import { createServiceProperty, type Service, type ServiceProperty, startService } from './support/service.ts'
import { eventually } from './support/site.ts'
import { untilEqual } from './support/until.ts'
import { asAdmin, isRunning, type Line, openLine, openLines, processesOf, workersOf } from './support/worker-lines.ts'

/** Where processes are files. */
const skip = process.platform === 'linux' ? false : 'there is no /proc'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'footfall-workers-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const pageHeaders = ({ key }: ServiceProperty, path: string, address: string): Record<string, string> => ({
  'user-agent': CHROME,
  'x-svc-id': key,
  'x-svc-lib': '1.1.0',
  'x-svc-page': encodeURIComponent(`https://example.com${path}`),
  'x-forwarded-for': address,
})

const load = (line: Line, property: ServiceProperty, path: string, address = '203.0.113.7') =>
  line.call('/v2/signal/load', { headers: pageHeaders(property, path, address) })

const asProgram = ({ token }: ServiceProperty) => ({ authorization: `Bearer ${token}` })

async function countViews(line: Line, property: ServiceProperty): Promise<number> {
  const body = { period: 'last_7' }
  const path = '/v2/property/signals/analytics/metrics'
  const { json } = await line.call(path, { method: 'POST', headers: asProgram(property), body })
  return json.analytics.period_metrics.summary.views.current
}

/** A minute of the limit must not end in between. */
async function withinAMinute<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const minute = Math.floor(Date.now() / 60_000)
    const result = await work()
    if (Math.floor(Date.now() / 60_000) === minute) return result
  }
}

const LIMIT = 40

test('whichever worker is asked knows what the others have done', { skip }, async (t) => {
  const service = await startService(t, folder(t), { WORKERS: '3', PUBLIC_RATE_LIMIT: `${LIMIT}` })
  const property = await createServiceProperty(service)
  const lines = await openLines(t, service, 3)
  const [one, two, three] = lines as [Line, Line, Line]

  await t.test('a question sees every view that any of them has acknowledged', async () => {
    for (let count = 1; count <= 12; count++) {
      const { json } = await load(lines[count % 3]!, property, `/${count}`, `198.51.100.${count}`)
      assert.equal(json.success, true)
      assert.equal(await countViews(lines[(count + 1) % 3]!, property), count)
    }
  })

  await t.test('an event finds the session that another one has stored, however short ago', async () => {
    for (let visitor = 1; visitor <= 6; visitor++) {
      const address = `198.51.101.${visitor}`
      await load(one, property, '/', address)
      const { json } = await two.call('/v2/signal/resolve', {
        method: 'POST',
        headers: pageHeaders(property, '/', address),
      })
      assert.equal(json.success, true)
    }
  })

  await t.test('the rate limit counts for all of them', async () => {
    let visitor = 0
    const statuses = await withinAMinute(async () => {
      const address = `198.51.102.${++visitor}`
      const calls = Array.from({ length: LIMIT * 2 }, (_, call) => load(lines[call % 3]!, property, '/', address))
      return (await Promise.all(calls)).map(({ status }) => status)
    })
    assert.equal(statuses.filter((status) => status === 200).length, LIMIT)
    assert.equal(statuses.filter((status) => status === 429).length, LIMIT)
  })

  await t.test('a link that is created and changed is known to all', async () => {
    const post = async (path: string, body: object) =>
      (await one.call(`/v2/property/${path}`, { method: 'POST', headers: asProgram(property), body })).json.data
    const { group } = await post('link-groups', { name: 'Workers' })
    const wanted = { group_id: group.id, domain: 'link-a', destination_url: 'https://example.com/first' }
    const { link } = await post('links', wanted)
    const leadsTo = async (line: Line) => (await line.call(`/a/${link.code}`)).headers.location
    for (const line of lines) await untilEqual(() => leadsTo(line), 'https://example.com/first')
    await post(`links/${link.id}`, { destination_url: 'https://example.com/second' })
    for (const line of lines) await untilEqual(() => leadsTo(line), 'https://example.com/second')
  })

  await t.test('a token that is revoked is refused by all', async () => {
    const tokens = `/manage/properties/${property.id}/tokens`
    const body = { name: 'short', scopes: ['signals:read'] }
    const { json } = await one.call(tokens, { method: 'POST', headers: asAdmin, body })
    const { token, access_token } = json.data
    const ask = async (line: Line) => {
      const headers = { authorization: `Bearer ${access_token}` }
      const path = '/v2/property/signals/analytics/live'
      return (await line.call(path, { method: 'POST', headers, body: { metric: 'sessions' } })).status
    }
    for (const line of lines) assert.equal(await ask(line), 200)
    await two.call(`${tokens}/${token.id}`, { method: 'DELETE', headers: asAdmin })
    for (const line of lines) await untilEqual(() => ask(line), 401)
  })

  await t.test('an export that is asked of one is shown and handed out by all', async () => {
    const path = `/manage/properties/${property.id}/exports`
    const begun = await two.call(path, { method: 'POST', headers: asAdmin, body: { kind: 'sessions' } })
    assert.equal(begun.status, 200, begun.text)
    const { id } = begun.json.data.export
    await untilEqual(
      async () => (await three.call(`${path}/${id}`, { headers: asAdmin })).json.data.export.state,
      'done',
    )
    const files = await Promise.all(lines.map((line) => line.call(`${path}/${id}/file`, { headers: asAdmin })))
    assert.match(files[0]!.text, /^session_id,/)
    assert.deepEqual(new Set(files.map((file) => file.text)).size, 1)
    assert.equal((await one.call(path, { headers: asAdmin })).json.data.data.length, 1)
    assert.equal((await three.call(`${path}/${id}`, { method: 'DELETE', headers: asAdmin })).status, 200)
    assert.equal((await two.call(`${path}/${id}`, { headers: asAdmin })).status, 404)
  })

  await t.test('each is ready, and any of them has the metrics of all', async () => {
    for (const line of lines) {
      assert.equal((await line.call('/readyz')).status, 200)
      const { text } = await line.call('/metrics', { headers: asAdmin })
      const workers = [...text.matchAll(/^footfall_facts_inserts_total\{worker="(\d)"\} \d+$/gm)].map(
        ([, name]) => name,
      )
      assert.deepEqual(new Set(workers), new Set(['1', '2', '3']))
    }
  })
})

interface Visits {
  acknowledged: number
  /** Nobody was told whether these are stored. */
  unknown: number
}

/** Page views of one visitor, one after the other, each on a connection of its own. */
async function visitOn(service: Service, property: ServiceProperty, visitor: number, signal: AbortSignal) {
  const visits: Visits = { acknowledged: 0, unknown: 0 }
  for (let view = 0; !signal.aborted; view++) {
    const headers = { ...pageHeaders(property, `/${visitor}/${view}`, `203.0.113.${visitor}`), connection: 'close' }
    const answer = await fetch(`${service.url}/v2/signal/load`, { headers }).then(
      (reply) => reply.json() as Promise<{ success: boolean }>,
      () => undefined,
    )
    if (answer?.success) visits.acknowledged++
    else visits.unknown++
    await sleep(PAUSE_MS)
  }
  return visits
}

const ROUNDS = rounds(3, 30)
const VISITORS = 4
/** Of a visitor, between two views. */
const PAUSE_MS = 5
/** The blow falls at a random moment of so long. */
const MORE_MS = 400

const sumOf = (all: readonly Visits[], which: keyof Visits): number => all.reduce((sum, one) => sum + one[which], 0)

test(
  `workers that are killed ${ROUNDS} times lose nothing and double nothing, and the others go on`,
  { skip },
  async (t) => {
    const service = await startService(t, folder(t), { WORKERS: '2' })
    const property = await createServiceProperty(service)
    await eventually(
      async () => workersOf(service).length,
      (count) => count === 2,
    )
    const over = new AbortController()
    const visiting = Array.from({ length: VISITORS }, (_, visitor) =>
      visitOn(service, property, visitor + 1, over.signal),
    )
    for (let round = 0; round < ROUNDS; round++) {
      const lines = await openLines(t, service, 2)
      await sleep(randomInt(MORE_MS))
      const victim = workersOf(service)[round % 2]!
      process.kill(victim, 'SIGKILL')
      await untilEqual(() => isRunning(victim), false)
      // One of the lines is cut; whoever has the other one has noticed nothing.
      const answers = await Promise.allSettled(lines.map((line) => line.call('/healthz')))
      assert.ok(answers.some(({ status }) => status === 'fulfilled'))
      await eventually(
        async () => workersOf(service).length,
        (count) => count === 2,
      )
    }
    const lines = await openLines(t, service, 2)
    over.abort()
    const visits = await Promise.all(visiting)
    const [acknowledged, unknown] = [sumOf(visits, 'acknowledged'), sumOf(visits, 'unknown')]
    for (const line of lines) {
      const views = await countViews(line, property)
      assert.ok(views >= acknowledged, `${views} of ${acknowledged}`)
      assert.ok(views <= acknowledged + unknown, `${views} of ${acknowledged} and ${unknown}`)
    }
    assert.ok(acknowledged > 100, `${acknowledged}`)
    assert.match(service.output(), /a worker ended, and is started again/)
  },
)

/** A request of which the body has begun. */
async function beginRequest(service: Service, property: ServiceProperty) {
  const body = JSON.stringify({ site_id: property.key, event: 'x' })
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (text) => (answer += text))
  const ended = once(socket, 'close')
  const head = ['POST /v2/signal/none/event HTTP/1.1', 'Host: x', 'Content-Type: text/plain', 'Expect: 100-continue']
  socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.write(body.slice(0, 5))
  return async () => {
    socket.write(body.slice(5))
    await ended
    return answer
  }
}

/** Nobody takes a connection any more. */
async function untilClosed({ url }: Service): Promise<void> {
  await untilEqual(async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, false)
}

test('a stop ends what is under way in each of them, and leaves no process', { skip }, async (t) => {
  const dataDir = folder(t)
  const service = await startService(t, dataDir, { WORKERS: '2' })
  const property = await createServiceProperty(service)
  const lines = await openLines(t, service, 2)
  const processes = processesOf(service)
  assert.equal(processes.length, 3, 'two workers and the engine')
  const open = await Promise.all(Array.from({ length: 12 }, () => beginRequest(service, property)))
  for (const line of lines) await load(line, property, '/')
  const stopped = service.end('SIGTERM')
  await untilClosed(service)
  for (const answer of await Promise.all(open.map((end) => end()))) {
    assert.match(answer, /HTTP\/1\.1 200 /)
    assert.match(answer, /Session not found/)
  }
  await stopped
  assert.deepEqual(processes.filter(isRunning), [])
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => /^facts-log|^\.workers/.test(name)),
    [],
    'everything is inserted',
  )
})

test(
  'when the first process is killed no other is left, and the next start has what was in every log',
  { skip },
  async (t) => {
    const dataDir = folder(t)
    const first = await startService(t, dataDir, { WORKERS: '3' })
    const property = await createServiceProperty(first)
    const lines = await openLines(t, first, 3)
    const processes = processesOf(first)
    for (const [index, line] of lines.entries()) {
      const { json } = await load(line, property, `/${index}`)
      assert.equal(json.success, true)
    }
    // At once, so that rows of each are still in its log.
    await first.end('SIGKILL')
    await untilEqual(() => processes.filter(isRunning), [])
    const others = ['facts-log-2.sqlite', 'facts-log-3.sqlite'].map((name) => join(dataDir, name))
    assert.ok(others.some((file) => existsSync(file)))

    const second = await startService(t, dataDir, { WORKERS: '1' })
    const line = openLine(t, second)
    assert.equal(await countViews(line, property), 3)
    assert.deepEqual(
      others.filter((file) => existsSync(file)),
      [],
    )
  },
)
