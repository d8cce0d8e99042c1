// Every operation of the interface by everybody there is, with ids of the property and of another one in
// every place where an id can stand: who may not is refused and changes nothing; nobody reads or changes what
// belongs to another property.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALLOW_LOOPBACK } from '../support/automation-calls.ts'
import { everybody, type KnownCaller, type Verdict } from '../support/callers.ts'
import { openChance, seedOfRun } from '../support/chance.ts'
import { exampleOf } from '../support/examples.ts'
import { fillProperty, type FullProperty, rowsOf } from '../support/full-property.ts'
import { signature } from '../support/form-flow.ts'
import { fillPattern, kindOf, type Operation, operationsOf } from '../support/operations.ts'
import { guardedRoutes } from '../support/rights.ts'
import { type CallOptions, type Footfall, type Reply, startFootfall } from '../support/server.ts'

/** What the lists need, which is no id of anything. */
const NO_IDS: ReadonlySet<string> = new Set(['dimension', 'domain'])
/** Would sign the caller out, or makes or removes a year of visits of a property of its own. */
const LEFT_OUT = /^(DELETE \/manage\/session|(POST|DELETE) \/manage\/sample)$/
const DELETES_PROPERTY = 'DELETE /manage/properties/{property}'

const seed = seedOfRun()
const chance = openChance(seed)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let home: FullProperty
let foreign: FullProperty
let operations: Operation[]
let callers: KnownCaller[]
let calls = 0

before(async () => {
  const options = { now: Date.UTC(2026, 10, 18, 6), env: ALLOW_LOOPBACK }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, options)
  home = await fillProperty(footfall, 'zqhomeword')
  foreign = await fillProperty(footfall, 'zqforeignword')
  operations = operationsOf(await footfall.call('GET', '/openapi.json')).filter(
    ({ method, pattern }) => !LEFT_OUT.test(`${method} ${pattern}`),
  )
  callers = await everybody(footfall, home, foreign)
})

after(async () => {
  console.log(
    `authorization: ${operations.length} operations, ${callers.length} callers, ${calls} calls, LONG_SEED=${seed}`,
  )
  for (const close of closers) await close()
})

const guarded = (): Operation[] => operations.filter(({ pattern }) => /^\/(manage|v2\/property)\//.test(pattern))

type IdOf = (kind: string) => string

const idsOf =
  ({ ids, key }: FullProperty): IdOf =>
  (kind) =>
    kind === 'dimension'
      ? 'country'
      : kind === 'domain'
        ? 'example.com'
        : kind === 'key'
          ? key
          : (ids[kind] ?? 'nothing')

/** A body that would do something, if the caller may. */
const bodyOf = ({ body }: Operation, idOf: IdOf): CallOptions =>
  body ? { body: exampleOf(body, '', { chance, idOf }) } : {}

interface Asked {
  readonly caller?: KnownCaller
  readonly path: string
  readonly options?: CallOptions
}

/** Each from an address of its own, so that no limit stands in for an answer. */
async function ask({ method, pattern }: Operation, { caller, path, options = {} }: Asked): Promise<Reply> {
  calls++
  const headers = {
    ...caller?.options.headers,
    ...(pattern.startsWith('/v2/property') && !caller?.isProgram && { 'x-footfall-property': home.id }),
    'x-forwarded-for': `198.18.${(calls >> 8) & 255}.${calls & 255}`,
    ...options.headers,
  }
  const reply = await footfall.call(method, path, { ...caller?.options, ...options, headers })
  assert.ok(reply.status < 500, `${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`)
  return reply
}

function verdictOf({ status, json }: Reply): Verdict {
  if (status === 401 && json?.error_code === 'unauthenticated') return 'unknown'
  if (status === 404 && json?.message === 'Property not found.') return 'hidden'
  return status === 403 ? 'refused' : 'let in'
}

/** Of the property's own: its word, or an id that the caller did not send. */
function leakOf({ text }: Reply, { word, ids }: FullProperty, sent: string): string | undefined {
  const known = [word, ...Object.values(ids)].filter((one) => !sent.includes(one))
  return known.find((one) => text.includes(one))
}

/** Names what an operation did to rows that it may not touch. */
async function watch(property: FullProperty, work: (operation: Operation) => Promise<string[]>, over: Operation[]) {
  const faults: string[] = []
  let rows = await rowsOf(footfall, property)
  for (const operation of over) {
    footfall.clock.advance(60_000)
    faults.push(...(await work(operation)))
    const now = await rowsOf(footfall, property)
    const changed = Object.keys(now).filter((table) => JSON.stringify(now[table]) !== JSON.stringify(rows[table]))
    if (changed.length > 0) faults.push(`${operation.method} ${operation.pattern} changed ${changed.join()}`)
    rows = now
  }
  assert.deepEqual(faults, [], `LONG_SEED=${seed}`)
}

function expectedOf({ method, pattern }: Operation, caller: KnownCaller): Verdict {
  const route = guardedRoutes.find((each) => each.method === method && each.pattern === pattern)
  assert.ok(route, `${method} ${pattern}`)
  return caller.expected(method, pattern, route.right, route.scope)
}

test('who may not is refused as the documentation says, whatever is sent, and changes nothing', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    const faults: string[] = []
    const path = fillPattern(operation.pattern, idsOf(home))
    for (const caller of callers) {
      const should = expectedOf(operation, caller)
      if (should === 'let in') continue
      const options = bodyOf(operation, idsOf(home))
      const reply = await ask(operation, { caller, path, options })
      const told = `${caller.name}: ${operation.method} ${operation.pattern}`
      const is = verdictOf(reply)
      if (is !== should) faults.push(`${told}: ${is}, not ${should} (${reply.status} ${reply.text.slice(0, 200)})`)
      const leak = leakOf(reply, home, path + JSON.stringify(options))
      if (leak !== undefined) faults.push(`${told} tells ${leak}`)
    }
    return faults
  }
  await watch(home, attempt, guarded())
})

test('who may is let in, and is told nothing of another property', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    const faults: string[] = []
    if (`${operation.method} ${operation.pattern}` === DELETES_PROPERTY) return faults
    const isReading = operation.method === 'GET'
    // What writes is sent where nothing is, with a body that is right for none: it is the rights that are
    // looked at.
    const idOf: IdOf = (kind) => (isReading || kind === 'property' ? idsOf(home)(kind) : 'nothing')
    const path = fillPattern(operation.pattern, idOf)
    for (const caller of callers) {
      if (expectedOf(operation, caller) !== 'let in') continue
      const isOfForeign = /another property/.test(caller.name)
      const reply = await ask(operation, { caller, path, options: operation.method === 'POST' ? { body: [] } : {} })
      const told = `${caller.name}: ${operation.method} ${operation.pattern}`
      if (verdictOf(reply) !== 'let in') faults.push(`${told}: ${verdictOf(reply)}, not let in (${reply.status})`)
      const seesAll = /installation|administrator/.test(caller.name) && !operation.pattern.includes('{property}')
      const isBoth = caller.name === 'a viewer who owns another property' && operation.pattern === '/manage/properties'
      const isSession = operation.pattern === '/manage/session'
      const other = isOfForeign && !caller.isOfHome ? home : foreign
      const leak = seesAll || isBoth || isSession ? undefined : leakOf(reply, other, path)
      if (leak !== undefined) faults.push(`${told} tells ${leak}`)
    }
    return faults
  }
  await watch(foreign, attempt, guarded())
})

/** Every choice of at least one of them. */
function choicesOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, n) => items.filter((_each, at) => ((n + 1) >> at) & 1))
}

const kindsIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => kindOf(pattern, name)).filter((kind) => !NO_IDS.has(kind))

/**
 * With rights in the home property alone, each as many as there are; and those who may all, but speak of the
 * home property.
 */
const strong = (): KnownCaller[] =>
  callers.filter(({ name }) => ['a viewer', 'an admin', 'an owner', 'a program', 'the administrator'].includes(name))

const isAllPowerful = ({ name }: KnownCaller): boolean => name === 'the administrator'

test('an id of another property in the path is not there, in whatever place', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    const faults: string[] = []
    const isAccount = !operation.pattern.includes('{property}') && operation.pattern.startsWith('/manage/')
    if (isAccount) return faults
    for (const caller of strong()) {
      if (expectedOf(operation, caller) !== 'let in') continue
      const kinds = kindsIn(operation.pattern).filter((kind) => kind !== 'property' || !isAllPowerful(caller))
      for (const strange of choicesOf(kinds)) {
        const idOf: IdOf = (kind) => idsOf(strange.includes(kind) ? foreign : home)(kind)
        const path = fillPattern(operation.pattern, idOf)
        const options = bodyOf(operation, idsOf(home))
        const reply = await ask(operation, { caller, path, options })
        const told = `${caller.name}: ${operation.method} ${operation.pattern} with a foreign ${strange.join(' and ')}`
        const isRefused = reply.status === 404 || reply.status === 422
        if (!isRefused) faults.push(`${told}: ${reply.status} ${reply.text.slice(0, 200)}`)
        const leak = leakOf(reply, foreign, path)
        if (leak !== undefined) faults.push(`${told} tells ${leak}`)
      }
    }
    return faults
  }
  await watch(foreign, attempt, guarded())
})

test('ids of another property in the body, in the query and in headers give nothing and change nothing', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    const faults: string[] = []
    if (
      `${operation.method} ${operation.pattern}` === DELETES_PROPERTY ||
      operation.pattern.startsWith('/manage/users')
    )
      return faults
    const query = operation.parameters
      .filter((parameter) => parameter.in === 'query' && /id|^search$/.test(parameter.name))
      .map(({ name }) => [name, foreign.ids[name.replace(/_id$|s$/, '')] ?? foreign.word] as const)
    const path = fillPattern(operation.pattern, (kind) =>
      operation.method === 'DELETE' && kind !== 'property' ? 'nothing' : idsOf(home)(kind),
    )
    for (const caller of strong().filter((each) => !isAllPowerful(each) || operation.pattern.includes('{property}'))) {
      const options = {
        ...bodyOf(operation, idsOf(foreign)),
        query: Object.fromEntries(query),
        headers: { 'x-service-session-id': foreign.ids['session']!, 'x-svc-sid': foreign.ids['session']! },
      }
      const reply = await ask(operation, { caller, path, options })
      const leak = leakOf(reply, foreign, path + JSON.stringify(options))
      const told = `${caller.name}: ${operation.method} ${operation.pattern} ${JSON.stringify(options)}`
      if (leak !== undefined) faults.push(`${told} tells ${leak}`)
    }
    return faults
  }
  await watch(foreign, attempt, guarded())
})

test('a token of the home property opens no other one with a header, and not its own either', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    if (!operation.pattern.startsWith('/v2/property/')) return []
    const path = fillPattern(operation.pattern, idsOf(foreign))
    const named = [home, foreign].map(({ id }) => ({ 'x-footfall-property': id }))
    const replies = await Promise.all(
      named.map((headers) => {
        const options = { token: home.token, headers, ...bodyOf(operation, idsOf(foreign)) }
        return ask(operation, { path, options })
      }),
    )
    const isUnknown = replies.every((reply) => verdictOf(reply) === 'unknown')
    return isUnknown ? [] : [`${operation.method} ${operation.pattern}: ${replies.map(({ status }) => status).join()}`]
  }
  await watch(foreign, attempt, guarded())
})

test('the key of the home property reaches no visit, form or content of another one', async () => {
  const attempt = async (operation: Operation): Promise<string[]> => {
    const path = fillPattern(operation.pattern, (kind) =>
      kind === 'formKey' || kind === 'contentKey' ? idsOf(home)(kind) : idsOf(foreign)(kind),
    )
    const { body } = bodyOf(operation, (kind) => idsOf(kind === 'key' ? home : foreign)(kind))
    const headers = {
      'x-svc-id': home.key,
      'x-svc-sid': foreign.ids['session']!,
      'x-svc-form': signature(home.ids['formKey']!, footfall.clock.now()),
      // Signed as it should be: it is the address and the age of the token that are looked at.
      'x-svc-session': signature(foreign.ids['formToken']!, footfall.clock.now()),
      origin: 'https://example.com',
    }
    const reply = await ask(operation, { path, options: { token: null, headers, ...(body !== undefined && { body }) } })
    const leak = leakOf(reply, foreign, path + JSON.stringify(body) + JSON.stringify(headers))
    return leak === undefined ? [] : [`${operation.method} ${operation.pattern} tells ${leak}`]
  }
  await watch(
    foreign,
    attempt,
    operations.filter(({ pattern }) => /^\/v2\/(signal|form|content)\//.test(pattern)),
  )
})
