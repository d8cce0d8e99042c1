// The whole service as a process of its own, for what has to survive its end: started, called over HTTP,
// killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { type Environment, readConfig } from '../../server/config.ts'
import { programs } from './cli.ts'
import { mainFile } from './programs.ts'
import { ADMIN_TOKEN, ALL_SCOPES, CHROME, type Ending, type Reply } from './server.ts'
import { fillDataDir } from './stores.ts'

export interface Service {
  readonly pid: number
  readonly url: string
  /** Whatever it has written on both of its streams. */
  output(): string
  /** Resolves once the process is gone, with its exit code; null when a signal has ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

type Command = readonly [program: string, ...args: string[]]

/** What a first start makes before it serves: migrations have tests of their own. */
async function fillIfNew(settings: Environment): Promise<void> {
  const config = readConfig(settings)
  if (existsSync(config.dataDir) && readdirSync(config.dataDir).length > 0) return
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  await fillDataDir(config, true)
}

/**
 * On the stores in `dataDir`, empty ones where there are none; killed at the end of the test.
 * @param command another one that starts the service: then it makes its stores itself.
 */
export async function startService(
  t: Ending,
  dataDir: string,
  env: Record<string, string> = {},
  command?: Command,
): Promise<Service> {
  const settings = {
    DATA_DIR: dataDir,
    WORKERS: '1',
    PORT: '0',
    PUBLIC_RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1',
    GEO_DIR: '/nonexistent',
    ADMIN_TOKEN,
    ...env,
  }
  if (command === undefined) await fillIfNew(settings)
  const [program, ...args]: Command = command ?? [process.execPath, mainFile]
  const child = spawn(program, args, { env: { ...programs, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const gone = once(child, 'close')
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await gone
    return child.exitCode
  }
  t.after(async () => {
    await end('SIGKILL')
  })
  for (;;) {
    const [, url] = /Footfall serves (\S+)/.exec(text) ?? []
    if (url !== undefined) return { pid: child.pid!, url, output: () => text, end }
    if (child.exitCode !== null) throw new Error(`the service ended before it served: ${text}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

export interface ServiceProperty {
  readonly id: string
  readonly key: string
  /** With all scopes. */
  readonly token: string
}

/** One call; `token` null: as a visitor of the property. */
export async function callService(
  service: Service,
  { key, token }: { readonly key: string; readonly token: string | null },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      'user-agent': CHROME,
      'accept-language': 'en-GB,en;q=0.9',
      'x-svc-id': key,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function createServiceProperty(service: Service): Promise<ServiceProperty> {
  const admin = { key: '', token: ADMIN_TOKEN }
  const made = await callService(service, admin, 'POST', '/manage/properties', {
    name: 'Test',
    domains: ['example.com'],
  })
  const { id, key } = made.json.data.property
  const token = { name: 'test', scopes: ALL_SCOPES }
  const { json } = await callService(service, admin, 'POST', `/manage/properties/${id}/tokens`, token)
  return { id, key, token: json.data.access_token }
}

/** A page view of a visitor at `address`. @returns the id of the session. */
export async function loadPage(service: Service, { key }: ServiceProperty, address: string): Promise<string> {
  const { json } = await callService(service, { key, token: null }, 'GET', '/v2/signal/load', undefined, {
    'x-forwarded-for': address,
    'x-svc-lib': '1.1.0',
    'x-svc-page': encodeURIComponent('https://example.com/'),
  })
  return json.session_id
}
