// Members, invitations, people and share links through the front door: who is let in by what, once, and until
// when.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addPerson,
  cookieOf,
  PASSWORD,
  type Person,
  SAME_ORIGIN,
  signIn,
  withCookie,
} from '../../test/support/accounts.ts'
import { type Footfall, type Reply, startFootfall, type TestProperty } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let owner: Person
let property: TestProperty

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) + 123 })
  owner = await addPerson(footfall, { isOwner: true })
  property = await footfall.addProperty()
})

after(async () => {
  for (const close of closers) await close()
})

const DAY_MS = 86_400_000
const tokenOf = (url: string): string => url.split('#')[1] ?? ''

/** Without any cookie, from a page of the service. */
const callAsNobody = (path: string, body: unknown): Promise<Reply> =>
  footfall.call('POST', path, { token: null, body, headers: SAME_ORIGIN })

const accept = (url: string, more: object = { name: 'Nina New', password: PASSWORD }): Promise<Reply> =>
  callAsNobody('/manage/invitation/accept', { token: tokenOf(url), ...more })

async function invite(email: string, role = 'viewer', at = property.id) {
  const reply = await owner.call('POST', `/manage/properties/${at}/members`, { body: { email, role } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.invitation
}

const asPerson = (reply: Reply) => withCookie(footfall, cookieOf(reply))

describe('an invitation', () => {
  test('lets a new person in, with the role that it names, and once', async () => {
    const invitation = await invite('nina@example.com', 'admin')
    assert.match(invitation.url, /^http:\/\/footfall\.test\/dashboard\/invitation#[0-9A-Za-z]{40}$/)
    const described = await callAsNobody('/manage/invitation', { token: tokenOf(invitation.url) })
    assert.deepEqual(described.json.data, {
      kind: 'member',
      email: 'nina@example.com',
      property_name: 'Test',
      role: 'admin',
      needs_password: true,
      needs_sign_in: false,
      needs_code: false,
    })
    const replies = await Promise.all([accept(invitation.url), accept(invitation.url), accept(invitation.url)])
    const made = replies.find(({ status }) => status === 200)
    assert.equal(replies.filter(({ status }) => status === 404).length, 2, 'of three at once one has used it')
    assert.ok(made)
    const { json } = await asPerson(made)('GET', '/manage/session')
    assert.deepEqual(json.data.properties, [
      {
        id: property.id,
        key: property.key,
        name: 'Test',
        timezone: 'UTC',
        week_start: 'monday',
        currency: 'USD',
        role: 'admin',
        is_sample: false,
      },
    ])
    assert.equal((await accept(invitation.url)).status, 404)
    const rows = await footfall.context.records
      .selectFrom('users')
      .where('email', '=', 'nina@example.com')
      .selectAll()
      .execute()
    assert.equal(rows.length, 1)
  })

  test('of somebody with an account adds them at once, and only once', async () => {
    const { email, id, call } = await addPerson(footfall)
    const body = { email: email.toUpperCase(), role: 'viewer' }
    const reply = await owner.call('POST', `/manage/properties/${property.id}/members`, { body })
    assert.equal(reply.json.data.member.id, id)
    assert.equal((await call('GET', `/manage/properties/${property.id}`)).status, 200)
    assert.equal((await owner.call('POST', `/manage/properties/${property.id}/members`, { body })).status, 422)
  })

  test('made before there was an account is nothing for who is not signed in to that account', async () => {
    const invitation = await invite('later@example.com', 'owner')
    const person = await addPerson(footfall, { email: 'later@example.com' })
    const described = await callAsNobody('/manage/invitation', { token: tokenOf(invitation.url) })
    assert.deepEqual([described.json.data.needs_sign_in, described.json.data.needs_password], [true, false])
    const stolen = await accept(invitation.url)
    assert.equal(stolen.status, 401)
    assert.equal(stolen.headers.get('set-cookie'), null)
    const other = await addPerson(footfall)
    const body = { token: tokenOf(invitation.url) }
    assert.equal((await other.call('POST', '/manage/invitation/accept', { body })).status, 401)
    assert.equal((await person.call('POST', '/manage/invitation/accept', { body })).status, 200)
    assert.equal((await person.call('GET', `/manage/properties/${property.id}/members`)).status, 200)
    assert.equal((await signIn(footfall, person.email)).status, 200, 'the password is the old one')
  })

  test('is over when it is withdrawn, replaced or a week old', async () => {
    const first = await invite('slow@example.com')
    const second = await invite('slow@example.com')
    assert.equal((await accept(first.url)).status, 404, 'replaced')
    const path = `/manage/properties/${property.id}/invitations`
    const listed = (await owner.call('GET', path)).json.data.data as { id: string }[]
    assert.ok(listed.some(({ id }) => id === second.id))
    assert.ok(!listed.some(({ id }) => id === first.id))
    assert.ok(!JSON.stringify(listed).includes(tokenOf(second.url)))
    assert.equal((await owner.call('DELETE', `${path}/${second.id}`)).status, 200)
    assert.equal((await owner.call('DELETE', `${path}/${second.id}`)).status, 404)
    assert.equal((await accept(second.url)).status, 404, 'withdrawn')
    const third = await invite('slow@example.com')
    footfall.clock.advance(7 * DAY_MS)
    assert.equal((await accept(third.url)).status, 404, 'too old')
  })

  test('does not take a password that is guessed first', async () => {
    const { url } = await invite('weak@example.com')
    for (const password of [
      'short',
      'password123',
      'aaaaaaaaaaaa',
      'weak@example.com',
      'Wanda Weak',
      'x'.repeat(201),
    ]) {
      const reply = await accept(url, { name: 'Wanda Weak', password })
      assert.equal(reply.status, 422, password)
      assert.ok(reply.json.errors.password, password)
      assert.ok(!reply.text.includes(password) || password === 'short', 'and does not repeat it')
    }
    assert.equal((await accept(url, { name: 'Wanda Weak', password: 'ten letter' })).status, 200)
  })
})

describe('members', () => {
  test('get another role within a moment, and are gone within one', async () => {
    const { id, call } = await addPerson(footfall, { roles: { [property.id]: 'viewer' } })
    const path = `/manage/properties/${property.id}/members/${id}`
    const rename = () => call('POST', `/manage/properties/${property.id}`, { body: { name: 'Test' } })
    assert.equal((await rename()).status, 403)
    const { json } = await owner.call('POST', path, { body: { role: 'admin' } })
    assert.equal(json.data.member.role, 'admin')
    assert.equal((await rename()).status, 200)
    assert.equal((await owner.call('DELETE', path)).status, 200)
    assert.equal((await rename()).status, 404)
    assert.equal((await owner.call('DELETE', path)).status, 404)
  })

  test('of two last owners who remove each other at once one stays', async () => {
    const { id: at } = await footfall.addProperty()
    const [one, other] = [
      await addPerson(footfall, { roles: { [at]: 'owner' } }),
      await addPerson(footfall, { roles: { [at]: 'owner' } }),
    ]
    const replies = await Promise.all([
      one.call('DELETE', `/manage/properties/${at}/members/${other.id}`),
      other.call('POST', `/manage/properties/${at}/members/${one.id}`, { body: { role: 'viewer' } }),
    ])
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    const members = (await owner.call('GET', `/manage/properties/${at}/members`)).json.data.data as { role: string }[]
    assert.equal(members.filter(({ role }) => role === 'owner').length, 1)
  })
})

describe('people', () => {
  test('added by an owner choose their password by the link, once', async () => {
    const body = { email: 'Add@example.com', name: 'Ada Added', is_owner: true }
    const { json } = await owner.call('POST', '/manage/users', { body })
    assert.deepEqual([json.data.user.has_password, json.data.user.is_owner], [false, true])
    assert.equal((await owner.call('POST', '/manage/users', { body })).status, 422, 'the address is taken')
    assert.equal((await signIn(footfall, 'add@example.com')).status, 401)
    const reply = await accept(json.data.invitation_url, { password: PASSWORD })
    assert.equal(reply.json.data.user.name, 'Ada Added')
    assert.equal((await accept(json.data.invitation_url)).status, 404)
    assert.equal((await signIn(footfall, 'add@example.com')).status, 200)
  })

  test('who were shut out are out at once, and cannot come back', async () => {
    const person = await addPerson(footfall)
    const reset = (await owner.call('POST', `/manage/users/${person.id}/reset`, { body: {} })).json.data.reset_url
    const shut = (isActive: boolean) =>
      owner.call('POST', `/manage/users/${person.id}`, { body: { is_active: isActive } })
    assert.equal((await shut(false)).json.data.user.is_active, false)
    assert.equal((await person.call('GET', '/manage/account/sessions')).status, 401)
    const reply = await signIn(footfall, person.email)
    assert.equal(reply.json.message, 'Wrong email or password.')
    assert.equal((await accept(reset)).status, 404)
    await shut(true)
    assert.equal((await person.call('GET', '/manage/account/sessions')).status, 401, 'the old session stays over')
    assert.equal((await signIn(footfall, person.email)).status, 200)
  })

  test('who were removed leave nothing behind', async () => {
    const person = await addPerson(footfall, { roles: { [property.id]: 'admin' } })
    await owner.call('POST', `/manage/users/${person.id}/reset`, { body: {} })
    await signIn(footfall, person.email, { password: 'not the right one' })
    assert.equal((await owner.call('DELETE', `/manage/users/${person.id}`)).status, 200)
    assert.equal((await person.call('GET', '/manage/account/sessions')).status, 401)
    const { records } = footfall.context
    for (const table of ['user_sessions', 'sign_ins', 'recovery_codes', 'members', 'invitations'] as const)
      assert.deepEqual(
        await records.selectFrom(table).selectAll().where('user_id', '=', person.id).execute(),
        [],
        table,
      )
  })

  test('a reset ends every session and the old password', async () => {
    const person = await addPerson(footfall)
    const { json } = await owner.call('POST', `/manage/users/${person.id}/reset`, { body: {} })
    const described = await callAsNobody('/manage/invitation', { token: tokenOf(json.data.reset_url) })
    assert.deepEqual([described.json.data.kind, described.json.data.needs_password], ['reset', true])
    const reply = await accept(json.data.reset_url, { password: 'another stone by the river' })
    assert.equal(reply.status, 200)
    assert.equal((await person.call('GET', '/manage/account/sessions')).status, 401)
    assert.equal((await signIn(footfall, person.email)).status, 401)
    assert.equal((await asPerson(reply)('GET', '/manage/account/sessions')).json.data.data.length, 1)
  })

  test('of two last owners who remove each other at once one stays', async () => {
    const { records } = footfall.context
    await records.updateTable('users').set({ is_owner: 0 }).where('id', '!=', owner.id).execute()
    const other = await addPerson(footfall, { isOwner: true })
    const replies = await Promise.all([
      owner.call('POST', `/manage/users/${other.id}`, { body: { is_active: false } }),
      other.call('POST', `/manage/users/${owner.id}`, { body: { is_owner: false } }),
    ])
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    const left = await records
      .selectFrom('users')
      .select('id')
      .where('is_owner', '=', 1)
      .where('is_active', '=', 1)
      .execute()
    assert.equal(left.length, 1)
    const last = left[0]!.id === owner.id ? owner : other
    assert.equal((await last.call('DELETE', `/manage/users/${last.id}`)).status, 422)
    await records.updateTable('users').set({ is_owner: 1, is_active: 1 }).where('id', '=', owner.id).execute()
    footfall.clock.advance(2_001)
  })
})

describe('the bearer of a share link', () => {
  test('is exchanged for a new one while the link is there, and no longer', async () => {
    const path = `/manage/properties/${property.id}/shares`
    const { share, url } = (await owner.call('POST', path, { body: { name: 'On the wall' } })).json.data
    const opened = (await callAsNobody('/manage/share', { token: url.split('/').at(-1) })).json.data
    const renew = (token: string) => footfall.call('POST', '/manage/share/renew', { token })
    footfall.clock.advance(11 * 3_600_000)
    const renewed = (await renew(opened.access_token)).json.data
    assert.deepEqual(renewed.property, opened.property)
    assert.equal(renewed.expires_ts, opened.expires_ts + 11 * 3_600)
    footfall.clock.advance(2 * 3_600_000)
    assert.equal((await renew(opened.access_token)).status, 401, 'over')
    const see = (token: string) => footfall.call('POST', `/manage/properties/${property.id}/overview`, { token })
    assert.equal((await see(renewed.access_token)).status, 200)
    await owner.call('DELETE', `${path}/${share.id}`)
    assert.equal((await renew(renewed.access_token)).status, 401, 'the link is gone')
  })
})

test('one who looks at a shared page takes no more than their part, and all of them together nothing from its owners', async () => {
  const path = `/manage/properties/${property.id}/shares`
  const { share, url } = (await owner.call('POST', path, { body: { name: 'For everybody' } })).json.data
  const { access_token: token } = (await callAsNobody('/manage/share', { token: url.split('/').at(-1) })).json.data
  const renewFrom = (address: string) =>
    footfall.call('POST', '/manage/share/renew', { token, headers: { 'x-forwarded-for': address } })
  footfall.clock.advance(60_000)
  const statuses: number[] = []
  for (let n = 0; n < 62; n++) statuses.push((await renewFrom('198.51.100.61')).status)
  assert.deepEqual(statuses.slice(58), [200, 200, 429, 429])
  const reply = await renewFrom('198.51.100.62')
  assert.deepEqual([reply.status, reply.headers.get('ratelimit-limit')], [200, '60'])
  // 61 were counted for the link: what one of them was refused is not among them.
  for (let n = 61; n < 600; n++) await footfall.context.limits.count(`share:${share.id}`, footfall.clock.now())
  assert.equal((await renewFrom('198.51.100.63')).status, 429)
  assert.equal((await owner.call('GET', path)).status, 200)
})

describe('a share link', () => {
  const share = async (body: object) =>
    (await owner.call('POST', `/manage/properties/${property.id}/shares`, { body })).json.data
  const open = (url: string, password?: string) =>
    callAsNobody('/manage/share', { token: url.split('/').at(-1), ...(password !== undefined && { password }) })
  const metrics = (token: string, at = property.id) =>
    footfall.call('POST', '/v2/property/signals/analytics/metrics', {
      token,
      body: { period: 'today' },
      headers: { 'x-footfall-property': at },
    })

  test('shows the figures of its property, and nothing that tells of a person', async () => {
    const { share: made, url } = await share({ name: 'For the board' })
    assert.match(url, /^http:\/\/footfall\.test\/dashboard\/share\/[0-9A-Za-z]{40}$/)
    assert.deepEqual([made.name, made.has_password], ['For the board', false])
    const { json } = await open(url)
    const { access_token: token } = json.data
    assert.deepEqual(json.data.property, {
      id: property.id,
      name: 'Test',
      timezone: 'UTC',
      week_start: 'monday',
      currency: 'USD',
    })
    assert.equal((await metrics(token)).status, 200)
    assert.equal((await metrics(token, footfall.property.id)).status, 404, 'another property')
    const headers = { 'x-footfall-property': property.id }
    for (const [method, path] of [
      ['GET', '/v2/property/contacts'],
      ['GET', '/v2/property/links'],
      ['POST', '/v2/property/link-groups'],
    ] as const)
      assert.equal(
        (await footfall.call(method, path, { token, headers, ...(method === 'POST' && { body: {} }) })).status,
        403,
        path,
      )
    assert.equal((await footfall.call('GET', `/manage/properties/${property.id}/forms`, { token })).status, 404)
    assert.equal((await footfall.call('GET', '/manage/properties', { token })).status, 403)
    const me = await footfall.call('GET', '/manage/session', { token })
    assert.deepEqual(me.json.data.share, {
      id: made.id,
      property: { id: property.id, name: 'Test', timezone: 'UTC', week_start: 'monday', currency: 'USD' },
    })
  })

  test('with a password needs it, and gives nobody many tries', async () => {
    const { url } = await share({ name: 'Secret', password: 'a shared secret word' })
    const none = await open(url)
    assert.deepEqual([none.status, none.json.error_code], [401, 'password_required'])
    assert.equal((await open(url, 'a shared secret word')).status, 200)
    for (let n = 0; n < 10; n++) assert.equal((await open(url, 'something else')).status, 401)
    const locked = await open(url, 'a shared secret word')
    assert.equal(locked.status, 429)
    assert.ok(Number(locked.headers.get('retry-after')) > 0)
    footfall.clock.advance(15 * 60_000)
    assert.equal((await open(url, 'a shared secret word')).status, 200)
  })

  test('that was revoked is over at once, and one that was opened half a day ago as well', async () => {
    const { share: made, url } = await share({ name: 'Short' })
    const { access_token: token } = (await open(url)).json.data
    assert.equal((await metrics(token)).status, 200)
    assert.equal((await owner.call('DELETE', `/manage/properties/${property.id}/shares/${made.id}`)).status, 200)
    assert.equal((await metrics(token)).status, 401)
    assert.equal((await open(url)).status, 404)
    const other = await share({ name: 'Long' })
    const bearer = (await open(other.url)).json.data.access_token as string
    const forged = bearer.replace(/\.(\d+)\./, (_, expires: string) => `.${Number(expires) + 1}.`)
    assert.equal((await metrics(forged)).status, 401)
    footfall.clock.advance(DAY_MS / 2)
    assert.equal((await metrics(bearer)).status, 401)
  })
})
