// Names whose servers hang, lie or change their mind: over real name servers on loopback, and through the
// client that sends.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { certificateFor, openEndpoint } from '../../test/support/endpoint.ts'
import { openNameServer, type Answer } from '../../test/support/name-server.ts'
import { openWebhookClient, type WebhookClient } from './client.ts'
import { openLookup, type Lookup, type LookupOptions } from './lookup.ts'
import { NOT_BEGUN } from './reasons.ts'
import { checkUrl } from './url.ts'

const SOON_MS = 300
const certificate = await certificateFor(['hooks.example', 'other.example'])

const isAnswered = (known: Readonly<Record<string, Answer>>) => (name: string) => known[name] ?? 'unknown'
const nobody: Lookup = () => assert.fail('the system is not asked')
const failing = (code: string) => async (): Promise<string[]> => {
  throw Object.assign(new Error('no'), { code })
}

async function openOn(
  t: TestContext,
  known: Readonly<Record<string, Answer>> | ((name: string, family: 'A' | 'AAAA') => Answer),
  options: LookupOptions = {},
): Promise<{ lookup: Lookup; asked: string[] }> {
  const { address, asked } = await openNameServer(t, typeof known === 'function' ? known : isAnswered(known))
  const lookup = openLookup({ servers: [address], hostsFile: '/nonexistent', system: nobody, ...options })
  return { lookup, asked }
}

function clientWith(t: TestContext, lookup: Lookup, allow = ['127.0.0.0/8']): WebhookClient {
  const client = openWebhookClient({ allow, ca: certificate.cert, lookup })
  t.after(() => client.close())
  return client
}

test('a name has the addresses of both families, and a dot at its end changes nothing', async (t) => {
  const { lookup } = await openOn(t, { 'hooks.example': ['8.8.8.8', '1.1.1.1', '2a00:1450::1'] })
  for (const name of ['hooks.example', 'HOOKS.example', 'hooks.example.'])
    assert.deepEqual(await lookup(name), ['8.8.8.8', '1.1.1.1', '2a00:1450::1'])
})

test('names whose servers do not answer hold up nobody else, neither at a call nor at save', async (t) => {
  const known = { 'hooks.example': ['127.0.0.1'], 'public.example': ['8.8.8.8'] } as const
  let others: Answer = 'silence'
  const { lookup } = await openOn(t, (name) => known[name as keyof typeof known] ?? others, { timeoutMs: 60_000 })
  const endpoint = await openEndpoint(t, certificate)
  const options = { allow: ['127.0.0.0/8'], ca: certificate.cert, lookup, deadlineMs: 60_000 }
  const client = openWebhookClient(options)
  t.after(() => client.close())
  let ended = 0
  const dead = Array.from({ length: 40 }, (_, at) =>
    client.post(`https://dead${at}.example/`, '{}', {}).finally(() => (ended += 1)),
  )
  for (let round = 0; round < 3; round += 1) {
    const outcome = await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})
    assert.equal(outcome.status, 200)
    client.close()
  }
  await checkUrl('https://public.example/', { allow: [] }, lookup)
  assert.equal(ended, 0, 'the others were still waiting')
  others = ['10.0.0.1']
  for (const outcome of await Promise.all(dead)) assert.equal(outcome.error, 'refused address')
})

test('without an answer in time a look-up has failed, which is told apart from an unknown name', async (t) => {
  const known = { 'silent.example': 'silence', 'broken.example': 'failure', 'nothing.example': [] } as const
  const unknown = failing('ENOTFOUND')
  const { lookup } = await openOn(t, known, { timeoutMs: SOON_MS, system: unknown })
  await assert.rejects(lookup('silent.example'), { code: 'EAI_AGAIN' })
  await assert.rejects(lookup('broken.example'), { code: 'EAI_AGAIN' })
  for (const name of ['nothing.example', 'gone.example', 'a..b', `${'x'.repeat(70)}.example`])
    await assert.rejects(lookup(name), { code: 'ENOTFOUND' }, name)
})

test('one family is enough when the other gets no answer', async (t) => {
  const { lookup } = await openOn(
    t,
    (name, family) => {
      if (name === 'old.example') return family === 'A' ? ['8.8.8.8'] : 'silence'
      if (name === 'new.example') return family === 'A' ? 'failure' : ['2a00::1']
      return family === 'A' ? [] : 'silence'
    },
    { timeoutMs: SOON_MS },
  )
  assert.deepEqual(await lookup('old.example'), ['8.8.8.8'])
  assert.deepEqual(await lookup('new.example'), ['2a00::1'])
  await assert.rejects(lookup('half.example'), { code: 'EAI_AGAIN' }, 'it may exist')
})

test('the hosts file comes first, as it is now, and is judged like any other answer', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-hosts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  const write = (text: string, atSeconds: number): void => {
    writeFileSync(hostsFile, text)
    utimesSync(hostsFile, atSeconds, atSeconds)
  }
  write(
    '# 9.9.9.9 hooks.example\n127.0.0.1\tlocalhost Hooks.Example # here\n::1 localhost\n127.0.0.1 localhost\n',
    1000,
  )
  const { lookup, asked } = await openOn(
    t,
    { 'hooks.example': ['8.8.8.8'], 'localhost.example': ['8.8.8.8'] },
    { hostsFile },
  )
  assert.deepEqual(await lookup('hooks.example'), ['127.0.0.1'])
  assert.deepEqual(await lookup('hooks.example.'), ['127.0.0.1'])
  assert.deepEqual(await lookup('localhost'), ['127.0.0.1', '::1'])
  assert.deepEqual(asked, [])
  assert.equal((await clientWith(t, lookup, []).post('https://hooks.example/', '{}', {})).error, 'refused address')
  write('127.0.0.2 other.example', 2000)
  assert.deepEqual(await lookup('hooks.example'), ['8.8.8.8'])
  assert.deepEqual(await lookup('other.example'), ['127.0.0.2'])
})

test('the system is asked for what has no dot and for what the name servers do not know, and for nothing else', async (t) => {
  const askedOfSystem: string[] = []
  const system: Lookup = async (name) => {
    askedOfSystem.push(name)
    return ['10.0.0.1']
  }
  const known = { 'silent.example': 'silence', 'broken.example': 'failure', 'hooks.example': ['8.8.8.8'] } as const
  const { lookup, asked } = await openOn(t, known, { system, timeoutMs: SOON_MS })
  assert.deepEqual(await lookup('intranet'), ['10.0.0.1'])
  assert.deepEqual(asked, [])
  assert.deepEqual(await lookup('hooks.team'), ['10.0.0.1'])
  assert.deepEqual(await lookup('hooks.example'), ['8.8.8.8'])
  await assert.rejects(lookup('silent.example'), { code: 'EAI_AGAIN' })
  await assert.rejects(lookup('broken.example'), { code: 'EAI_AGAIN' })
  assert.deepEqual(askedOfSystem, ['intranet', 'hooks.team'])
  const alone = openLookup({ servers: ['127.0.0.1:1'], hostsFile: '/nonexistent', system })
  assert.deepEqual(await alone('hooks.example'), ['10.0.0.1'], 'there is no name server')
})

test('the system is asked for one name at a time; who does not get a turn was not refused by the endpoint', async (t) => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const system: Lookup = (name) => {
    begun.push(name)
    return new Promise((resolve) => ends.push(() => resolve(['127.0.0.1'])))
  }
  const { lookup } = await openOn(t, {}, { system, timeoutMs: SOON_MS, turnMs: SOON_MS })
  await assert.rejects(lookup('hangs'), { code: 'EAI_AGAIN' })
  const outcomes = await Promise.all(
    ['waits', 'waits.too'].map((name) => clientWith(t, lookup).post(`https://${name}/`, '{}', {})),
  )
  for (const outcome of outcomes) assert.deepEqual([outcome.status, outcome.error], [null, NOT_BEGUN])
  await checkUrl('https://waits/', { allow: [] }, lookup)
  assert.deepEqual(begun, ['hangs'], 'it still has its thread')
  ends[0]?.()
  const next = lookup('next')
  while (ends.length < 2) await new Promise(setImmediate)
  ends[1]?.()
  assert.deepEqual(await next, ['127.0.0.1'])
})

test('those who ask for one name at the same time ask once; later ones ask anew', async (t) => {
  const { lookup, asked } = await openOn(t, { 'hooks.example': ['8.8.8.8'] })
  await Promise.all(Array.from({ length: 20 }, () => lookup('hooks.example')))
  assert.deepEqual(asked.toSorted(), ['A hooks.example', 'AAAA hooks.example'])
  await lookup('hooks.example')
  assert.equal(asked.length, 4)
  const failed = openLookup({ hostsFile: '/nonexistent', system: failing('EAI_AGAIN') })
  await Promise.all([1, 2, 3].map(() => assert.rejects(failed('intranet'), { code: 'EAI_AGAIN' })))
})

test('answers that change or are mixed lead to no refused address', async (t) => {
  const endpoint = await openEndpoint(t, certificate, (response) => {
    response.setHeader('connection', 'close')
    response.end('ok')
  })
  let answer: readonly string[] = []
  const { lookup } = await openOn(t, () => answer)
  const client = clientWith(t, lookup)
  const ask = async (addresses: readonly string[]): Promise<string | null> => {
    answer = addresses
    return (await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})).error
  }
  assert.equal(await ask(['127.0.0.1']), null)
  for (const bad of ['10.0.0.1', '169.254.169.254', '::1', '::ffff:7f00:1', 'fe80::1', '64:ff9b::a9fe:a9fe', '0.0.0.0'])
    for (const addresses of [[bad], ['127.0.0.1', bad], [bad, '127.0.0.1'], ['2a00::1', bad]])
      assert.equal(await ask(addresses), 'refused address', addresses.join(' '))
  assert.equal(await ask(['127.0.0.9', '127.0.0.1']), null)
  assert.equal(endpoint.received.length, 2)
})
