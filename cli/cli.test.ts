// The command line as a shell sees it: what it prints where, its exit codes, and that it gets along with a
// running server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { ask, type Environment, run, runAll, start, tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { openRecords } from '../server/stores/records.ts'
import { startFootfall } from '../test/support/server.ts'
import { newStores } from '../test/support/stores.ts'
import { untilEqual } from '../test/support/until.ts'

const blankProperty = {
  name: 'Many',
  domains: '[]',
  default_period: null,
  plan: 'paid',
  proxy_key_hash: null,
  created_ts: 1,
} as const

const until = (condition: () => Promise<boolean> | boolean) => untilEqual(condition, true)

const footfall = await startFootfall({ after }, { env: { TRUST_PROXY: '' }, ownsFacts: true })
const beside: Environment = { DATA_DIR: footfall.context.config.dataDir }

test('a property and a token are made before the first start of a server', async (t) => {
  const env = { DATA_DIR: newDataDir(t) }
  const { property } = await ask(
    [
      'property',
      'create',
      '--name',
      'Site',
      '--domain',
      'A.example:8443',
      '--domain',
      'b.example',
      '--period',
      'today',
    ],
    env,
  )
  assert.deepEqual(
    [property.name, property.domains, property.default_period],
    ['Site', ['a.example', 'b.example'], 'today'],
  )
  assert.deepEqual((await ask(['property', 'list'], env)).properties, [property])

  const made = await ask(['token', 'create', '--scope', 'contacts:read'], env)
  assert.match(made.access_token, /^fft_/)
  assert.deepEqual([made.token.property_id, made.token.scopes], [property.id, ['contacts:read']])
  assert.deepEqual((await ask(['token', 'list', '--property', property.id], env)).tokens, [made.token])

  const people = await tell(['property', 'list'], env)
  assert.match(people.out, /ID +KEY +NAME +DOMAINS\npr_\w+ +ff_\w+ +Site +a\.example, b\.example\n/)
})

test('a running server takes a new token at once and refuses it soon after it is revoked', async () => {
  const made = await ask(['token', 'create', '--property', footfall.property.id], beside)
  const status = async () =>
    (await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body: {}, token: made.access_token }))
      .status
  assert.equal(await status(), 200)
  assert.deepEqual(await ask(['token', 'revoke', made.token.id], beside), { revoked: made.token.id })
  await until(async () => (await status()) === 401)
  const again = await tell(['token', 'revoke', made.token.id], beside)
  assert.deepEqual(again, { code: 1, out: '', err: 'footfall: Token not found.\n' })
})

test('lists of properties and tokens are whole, however long', async (t) => {
  const dataDir = newDataDir(t)
  const { property } = await ask(['property', 'create', '--name', 'First'], { DATA_DIR: dataDir })
  const records = await openRecords({ databaseUrl: null, dataDir })
  const many = Array.from({ length: 1001 }, (_, n) => String(n))
  await records
    .insertInto('properties')
    .values(many.map((n) => ({ ...blankProperty, id: `pr_${n}`, key: `ff_${n}` })))
    .execute()
  await records
    .insertInto('tokens')
    .values(
      many.map((n) => ({ id: `tk_${n}`, property_id: property.id, name: n, hash: n, scopes: '[]', created_ts: 1 })),
    )
    .execute()
  await records.destroy()
  const ids = (rows: { id: string }[]) => new Set(rows.map((row) => row.id))
  const { properties, total } = await ask(['property', 'list'], { DATA_DIR: dataDir })
  assert.deepEqual(ids(properties), new Set([property.id, ...many.map((n) => `pr_${n}`)]))
  assert.deepEqual([properties.length, total], [1002, 1002])
  const listed = await ask(['token', 'list', '--property', property.id], { DATA_DIR: dataDir })
  assert.deepEqual(ids(listed.tokens), new Set(many.map((n) => `tk_${n}`)))
  assert.deepEqual([listed.tokens.length, listed.total], [1001, 1001])
})

test('migrate says why it cannot while a server holds the facts, and touches nothing', async () => {
  const { code, out, err } = await tell(['migrate'], beside)
  assert.equal(code, 1)
  assert.equal(out, '')
  assert.match(err, /^footfall: The facts store in .* cannot be opened\. Is another process using it\?\n$/m)
})

test('migrate makes both stores, and the second time finds nothing to do', async (t) => {
  const env = { DATA_DIR: newDataDir(t) }
  const args = ['migrate', '--json']
  const ends = await runAll([
    { args, env },
    { args, env },
  ])
  assert.deepEqual(
    ends.map(({ code, err }) => [code, err]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  const [first, second] = ends.map(({ out }) => JSON.parse(out))
  assert.ok(first.records.length > 0)
  assert.deepEqual(second, { records: [] })
})

test('serve serves until SIGTERM, and ends well', async (t) => {
  const server = start(['serve'], { DATA_DIR: newDataDir(t), PORT: '0', WORKERS: '1', GEO_DIR: '/nonexistent' })
  t.after(() => server.child.kill('SIGKILL'))
  let url: string | undefined
  await until(() => (url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.said.out)?.[0]) !== undefined)
  await untilEqual(async () => (await fetch(`${url}/readyz`)).status, 200)
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
})

// ---------------------------------------------------------------- doctor

const findingsOf = (out: string): Map<string, { state: string; says: string }> =>
  new Map(JSON.parse(out).checks.map((check: { name: string }) => [check.name, check]))

test('doctor finds nothing wrong in an empty folder, and leaves it empty', async (t) => {
  const env = { DATA_DIR: newDataDir(t), PORT: '0' }
  const { code, out } = await run(['doctor'], env)
  assert.equal(code, 0, out)
  assert.match(out, /^✓ node {8}Node /)
  assert.match(out, /Nothing is wrong\.\n$/)
  assert.deepEqual(readdirSync(env.DATA_DIR), [])
})

test('doctor finds a migrated installation up to date', async (t) => {
  const env = { DATA_DIR: newDataDir(t), PORT: '0' }
  const doctor = ['doctor', '--json']
  const [, first, , second] = await runAll(
    [['property', 'list'], doctor, ['migrate'], doctor].map((args) => ({ args, env })),
  )
  const [before, after] = [findingsOf(first!.out), findingsOf(second!.out)]
  assert.match(before.get('facts')!.says, /first start/)
  assert.match(after.get('records')!.says, /up to date/)
  assert.match(after.get('facts')!.says, /up to date/)
})

test('doctor recognises a running Footfall on its port, and leaves its facts alone', async () => {
  const env = { ...beside, PORT: new URL(footfall.url).port }
  const { code, out } = await tell(['doctor', '--json'], env)
  assert.equal(code, 0, out)
  assert.match(findingsOf(out).get('port')!.says, /Footfall is running/)
  assert.match(findingsOf(out).get('facts')!.says, /in use by the running service/)
})

test('doctor says when requests come through a proxy that nobody named, and keeps quiet where all is well', async () => {
  const env = { ...beside, PORT: new URL(footfall.url).port }
  const look = async (more: Environment) =>
    findingsOf((await tell(['doctor', '--json'], { ...env, ...more })).out).get('proxies')!
  assert.match((await look({ PORT: '0' })).says, /right as long as no proxy stands before/)
  const own = await look({})
  assert.equal(own.state, 'ok')
  assert.match(own.says, /equests from this machine may set X-PROXY-\*, unless X-Forwarded-For shows/)
  await footfall.call('GET', '/healthz', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const { state, says } = await look({})
  assert.equal(state, 'warn')
  assert.match(says, /TRUST_PROXY is not set, but requests had X-Forwarded-For \(1\)/)
  const named = await look({ TRUST_PROXY: '127.0.0.1' })
  assert.deepEqual([named.state, says.includes('203.0.113.9')], ['ok', false])
  assert.match(named.says, /trusted: 127\.0\.0\.1; X-PROXY-\* counts from there when it comes without X-Forwarded-For/)
})

/** A program on a port that is not ours. */
async function openStranger(t: TestContext): Promise<string> {
  const server = createServer((socket) => socket.end('nothing of yours\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

const troubles: readonly (readonly [
  check: string,
  make: (t: TestContext, dataDir: string) => Environment | Promise<Environment>,
])[] = [
  ['settings', () => ({ PORT: 'abc' })],
  ['settings', () => ({ SECRET: 'short' })],
  ['port', async (t) => ({ PORT: await openStranger(t) })],
  ['records', () => ({ DATABASE_URL: 'postgres://me:s3cret@127.0.0.1:1/db' })],
  ['facts', () => ({ CLICKHOUSE_URL: 'http://me:s3cret@127.0.0.1:1/db' })],
  ['data folder', () => ({ DATA_DIR: '/dev/null/x' })],
  [
    'secret',
    (_t, dataDir) => {
      writeFileSync(join(dataDir, 'secret'), 'cut off')
      return {}
    },
  ],
]

test('doctor names what is wrong', async (t) => {
  const commands = []
  for (const [, make] of troubles) {
    const dataDir = newDataDir(t)
    commands.push({ args: ['doctor', '--json'], env: { DATA_DIR: dataDir, PORT: '0', ...(await make(t, dataDir)) } })
  }
  const ends = await runAll(commands)
  for (const [index, [check]] of troubles.entries()) {
    const { code, out, err } = ends[index]!
    const wrong = [...findingsOf(out)].filter(([, finding]) => finding.state === 'wrong').map(([name]) => name)
    assert.deepEqual([code, wrong.includes(check)], [1, true], out)
    assert.ok(!`${out}${err}`.includes('s3cret'))
  }
})

test('doctor warns of a secret that others can read', async (t) => {
  const env = { DATA_DIR: newDataDir(t), PORT: '0' }
  writeFileSync(join(env.DATA_DIR, 'secret'), 'x'.repeat(64))
  chmodSync(join(env.DATA_DIR, 'secret'), 0o644)
  const { code, out } = await tell(['doctor', '--json'], env)
  assert.equal(code, 0)
  assert.equal(findingsOf(out).get('secret')!.state, 'warn')
})

// ---------------------------------------------------------------- mistakes

const mistakes: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [[], 2, /which command/],
  [['nope'], 2, /no command "nope"/],
  [['__proto__'], 2, /no command/],
  [['property'], 2, /create, set, list/],
  [['property', 'constructor'], 2, /create, set, list/],
  [['property', 'create', 'x', '--name', 'x'], 2, /create, set, list/],
  [['property', 'set', '--name', 'x'], 2, /no property yet/],
  [['property', 'set'], 2, /say what is to change/],
  [['property', 'set', 'pr_none', '--name', 'x'], 1, /Property not found/],
  [['property', 'set', '--content-policy', 'none'], 2, /one of: standard, wide/],
  [['property', 'create', '--name', 'x', '--dead-links', 'ftp://x'], 1, /dead_link_url must begin with http/],
  [['property', 'set', '--token-only', 'maybe'], 2, /--token-only must be yes or no/],
  [['property', 'set', '--no-domains', '--domain', 'a.example'], 2, /say one of them/],
  [['property', 'create'], 2, /--name is missing/],
  [['property', 'create', '--nam', 'x'], 2, /Unknown option '--nam'/],
  [['property', 'create', '--name', 'x', '--plan', 'gold'], 2, /free or paid/],
  [['property', 'create', '--name', 'x', '--domain', 'http://a'], 1, /must be a host/],
  [['property', 'create', '--name', 'x', '--period', 'custom'], 1, /must be one of: today/],
  [['property', 'create', '--name', 'a\u001b[2J'], 1, /control characters/],
  [['token', 'create'], 2, /no property yet/],
  [['token', 'create', '--property', 'pr_none'], 1, /Property not found/],
  [['token', 'create', '--scope', 'all'], 1, /must be some of/],
  [['token', 'revoke'], 2, /id of the token is missing/],
  [['token', 'revoke', 'a', 'b'], 2, /create, list, revoke/],
]

test('a mistake ends with its code and says why on stderr, without a stack', async (t) => {
  const env = { DATA_DIR: await newStores(t) }
  const ends = await runAll(mistakes.map(([args]) => ({ args, env })))
  for (const [index, [args, code, says]] of mistakes.entries()) {
    const ended = ends[index]!
    assert.deepEqual([ended.code, ended.out], [code, ''], args.join(' '))
    assert.match(ended.err, says)
    assert.ok(!/\n\s+at /.test(ended.err), ended.err)
  }
})

test('a setting that cannot be used is named, and nothing is made', async (t) => {
  const dataDir = join(newDataDir(t), 'new')
  const { code, err } = await tell(['property', 'list'], { DATA_DIR: dataDir, PORT: '-1' })
  assert.equal(code, 1)
  assert.match(err, /the setting PORT must be/)
  assert.ok(!existsSync(dataDir))
})

test('an error of the database names no address and no password', async () => {
  const { code, err } = await tell(['property', 'list'], { DATABASE_URL: 'postgres://me:s3cret@127.0.0.1:1/db' })
  assert.equal(code, 1)
  assert.match(err, /DATABASE_URL cannot be opened \(ECONNREFUSED\)/)
  assert.ok(!/s3cret|127\.0\.0\.1/.test(err))
})

test('a property is changed in what is said, and the server knows it by itself', async () => {
  const { properties } = footfall.context
  const { id, key } = await footfall.addProperty()
  assert.equal((await properties.byKey(key))?.content_policy, 'standard')
  const set = async (...args: string[]) => (await ask(['property', 'set', ...args], beside)).property
  const before = await set(id, '--content-policy', 'wide')
  assert.equal(before.content_policy, 'wide')
  for (let n = 0; (await properties.byKey(key))?.content_policy !== 'wide'; n++) {
    assert.ok(n < 500, 'the server knows of it after ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const named = [
    '--name',
    'Shop',
    '--domain',
    'B.example',
    '--domain',
    'c.example',
    '--period',
    'today',
    '--plan',
    'free',
  ]
  const after = await set(id, ...named)
  assert.deepEqual(after, {
    ...before,
    name: 'Shop',
    domains: ['b.example', 'c.example'],
    default_period: 'today',
    plan: 'free',
  })
  const bare = await set(id, '--no-domains', '--period', 'none', '--content-policy', 'standard')
  assert.deepEqual(bare, { ...after, domains: [], default_period: null, content_policy: 'standard' })
  const guarded = await set(id, '--listed-only', 'yes', '--token-only', 'yes', '--browser-max-usd', '500')
  assert.deepEqual(guarded, { ...bare, is_listed_only: true, is_token_only: true, browser_max_usd: 500 })
  const led = await set(id, '--dead-links', 'https://example.com/lost')
  assert.deepEqual(led, { ...guarded, dead_link_url: 'https://example.com/lost' })
  assert.deepEqual(await set(id, '--dead-links', 'none'), guarded)
  const { out } = await tell(['property', 'set', id, '--name', 'Site'], beside)
  assert.match(out, /^Changed the property Site\.\n[^]*content policy +standard\n/)
})

test('--help explains each command and does nothing', async (t) => {
  const dataDir = newDataDir(t)
  const names = [
    'serve',
    'migrate',
    'property',
    'token',
    'contacts',
    'contact',
    'group',
    'links',
    'demo',
    'rates',
    'secret',
    'doctor',
  ]
  const ends = await runAll(names.map((name) => ({ args: [name, '--help'], env: { DATA_DIR: dataDir } })))
  for (const [index, name] of names.entries()) {
    assert.deepEqual([ends[index]!.code, ends[index]!.err], [0, ''], name)
    assert.match(ends[index]!.out, new RegExp(`^footfall ${name}`))
  }
  assert.deepEqual(readdirSync(dataDir), [])
})
