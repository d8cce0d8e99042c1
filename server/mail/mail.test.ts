// Mail through the front door: what the owner sees of it, and that nothing of the way to the mail server
// shows.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMailServer } from '../../test/support/mail-server.ts'
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
const footfall = await startFootfall(ending, { env })
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
