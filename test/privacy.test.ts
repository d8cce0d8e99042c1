// Who somebody is stands in the records and nowhere else: not in the facts, not in the log, not in an error,
// and after a deletion nowhere at all. Markers that nothing else contains are sent through every way in, to a
// real service; then its files are read byte by byte.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { traitFields } from '../server/contacts/contact-model.ts'
import { certificateFor, type Endpoint, openEndpoint } from './support/endpoint.ts'
import { type Form, openFormFlow, sent } from './support/form-flow.ts'
import { filesOf, marker, openMarkers, textOf } from './support/markers.ts'
import { ADMIN_TOKEN, type CallOptions, type Reply } from './support/server.ts'
import {
  callService,
  createServiceProperty,
  loadPage,
  startService,
  type Service,
  type ServiceProperty,
} from './support/service.ts'
import { openLeftFacts } from './support/stores.ts'

/** The name of an event: what is in the facts and, as a test of the search, has to be found there. */
const control = marker()

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-privacy-'))
const { markers, markersIn, secret, isOfRecords, filesWith } = openMarkers(dataDir)
const closers: (() => Promise<void>)[] = []
let service: Service
let property: ServiceProperty
const sessions: string[] = []
const contacts: string[] = []
/** Of the last of them. */
let knownEmail = ''
let form: Form
let userId = ''
const replies: Reply[] = []
let log = ''

/** Webhooks go there. It answers with what it is told, which may be anything of anybody's. */
let endpoint: Endpoint
const caDir = mkdtempSync(join(tmpdir(), 'footfall-privacy-ca-'))
const automations: string[] = []

const ending = { after: (close: () => Promise<void>) => closers.push(close) }
const start = () =>
  startService(ending, dataDir, {
    LOG_LEVEL: 'debug',
    WEBHOOK_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: join(caDir, 'ca.pem'),
    // Nobody takes the mail: it waits, with all that it says.
    SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
    MAIL_FROM: 'Footfall <footfall@example.com>',
  })

async function openWebhooks(): Promise<void> {
  const certificate = await certificateFor(['127.0.0.1'])
  writeFileSync(join(caDir, 'ca.pem'), certificate.cert)
  endpoint = await openEndpoint(ending, certificate, (response, { body }) => response.end(body))
}

const askOwner = async (method: string, path: string, body?: unknown): Promise<Reply> => {
  const admin = { key: '', token: ADMIN_TOKEN }
  const reply = await callService(service, admin, method, `/manage/properties/${property.id}/automations${path}`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply
}

/** For all that has to do with people. Their secrets are markers too: they stand nowhere as they are. */
async function automate(): Promise<void> {
  for (const event_type of ['form_submit', 'identify', 'contact'])
    for (const payload of event_type === 'form_submit' ? ['envelope', 'legacy_form'] : ['envelope']) {
      const url = `https://127.0.0.1:${endpoint.port}/${event_type}`
      const trigger = { event_type, event_value: null }
      const { json } = await askOwner('POST', '', { trigger, actions: [{ type: 'webhook', url, payload }] })
      automations.push(json.data.automation.id)
      markers.push(json.data.signing_secret.toLowerCase())
    }
}

/** Until everything that was put down has arrived. */
async function untilTold(): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const pages = await Promise.all(automations.map((id) => askOwner('GET', `/${id}/deliveries?per_page=100`)))
    const rows = pages.flatMap(({ json }) => json.data.data as { state: string }[])
    if (rows.length > 0 && rows.every(({ state }) => state === 'delivered')) return
    await new Promise((resolve) => {
      setTimeout(resolve, 25)
    })
  }
  throw new Error('webhooks do not arrive')
}

/** Until what was sent through the form waits to be mailed, to its recipient and to senders. */
async function untilMailed(): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { json } = await callForms('GET', `/manage/properties/${property.id}/mail`)
    const kinds = new Set((json.data.data as { kind: string }[]).map(({ kind }) => kind))
    if (kinds.has('submission') && kinds.has('confirmation')) return
    await new Promise((resolve) => {
      setTimeout(resolve, 25)
    })
  }
  throw new Error('nothing is mailed')
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await callService(service, property, method, path, body, headers)
  replies.push(reply)
  return reply
}

async function callAsVisitor(
  session: string,
  n: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const who = { key: property.key, token: null }
  const from = { 'x-forwarded-for': `203.0.113.${n}`, ...headers }
  const reply = await callService(service, who, 'POST', `/v2/signal/${session}/identify`, body, from)
  replies.push(reply)
  return reply
}

const person = () => ({
  external_id: secret(),
  email: secret((text) => `${text}@example.com`),
  traits: {
    ...Object.fromEntries(traitFields.filter((name) => name !== 'website').map((name) => [name, secret()])),
    website: secret((text) => `https://example.com/${text}`),
    meta: [{ key: secret(), value: secret() }],
  },
})

const IDENTIFY = '/v2/property/contacts/identify'

/** Three people: one named by the owner, one by the page, one by both; and edited. */
async function nameEverybody(): Promise<void> {
  for (let n = 0; n < 3; n++) sessions.push(await loadPage(service, property, `203.0.113.${n}`))
  const [first = '', second = '', third = ''] = sessions
  await call('POST', '/v2/property/session/event', { session_id: first, name: control })
  const named = [
    (await call('POST', IDENTIFY, { ...person(), session_id: first })).json.data.contact.id,
    (await callAsVisitor(second, 1, person())).json.contact_id,
  ]
  const both = person()
  named.push((await callAsVisitor(third, 2, { email: both.email })).json.contact_id)
  assert.equal(
    (await call('POST', IDENTIFY, { email: both.email, traits: both.traits, session_id: third })).status,
    200,
  )
  contacts.push(...named)
  knownEmail = both.email
  const { traits, ...ids } = person()
  assert.equal((await call('POST', `/v2/property/contacts/${named[0]}`, { ...ids, ...traits })).status, 200)
  await callAsVisitor(second, 1, person(), { 'sec-gpc': '1' })
}

/** Whatever is refused, or looked for in vain. */
async function sendFaults(): Promise<void> {
  const [session = ''] = sessions
  const at = `/v2/property/contacts/${contacts[0]}`
  const long = () => secret((text) => text.padEnd(300, 'x'))
  const bodies = [
    { email: secret() },
    { email: secret((text) => `${text}@ex ample.com`) },
    { email: secret((text) => `${text}@example.com`), external_id: long() },
    { email: secret((text) => `${text}@example.com`), traits: { first_name: long() } },
    { email: secret((text) => `${text}@example.com`), traits: { meta: [{ key: long(), value: { a: secret() } }] } },
    { external_id: secret((text) => `{{${text}}}`) },
    { [secret()]: secret() },
    `{"email":"${secret()}`,
    `"${secret()}"`,
  ]
  for (const body of bodies) {
    assert.equal((await call('POST', IDENTIFY, body)).status, 422)
    assert.equal((await call('POST', at, typeof body === 'object' ? { ...body, state: secret() } : body)).status, 422)
    assert.equal((await callAsVisitor(session, 0, body)).json.success, false)
  }
  await call('POST', IDENTIFY, { email: secret((text) => `${text}@example.com`), session_id: secret() })
  await call('POST', IDENTIFY, { session_id: session }, { 'x-service-session-id': secret() })
  // Of somebody who saw no page: an id that nobody knows stands for the visitor's own session.
  await callAsVisitor(secret(), 250, { email: secret((text) => `${text}@example.com`) })
  for (const query of ['search', 'lifecycle_stage']) await call('GET', `/v2/property/contacts?${query}=${secret()}`)
  for (const query of ['state', 'page', 'per_page'])
    assert.equal((await call('GET', `/v2/property/contacts?${query}=${secret()}`)).status, 422)
  await call('GET', `/v2/property/contacts/${secret()}`)
  await call('GET', `/v2/property/contacts/${secret()}/sessions?cursor=${secret()}`)
  await call('DELETE', `/v2/property/contacts/${secret()}`)
  await call('POST', `/v2/property/contacts/${secret()}`, { first_name: secret() })
  await call('GET', `/v2/property/${secret()}?email=${secret()}`)
}

const callForms = async (method: string, path: string, { body, headers, token }: CallOptions = {}): Promise<Reply> => {
  const who = { key: '', token: token === undefined ? ADMIN_TOKEN : token }
  const reply = await callService(service, who, method, path, body, { ...headers })
  replies.push(reply)
  return reply
}

const formFields = { fields: { name: 'text', email: 'email', phone: 'tel', message: 'textarea', topics: 'checkbox' } }
const written = () => ({ name: secret(), phone: secret(), message: secret(), topics: [secret(), secret()] })

/** Sent by a visitor who is a contact, with a contact's address, by strangers, and in vain. */
async function sendForms(): Promise<void> {
  const flow = openFormFlow(callForms)
  form = await flow.create(property.id)
  const mail = {
    recipients: [secret((text) => `${text}@example.com`)],
    confirmation: { is_on: true, subject: 'Thank you, %first_name%', text: '%name% <%email%>' },
  }
  const set = await callForms('POST', `/manage/properties/${property.id}/forms/${form.id}/mail`, { body: mail })
  assert.equal(set.status, 200, set.text)
  const asked = { ...formFields, validation: { email: { email: null } }, successContent: `<b>%name%</b>` }
  const stranger = '198.51.100.77'
  markers.push(stranger)
  const email = () => secret((text) => `${text}@example.com`)
  const senders = [
    {
      from: { address: '203.0.113.1', headers: { 'x-svc-sid': sessions[1] ?? '' } },
      data: { ...written(), email: email() },
    },
    { from: { address: '203.0.113.40' }, data: { ...written(), email: knownEmail.toUpperCase() } },
    { from: { address: stranger, agent: `Mozilla/5.0 ${secret()}` }, data: { ...written(), email: email() } },
    { from: { address: stranger, headers: { 'sec-gpc': '1' } }, data: { ...written(), email: '' } },
  ]
  for (const { from, data } of senders) {
    const opened = await flow.open(form, asked, from)
    const wrong = { ...data, email: secret() }
    for (const reply of [
      await flow.validate(opened.token, { data: wrong }, from),
      await flow.send(opened, wrong, from),
    ]) {
      assert.equal(reply.json.validated, false)
      assert.deepEqual(markersIn(reply.text), [], 'what is wrong is told without repeating it')
    }
    const { map, ...body } = sent(opened, data)
    const broken = [
      { ...body, map: {} },
      { ...body, map, data: { ...data, [opened.hp]: secret() } },
      { ...body, map, data: { ...data, name: { first: secret() } } },
      { ...body, map, data: { ...data, message: secret() }, ty: { html: secret() } },
      `{"data":"${secret()}`,
    ]
    for (const one of broken) assert.ok((await flow.process(opened.token, one, from)).status >= 400)
    assert.ok(
      (await flow.process(opened.token, sent(opened, data), { ...from, address: '203.0.113.250' })).status >= 400,
    )
    assert.equal((await flow.send(opened, data, from)).json.validated, true)
  }
}

/**
 * Somebody is invited, comes in, mistypes, changes their account; others guess. What they come with are
 * markers too.
 */
async function signPeopleIn(): Promise<void> {
  const [email, password] = [secret((text) => `${text}@example.com`), secret()]
  const invited = await callForms('POST', '/manage/users', { body: { email, name: secret() } })
  userId = invited.json.data.user.id
  const token: string = invited.json.data.invitation_url.split('#')[1]
  markers.push(token.toLowerCase())
  const accept = (body: object) => callForms('POST', '/manage/invitation/accept', { token: null, body })
  await accept({ token: secret(), password: secret() })
  const cookies = [await accept({ token, password }), await signIn({ email, password })].map(
    (reply) => reply.headers.get('set-cookie')?.split(';')[0] ?? '',
  )
  markers.push(...cookies.map((cookie) => cookie.split('=')[1]?.toLowerCase() ?? ''))
  const headers = { cookie: cookies[1] ?? '', 'sec-fetch-site': 'same-origin' }
  const callAsUser = (path: string, body: object) => callForms('POST', path, { token: null, headers, body })
  assert.equal((await signIn({ email, password: secret() })).status, 401)
  assert.equal((await signIn({ email: secret((text) => `${text}@example.com`), password: secret() })).status, 401)
  assert.equal((await signIn({ email: secret(), password: secret(), code: secret() })).status, 401)
  const address = () => secret((text) => `${text}@example.com`)
  const change = { password: secret(), name: secret() }
  assert.equal((await callAsUser('/manage/account', { email: address() })).status, 403)
  assert.equal((await callForms('POST', `/manage/users/${userId}`, { body: { email: address() } })).status, 200)
  assert.equal((await callAsUser('/manage/account', { ...change, current_password: secret() })).status, 422)
  assert.equal((await callAsUser('/manage/account', { ...change, current_password: password })).status, 200)
  assert.equal((await callAsUser('/manage/account/totp/confirm', { code: secret() })).status, 422)
  await callForms('POST', `/manage/properties/${property.id}/members`, { body: { email: secret(), role: 'viewer' } })
  await callForms('POST', '/manage/share', { token: null, body: { token: secret(), password: secret() } })
}

const signIn = (body: object): Promise<Reply> => callForms('POST', '/manage/session', { token: null, body })

before(async () => {
  await openWebhooks()
  service = await start()
  property = await createServiceProperty(service)
  await automate()
  await nameEverybody()
  await sendForms()
  await sendFaults()
  await signPeopleIn()
  await untilTold()
  await untilMailed()
  await service.end('SIGTERM')
  log = service.output()
})

after(async () => {
  for (const close of closers) await close()
  for (const folder of [dataDir, caDir]) rmSync(folder, { recursive: true, force: true })
})

test('the markers went in: the records hold those that were taken', () => {
  assert.ok(markers.length > 60)
  const records = filesOf(dataDir).filter(isOfRecords).map(textOf).join('')
  assert.ok(markersIn(records).length >= 30)
})

test('no file of the facts, nor any other beside the records, holds anything personal', () => {
  const files = filesOf(dataDir).filter((path) => !isOfRecords(path))
  assert.deepEqual(filesWith(files), [])
  assert.ok(
    files.some((path) => textOf(path).includes(control)),
    'the same search finds what is in the facts',
  )
})

test('no row of the facts holds anything personal: an identify event names the contact and nobody else', async () => {
  const facts = await openLeftFacts(dataDir)
  try {
    const tables = await facts.query<{ name: string }>(
      'privacy',
      'SELECT name FROM system.tables WHERE database = currentDatabase()',
    )
    assert.ok(tables.length >= 3)
    for (const { name } of tables) {
      const rows = await facts.query('privacy', `SELECT * FROM ${name}`)
      assert.deepEqual(markersIn(JSON.stringify(rows).toLowerCase()), [], name)
    }
    const identified = await facts.query<Record<string, unknown>>(
      'privacy',
      `SELECT name, value, meta, tags, order_id, by_visitor, contact_id FROM events FINAL WHERE kind = 'identify' ORDER BY contact_id`,
    )
    assert.deepEqual(
      identified,
      contacts.toSorted().map((contact_id) => ({
        name: 'identify',
        value: null,
        meta: {},
        tags: [],
        order_id: '',
        by_visitor: 0,
        contact_id,
      })),
    )
  } finally {
    await facts.close()
  }
})

test('webhooks told of people what their owner asked for, and none of the secrets', () => {
  const bodies = endpoint.received.map(({ body }) => body.toLowerCase()).join('')
  assert.ok(markersIn(bodies).length >= 15)
  assert.ok(endpoint.received.length >= 4 * 2 + contacts.length * 2)
  for (const { headers, body } of endpoint.received)
    assert.doesNotMatch(JSON.stringify([headers, body]), /whsec_/, 'what signs is not sent')
  const files = filesOf(dataDir).map(textOf).join('')
  assert.doesNotMatch(files, /whsec_[0-9a-z]{40}/)
})

test('the log tells of every call and holds nothing personal', () => {
  for (const route of [
    '/v2/property/contacts/identify',
    '/v2/property/contacts/:contact',
    '/v2/signal/:sessionId/identify',
    '/v2/form/:formKey/init',
    '/v2/form/:token/process',
    '/manage/session',
    '/manage/invitation/accept',
  ])
    assert.ok(log.includes(`"route":"${route}"`), route)
  assert.deepEqual(markersIn(log.toLowerCase()), [])
})

test('no refusal repeats what it refuses', () => {
  const refusals = replies.filter(({ status, json }) => status >= 400 || json?.success === false)
  assert.ok(refusals.length > 30)
  assert.deepEqual(
    refusals.flatMap(({ text }) => markersIn(text.toLowerCase())),
    [],
  )
})

test('what a visitor is answered says nothing of the contact but its id', () => {
  const visitors = replies.filter(({ json }) => typeof json?.contact_id === 'string')
  assert.equal(visitors.length, 2)
  for (const { json } of visitors)
    assert.deepEqual(Object.keys(json).toSorted(), ['contact_id', 'linked_to_session', 'message', 'success'])
})

test('session documents and the sessions of a contact hold its id alone, the clause finds them; deleted, nobody is left in any file', async () => {
  service = await start()
  const documents = async (clauses: unknown[]): Promise<Reply> =>
    call('POST', '/v2/property/signals/sessions', { period: 'last_7', clauses })
  const all = await documents([])
  assert.deepEqual(markersIn(all.text.replaceAll(control, '')), [])
  for (const [n, id] of contacts.entries()) {
    const found = await documents([{ id: 'contact_id', op: 'equals', value: id }])
    assert.deepEqual(
      found.json.data.map((session: { id: string; contact_id: string }) => [session.id, session.contact_id]),
      [[sessions[n], id]],
    )
    const own = await call('GET', `/v2/property/contacts/${id}/sessions`)
    assert.deepEqual(
      own.json.data.sessions.map((session: { id: string }) => session.id),
      [sessions[n]],
    )
    assert.deepEqual(markersIn(own.text), [])
  }

  for (const id of contacts) {
    assert.equal((await call('DELETE', `/v2/property/contacts/${id}`)).status, 200)
    const late = await call('POST', `/v2/property/contacts/${id}`, { first_name: secret() })
    assert.equal(late.status, 410)
    assert.deepEqual(markersIn(late.text), [])
  }
  const at = `/manage/properties/${property.id}/forms/${form.id}`
  const admin = { key: '', token: ADMIN_TOKEN }
  const left = await callService(service, admin, 'GET', `${at}/submissions?show=all`)
  assert.equal(left.json.data.total, 2, 'what the contacts sent went with them; what is left is of strangers')
  const [one] = left.json.data.data
  assert.equal((await callService(service, admin, 'DELETE', `${at}/submissions/${one.id}`)).status, 200)
  assert.equal((await callService(service, admin, 'DELETE', at)).status, 200)
  assert.equal((await callService(service, admin, 'DELETE', `/manage/users/${userId}`)).status, 200)
  // At once: nothing has time to be tidied up.
  await service.end('SIGKILL')
  const files = filesOf(dataDir)
  assert.deepEqual(filesWith(files), [])
  assert.ok(
    files.some((path) => textOf(path).includes(control)),
    'the same search still finds what is in the facts',
  )
  assert.ok(
    files.filter(isOfRecords).some((path) => textOf(path).includes('@redacted.invalid')),
    'and the emptied contacts in the records',
  )
  assert.deepEqual(markersIn(service.output().toLowerCase()), [])
})
