// Requests that are nearly right, made from the description of the interface: right ones take a program far
// inside, and one thing about each may be anything at all.
import type { Chance } from './chance.ts'
import { exampleOf } from './examples.ts'
import { signature } from './form-flow.ts'
import { brokenBody, spoil, strangeText } from './fuzz-values.ts'
import { fillPattern, kindOf, type Operation } from './operations.ts'
import { CHROME } from './server.ts'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** What it was made from; undefined for an odd address. */
  readonly operation: Operation | undefined
}

/** Who calls, as headers say it. */
export type Credentials = Readonly<Record<string, string>>

export interface FuzzWorld {
  readonly propertyId: string
  readonly key: string
  /** Tokens of the property, by turns: each may call 600 times a minute. */
  readonly programs: readonly Credentials[]
  readonly administrator: Credentials
  readonly people: readonly Credentials[]
  readonly share: Credentials
  /** Ids of what there is, by kind; newest last. */
  readonly pools: Map<string, string[]>
}

const nobody: Credentials = {}

function callerOf(pattern: string, world: FuzzWorld, chance: Chance): Credentials {
  const isManaged = pattern.startsWith('/manage/')
  if (!isManaged && !pattern.startsWith('/v2/property/')) return chance.is(0.01) ? world.administrator : nobody
  const speaksFor = isManaged ? {} : { 'x-footfall-property': world.propertyId }
  const at = chance.next()
  if (at < 0.75) return isManaged ? world.administrator : chance.of(world.programs)
  if (at < 0.93) return { ...chance.of(world.people), ...speaksFor }
  if (at < 0.95) return { ...world.administrator, ...speaksFor }
  return at < 0.98 ? { ...world.share, ...speaksFor } : nobody
}

const NEWEST = 12

function idFrom(world: FuzzWorld, chance: Chance, kind: string): string {
  const at = chance.next()
  if (at < 0.04) return strangeText(chance)
  if (at < 0.06) return chance.of([...world.pools.values()].filter((pool) => pool.length > 0))[0]!
  if (kind === 'property' && at < 0.97) return world.propertyId
  if (kind === 'key') return world.key
  if (kind === 'dimension') return chance.of(['page', 'country', 'browser', 'source', 'tag', 'campaign', 'city'])
  const pool = world.pools.get(kind) ?? []
  return pool.length > 0 ? chance.of(pool.slice(-NEWEST)) : 'nothing'
}

const oddQueries = [
  '%00=%00',
  'a=%zz',
  '__proto__=1&constructor[prototype]=2',
  '&&&===',
  'page[]=1&page=2',
  '?'.repeat(50),
]

function queryOf({ parameters }: Operation, idOf: (kind: string) => string, chance: Chance): string {
  const said = parameters.filter((parameter) => parameter.in === 'query' && chance.is(0.35))
  const parts = said.map(({ name, schema = {} }) => {
    const value = chance.is(0.3) ? strangeText(chance) : String(exampleOf(schema, name, { chance, idOf }))
    return `${name}=${encodeURIComponent(value)}`
  })
  if (chance.is(0.02)) parts.push(chance.of(oddQueries))
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

/** As it may stand in a header: bytes without ends of lines. */
const asHeader = (text: string): string => [...text].filter((c) => c >= ' ' && c <= 'ÿ' && c !== '\u007f').join('')

const visitorHeaders: Readonly<Record<string, (world: FuzzWorld, chance: Chance) => string>> = {
  'x-svc-id': ({ key }) => key,
  'x-svc-page': (_world, chance) => encodeURIComponent(`https://example.com/${chance.below(40)}?utm_source=news`),
  'x-svc-lib': () => '1.1.0',
  'x-svc-title': () => 'Title',
  'x-svc-src': () => encodeURIComponent('https://news.example/'),
  'x-svc-status': () => '200',
  'x-svc-dim': () => '1280x720',
  referer: () => 'https://example.com/',
  origin: () => 'https://example.com',
  'user-agent': () => CHROME,
  'accept-language': () => 'en-GB,en;q=0.9',
}

const oddHeaders = [
  'x-http-method-override',
  'expect',
  'range',
  'if-none-match',
  'cookie',
  'sec-fetch-site',
  'x-proxy-ip',
  'host',
]

function headersOf(world: FuzzWorld, pattern: string, path: string, chance: Chance): Record<string, string> {
  const signed = pattern.startsWith('/v2/form')
    ? signature(decodeURIComponent(path.split('/')[3] ?? ''), Date.now())
    : ''
  const given = Object.entries(visitorHeaders).map(([name, make]) => {
    return [name, chance.is(0.03) ? asHeader(strangeText(chance)) : make(world, chance)] as const
  })
  return {
    ...Object.fromEntries(given),
    ...(signed !== '' && { 'x-svc-form': signed, 'x-svc-session': signed }),
    // No limit of an address may stand in for an answer; a form's token keeps to one.
    'x-forwarded-for': signed === '' ? `198.18.${chance.below(256)}.${chance.below(256)}` : '203.0.113.7',
    ...(chance.is(0.02) && { [chance.of(oddHeaders.slice(0, -1))]: asHeader(strangeText(chance)) }),
  }
}

const mediaTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-7',
]

function bodyOf({ body, method }: Operation, idOf: (kind: string) => string, chance: Chance): string | undefined {
  if (!body) return method !== 'GET' && chance.is(0.1) ? brokenBody(chance) : undefined
  if (chance.is(0.04)) return brokenBody(chance)
  const right = exampleOf(body, '', { chance, idOf })
  try {
    return JSON.stringify(chance.is(0.65) ? spoil(right, chance) : right) ?? ''
  } catch (error) {
    // A list of long things that were drawn long again can be more than a text may hold.
    if (error instanceof RangeError) return brokenBody(chance)
    throw error
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY']

/** Nothing that could be read twice keeps an outsider out: these take everything away that the run needs. */
export const isTooStrong = ({ method, pattern }: Operation): boolean =>
  pattern === '/manage/sample' || (method === 'DELETE' && pattern === '/manage/session')

export function fuzzOf(operation: Operation, world: FuzzWorld, chance: Chance): FuzzRequest {
  const idOf = (kind: string) => idFrom(world, chance, kind)
  const isRemoval = operation.method === 'DELETE' && operation.pattern === '/manage/properties/{property}'
  const pathId = (kind: string) => (isRemoval ? (world.pools.get('property')?.at(-1) ?? 'nothing') : idOf(kind))
  const path = fillPattern(operation.pattern, (kind) => pathId(kind).toWellFormed())
  const method = chance.is(0.02) && !isRemoval ? chance.of(METHODS) : operation.method
  const sent = bodyOf(operation, idOf, chance)
  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE'
  return {
    method,
    path: path + queryOf(operation, idOf, chance),
    headers: {
      ...headersOf(world, operation.pattern, path, chance),
      ...callerOf(operation.pattern, world, chance),
      ...(takesBody &&
        sent !== undefined && { 'content-type': chance.is(0.03) ? chance.of(mediaTypes) : 'application/json' }),
    },
    body: takesBody ? sent : undefined,
    operation,
  }
}

const oddPaths = [
  '/',
  '//',
  '/..',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/a/',
  '/a/%00',
  '/b/../manage/users',
  '/v2',
  '/v2/',
  '/v2/property',
  '/manage',
  '/manage/properties/',
  '/docs/static/..%2f..%2fpackage.json',
  '/docs/static/%2e%2e/index.html',
  '/dashboard/../server/main.ts',
  '/dashboard/assets/..%5c..',
  '/share/x',
  '/.git/config',
  '/.env',
  '/openapi.json',
  '/docs',
  '/docs/json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/favicon.ico',
  '/robots.txt',
  '/signals.js?x',
  '/;/manage/users',
  '/manage;/users',
  '/MANAGE/USERS',
  '/manage/users/',
  '/v2//property/links',
  '/%6danage/users',
  '/*',
  '/a/*',
  '/icons/%ff.svg',
]

/** An address that no description names, or one as no library would write it. */
export function oddRequest(world: FuzzWorld, chance: Chance): FuzzRequest {
  const path = chance.is(0.7)
    ? chance.of(oddPaths)
    : `/${chance.of(['a', 'v2', 'manage', 'icons', 'docs', ''])}/${encodeURIComponent(strangeText(chance))}`
  const method = chance.is(0.7) ? 'GET' : chance.of(METHODS)
  return { method, path, headers: headersOf(world, path, path, chance), body: undefined, operation: undefined }
}

/** What the callers themselves need: only what was created on the way is removed again. */
const KEPT: ReadonlySet<string> = new Set(['property', 'token', 'user', 'share', 'accountSession'])

/** Where the ids of an answer belong: what was created, or what stands in a list. */
export function harvest(operation: Operation, patterns: ReadonlySet<string>, data: unknown, world: FuzzWorld): void {
  const item = [...patterns].find(
    (pattern) => pattern.startsWith(`${operation.pattern}/{`) && pattern.indexOf('/', operation.pattern.length + 1) < 0,
  )
  if (item === undefined || typeof data !== 'object' || data === null) return
  const kind = kindOf(item, item.slice(item.lastIndexOf('{') + 1, -1))
  if (KEPT.has(kind) && operation.method === 'GET') return
  const found = [data, ...Object.values(data), ...Object.values(data).filter(Array.isArray).flat()]
  const pool = world.pools.get(kind) ?? []
  for (const one of found) {
    const { id, key } = (one ?? {}) as { readonly id?: unknown; readonly key?: unknown }
    if (typeof id === 'string' && pool.length < 5000) pool.push(id)
    const keyKind = kind === 'form' ? 'formKey' : kind === 'block' ? 'contentKey' : undefined
    if (keyKind !== undefined && typeof key === 'string')
      world.pools.set(keyKind, [...(world.pools.get(keyKind) ?? []).slice(-NEWEST), key])
  }
  world.pools.set(kind, pool.slice(-1000))
}
