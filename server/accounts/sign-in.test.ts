// Signing in through the front door: who gets in, what those are told who do not, and what a cookie is good
// for.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addPerson,
  cookieOf,
  PASSWORD,
  SAME_ORIGIN,
  setupToken,
  signIn,
  withCookie,
} from '../../test/support/accounts.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { VERSION } from '../version.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) })
})

after(async () => {
  for (const close of closers) await close()
})

const nextWindow = (): void => footfall.clock.advance(15 * 60_000)

describe('the first owner', () => {
  test('nobody is asked for a token to learn that there is no owner yet', async () => {
    const { status, json } = await footfall.call('GET', '/manage/session', { token: null })
    assert.equal(status, 200)
    const nobody = {
      user: null,
      properties: [],
      is_setup_open: true,
      version: null,
      share: null,
      is_mail_on: false,
      is_demo: false,
    }
    assert.deepEqual(json.data, nobody)
  })

  test('a wrong token makes nobody', async () => {
    const body = { token: 'x'.repeat(43), email: 'a@example.com', name: 'A', password: PASSWORD }
    const { status, headers } = await footfall.call('POST', '/manage/setup', { token: null, body })
    assert.deepEqual([status, headers.get('set-cookie')], [404, null])
  })

  test('of many who use the link at once one becomes the owner, and is signed in', async () => {
    const token = await setupToken(footfall)
    assert.equal(await setupToken(footfall), token, 'the same at every start')
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => {
        const body = { token, email: `owner${n}@example.com`, name: `Owner ${n}`, password: PASSWORD }
        return footfall.call('POST', '/manage/setup', { token: null, body, headers: SAME_ORIGIN })
      }),
    )
    const made = replies.filter(({ status }) => status === 200)
    assert.equal(replies.filter(({ status }) => status === 404).length, 3)
    assert.equal(made.length, 1)
    const { user } = made[0]!.json.data
    assert.equal(user.is_owner, true)
    const { json } = await withCookie(footfall, cookieOf(made[0]!))('GET', '/manage/session')
    assert.deepEqual(json.data.user, user)
    assert.equal(json.data.version, VERSION, 'for nobody else')
    assert.equal(json.data.is_setup_open, false)
    assert.equal(await setupToken(footfall), '', 'no link is printed any more')
  })
})

describe('signing in', () => {
  test('answers with the person and a cookie that no script can read', async () => {
    const person = await addPerson(footfall, { email: 'Cookie.Reader@Example.com' })
    const reply = await signIn(footfall, 'cookie.reader@EXAMPLE.com')
    assert.equal(reply.json.data.user.id, person.id)
    assert.match(
      reply.headers.get('set-cookie') ?? '',
      /^footfall=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    )
    assert.ok(!reply.text.includes('password'))
  })

  test('a wrong password and an unknown address are told apart by nothing', async () => {
    const { email } = await addPerson(footfall)
    const wrong = await signIn(footfall, email, { password: 'something else entirely' })
    const unknown = await signIn(footfall, 'nobody@example.com', { password: 'something else entirely' })
    const none = await signIn(footfall, 'no address at all', { password: 'something else entirely' })
    assert.equal(wrong.status, 401)
    assert.equal(wrong.json.error_code, 'unauthenticated')
    for (const reply of [unknown, none]) assert.equal(reply.text, wrong.text)
    assert.equal(wrong.headers.get('set-cookie'), null)
  })

  test('a session is a new one each time, and the one that the browser came with is over', async () => {
    const { email, cookie } = await addPerson(footfall)
    const planted = `footfall=${'A'.repeat(43)}`
    const first = await signIn(footfall, email, { headers: { cookie: planted } })
    assert.notEqual(cookieOf(first), planted)
    const none = await withCookie(footfall, planted)('GET', '/manage/session')
    assert.equal(none.json.data.user, null)
    const second = await signIn(footfall, email, { headers: { cookie } })
    assert.notEqual(cookieOf(second), cookie)
    footfall.clock.advance(2_001)
    assert.equal((await withCookie(footfall, cookie)('GET', '/manage/session')).json.data.user, null)
    assert.equal((await withCookie(footfall, cookieOf(second))('GET', '/manage/session')).json.data.user.email, email)
  })

  test('what signs out is over at once', async () => {
    const person = await addPerson(footfall)
    const { json, headers } = await person.call('DELETE', '/manage/session')
    assert.deepEqual(json.data, { signed_out: true })
    assert.match(headers.get('set-cookie') ?? '', /^footfall=; .*Max-Age=0/)
    assert.equal((await person.call('GET', '/manage/properties')).status, 401)
  })
})

test('owners of the installation see every property, others their own, strangers none', async () => {
  nextWindow()
  const other = await footfall.addProperty()
  const owner = await addPerson(footfall, { isOwner: true })
  const viewer = await addPerson(footfall, { roles: { [other.id]: 'viewer' } })
  const stranger = await addPerson(footfall)
  const ids = async (person: typeof owner): Promise<string[]> =>
    (await person.call('GET', '/manage/properties')).json.data.data.map(({ id }: { id: string }) => id)
  assert.ok((await ids(owner)).includes(footfall.property.id))
  assert.deepEqual([await ids(viewer), await ids(stranger)], [[other.id], []])
  const paths = [`/manage/properties/${other.id}`, `/manage/properties/${footfall.property.id}`]
  const statuses = await Promise.all(paths.map(async (path) => (await viewer.call('GET', path)).status))
  assert.deepEqual(statuses, [200, 404])
  assert.equal((await viewer.call('POST', paths[0]!, { body: { name: 'x' } })).status, 403)
  const own = (await viewer.call('GET', '/manage/session')).json.data.properties
  assert.deepEqual(own, [
    {
      id: other.id,
      key: other.key,
      name: 'Test',
      timezone: 'UTC',
      week_start: 'monday',
      currency: 'USD',
      role: 'viewer',
      is_sample: false,
    },
  ])
})

test('a person reads the figures of the property that the call names', async () => {
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const path = '/v2/property/signals/analytics/metrics'
  const ask = (headers: Record<string, string>) => viewer.call('POST', path, { body: { period: 'today' }, headers })
  assert.equal((await ask({ 'x-footfall-property': footfall.property.id })).status, 200)
  assert.equal((await ask({})).status, 401)
  assert.equal((await ask({ 'x-footfall-property': (await footfall.addProperty()).id })).status, 404)
  const body = { name: 'x' }
  const headers = { 'x-footfall-property': footfall.property.id }
  assert.equal((await viewer.call('POST', '/v2/property/link-groups', { body, headers })).status, 403)
  const asAdmin = { token: footfall.admin, headers }
  assert.equal((await footfall.call('POST', path, { body: { period: 'today' }, ...asAdmin })).status, 200)
})

test('no page elsewhere can use the cookie', async () => {
  const owner = await addPerson(footfall, { isOwner: true })
  const sent = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
  ]
  const { cookie } = owner
  for (const headers of sent) {
    const reply = await footfall.call('POST', '/manage/properties', {
      token: null,
      body: { name: 'x', domains: [] },
      headers: { cookie, ...headers },
    })
    assert.equal(reply.status, 403, JSON.stringify(headers))
  }
  const silent = { token: null, body: { name: 'x', domains: [] }, headers: { cookie } }
  assert.equal((await footfall.call('POST', '/manage/properties', silent)).status, 403)
  const { host } = new URL(footfall.url)
  const fromHere = { ...silent, headers: { cookie, origin: `http://${host}` } }
  assert.equal((await footfall.call('POST', '/manage/properties', fromHere)).status, 200)
})

test('what a form of another page could send is not read', async () => {
  const { email, cookie } = await addPerson(footfall, { isOwner: true })
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']
  for (const type of types) {
    const headers = { 'content-type': type }
    const body = JSON.stringify({ email, password: PASSWORD })
    const signedIn = await footfall.call('POST', '/manage/session', { token: null, headers, body })
    assert.deepEqual([signedIn.status, signedIn.headers.get('set-cookie')], [415, null], type)
    const made = JSON.stringify({ name: 'x', domains: [] })
    const sent = { ...SAME_ORIGIN, ...headers, cookie }
    assert.equal(
      (await footfall.call('POST', '/manage/properties', { token: null, headers: sent, body: made })).status,
      415,
    )
  }
  const headers = {
    cookie,
    'content-type': 'text/plain',
    'sec-fetch-site': 'cross-site',
    'x-footfall-property': footfall.property.id,
  }
  const beacon = { token: null, headers, body: JSON.stringify({ name: 'x' }) }
  assert.equal((await footfall.call('POST', '/v2/property/link-groups', beacon)).status, 403)
  const foreign = { token: null, headers: { 'sec-fetch-site': 'cross-site' }, body: { email, password: PASSWORD } }
  const stranger = await footfall.call('POST', '/manage/session', foreign)
  assert.deepEqual([stranger.status, stranger.headers.get('set-cookie')], [403, null])
})

test('a person has as many calls a minute as a token has', async () => {
  const person = await addPerson(footfall)
  footfall.clock.advance(60_000)
  for (let n = 0; n < 599; n++) await footfall.context.limits.count(`user:${person.id}`, footfall.clock.now())
  const last = await person.call('GET', '/manage/properties')
  assert.deepEqual([last.status, last.headers.get('ratelimit-remaining')], [200, '0'])
  assert.equal((await person.call('GET', '/manage/properties')).status, 429)
  footfall.clock.advance(60_000)
  assert.equal((await person.call('GET', '/manage/properties')).status, 200)
})
