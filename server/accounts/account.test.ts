// One's own account through the front door: what needs the password once more, the second factor, the
// sessions, the log, and how often somebody may try.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addPerson, cookieOf, PASSWORD, type Person, signIn, withCookie } from '../../test/support/accounts.ts'
import { openKeys } from '../kernel/keys.ts'
import { encrypt } from '../kernel/encryption.ts'
import { isPassword } from './passwords.ts'
import { warnOfProxy } from './entry-endpoints.ts'
import { removeOldAccountRows } from './retention.ts'
import { CHROME, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) })
})

after(async () => {
  for (const close of closers) await close()
})

const DAY_MS = 86_400_000
const nextWindow = (): void => footfall.clock.advance(15 * 60_000)
const NEW_PASSWORD = 'another stone by the river'

describe('a new password', () => {
  test('needs the old one, ends the other sessions and keeps this one', async () => {
    const person = await addPerson(footfall)
    const other = withCookie(footfall, cookieOf(await signIn(footfall, person.email)))
    const change = (body: object) => person.call('POST', '/manage/account', { body })
    for (const body of [
      { password: NEW_PASSWORD },
      { password: NEW_PASSWORD, current_password: 'not the right one' },
    ]) {
      const reply = await change(body)
      assert.equal(reply.status, 422)
      assert.ok(reply.json.errors.current_password)
    }
    assert.equal((await other('GET', '/manage/account/sessions')).status, 200)
    assert.equal((await change({ password: NEW_PASSWORD, current_password: PASSWORD })).status, 200)
    assert.equal((await other('GET', '/manage/account/sessions')).status, 401)
    assert.equal((await person.call('GET', '/manage/account/sessions')).status, 200)
    assert.equal((await signIn(footfall, person.email)).status, 401)
    assert.equal((await signIn(footfall, person.email, { password: NEW_PASSWORD })).status, 200)
  })

  test('is not guessed in a browser that was left open', async () => {
    const person = await addPerson(footfall)
    const change = (current_password: string) =>
      person.call('POST', '/manage/account', { body: { password: NEW_PASSWORD, current_password } })
    for (let n = 0; n < 10; n++) assert.equal((await change(`guess number ${n}`)).status, 422)
    assert.equal((await change(PASSWORD)).status, 429)
    nextWindow()
    assert.equal((await change(PASSWORD)).status, 200)
  })
})

test('a name changes freely, an address only with the password and when nobody has it', async () => {
  const [person, other] = [await addPerson(footfall, { isOwner: true }), await addPerson(footfall)]
  const change = (body: object) => person.call('POST', '/manage/account', { body })
  assert.equal((await change({ name: '  Grace  ' })).json.data.user.name, 'Grace')
  assert.equal((await change({ name: '\u0007' })).status, 422)
  assert.equal((await change({ email: 'grace@example.com' })).status, 422)
  assert.equal((await change({ email: other.email.toUpperCase(), current_password: PASSWORD })).status, 422)
  const { json } = await change({ email: 'Grace@Example.com', current_password: PASSWORD })
  assert.equal(json.data.user.email, 'Grace@Example.com')
  assert.equal((await signIn(footfall, 'grace@example.com')).status, 200)
  assert.equal((await signIn(footfall, person.email)).status, 401)
})

describe('an address', () => {
  test('is nothing that somebody takes for themselves, to be given what is meant for another', async () => {
    const [person, owner] = [await addPerson(footfall), await addPerson(footfall, { isOwner: true })]
    const { id } = await footfall.addProperty()
    const change = (email: string) =>
      person.call('POST', '/manage/account', { body: { email, current_password: PASSWORD } })
    const taken = await change('boss@example.com')
    assert.deepEqual([taken.status, taken.json.error_code], [403, 'insufficient_scope'])
    const body = { email: 'boss@example.com', role: 'owner' }
    const added = await owner.call('POST', `/manage/properties/${id}/members`, { body })
    assert.ok(added.json.data.invitation, 'nobody has it yet')
    assert.equal((await person.call('GET', `/manage/properties/${id}`)).status, 404)
    assert.equal((await change(person.email.toUpperCase())).status, 200, 'its spelling is their own')
  })

  test('is changed by owners of the installation, when nobody has it, and ends the links that were made before', async () => {
    const [person, other, owner] = [
      await addPerson(footfall),
      await addPerson(footfall),
      await addPerson(footfall, { isOwner: true }),
    ]
    const path = `/manage/users/${person.id}`
    const reset = (await owner.call('POST', `${path}/reset`, { body: {} })).json.data.reset_url.split('#')[1]
    assert.equal((await other.call('POST', path, { body: { email: 'ada@example.com' } })).status, 403)
    assert.equal((await owner.call('POST', path, { body: { email: 'no address' } })).status, 422)
    const taken = await owner.call('POST', path, { body: { email: other.email.toUpperCase() } })
    assert.ok(taken.json.errors.email, taken.text)
    const { json } = await owner.call('POST', path, { body: { email: 'Ada@example.com' } })
    assert.equal(json.data.user.email, 'Ada@example.com')
    assert.equal((await signIn(footfall, 'ada@example.com')).status, 200)
    assert.equal((await signIn(footfall, person.email)).status, 401)
    const accepted = await footfall.call('POST', '/manage/invitation/accept', {
      token: null,
      body: { token: reset, password: NEW_PASSWORD },
    })
    assert.equal(accepted.status, 404)
  })
})

interface Authenticator {
  readonly person: Person
  /** Of now, or of so many steps away. */
  readonly code: (steps?: number) => string
  readonly recoveryCodes: string[]
}

async function addAuthenticator(): Promise<Authenticator> {
  const person = await addPerson(footfall)
  const body = { current_password: PASSWORD }
  const { secret, otpauth_url: url } = (await person.call('POST', '/manage/account/totp', { body })).json.data
  assert.match(
    url,
    /^otpauth:\/\/totp\/Footfall:.+\?issuer=Footfall&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
  )
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
  const code = (steps = 0): string => totp.generate({ timestamp: footfall.clock.now() + steps * 30_000 })
  const { json } = await person.call('POST', '/manage/account/totp/confirm', { body: { code: code() } })
  return { person, code, recoveryCodes: json.data.recovery_codes }
}

const nextStep = (): void => footfall.clock.advance(30_000)
const isIn = ({ status, json }: Reply): boolean => status === 200 && json.data.user !== null

describe('the second factor', () => {
  test('counts only once a code of it was confirmed', async () => {
    const person = await addPerson(footfall)
    await person.call('POST', '/manage/account/totp', { body: { current_password: PASSWORD } })
    assert.equal((await person.call('POST', '/manage/account/totp/confirm', { body: { code: '000000' } })).status, 422)
    assert.ok(isIn(await signIn(footfall, person.email)))
    assert.equal((await person.call('POST', '/manage/account/totp', { body: { current_password: 'no' } })).status, 422)
  })

  test('is asked for when the password is right, and for nothing else', async () => {
    const { person, code } = await addAuthenticator()
    nextStep()
    const none = await signIn(footfall, person.email)
    assert.deepEqual([none.status, none.json.error_code], [401, 'second_factor_required'])
    assert.equal(none.headers.get('set-cookie'), null)
    const wrong = await signIn(footfall, person.email, { password: 'not the right one', code: code() })
    assert.equal(wrong.json.error_code, 'unauthenticated')
    const bad = await signIn(footfall, person.email, {
      code: code().replace(/\d$/, (digit) => String((Number(digit) + 5) % 10)),
    })
    assert.equal(bad.json.error_code, 'second_factor_required')
    assert.ok(isIn(await signIn(footfall, person.email, { code: code() })))
  })

  test('takes a code once, also when it comes twice at the same time, and those of a step away', async () => {
    const { person, code } = await addAuthenticator()
    assert.ok(!isIn(await signIn(footfall, person.email, { code: code() })), 'the one that confirmed it')
    nextStep()
    nextStep()
    const replies = await Promise.all([1, 2, 3].map(() => signIn(footfall, person.email, { code: code() })))
    assert.equal(replies.filter(isIn).length, 1)
    assert.ok(!isIn(await signIn(footfall, person.email, { code: code(-1) })), 'an older one than was used')
    assert.ok(isIn(await signIn(footfall, person.email, { code: code(1) })), 'a clock that is ahead')
    nextStep()
    nextStep()
    nextStep()
    assert.ok(!isIn(await signIn(footfall, person.email, { code: code(2) })))
    assert.ok(isIn(await signIn(footfall, person.email, { code: code(-1) })), 'a clock that is behind')
  })

  test('has ten recovery codes, each good once and in any spelling', async () => {
    const { person, recoveryCodes } = await addAuthenticator()
    assert.equal(new Set(recoveryCodes).size, 10)
    for (const code of recoveryCodes) assert.match(code, /^([0-9a-hj-kmnp-z]{4}-){3}[0-9a-hj-kmnp-z]{4}$/)
    const [first = '', second = '', third = ''] = recoveryCodes
    const replies = await Promise.all([1, 2].map(() => signIn(footfall, person.email, { code: first })))
    assert.equal(replies.filter(isIn).length, 1)
    assert.ok(isIn(await signIn(footfall, person.email, { code: second.toUpperCase().replaceAll('-', ' ') })))
    const body = { current_password: PASSWORD }
    const { json } = await person.call('POST', '/manage/account/recovery-codes', { body })
    assert.ok(!isIn(await signIn(footfall, person.email, { code: third })), 'replaced')
    assert.ok(isIn(await signIn(footfall, person.email, { code: json.data.recovery_codes[0] })))
    const { person: other } = await addAuthenticator()
    assert.ok(!isIn(await signIn(footfall, other.email, { code: json.data.recovery_codes[1] })), 'of somebody else')
  })

  test('of a server that lost its secret is refused in words, and a recovery code lets its owner in', async () => {
    const { person, code, recoveryCodes } = await addAuthenticator()
    const { user } = (await person.call('GET', '/manage/session')).json.data
    const encrypted = encrypt(openKeys('another secret of at least 32 characters'), 'A'.repeat(32), `totp:${user.id}`)
    const { records } = footfall.context
    await records
      .updateTable('users')
      .set({ totp_secret: encrypted, totp_pending: encrypted })
      .where('id', '=', user.id)
      .execute()
    nextStep()
    const reply = await signIn(footfall, person.email, { code: code() })
    assert.deepEqual([reply.status, reply.json.error_code], [401, 'second_factor_required'])
    assert.match(reply.json.message, /another SECRET.+recovery code/)
    const confirmed = await person.call('POST', '/manage/account/totp/confirm', { body: { code: code() } })
    assert.equal(confirmed.status, 422)
    assert.match(confirmed.json.errors.code[0], /Set up the authenticator again/)
    assert.ok(isIn(await signIn(footfall, person.email, { code: recoveryCodes[0]! })))
  })

  test('goes with the password alone, and its recovery codes with it', async () => {
    const { person } = await addAuthenticator()
    assert.equal(
      (await person.call('DELETE', '/manage/account/totp', { body: { current_password: 'no' } })).status,
      422,
    )
    assert.equal(
      (await person.call('DELETE', '/manage/account/totp', { body: { current_password: PASSWORD } })).status,
      200,
    )
    assert.ok(isIn(await signIn(footfall, person.email)))
    assert.equal(
      (await person.call('POST', '/manage/account/recovery-codes', { body: { current_password: PASSWORD } })).status,
      422,
    )
  })

  test('is guessed by nobody who has the password, and lets its owner in by a recovery code meanwhile', async () => {
    const { person, code, recoveryCodes } = await addAuthenticator()
    nextWindow()
    const from = (n: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${n}` } })
    for (let n = 0; n < 10; n++)
      assert.equal((await signIn(footfall, person.email, { code: '000000', ...from(n) })).status, 401)
    assert.equal((await signIn(footfall, person.email, { code: code(), ...from(99) })).status, 429)
    assert.ok(isIn(await signIn(footfall, person.email, { code: recoveryCodes[0]!, ...from(99) })))
  })

  test('stands in nothing that is stored or shown', async () => {
    const { person } = await addAuthenticator()
    const row = await footfall.context.records
      .selectFrom('users')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.doesNotMatch(row.totp_secret ?? '', /^[A-Z2-7]{32}$/)
    const { json, text } = await person.call('GET', '/manage/session')
    assert.equal(json.data.user.has_totp, true)
    assert.doesNotMatch(text, /hash|secret/)
  })

  test('is not left out by a reset, unless an owner of the installation says so', async () => {
    const owner = await addPerson(footfall, { isOwner: true })
    const { person, code } = await addAuthenticator()
    const reset = async (body: object): Promise<string> => {
      const { json } = await owner.call('POST', `/manage/users/${person.id}/reset`, { body })
      return json.data.reset_url.split('#')[1]
    }
    const accept = (token: string, more: object = {}) =>
      footfall.call('POST', '/manage/invitation/accept', {
        token: null,
        body: { token, password: NEW_PASSWORD, ...more },
      })
    nextStep()
    const token = await reset({})
    assert.equal((await accept(token)).json.error_code, 'second_factor_required')
    assert.equal((await accept(token, { code: code() })).status, 200)
    nextStep()
    assert.equal((await accept(await reset({ totp: true }))).json.data.user.has_totp, false)
    assert.ok(isIn(await signIn(footfall, person.email, { password: NEW_PASSWORD })))
  })
})

describe('sessions', () => {
  test('are listed with where they are, and ended one by one', async () => {
    const person = await addPerson(footfall)
    const other = cookieOf(await signIn(footfall, person.email, { headers: { 'user-agent': CHROME } }))
    const { json, text } = await person.call('GET', '/manage/account/sessions')
    const [newest, oldest] = json.data.data
    assert.deepEqual(
      [newest.browser, newest.os, newest.is_current, oldest.is_current],
      ['Chrome', 'Windows', false, true],
    )
    assert.ok(!text.includes(other.split('=')[1] ?? ''))
    assert.equal((await person.call('DELETE', `/manage/account/sessions/${newest.id}`)).status, 200)
    assert.equal((await withCookie(footfall, other)('GET', '/manage/account/sessions')).status, 401)
    const { call } = await addPerson(footfall)
    assert.equal((await call('DELETE', `/manage/account/sessions/${oldest.id}`)).status, 404, 'of somebody else')
  })

  test('are kept as hashes alone', async () => {
    const { cookie } = await addPerson(footfall)
    const rows = await footfall.context.records.selectFrom('user_sessions').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(cookie.split('=')[1] ?? ''))
  })

  test('last while they are used, two weeks when they are not, and ninety days in all', async () => {
    const person = await addPerson(footfall)
    const idle = await addPerson(footfall)
    const isGood = async ({ call }: Person) => (await call('GET', '/manage/account/sessions')).status === 200
    for (let days = 0; days < 84; days += 12) {
      assert.ok(await isGood(person), `after ${days} days`)
      await untilSeen(person)
      footfall.clock.advance(12 * DAY_MS)
      if (days === 12) assert.ok(!(await isGood(idle)), 'left alone for 24 days')
    }
    assert.ok(await isGood(person))
    await untilSeen(person)
    footfall.clock.advance(7 * DAY_MS)
    assert.ok(!(await isGood(person)), 'after 91 days')
  })
})

/** It is noted behind the answer. */
async function untilSeen({ id }: Person): Promise<void> {
  const now = Math.floor(footfall.clock.now() / 1000)
  for (let tries = 0; tries < 200; tries++) {
    const row = await footfall.context.records
      .selectFrom('user_sessions')
      .select('last_seen_ts')
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (row?.last_seen_ts === now) return
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
  throw new Error('nobody was noted as seen')
}

describe('the sign-in log', () => {
  test('shows who tried, from where and how it ended, to the person and to owners of the installation', async () => {
    const person = await addPerson(footfall)
    const headers = { 'user-agent': CHROME, 'x-forwarded-for': '198.51.100.77' }
    await signIn(footfall, person.email, { password: 'not the right one', headers })
    const { json } = await person.call('GET', '/manage/account/sign-ins')
    const [failed, first] = json.data.data
    assert.deepEqual(
      [failed.outcome, failed.address, failed.browser, failed.os, first.outcome],
      ['wrong_password', '198.51.100.77', 'Chrome', 'Windows', 'ok'],
    )
    assert.equal(json.data.total, 2)
    const owner = await addPerson(footfall, { isOwner: true })
    assert.deepEqual((await owner.call('GET', `/manage/users/${person.id}/sign-ins`)).json.data.data, json.data.data)
    assert.equal((await person.call('GET', `/manage/users/${owner.id}/sign-ins`)).status, 403)
  })

  test('of an address that nobody has says nothing of who tried', async () => {
    await signIn(footfall, 'nobody-at-all@example.com', { headers: { 'x-forwarded-for': '198.51.100.78' } })
    const rows = await footfall.context.records
      .selectFrom('sign_ins')
      .selectAll()
      .where('user_id', 'is', null)
      .execute()
    assert.ok(rows.length > 0)
    for (const { browser, os, country, address, client } of rows)
      assert.deepEqual([browser, os, country, address, client], ['', '', '', '', ''])
  })

  test('ends after ninety days', async () => {
    const person = await addPerson(footfall)
    footfall.clock.advance(91 * DAY_MS)
    const cookie = cookieOf(await signIn(footfall, person.email))
    await removeOldAccountRows(footfall.context)
    assert.equal((await withCookie(footfall, cookie)('GET', '/manage/account/sign-ins')).json.data.total, 1)
  })
})

/** As many are being computed and wait as may: nobody else is let in before this is over. */
function crowdPasswords(): () => Promise<unknown> {
  let isOver = false
  // Cheap ones: what is in the way is their number.
  const kept = `$argon2id$v=19$m=256,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const crowd = Array.from({ length: 202 }, async () => {
    while (!isOver) await isPassword(footfall.context, 'x', kept)
  })
  return () => {
    isOver = true
    return Promise.all(crowd)
  }
}

describe('guessing', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const guess = (email: string, address: string) =>
    signIn(footfall, email, { password: 'not the right one', ...from(address) })

  test('ends after ten tries from one place, for an account and for none alike, also when they come at once', async () => {
    nextWindow()
    const { email } = await addPerson(footfall)
    for (const address of [email, 'nobody.here@example.com']) {
      const replies = await Promise.all(Array.from({ length: 15 }, () => guess(address, '198.51.100.10')))
      assert.equal(replies.filter(({ status }) => status === 401).length, 10)
      assert.equal(replies.filter(({ status }) => status === 429).length, 5)
    }
    const locked = await signIn(footfall, email, from('198.51.100.10'))
    assert.equal(locked.status, 429)
    assert.ok(Number(locked.headers.get('retry-after')) <= 900)
    nextWindow()
    assert.equal((await signIn(footfall, email, from('198.51.100.10'))).status, 200)
  })

  test('from many places shuts nobody out from where they usually are', async () => {
    const { email } = await addPerson(footfall)
    assert.equal((await signIn(footfall, email, from('192.0.2.55'))).status, 200)
    nextWindow()
    let refused = 0
    for (let n = 0; n < 104; n++) if ((await guess(email, `198.51.${n}.1`)).status === 429) refused++
    assert.ok(refused > 0, 'in the end it is held')
    assert.equal((await signIn(footfall, email, from('192.0.2.56'))).status, 429, 'from a new place')
    assert.equal((await signIn(footfall, email, from('192.0.2.55'))).status, 200, 'from a known one')
    nextWindow()
    assert.equal((await signIn(footfall, email, from('192.0.2.56'))).status, 200)
  })

  test('one password on many accounts is held by the place it comes from', async () => {
    nextWindow()
    const replies: number[] = []
    for (let n = 0; n < 62; n++) replies.push((await guess(`somebody${n}@example.com`, '198.51.100.20')).status)
    assert.deepEqual(replies.slice(58), [401, 401, 429, 429])
  })

  test('by a stranger behind the same address shuts nobody out who usually signs in from it', async () => {
    nextWindow()
    const { email } = await addPerson(footfall)
    assert.equal((await signIn(footfall, email, from('192.0.2.60'))).status, 200)
    for (let n = 0; n < 62; n++) await guess(`stranger${n}@example.com`, '192.0.2.60')
    assert.equal((await guess('stranger@example.com', '192.0.2.60')).status, 429)
    assert.equal((await signIn(footfall, email, from('192.0.2.60'))).status, 200)
  })

  test('behind a proxy that nobody named is told in the log, once and without the address', () => {
    const told: string[] = []
    const log = { warn: (text: string) => void told.push(text) } as unknown as Footfall['context']['log']
    const seen = (trustProxy: string[], headers: Readonly<Record<string, string>>) => {
      const config = { ...footfall.context.config, trustProxy }
      for (let n = 0; n < 2; n++) warnOfProxy({ config, log }, headers)
    }
    seen(['127.0.0.1'], { 'x-forwarded-for': '203.0.113.9' })
    seen([], {})
    assert.deepEqual(told, [])
    seen([], { 'x-forwarded-for': '203.0.113.9' })
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /^[^\d]*TRUST_PROXY[^\d]*$/)
  })

  test('a wrong code is no wrong password: wrong ones of both together shut nobody out', async () => {
    const { person, code } = await addAuthenticator()
    nextWindow()
    for (let n = 0; n < 9; n++) assert.equal((await guess(person.email, '192.0.2.58')).status, 401)
    const wrong = { code: '000000', ...from('192.0.2.58') }
    for (let n = 0; n < 9; n++)
      assert.equal((await signIn(footfall, person.email, wrong)).json.error_code, 'second_factor_required')
    assert.ok(isIn(await signIn(footfall, person.email, { code: code(), ...from('192.0.2.58') })))
  })

  test('is not what a try is taken for that nobody had the time to look at', async () => {
    const { email, call } = await addPerson(footfall)
    nextWindow()
    const release = crowdPasswords()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await signIn(footfall, email, from('192.0.2.59'))).status)
    const body = { current_password: PASSWORD }
    for (let n = 0; n < 11; n++) statuses.push((await call('POST', '/manage/account/totp', { body })).status)
    await release()
    assert.deepEqual(new Set(statuses), new Set([503]))
    assert.equal((await signIn(footfall, email, from('192.0.2.59'))).status, 200)
    assert.equal((await call('POST', '/manage/account/totp', { body })).status, 200)
  })

  test('the password of somebody who was shut out is told by nothing', async () => {
    const { id, email } = await addPerson(footfall)
    await footfall.context.records.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute()
    nextWindow()
    const replies: Reply[] = []
    for (let n = 0; n < 11; n++) replies.push(await signIn(footfall, email, from('192.0.2.61')))
    assert.deepEqual([replies[9]?.status, replies[10]?.status], [401, 429])
  })

  test('signing in often with the right password is no guessing', async () => {
    nextWindow()
    const { email } = await addPerson(footfall)
    for (let n = 0; n < 12; n++) assert.equal((await signIn(footfall, email, from('192.0.2.57'))).status, 200)
  })
})
