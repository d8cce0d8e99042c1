// The process as its owner meets it: how it starts, what it says, and that stopping it loses nothing.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { programs, run } from './support/cli.ts'
import { mainFile } from './support/programs.ts'
import { CHROME } from './support/server.ts'
import { newStores } from './support/stores.ts'
import { untilEqual } from './support/until.ts'

interface Running {
  readonly pid: number
  readonly url: string
  readonly output: () => string
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** In which nothing was ever started: for first starts alone, since newStores takes less time. */
function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'footfall-main-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  return (
    child.exitCode ??
    new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
    })
  )
}

function startMain(t: TestContext, env: Record<string, string>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...programs, PORT: '0', WORKERS: '1', GEO_DIR: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (text += bytes.toString()))
  t.after(() => child.kill('SIGKILL'))
  return { child, output: () => text }
}

async function boot(t: TestContext, dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const { child, output } = startMain(t, { DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...env })
  for (;;) {
    const [, url] = /Footfall serves (\S+)/.exec(output()) ?? []
    if (url !== undefined) {
      const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
        child.kill(signal)
        return exitOf(child)
      }
      return { pid: child.pid!, url, output, stop }
    }
    assert.equal(child.exitCode, null, output())
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

/** Straight into the records, as the CLI would while the server runs. */
function addProperty(dataDir: string): { id: string; key: string; token: string } {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  const [id, key, token] = [
    `pr_${randomBytes(10).toString('hex')}`,
    `ff_${randomBytes(10).toString('hex')}`,
    `fft_${randomBytes(20).toString('hex')}`,
  ]
  records
    .prepare("INSERT INTO properties (id, key, name, domains, plan, created_ts) VALUES (?, ?, 'Test', '[]', 'paid', 0)")
    .run(id, key)
  records
    .prepare(
      "INSERT INTO tokens (id, property_id, name, hash, scopes, created_ts) VALUES (?, ?, 'test', ?, '[\"signals:read\"]', 0)",
    )
    .run(`tk_${randomBytes(10).toString('hex')}`, id, createHash('sha256').update(token).digest('hex'))
  records.close()
  return { id, key, token }
}

const loadHeaders = (key: string): Record<string, string> => ({
  'x-svc-id': key,
  'x-svc-lib': '1.1.0',
  'x-svc-page': encodeURIComponent('https://example.com/'),
  'user-agent': CHROME,
})

async function countSessions(url: string, token: string): Promise<{ sessions: number; views: number }> {
  const answer = await fetch(`${url}/v2/property/signals/analytics/metrics?secret=in-the-query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"period":"last_7"}',
  })
  const { analytics } = (await answer.json()) as {
    analytics: { period_metrics: { summary: Record<'sessions' | 'views', { current: number }> } }
  }
  const { sessions, views } = analytics.period_metrics.summary
  return { sessions: sessions.current, views: views.current }
}

test('a setting that cannot be used stops the start with one line that names it', async (t) => {
  const { child, output } = startMain(t, { DATA_DIR: folder(t), PUBLIC_RATE_LIMIT: 'many' })
  assert.equal(await exitOf(child), 1)
  assert.equal(output(), 'Footfall cannot start: PUBLIC_RATE_LIMIT must be a whole number from 0 to 1000000\n')
})

test('a start without the secret of its records is refused in a sentence, and changes nothing', async (t) => {
  const dataDir = await newStores(t, true)
  await (await boot(t, dataDir)).stop('SIGTERM')
  rmSync(join(dataDir, 'secret'))
  const { child, output } = startMain(t, { DATA_DIR: dataDir })
  assert.equal(await exitOf(child), 1)
  assert.match(output(), /^Footfall cannot start: DATA_DIR holds records and no file `secret`[^\n]+ SECRET [^\n]+\n$/)
  assert.ok(!existsSync(join(dataDir, 'secret')))
  assert.match(output(), /footfall secret change/)
})

test('a start with another secret is refused in a sentence, doctor says so, and an owner can change it on purpose', async (t) => {
  const dataDir = await newStores(t, true)
  const env = { SECRET: 'another secret of at least 32 characters' }
  const cli = { DATA_DIR: dataDir, PORT: '0', ...env }
  const first = await boot(t, dataDir)
  const { id } = addProperty(dataDir)
  await first.stop('SIGTERM')
  const { child, output } = startMain(t, { DATA_DIR: dataDir, ...env })
  assert.equal(await exitOf(child), 1)
  assert.match(
    output(),
    /^Footfall cannot start: SECRET is not the one of these records: [^\n]+ `footfall secret change`[^\n]*\n$/,
  )
  const looked = await run(['doctor', '--json'], cli)
  const { checks } = JSON.parse(looked.out)
  const secret = checks.find(({ name }: { name: string }) => name === 'secret')
  assert.deepEqual([looked.code, secret.state], [1, 'wrong'])
  assert.match(secret.says, /not the one of these records/)
  for (const words of [['migrate'], ['property', 'list'], ['automation', 'list', '--property', id]])
    assert.deepEqual(await run(words, cli).then(({ code, out }) => [words, code, out]), [words, 1, ''])
  assert.deepEqual(JSON.parse((await run(['secret', 'change', '--json'], cli)).out), { changed: true })
  assert.deepEqual(JSON.parse((await run(['secret', 'change', '--json'], cli)).out), { changed: false })
  const second = await boot(t, dataDir, env)
  assert.equal(await second.stop('SIGTERM'), 0)
  const back = startMain(t, { DATA_DIR: dataDir })
  assert.equal(await exitOf(back.child), 1)
  assert.match(back.output(), /^Footfall cannot start: DATA_DIR holds another secret than the one of these records: /)
})

/** The one-time link, from the file that the start names; undefined when it names none. */
function setupLink({ output }: Running, dataDir: string): string | undefined {
  const [, path] = /^Nobody can sign in yet\. The link .+ is in the file (.+)$/m.exec(output()) ?? []
  if (path === undefined) return undefined
  assert.equal(path, join(dataDir, 'owner-link'))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  return /^(http\S+\/dashboard\/setup#[\w-]{43})\n$/.exec(readFileSync(path, 'utf8'))?.[1]
}

test('the first start says what to do next, and every start writes the link for the first owner into a file until it is used, and nothing that it says holds it', async (t) => {
  const dataDir = folder(t)
  const first = await boot(t, dataDir)
  assert.match(first.output(), /There is no property yet\. Next: npm run -s footfall -- property create/)
  const link = setupLink(first, dataDir)
  const token = link?.split('#')[1] ?? ''
  assert.equal(await first.stop('SIGINT'), 0)
  const second = await boot(t, dataDir)
  assert.equal(setupLink(second, dataDir)?.split('#')[1], token, 'the same after another start')
  const body = { token, email: 'ada@example.com', name: 'Ada', password: 'a quiet stone by the river' }
  const made = await fetch(`${second.url}/manage/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(made.status, 200)
  assert.ok(!existsSync(join(dataDir, 'owner-link')), 'used up')
  assert.equal(await second.stop('SIGTERM'), 0)
  const third = await boot(t, dataDir)
  assert.equal(setupLink(third, dataDir), undefined)
  assert.equal(await third.stop('SIGTERM'), 0)
  assert.equal(token.length, 43)
  const said = [first, second, third].map(({ output }) => output()).join('')
  for (const secret of [token, body.password, body.email]) assert.ok(!said.includes(secret))
})

test('everything in DATA_DIR is its owner’s alone, also in a folder that others may read', async (t) => {
  const dataDir = folder(t)
  chmodSync(dataDir, 0o755)
  const old = ['records.lock', 'facts-engine.xml']
  for (const name of old) writeFileSync(join(dataDir, name), '', { mode: 0o644 })
  const running = await boot(t, dataDir)
  const open = (): string[] => readdirSync(dataDir).filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)
  assert.deepEqual(open(), [])
  for (const name of old) assert.ok(existsSync(join(dataDir, name)))
  assert.equal(await running.stop('SIGTERM'), 0)
  assert.deepEqual(open(), [])
})

test('soon after a start, without a visit, old salts are gone, and the session of a contact that a crash left out of the facts is in them', async (t) => {
  const dataDir = await newStores(t, true)
  const { id } = addProperty(dataDir)
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  t.after(() => records.close())
  records.exec("INSERT INTO salts (day, salt) VALUES (20000, 'old')")
  records.exec(`INSERT INTO contacts (id, property_id, lifecycle_stage, state, meta, first_seen_ts, identified_ts, last_seen_ms, session_count, search)
    VALUES ('ct_1', '${id}', 'user', 'active', '[]', 1, 1, 1, 1, '')`)
  records.exec(
    `INSERT INTO contact_sessions (property_id, day, session, contact_id, entry_ts, is_noted) VALUES ('${id}', 20000, '7', 'ct_1', 1, 0)`,
  )
  const left = () => [
    records.prepare('SELECT count(*) AS salts FROM salts').get()?.salts,
    records.prepare('SELECT count(*) AS links FROM contact_sessions WHERE is_noted = 0').get()?.links,
  ]
  assert.deepEqual(left(), [1, 1])
  const running = await boot(t, dataDir)
  await untilEqual(left, [0, 0])
  assert.equal(await running.stop('SIGTERM'), 0)
})

test('stopped in the middle of page views, every acknowledged one is there after the next start, and none twice', async (t) => {
  const dataDir = await newStores(t, true)
  const first = await boot(t, dataDir, { PUBLIC_RATE_LIMIT: '0', FSYNC: 'off' })
  const { key, token } = addProperty(dataDir)
  let acknowledged = 0
  let isStopping = false
  const visit = async (): Promise<void> => {
    while (!isStopping || acknowledged === 0) {
      const answer = await fetch(`${first.url}/v2/signal/load`, { headers: loadHeaders(key) }).catch(() => undefined)
      if (!answer) return
      const { success } = (await answer.json()) as { success: boolean }
      if (success) acknowledged++
    }
  }
  const visitors = Array.from({ length: 20 }, visit)
  while (acknowledged < 100) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
  const stopped = first.stop('SIGTERM')
  isStopping = true
  await Promise.all(visitors)
  assert.equal(await stopped, 0, first.output().slice(-2000))

  const second = await boot(t, dataDir)
  const { sessions, views } = await countSessions(second.url, token)
  assert.equal(sessions, 1)
  assert.equal(views, acknowledged)
  assert.equal(await second.stop('SIGTERM'), 0)
})

/** The server takes nobody new. */
async function untilClosed(port: number): Promise<void> {
  for (let isOpen = true; isOpen;) {
    const socket = connect(port, '127.0.0.1')
    isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
  }
}

test('a request that is under way when the stop comes is finished', async (t) => {
  const dataDir = await newStores(t, true)
  const running = await boot(t, dataDir)
  const { key } = addProperty(dataDir)
  const { port } = new URL(running.url)
  const body = JSON.stringify({ site_id: key, event: 'x' })
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  const ended = once(socket, 'close')
  const lines = [
    'POST /v2/signal/none/event HTTP/1.1',
    'Host: x',
    'Content-Type: text/plain',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [told] = await once(socket, 'data')
  assert.match(told, /^HTTP\/1\.1 100 /, 'the server has begun with it')
  let answer = ''
  socket.on('data', (text) => (answer += text))
  socket.write(body.slice(0, 5))
  const stopped = running.stop('SIGTERM')
  await untilClosed(Number(port))
  socket.write(body.slice(5))
  await ended
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.match(answer, /Session not found/)
  assert.equal(await stopped, 0)
})

test('a connection that a browser opened ahead of need holds up no stop', async (t) => {
  const running = await boot(t, await newStores(t, true))
  const { port } = new URL(running.url)
  const socket = connect(Number(port), '127.0.0.1')
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  await fetch(`${running.url}/v2/ping-me`) // by now the server knows of the connection
  assert.equal(await running.stop('SIGTERM'), 0, 'stopped in time')
  await ended
})

test('no address, token, id or query string is in the log', async (t) => {
  const dataDir = await newStores(t, true)
  const running = await boot(t, dataDir, { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1' })
  const { key, token } = addProperty(dataDir)
  const headers = { ...loadHeaders(key), 'x-forwarded-for': '203.0.113.77' }
  const load = (await (await fetch(`${running.url}/v2/signal/load?secret=in-the-query`, { headers })).json()) as {
    session_id: string
  }
  await fetch(`${running.url}/v2/signal/${load.session_id}/event`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{broken-secret',
  })
  await countSessions(running.url, token)
  await fetch(`${running.url}/nowhere/secret-path`)
  assert.equal(await running.stop('SIGTERM'), 0)
  const log = running.output()
  assert.match(log, /"route":"\/v2\/signal\/load","status":200/)
  for (const secret of ['203.0.113.77', token, load.session_id, 'in-the-query', 'broken-secret', 'secret-path', CHROME])
    assert.ok(!log.includes(secret), secret)
})

test('on a terminal people are greeted: the setup link in a box, the next step, and no JSON', async (t) => {
  const dataDir = await newStores(t, true)
  const asTerminal = `data:text/javascript,process.stdout.isTTY=true`
  const env = { ...programs, PORT: '0', WORKERS: '1', GEO_DIR: '/nonexistent', DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['--import', asTerminal, mainFile], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()))
  while (!text.includes('Press Ctrl+C')) await once(child.stdout, 'data')
  assert.match(text, /│ {2}Create your owner account: +│\n│ {2}http\S+\/dashboard\/setup#[\w-]{43} +│\n/)
  assert.match(text, /Next: open this link in your browser\. It works once\./)
  assert.match(text, /API reference {2}http\S+\/docs/)
  assert.doesNotMatch(text, /^\{/m)
  assert.ok(!existsSync(join(dataDir, 'owner-link')), 'a terminal needs no file')
  child.kill('SIGTERM')
  assert.equal(await exitOf(child), 0)
  assert.doesNotMatch(text, /^\{/m)
})
