// What the owner adds to a person, what is written to them, and the files that they send: in the records, in
// the folder of files, and nowhere else; and once the person is erased nowhere at all, the outbox included.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { type FormFlow, flowOver, PAGE, signature } from './support/form-flow.ts'
import { filesOf, marker, openMarkers, textOf } from './support/markers.ts'
import { ADMIN_TOKEN, CHROME, type Reply } from './support/server.ts'
import {
  callService,
  createServiceProperty,
  type Service,
  type ServiceProperty,
  startService,
} from './support/service.ts'
import { untilEqual } from './support/until.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-privacy-leads-'))
const { markers, markersIn, secret, isOfRecords, filesWith } = openMarkers(dataDir)
/** Is in the facts: the same search has to find it there. */
const control = marker()
const closers: (() => Promise<void>)[] = []
const refusals: Reply[] = []
let service: Service
let property: ServiceProperty
let flow: FormFlow
let form = { id: '', key: '' }
let contact = ''
let search = ''
let log = ''

const address = () => secret((text) => `${text}@example.com`)
const email = address()

const start = async (): Promise<void> => {
  service = await startService({ after: (close: () => Promise<void>) => closers.push(close) }, dataDir, {
    LOG_LEVEL: 'debug',
    // Nobody takes the mail: it waits, with all that it says.
    SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
    MAIL_FROM: 'Footfall <footfall@example.com>',
  })
  flow = flowOver(service)
}

const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
  callService(service, { key: '', token: ADMIN_TOKEN }, method, `/manage/properties/${property.id}${path}`, body)

async function fine(method: string, path: string, body?: unknown) {
  const reply = await ask(method, path, body)
  assert.equal(reply.status, 200, `${path} ${reply.text}`)
  return reply.json.data
}

async function refused(path: string, body: unknown): Promise<void> {
  const reply = await ask('POST', path, body)
  assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${reply.status} ${reply.text}`)
  refusals.push(reply)
}

/** Lists, tags, notes, a list that has to be confirmed, and another contact merged into this one. */
async function describePerson(): Promise<void> {
  contact = (await fine('POST', '/contacts', { email, first_name: secret() })).contact.id
  const about = `/contacts/${contact}`
  await fine('POST', '/contact-lists', { name: 'News', is_confirmed: true })
  await fine('POST', `${about}/labels`, { lists: ['News'], tags: [secret()] })
  await fine('POST', `${about}/notes`, { text: secret() })
  const other = (await fine('POST', '/contacts', { email: address(), phone: secret(), city: secret() })).contact.id
  await fine('POST', `/contacts/${other}/notes`, { text: secret() })
  await fine('POST', `${about}/merge`, { other })
  const query = { search: secret() }
  search = (await fine('POST', '/contact-searches', { name: secret(), query, is_shared: true })).search.id
}

const pdf = (text: string) => new File([`%PDF-1.7\n${text}\n`], `${secret()}.pdf`, { type: 'application/pdf' })

async function sendFile(file: File, fields: Readonly<Record<string, string>>): Promise<boolean> {
  const opened = await flow.open(form, {})
  const body = new FormData()
  body.append('cv', file)
  const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': CHROME, origin: PAGE }
  const signed = { ...headers, 'x-svc-session': signature(opened.token, Date.now()) }
  const reply = await fetch(`${service.url}/v2/form/${opened.token}/upload`, { method: 'POST', headers: signed, body })
  const text = await reply.text()
  assert.deepEqual(markersIn(text), [])
  const { files } = JSON.parse(text)
  const { json } = await flow.send(opened, { ...fields, ...files })
  return json.validated === true
}

/** A form with a file by the person, mailed to the owner and answered; and a file of the wrong type. */
async function sendForm(): Promise<void> {
  const fields = [
    { name: 'name', type: 'text', label: 'Name' },
    { name: 'email', type: 'email', label: 'Email' },
    { name: 'cv', type: 'file', label: 'CV', file: {} },
  ]
  form = await flow.create(property.id, { kind: 'managed', fields, creates_contacts: true })
  const confirmation = { is_on: true, subject: 'Thank you, %name%', text: '%name% <%email%>' }
  await fine('POST', `/forms/${form.id}/mail`, { recipients: ['owner@example.com'], confirmation })
  assert.equal(await sendFile(pdf(secret()), { name: secret(), email }), true)
  const lying = new File([`<html>${secret()}`], `${secret()}.png`, { type: 'image/png' })
  assert.equal(await sendFile(lying, { name: secret(), email: 'not an email' }), false)
}

/** What is refused is not repeated. */
async function sendFaults(): Promise<void> {
  const about = `/contacts/${contact}`
  const long = () => secret((text) => text.padEnd(20_000, 'x'))
  await refused(`${about}/labels`, { lists: [long()] })
  await refused(`${about}/notes`, { text: long() })
  await refused(`${about}/merge`, { other: secret() })
  await refused('/contacts', { email: secret() })
  await refused('/contact-searches', { name: long(), query: { search: secret() } })
  await refused('/contact-lists', { name: long(), is_confirmed: true })
  await refused('/reports', { weekly: [secret()], monthly: [] })
  await refused('/alerts', { recipients: [secret((text) => `${text}@exa mple.com`)] })
  await refused(`/forms/${form.id}/mail`, {
    recipients: [secret((text) => `${text}@example.com\r\nBcc: a@example.com`)],
  })
}

const mailKinds = async (): Promise<string[]> => {
  const { data } = await fine('GET', '/mail?per_page=100')
  return [...new Set((data as { kind: string }[]).map(({ kind }) => kind))].toSorted()
}

before(async () => {
  await start()
  property = await createServiceProperty(service)
  const { session_id } = (
    await callService(service, { key: property.key, token: null }, 'GET', '/v2/signal/load', undefined, {
      'x-svc-lib': '1.1.0',
      'x-svc-page': encodeURIComponent(`https://example.com/${control}`),
    })
  ).json
  assert.ok(session_id)
  await describePerson()
  await sendForm()
  await sendFaults()
  await fine('POST', '/reports', { weekly: [address()], monthly: [address()] })
  await fine('POST', '/alerts', { recipients: [address()], live_visitors: 5 })
  await untilEqual(mailKinds, ['confirmation', 'list_confirmation', 'submission'])
  await service.end('SIGTERM')
  log = service.output()
})

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const isUpload = (path: string): boolean => relative(dataDir, path).startsWith('uploads')

test('records and files hold what was taken; facts and everything else hold none of it', () => {
  const files = filesOf(dataDir)
  assert.ok(markersIn(files.filter(isOfRecords).map(textOf).join('')).length >= 14)
  assert.equal(filesWith(files.filter(isUpload)).length, 1, 'its content, and no name')
  assert.deepEqual(filesWith(files.filter((path) => !isOfRecords(path) && !isUpload(path))), [])
  assert.ok(
    files.some((path) => !isOfRecords(path) && textOf(path).includes(control)),
    'the same search finds facts',
  )
})

test('the log and what is refused repeat nothing of it', () => {
  assert.ok(log.includes('"route":"/v2/form/:token/upload"'))
  assert.deepEqual(markersIn(log.toLowerCase()), [])
  assert.ok(refusals.length >= 9)
  for (const { text } of refusals) assert.deepEqual(markersIn(text.toLowerCase()), [])
})

test('erased, the person is in no file: not in the outbox, in what was merged, or among the files they sent', async () => {
  await start()
  const erased = await callService(service, property, 'DELETE', `/v2/property/contacts/${contact}`)
  assert.equal(erased.status, 200, erased.text)
  const { data } = await fine('GET', '/mail?per_page=100')
  const rows = data as { to: string; state: string }[]
  assert.deepEqual([...new Set(rows.map(({ to, state }) => `${state} ${to}`))], ['erased '], 'nothing waits for them')
  // What the owner wrote about nobody in particular, and whom the owner writes to.
  await fine('DELETE', `/contact-searches/${search}`)
  await fine('POST', '/reports', { weekly: [], monthly: [] })
  await fine('POST', '/alerts', { recipients: [], live_visitors: null })
  await untilEqual(async () => filesOf(dataDir).filter(isUpload), [])
  await service.end('SIGKILL')
  const files = filesOf(dataDir)
  assert.deepEqual(filesWith(files), [])
  assert.ok(markers.length >= 25)
  assert.deepEqual(markersIn(service.output().toLowerCase()), [])
})
