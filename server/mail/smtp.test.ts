// One message to one mail server, over real connections: encrypted as the setting says, refused for good or
// for now, stalled, and never more than the one message to the one address.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { certificateFor } from '../../test/support/endpoint.ts'
import { openMailServer } from '../../test/support/mail-server.ts'
import { smtpServer } from '../setting-values.ts'
import { openTransport, type Message, type TransportOptions } from './smtp.ts'

const certificate = await certificateFor(['127.0.0.1'])
const from = { name: 'Footfall', address: 'footfall@example.com' }
const content = { subject: 'Grüße', text: 'Plain wörds\n', html: '<p>Wörds</p>' }
const message: Message = { id: 'ml_1', to: 'somebody@example.org', content, createdMs: Date.UTC(2026, 0, 1) }

const transportTo = (url: string, options: Partial<TransportOptions> = {}) =>
  openTransport({ server: smtpServer(url), from, ...options })

test('a message arrives as text and HTML, with an id that stays the same', async (t) => {
  const server = await openMailServer(t)
  const transport = transportTo(server.url())
  assert.equal(await transport.send(message), null)
  const unsubscribeUrl = 'https://stats.example.com/u#x'
  assert.equal(
    await transport.send({ ...message, content: { ...content, replyTo: 'them@example.net', unsubscribeUrl } }),
    null,
  )
  const [plain, full] = server.received
  assert.deepEqual(
    [plain!.to, plain!.from, plain!.text, plain!.html],
    [[message.to], from.address, content.text, content.html],
  )
  assert.equal(plain!.headers.get('subject'), '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=')
  assert.equal(plain!.headers.get('from'), 'Footfall <footfall@example.com>')
  assert.equal(plain!.headers.get('message-id'), '<ml_1@example.com>')
  assert.equal(plain!.headers.get('date'), 'Thu, 01 Jan 2026 00:00:00 +0000')
  assert.equal(plain!.headers.get('auto-submitted'), 'auto-generated')
  assert.deepEqual([plain!.headers.get('reply-to'), plain!.headers.get('list-unsubscribe')], [undefined, undefined])
  assert.equal(full!.headers.get('reply-to'), 'them@example.net')
  assert.equal(full!.headers.get('list-unsubscribe'), `<${unsubscribeUrl}>`)
  assert.equal(full!.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
})

test('nothing that is put into a header begins another one, or adds a recipient', async (t) => {
  const server = await openMailServer(t)
  const attack = 'x\r\nBcc: all@example.com\r\n\r\nbody'
  const hostile = { ...content, subject: attack, replyTo: `a@example.com${attack}, b@example.com` }
  const transport = openTransport({ server: smtpServer(server.url()), from: { ...from, name: attack } })
  await transport.send({ ...message, content: hostile })
  await transport.send({ ...message, to: 'one@example.com, two@example.com' })
  await transport.send({ ...message, to: `three@example.com>\r\nRCPT TO:<four@example.com` })
  for (const { to, headers } of server.received) {
    assert.equal(to.length, 1)
    assert.ok(!to.includes('two@example.com') && !to.includes('four@example.com'))
    assert.equal(headers.get('bcc'), undefined)
    assert.equal(headers.get('cc'), undefined)
  }
})

test('smtps is TLS from the start; smtp goes on with STARTTLS or not at all', async (t) => {
  const ca = certificate.cert
  const starting = await openMailServer(t, { certificate })
  assert.equal(await transportTo(starting.url(), { ca }).send(message), null)
  const secure = await openMailServer(t, { certificate, smtp: { secure: true } })
  assert.equal(await transportTo(secure.url({ scheme: 'smtps' }), { ca }).send(message), null)
  for (const { received } of [starting, secure])
    assert.deepEqual(
      received.map(({ isEncrypted }) => isEncrypted),
      [true],
    )

  const plain = await openMailServer(t)
  const refused = await transportTo(plain.url({ query: '' })).send(message)
  assert.deepEqual([refused?.isFinal, plain.received.length], [false, 0])
  assert.match(refused?.reason ?? '', /^No encrypted connection/)
  assert.equal(await transportTo(plain.url({ query: '?tls=optional' })).send(message), null)
  assert.equal(await transportTo(starting.url({ query: '?tls=off' })).send(message), null)
  assert.equal(starting.received.at(-1)?.isEncrypted, false)
})

test('a certificate that nobody vouches for ends the conversation before anything is said', async (t) => {
  const server = await openMailServer(t, { certificate })
  for (const query of ['', '?tls=optional']) {
    const refused = await transportTo(server.url({ query })).send(message)
    assert.deepEqual([refused?.isFinal, server.received.length], [false, 0])
    assert.match(refused?.reason ?? '', /^No encrypted connection to the mail server came about: .*self-signed/)
  }
})

test('user and password are sent; those that are wrong are told as such, without repeating them', async (t) => {
  const users: (string | undefined)[] = []
  const server = await openMailServer(t, {
    certificate,
    smtp: {
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        users.push(username)
        if (password === 'p@ss word') done(null, { user: username })
        else done(new Error('No such user'))
      },
    },
  })
  const ca = certificate.cert
  const right = transportTo(server.url({ auth: 'me%40example.com:p%40ss%20word@' }), { ca })
  assert.deepEqual([await right.check(), await right.send(message)], [null, null])
  const wrong = await transportTo(server.url({ auth: 'me:hunter2@' }), { ca }).send(message)
  assert.match(wrong?.reason ?? '', /^The mail server did not accept user and password: 535 No such user$/)
  assert.equal(wrong?.isFinal, false)
  assert.deepEqual(users, ['me@example.com', 'me@example.com', 'me'])
})

test('4xx may succeed later and 5xx will not, in the words of the server', async (t) => {
  const answers: Record<string, [number, string]> = {
    'grey@example.org': [451, 'Greylisted, come back'],
    'full@example.org': [452, 'Mailbox full'],
    'gone@example.org': [550, 'No such mailbox\u0007'],
  }
  const server = await openMailServer(t, {
    refuse: (to) => (answers[to] ? { code: answers[to][0], words: answers[to][1] } : undefined),
  })
  const transport = transportTo(server.url())
  const outcomes = await Promise.all(Object.keys(answers).map((to) => transport.send({ ...message, to })))
  assert.deepEqual(outcomes, [
    { reason: '451 Greylisted, come back', isFinal: false },
    { reason: '452 Mailbox full', isFinal: false },
    { reason: '550 No such mailbox', isFinal: true },
  ])
})

/** A server that speaks as told. */
async function openRaw(t: TestContext, speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    speak(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=off`
}

test('a server that hangs, trickles, hangs up or is none costs an attempt, and no more time than it may', async (t) => {
  const cases: readonly (readonly [RegExp, (socket: Socket) => void])[] = [
    [/did not answer in time/, () => {}],
    [/did not answer in time/, (socket) => void setInterval(() => socket.write('2'), 20).unref()],
    [/cannot be reached, or closed/, (socket) => socket.end()],
    [/./, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    [/./, (socket) => socket.end('554 No service here\r\n')],
  ]
  for (const [reason, speak] of cases) {
    const url = await openRaw(t, speak)
    const refused = await transportTo(url, { stepMs: 300, attemptMs: 600 }).send(message)
    assert.equal(refused?.isFinal, false, refused?.reason)
    assert.match(refused?.reason ?? '', reason)
  }
  const stalling = await openMailServer(t, { stalls: () => true })
  const stalled = await transportTo(stalling.url(), { stepMs: 300, attemptMs: 600 }).send(message)
  assert.deepEqual([stalled?.isFinal, stalling.attempts()], [false, 1])
  const nobody = await transportTo('smtp://127.0.0.1:1?tls=off').check()
  assert.match(nobody?.reason ?? '', /^The mail server cannot be reached/)
})
