// Hundreds of thousands of requests that are nearly right, made from /openapi.json, against the whole service
// as a process of its own: no fault, no hang, nothing told of the inside, every refusal as documented, memory
// that settles; and what others had is untouched and still served.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Chance, openChance, seedOfRun } from '../support/chance.ts'
import { flowOver } from '../support/form-flow.ts'
import { type FuzzRequest, fuzzOf, type FuzzWorld, harvest, isTooStrong, oddRequest } from '../support/fuzz-requests.ts'
import { callAsAdmin, openFuzzWorld } from '../support/fuzz-world.ts'
import { strangeText } from '../support/fuzz-values.ts'
import { rounds } from '../support/long.ts'
import { type Operation, operationsOf } from '../support/operations.ts'
import { ADMIN_TOKEN } from '../support/server.ts'
import { callService, createServiceProperty, loadPage, type Service, startService } from '../support/service.ts'

/** LONG_REQUESTS: as many as there is time for. */
const REQUESTS = Number(process.env['LONG_REQUESTS'] ?? rounds(5_000, 300_000))
/** Of those that succeed, so many are enough in a long run, which deletes by and by what it could ask for. */
const ENOUGH = 20_000
const AT_ONCE = 16
/** A request that has no answer by then hangs, however busy the machine is. */
const HANG_MS = 60_000
const LATE = 'no answer in time'
/** Of the requests: addresses that nothing describes, and bytes that are no HTTP. */
const ODD = 0.04
const BROKEN = 0.005
/**
 * Questions over all facts and passwords cost a hundred times what others do: four of five of them are drawn
 * again.
 */
const COSTLY = /overview|lists|analytics|statistics|results|bots|import|session$|invitation\/accept$/
const REDRAWN = 0.8
/** Beyond what was held half-way: engines and heaps come and go by as much. */
const SETTLED_BYTES = 250e6

const seed = seedOfRun()
const chance = openChance(seed)
const dataDir = mkdtempSync(join(tmpdir(), 'footfall-fuzz-'))
const closers: (() => Promise<void>)[] = []
let service: Service
let operations: Operation[]
let patterns: ReadonlySet<string>
let world: FuzzWorld

const admin = { key: '', token: ADMIN_TOKEN }
const asAdmin = (method: string, path: string, body?: unknown) => callAsAdmin(service, method, path, body)

/** Nothing is told of this one to the fuzzer, and it is what others have. */
async function openBystander() {
  const property = await createServiceProperty(service)
  const session = await loadPage(service, property, '192.0.2.1')
  const post = (path: string, body: object) => callService(service, property, 'POST', path, body)
  await post('/v2/property/session/acquisition', { session_id: session, value: 1999, currency_code: 'EUR' })
  await post('/v2/property/contacts/identify', { session_id: session, email: 'by@example.com' })
  const group = (await post('/v2/property/link-groups', { name: 'By' })).json.data.group.id
  await post('/v2/property/links', { group_id: group, destination_url: 'https://example.com/by', domain: 'link-a' })
  await flowOver(service).create(property.id)
  const today = new Date().toISOString().slice(0, 10)
  const window = { period: 'custom', date_from: today, date_to: today }
  const seen = async () => {
    const overview = await asAdmin('POST', `/manage/properties/${property.id}/overview`, window)
    const lists = ['/v2/property/contacts', '/v2/property/links', '/v2/property/link-groups'].map((path) =>
      callService(service, property, 'GET', path).then(({ json }) => json.data),
    )
    const forms = await asAdmin('GET', `/manage/properties/${property.id}/forms`)
    return [overview.json.data.summary, ...(await Promise.all(lists)), forms.json.data]
  }
  return { property, seen }
}

before(async () => {
  service = await startService({ after: (close) => closers.push(close) }, dataDir, {
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  operations = operationsOf(await callService(service, admin, 'GET', '/openapi.json')).filter(
    (one) => !isTooStrong(one),
  )
  patterns = new Set(operations.map(({ pattern }) => pattern))
  world = await openFuzzWorld(service)
})

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** As docs/errors.md names them. */
const errors = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8').matchAll(/^\| ([\d, ]+) \| (\w+) \|/gm),
  ].flatMap(([, statuses = '', code]) => statuses.split(', ').map((status) => `${status} ${code}`)),
)

const INSIDE =
  /\bat .{1,80}\.[cm]?[jt]s:\d+|node_modules|DB::Exception|SQLITE_|FST_ERR|\bSELECT\b.{1,80}\bFROM\b|kysely|\/facts-engine/i
/** What is served as a file or a page of its own, and describes the interface at length. */
const FILES = /^\/(docs|openapi\.json|dashboard|share|\w+\.js|metrics)/

interface Answer {
  readonly status: number
  readonly text: string
}

/** What is wrong with an answer; undefined: nothing. */
function faultOf({ method, path, operation }: FuzzRequest, { status, text }: Answer): string | undefined {
  const isAway = status === 503 && text.includes('"error_code":"unavailable"')
  if (status >= 500 && !isAway) return 'a fault of the program'
  if (!FILES.test(path) && INSIDE.test(text)) return 'tells of the inside'
  if (status < 400 || method === 'HEAD' || operation === undefined || !/^\/(v2|manage)\//.test(path)) return undefined
  const json = parsed(text)
  const hasShape = json?.['code'] === status && json['status'] === 'Error'
  // What cannot be read of a library's own failure has a shape of its own.
  if (path.startsWith('/v2/lib/error') && status === 422) return hasShape ? undefined : 'not the documented shape'
  if (!hasShape || typeof json['message'] !== 'string') return 'not the documented shape'
  return errors.has(`${status} ${String(json['error_code'])}`) ? undefined : 'an error that is not documented'
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Tally {
  readonly statuses: Map<number | string, number>
  readonly faults: string[]
  readonly memory: number[]
  slowestMs: number
}

const agent = new HttpAgent({ keepAlive: true, maxSockets: AT_ONCE })
closers.push(async () => agent.destroy())

const count = ({ statuses }: Tally, what: number | string) => statuses.set(what, (statuses.get(what) ?? 0) + 1)

const isLate = (error: unknown): boolean => error instanceof Error && error.message === LATE

/**
 * @throws Error(LATE) when there is no whole answer in time; what the client refuses to send, and what was
 *   cut off.
 */
function exchange({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(service.url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, hostname, port, method, path, headers: { ...headers, ...length } })
    const timer = setTimeout(() => sent.destroy(new Error(LATE)), HANG_MS)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    sent.on('error', fail).on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('error', fail).on('end', () => {
        clearTimeout(timer)
        resolve({ status: answer.statusCode ?? 0, text })
      })
    })
    sent.end(body)
  })
}

async function send(request: FuzzRequest, tally: Tally): Promise<void> {
  const begun = performance.now()
  try {
    const answer = await exchange(request)
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begun)
    count(tally, answer.status)
    const fault = faultOf(request, answer)
    if (fault) note(tally, `${fault}: ${answer.status} ${answer.text.slice(0, 300)}`, request)
    if (request.operation && answer.status === 200)
      harvest(request.operation, patterns, parsed(answer.text)?.['data'], world)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    count(tally, isLate(error) ? LATE : String(code))
    if (isLate(error) || code === 'ECONNREFUSED') note(tally, `no answer: ${String(error)}`, request)
  }
}

function note({ faults }: Tally, what: string, { method, path, headers, body }: FuzzRequest): void {
  if (faults.length < 50)
    faults.push(`${what}\n  ${method} ${path} ${JSON.stringify(headers).slice(0, 400)} ${body?.slice(0, 600)}`)
}

const brokenRequests: readonly ((random: Chance) => string)[] = [
  () => 'GET / HTTP/1.1\r\n\r\n',
  () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  () => '\u0000\u0001\u0002\r\n\r\n',
  () =>
    'POST /v2/lib/error HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /manage/users HTTP/1.1\r\n\r\n',
  () => 'POST /v2/lib/error HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
  () => 'POST /v2/lib/error HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n{}',
  () => `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(3000)}\r\n`,
  (random) => `GET /${strangeText(random)} HTTP/1.1\r\nHost: ${strangeText(random)}\r\n\r\n`,
  (random) => `${strangeText(random)} / HTTP/1.1\r\nHost: x\r\nX: ${strangeText(random)}\r\n\r\n`,
]

/**
 * Bytes that no client would write. The other side is to answer or to hang up; what it says is read by nobody
 * twice.
 */
async function sendBroken(bytes: string, tally: Tally): Promise<void> {
  const { hostname, port } = new URL(service.url)
  const text = await new Promise<string>((resolve) => {
    let read = ''
    const socket = connect(Number(port), hostname, () => socket.end(bytes))
    const end = (): void => {
      clearTimeout(timer)
      resolve(read)
    }
    const timer = setTimeout(() => {
      tally.faults.push(`${LATE} to ${JSON.stringify(bytes.slice(0, 200))}`)
      socket.destroy()
    }, HANG_MS)
    socket.on('data', (piece) => (read += piece.toString('latin1')))
    socket.on('error', end).on('close', end)
  })
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
  count(tally, status === 0 ? 'hung up' : status)
  if (status >= 500 || INSIDE.test(text))
    tally.faults.push(`${status} to ${JSON.stringify(bytes.slice(0, 200))}: ${text.slice(0, 300)}`)
}

/** Of the process; NaN where it does not say. */
async function memoryBytes(): Promise<number> {
  const { text } = await callService(service, admin, 'GET', '/metrics')
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

function anyOperation(): Operation {
  const drawn = chance.of(operations)
  return COSTLY.test(drawn.pattern) && chance.is(REDRAWN) ? chance.of(operations) : drawn
}

async function fuzz(tally: Tally): Promise<void> {
  let left = REQUESTS
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      if (left % Math.ceil(REQUESTS / 20) === 0) tally.memory.push(await memoryBytes())
      if (chance.is(BROKEN)) await sendBroken(chance.of(brokenRequests)(chance), tally)
      else await send(chance.is(ODD) ? oddRequest(world, chance) : fuzzOf(anyOperation(), world, chance), tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
}

test(`${REQUESTS} requests: no fault, no hang, nothing of the inside, and the rest is as it was`, async () => {
  const { property, seen } = await openBystander()
  const before = await seen()
  const tally: Tally = { statuses: new Map(), faults: [], memory: [], slowestMs: 0 }
  const begun = performance.now()
  await fuzz(tally)
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`fuzz: ${REQUESTS} requests, ${operations.length} operations, ${seconds} s, LONG_SEED=${seed}`)
  console.log(Object.fromEntries([...tally.statuses].toSorted(([, a], [, b]) => b - a)))
  console.log(
    `slowest ${Math.round(tally.slowestMs)} ms; memory in MB: ${tally.memory.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`,
  )

  assert.deepEqual(tally.faults, [], `LONG_SEED=${seed}`)
  assert.deepEqual(await seen(), before, 'another property was read or changed')
  assert.equal((await callService(service, admin, 'GET', '/readyz')).status, 200)
  assert.equal(typeof (await loadPage(service, property, '192.0.2.2')), 'string')
  const { text } = await callService(service, admin, 'GET', '/metrics')
  assert.doesNotMatch(text, /status="50[0-24-9]"/)
  const succeeded = tally.statuses.get(200) ?? 0
  assert.ok(
    succeeded > Math.min(REQUESTS / 5, ENOUGH),
    `only ${succeeded} came through: the requests are too wrong to get far inside`,
  )
  const half = tally.memory.slice(8, 12).toSorted((a, b) => a - b)[2] ?? 0
  const end = tally.memory.slice(-4).toSorted((a, b) => a - b)[1] ?? 0
  assert.ok(end < half * 1.25 + SETTLED_BYTES, `memory grows: ${tally.memory.join()}`)
})
