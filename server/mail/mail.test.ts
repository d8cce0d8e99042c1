// Mail through the front door: what the owner sees of it, and that nothing of the way to the mail server
// shows.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMailServer } from '../../test/support/mail-server.ts'
import { addPerson, SAME_ORIGIN, signIn } from '../../test/support/accounts.ts'
import { startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { readConfig } from '../config.ts'
import { mailStatus, sendTest } from './log.ts'
import { openMailing } from './mailing.ts'

const closers: (() => Promise<void>)[] = []
const ending = { after: (close: () => Promise<void>) => closers.push(close) }
after(async () => {
  for (const close of closers.toReversed()) await close()
})

const server = await openMailServer(ending, {
  refuse: (to) => (to.startsWith('gone') ? { code: 550, words: 'No such mailbox' } : undefined),
})
const env = { SMTP_URL: server.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
// A clock that stands still: no window of a limit ends in the middle of a test.
const footfall = await startFootfall(ending, { env, now: Date.UTC(2026, 10, 20, 12, 1) })
const mailing = openMailing(footfall.context, { pollMs: 20 })
ending.after(() => mailing.close())

test('a test mail arrives, and the list says what became of each', async () => {
  const post = (to: unknown) => footfall.call('POST', '/manage/mail/test', { body: { to } })
  assert.equal((await post('owner@example.com')).status, 200)
  assert.equal((await post('gone@example.com')).status, 200)
  const mail = await server.find('owner@example.com', /Test email/)
  assert.match(mail.text, /Email works/)
  assert.match(mail.html, /<h1[^>]*>Email works<\/h1>/)
  const rows = async (query = {}) => (await footfall.call('GET', '/manage/mail/messages', { query })).json.data
  await untilEqual(
    async () =>
      (await rows()).data.map(({ to, state, error }: Record<string, unknown>) => [to, state, error]).toSorted(),
    [
      ['gone@example.com', 'failed', '550 No such mailbox'],
      ['owner@example.com', 'sent', null],
    ],
  )
  assert.equal((await rows({ state: 'failed' })).total, 1)
  for (const bad of ['', 'nobody', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 7])
    assert.equal((await post(bad)).status, 422, String(bad))
  assert.equal((await footfall.call('GET', '/manage/mail/messages', { query: { state: 'lost' } })).status, 422)
  assert.equal(server.received.length, 1)
})

test('a property shows its own mail alone', async () => {
  const { status, json } = await footfall.call('GET', `/manage/properties/${footfall.property.id}/mail`)
  assert.deepEqual([status, json.data.total, json.data.is_on], [200, 0, true])
})

test('the state of mail tells server and sender, and neither user nor password', async () => {
  assert.deepEqual((await footfall.call('GET', '/manage/mail')).json.data, {
    is_on: true,
    missing: [],
    from: 'Footfall <footfall@example.com>',
    server: `127.0.0.1:${server.port}`,
    encryption: 'off',
  })
  const secret = readConfig({ SMTP_URL: 'smtps://jo:hunter2@mail.example.com', MAIL_FROM: 'a@example.com' })
  assert.deepEqual(mailStatus(secret), {
    is_on: true,
    missing: [],
    from: 'a@example.com',
    server: 'mail.example.com:465',
    encryption: 'secure',
  })
})

test('what is missing is named, and a test without it is refused', async () => {
  const { config } = footfall.context
  const without = (names: Partial<typeof config>) => ({ ...config, ...names })
  assert.deepEqual(mailStatus(without({ smtp: null, mailFrom: null })).missing, ['SMTP_URL', 'MAIL_FROM'])
  assert.deepEqual(mailStatus(without({ mailFrom: null })).missing, ['MAIL_FROM'])
  const deps = { ...footfall.context, config: without({ smtp: null }) }
  await assert.rejects(sendTest(deps, 'a@example.com'), /SMTP_URL must be set/)
})

const mailsTo = (to: string) => server.received.filter((mail) => mail.to.includes(to))
const linkIn = (words: string): string => /\S+\/invitation#\w{40}/.exec(words)?.[0] ?? ''
const tokenIn = (words: string): string => linkIn(words).split('#')[1] ?? ''
const accept = (token: string, more: object) =>
  footfall.call('POST', '/manage/invitation/accept', { token: null, headers: SAME_ORIGIN, body: { token, ...more } })
const forgot = (email: string, address = '203.0.113.9') =>
  footfall.call('POST', '/manage/session/forgotten', {
    token: null,
    body: { email },
    headers: { ...SAME_ORIGIN, 'x-forwarded-for': address },
  })

test('an invitation is mailed with the link that its maker sees as well, and the link works', async () => {
  const at = `/manage/properties/${footfall.property.id}/members`
  const invited = await footfall.call('POST', at, { body: { email: 'new@example.com', role: 'viewer' } })
  const mail = await server.find('new@example.com', /^Invitation to Test$/)
  assert.equal(linkIn(mail.text), invited.json.data.invitation.url)
  assert.ok(mail.html.includes(`href="${invited.json.data.invitation.url}"`))
  assert.equal((await accept(tokenIn(mail.text), { name: 'New', password: 'a path through the woods' })).status, 200)
  const body = { email: 'colleague@example.com', name: 'Colleague' }
  const added = await footfall.call('POST', '/manage/users', { body })
  assert.equal(linkIn((await server.find(body.email)).text), added.json.data.invitation_url)
})

test('a forgotten password is replaced by a mailed link, good once and for an hour', async () => {
  const person = await addPerson(footfall, { email: 'forgetful@example.com' })
  const answers = [
    await forgot('Forgetful@example.com'),
    await forgot('nobody@example.com'),
    await forgot('no address'),
  ]
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(answers[0]?.status, 200)
  const { text } = await server.find(person.email, /new password/)
  const [token, password] = [tokenIn(text), 'another stone in the river']
  const row = await footfall.context.records
    .selectFrom('invitations')
    .selectAll()
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  assert.equal(row.expires_ts - row.created_ts, 3600)
  assert.ok(!JSON.stringify(row).includes(token), 'the token is in the records')
  assert.equal((await accept(token, { password })).status, 200)
  assert.equal((await accept(token, { password })).status, 404)
  assert.equal((await signIn(footfall, person.email)).status, 401)
  assert.equal((await signIn(footfall, person.email, { password })).status, 200)
  assert.equal(mailsTo('nobody@example.com').length, 0)
})

test('nobody is flooded with links, and no stranger ends a link that an owner made', async () => {
  const { email, id } = await addPerson(footfall, { email: 'flooded@example.com' })
  const made = await footfall.call('POST', `/manage/users/${id}/reset`, { body: {} })
  for (let n = 0; n < 9; n++) assert.equal((await forgot(email, `203.0.113.${20 + n}`)).status, 200)
  await untilEqual(() => mailsTo(email).length, 4)
  const token = made.json.data.reset_url.split('#')[1]
  assert.equal((await accept(token, { password: 'another stone in the river' })).status, 200)
  for (let n = 0; n < 10; n++) await forgot(`n${n}@example.com`, '203.0.113.77')
  assert.equal((await forgot('one more@example.com', '203.0.113.77')).status, 429)
  assert.equal(mailsTo(email).length, 4)
})

test('somebody who has no password yet, or is shut out, gets no link', async () => {
  const shut = await addPerson(footfall, { email: 'shut@example.com' })
  await footfall.call('POST', `/manage/users/${shut.id}`, { body: { is_active: false } })
  for (const email of ['colleague@example.com', shut.email]) await forgot(email, '203.0.113.80')
  // What is asked after them comes, so theirs would have come as well.
  const { email } = await addPerson(footfall, { email: 'after@example.com' })
  await forgot(email, '203.0.113.80')
  await server.find(email)
  assert.equal(mailsTo(shut.email).length, 0)
  assert.deepEqual(
    mailsTo('colleague@example.com').map(({ headers }) => headers.get('subject')),
    ['Your account in Footfall'],
  )
})

test('a sign-in with a browser not seen before is mailed, one with a known browser is not', async () => {
  const person = await addPerson(footfall, { email: 'traveller@example.com' })
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  for (let n = 0; n < 2; n++) assert.equal((await signIn(footfall, person.email)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await signIn(footfall, person.email, { headers: firefox })).status, 200)
  assert.equal((await signIn(footfall, person.email)).status, 200)
  const { text } = await server.find(person.email, /New sign-in/)
  assert.match(text, /Browser: Firefox, Linux/)
  assert.equal(mailsTo(person.email).length, 1)
})
