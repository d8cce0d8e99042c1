// Who may call what: every endpoint by everybody there is. One that is added is called as well.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Role } from '../server/kernel/roles.ts'
import { endpoints } from '../server/endpoints.ts'
import { addPerson, type Person } from './support/accounts.ts'
import { operationsOf } from './support/operations.ts'
import { byRole, type GuardedRoute, guardedRoutes, type Right } from './support/rights.ts'
import { type CallOptions, type Footfall, type Reply, startFootfall } from './support/server.ts'

type Route = Omit<GuardedRoute, 'scope'>

/** Somebody who calls, and what they may do in the property. */
interface Caller {
  readonly name: string
  /** What they send with every call. */
  readonly options: CallOptions
  readonly may: (right: Right) => boolean
  /** Has nothing to do with the property: it is not there. */
  readonly isStranger: boolean
}

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let propertyId: string
let callers: Caller[]

function personAs(name: string, { cookie }: Person, may: Caller['may'], isStranger = false): Caller {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  return { name, options: { token: null, headers }, may, isStranger }
}

async function openShare(id = propertyId): Promise<string> {
  const path = `/manage/properties/${id}/shares`
  const { json } = await footfall.call('POST', path, { body: { name: 'For everybody' } })
  const body = { token: json.data.url.split('/').at(-1) }
  return (await footfall.call('POST', '/manage/share', { token: null, body })).json.data.access_token
}

async function allCallers(): Promise<Caller[]> {
  const withRole = (role: Role) => addPerson(footfall, { roles: { [propertyId]: role } })
  const elsewhere = (await footfall.addProperty()).id
  return [
    { name: 'nobody', options: { token: null }, may: (right) => right === 'public', isStranger: false },
    personAs('a stranger', await addPerson(footfall, { roles: { [elsewhere]: 'owner' } }), byRole(undefined), true),
    personAs('a viewer', await withRole('viewer'), byRole('viewer')),
    personAs('an admin', await withRole('admin'), byRole('admin')),
    personAs('an owner', await withRole('owner'), byRole('owner')),
    personAs('an owner of the installation', await addPerson(footfall, { isOwner: true }), byRole('owner', true)),
    {
      name: 'the administrator',
      options: { token: footfall.admin },
      may: (right) => right !== 'person' && byRole('owner', true)(right),
      isStranger: false,
    },
    {
      name: 'a share',
      options: { token: await openShare() },
      may: (right) => right === 'public' || right === 'share' || right === 'viewer or share',
      isStranger: false,
    },
  ]
}

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) })
  propertyId = (await footfall.addProperty()).id
  callers = await allCallers()
})

after(async () => {
  for (const close of closers) await close()
})

/** With a body that is right for none: who may call is told what is wrong with it, and nothing happens. */
async function callAs({ options }: Caller, { method, pattern }: Route): Promise<Reply> {
  const path = pattern.replace('{property}', propertyId).replaceAll(/\{\w+\}/g, 'nothing')
  const headers = { ...options.headers, ...(pattern.startsWith('/v2/') && { 'x-footfall-property': propertyId }) }
  const body = method === 'POST' ? { body: [] } : {}
  return footfall.call(method, path, { ...options, headers, ...body })
}

/** The property is named and none of the caller's business. */
const isHidden = ({ status, json }: Reply): boolean => status === 404 && json.message === 'Property not found.'

function verdictOf(reply: Reply): 'unknown' | 'hidden' | 'refused' | 'let in' {
  if (reply.status === 401 && reply.json.error_code === 'unauthenticated') return 'unknown'
  if (isHidden(reply)) return 'hidden'
  return reply.status === 403 ? 'refused' : 'let in'
}

function expected(caller: Caller, { pattern, right }: Route): ReturnType<typeof verdictOf> {
  if (caller.may(right)) return 'let in'
  // A person's own account is nobody else's, whatever they may do otherwise; so is the bearer of a share.
  if (caller.name === 'nobody' || right === 'person' || right === 'share') return 'unknown'
  const isOfProperty = pattern.startsWith('/v2/') || pattern.includes('{property}')
  const isHiddenFrom = caller.isStranger || (caller.name === 'a share' && pattern.startsWith('/manage/'))
  return isOfProperty && isHiddenFrom ? 'hidden' : 'refused'
}

/** What would sign the caller out, or take the property away from those who come after, when it is let in. */
const isLast = ({ method, pattern }: Route): boolean =>
  method === 'DELETE' && (pattern === '/manage/session' || pattern === '/manage/properties/{property}')

test('every operation of the management interface and of /v2/property is an endpoint that says who may call it', async () => {
  const operations = operationsOf(await footfall.call('GET', '/openapi.json'))
    .filter(({ method, pattern }) => method !== 'HEAD' && /^\/(manage|v2\/property)\//.test(pattern))
    .map(({ method, pattern }) => `${method} ${pattern}`)
  assert.ok(operations.length > 80, `${operations.length}`)
  const known = new Set(guardedRoutes.map(({ method, pattern }) => `${method} ${pattern}`))
  assert.deepEqual(
    operations.filter((name) => !known.has(name)),
    [],
  )
})

test('a role is one in the property that the URL names', () => {
  for (const { url, access } of endpoints)
    if (access.right.kind === 'role') assert.match(url, /^\/manage\/properties\/:property(\/|$)/)
})

test('everybody is let in where they may be, and nowhere else', async () => {
  const faults: string[] = []
  for (const route of guardedRoutes.filter((each) => !isLast(each))) {
    footfall.clock.advance(60_000)
    for (const caller of callers) {
      const reply = await callAs(caller, route)
      const [is, should] = [verdictOf(reply), expected(caller, route)]
      if (is !== should)
        faults.push(`${caller.name} ${route.method} ${route.pattern}: ${is}, not ${should} (${reply.status})`)
      if (reply.status >= 500) faults.push(`${route.method} ${route.pattern}: ${reply.status}`)
    }
  }
  assert.deepEqual(faults, [])
})

test('a share link shows who is here as figures, and nobody one by one', async () => {
  const { id, key } = await footfall.addProperty()
  for (const n of [1, 2, 3]) await footfall.track.load({ key, address: `203.0.113.${n}` })
  const path = `/manage/properties/${id}`
  const share = (await footfall.call('POST', `${path}/shares`, { body: { name: 'x' } })).json.data.url.split('/').at(-1)
  const opened = await footfall.call('POST', '/manage/share', { token: null, body: { token: share } })
  const shared = (await footfall.call('POST', `${path}/live`, { token: opened.json.data.access_token, body: {} })).json
  assert.deepEqual([shared.data.count, shared.data.sessions], [3, []])
  const own = (await footfall.call('POST', `${path}/live`, { body: {} })).json.data
  assert.equal(own.sessions.length, 3)
})

test('a share link shows the figures of no single contact', async () => {
  const { id } = await footfall.addProperty()
  const at = `/manage/properties/${id}`
  const token = await openShare(id)
  const clauses = [{ id: 'contact_id', op: 'equals', value: 'ct_1' }]
  const options = { token, body: { clauses }, headers: { 'x-footfall-property': id } }
  for (const path of [
    `${at}/overview`,
    `${at}/lists/country`,
    `${at}/lists/country?format=csv`,
    `${at}/live`,
    '/v2/property/signals/analytics/metrics',
    '/v2/property/signals/analytics/graph',
    '/v2/property/signals/analytics/live',
  ]) {
    const { status, json } = await footfall.call('POST', path, options)
    assert.deepEqual([status, json.error_code], [422, 'validation_failed'], path)
    assert.equal((await footfall.call('POST', path, { ...options, body: { clauses: [] } })).status, 200, path)
    if (path.startsWith(at)) assert.equal((await footfall.call('POST', path, { body: { clauses } })).status, 200, path)
  }
})

test('the property is deleted by its owner and by nobody less', async () => {
  const route = { method: 'DELETE', pattern: '/manage/properties/{property}', right: 'owner' } as const
  footfall.clock.advance(60_000)
  for (const caller of callers.filter(({ may }) => !may('owner')))
    assert.equal(verdictOf(await callAs(caller, route)), expected(caller, route), caller.name)
  const owner = callers.find(({ name }) => name === 'an owner')
  assert.ok(owner)
  assert.equal((await callAs(owner, route)).status, 200)
  assert.equal((await callAs(owner, route)).status, 404)
})
