// Settings: what is wrong is refused by name, and what is secret is never repeated.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startFootfall } from '../test/support/server.ts'
import { readConfig } from './config.ts'
import { openSecret } from './secret.ts'

test('without any setting the defaults of the documentation hold', () => {
  const config = readConfig({})
  assert.equal(config.baseUrl, 'http://127.0.0.1:8080')
  assert.equal(config.publicRateLimit, 120)
  assert.equal(config.fsync, true)
  assert.deepEqual(
    [config.databaseUrl, config.redisUrl, config.adminToken, config.retentionDays],
    [null, null, null, null],
  )
  assert.deepEqual([config.clickhouseUrls, config.trustProxy], [[], []])
})

test('a value that cannot be used is refused by the name of its setting', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['BASE_URL', 'example.com'],
    ['BASE_URL', 'ftp://example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['CLICKHOUSE_URL', 'localhost:8123'],
    ['CLICKHOUSE_URL', 'http://a:8123,http://b:8123'],
    ['CLICKHOUSE_CLUSTER', 'main'],
    ['CLICKHOUSE_CLUSTER', "x') --"],
    ['REDIS_URL', 'http://localhost'],
    ['SECRET', 'short'],
    ['ADMIN_TOKEN', 'short'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['PUBLIC_RATE_LIMIT', '-5'],
    ['RETENTION_DAYS', '0'],
    ['WEBHOOK_ALLOW_HTTP', 'http://n8n'],
    ['WEBHOOK_ALLOW_HTTP', 'n8n:5678'],
    ['WEBHOOK_ALLOW_HTTP', 'n8n:80'],
    ['WEBHOOK_ALLOW_HTTP', 'n8n/hook'],
    ['WEBHOOK_ALLOW_HTTP', '[::1]:80'],
    ['WEBHOOK_ALLOW_HTTP', 'n8n,'],
    ['WEBHOOK_ALLOW_HTTP', '*'],
    ['FSYNC', 'maybe'],
    ['FSYNC', 'constructor'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user@mail.example.com'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com/folder'],
    ['SMTP_URL', 'smtp://mail.example.com?tls=maybe'],
    ['SMTP_URL', 'smtp://mail.example.com?pool=true'],
    ['SMTP_URL', 'smtps://mail.example.com?tls=off'],
    ['MAIL_FROM', 'Footfall'],
    ['MAIL_FROM', 'Footfall <>'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Footfall\r\nBcc: b@example.com <a@example.com>'],
  ]
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      { name: 'SettingError', message: new RegExp(`^${name} `) },
      `${name}=${value}`,
    )
  }
})

test('the mail server and the sender are read from their settings', () => {
  const read = (SMTP_URL: string) => readConfig({ SMTP_URL }).smtp
  const nobody = { user: null, password: null }
  assert.deepEqual(read('smtp://mail.example.com'), { host: 'mail.example.com', port: 587, tls: 'required', ...nobody })
  assert.deepEqual(read('smtps://me%40example.com:p%3Aw@[::1]:4465/'), {
    host: '::1',
    port: 4465,
    tls: 'secure',
    user: 'me@example.com',
    password: 'p:w',
  })
  assert.deepEqual(read('smtp://localhost:25?tls=off'), { host: 'localhost', port: 25, tls: 'off', ...nobody })
  const from = (MAIL_FROM: string) => readConfig({ MAIL_FROM }).mailFrom
  assert.deepEqual(from('mail@example.com'), { name: '', address: 'mail@example.com' })
  assert.deepEqual(from('"Foot, fall" <mail@example.com>'), { name: 'Foot, fall', address: 'mail@example.com' })
  for (const SMTP_URL of ['smtp://user:hunter2@mail.example.com/x', 'smtp://user:hunter2%@mail.example.com'])
    assert.throws(
      () => readConfig({ SMTP_URL }),
      (error: Error) => !error.message.includes('hunter2'),
    )
})

test('hosts for http are kept as URLs have them', () => {
  const { webhookAllowHttp } = readConfig({ WEBHOOK_ALLOW_HTTP: 'n8n, Zap.Home.,10.0.0.5,::1,[FD12::1],münchen.home' })
  assert.deepEqual(webhookAllowHttp, ['n8n', 'zap.home', '10.0.0.5', '::1', 'fd12::1', 'xn--mnchen-3ya.home'])
})

test('a refused secret is not repeated in the message', () => {
  assert.throws(
    () => readConfig({ SECRET: 'hunter2' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
  assert.throws(
    () => readConfig({ DATABASE_URL: 'mysql://me:hunter2@localhost/x' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
})

test('an empty value counts as not set, and the ends of values are trimmed', () => {
  assert.equal(readConfig({ DATABASE_URL: '', PORT: ' 9000 ' }).port, 9000)
  assert.equal(readConfig({ BASE_URL: 'https://stats.example.com/' }).baseUrl, 'https://stats.example.com')
  assert.equal(readConfig({ HOST: '::1', PORT: '1' }).baseUrl, 'http://[::1]:1')
})

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'footfall-secret-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('the secret is made once, for its owner alone, and found again', (t) => {
  const dataDir = join(folder(t), 'new')
  const first = openSecret({ secret: null, clickhouseUrls: [], dataDir }, randomBytes)
  assert.equal(openSecret({ secret: null, clickhouseUrls: [], dataDir }, randomBytes), first)
  assert.equal(Buffer.from(first, 'base64').length, 48)
  assert.equal(statSync(join(dataDir, 'secret')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataDir), ['secret'])
})

test('of two processes that make the secret at once, both use the one that was first', (t) => {
  const dataDir = folder(t)
  const racing = (bytes: number): Buffer => {
    // Between looking for the file and making it: the other process.
    writeFileSync(join(dataDir, 'secret'), `${'o'.repeat(64)}\n`, { mode: 0o600 })
    return randomBytes(bytes)
  }
  assert.equal(openSecret({ secret: null, clickhouseUrls: [], dataDir }, racing), 'o'.repeat(64))
  assert.equal(readFileSync(join(dataDir, 'secret'), 'utf8'), `${'o'.repeat(64)}\n`)
})

test('a secret file that was cut off is refused, and not replaced', (t) => {
  const dataDir = folder(t)
  writeFileSync(join(dataDir, 'secret'), 'cut')
  assert.throws(() => openSecret({ secret: null, clickhouseUrls: [], dataDir }, randomBytes), { name: 'SettingError' })
  assert.equal(readFileSync(join(dataDir, 'secret'), 'utf8'), 'cut')
})

test('a DATA_DIR that has lost its secret is not given another one, unless SECRET says so', (t) => {
  for (const [name, clickhouseUrls] of [
    ['facts', []],
    ['records.sqlite', ['http://facts.test']],
  ] as const) {
    const config = { secret: null, dataDir: folder(t), clickhouseUrls: [...clickhouseUrls] }
    const first = openSecret(config, randomBytes)
    writeFileSync(join(config.dataDir, name), '')
    assert.equal(openSecret(config, randomBytes), first)
    rmSync(join(config.dataDir, 'secret'))
    assert.throws(() => openSecret(config, randomBytes), {
      name: 'SettingError',
      message: /^DATA_DIR holds records and no file `secret`.* set SECRET /,
    })
    assert.deepEqual(readdirSync(config.dataDir), [name])
    assert.equal(openSecret({ ...config, secret: 's'.repeat(32) }, randomBytes), 's'.repeat(32))
  }
})

test('on a free port the links of answers lead to the port that was taken, unless BASE_URL says where', async (t) => {
  const page = { query: { per_page: 1 } }
  const footfall = await startFootfall(t, { env: { BASE_URL: '' } })
  const { json } = await footfall.call('GET', '/manage/properties', page)
  assert.equal(json.data.first_page_url, `${footfall.url}/manage/properties?per_page=1&page=1`)
  await footfall.close()
  const named = await startFootfall(t, { env: { BASE_URL: 'http://127.0.0.1:1' } })
  assert.equal(named.context.config.baseUrl, 'http://127.0.0.1:1')
})
