// Lists that are confirmed by email, through the front door with a mail server behind it: nobody is in one
// before
// they have pressed the button, whoever left stays out, and no inbox is flooded.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openMailServer, type MailServer } from '../../test/support/mail-server.ts'
import { flowOf, type Form, type FormFlow, personSignals, sent } from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall, type CallOptions } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { openMailing } from '../mail/mailing.ts'
import { makeDueContacts } from '../submissions/leads.ts'

const DAY_MS = 86_400_000
const closers: (() => Promise<void>)[] = []
let mails: MailServer
let footfall: Footfall
let flow: FormFlow
let people = 0

before(async () => {
  const ending = { after: (close: () => Promise<void>) => closers.push(close) }
  mails = await openMailServer(ending)
  const env = { SMTP_URL: mails.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
  footfall = await startFootfall(ending, { env, now: Date.UTC(2026, 10, 20, 12, 1) })
  flow = flowOf(footfall)
  const mailing = openMailing(footfall.context, { pollMs: 20 })
  ending.after(() => mailing.close())
  await saveList({ name: 'News', is_confirmed: true })
})

after(async () => {
  for (const close of closers.toReversed()) await close()
})

beforeEach(() => {
  mails.received.length = 0
  footfall.clock.advance(2 * DAY_MS)
})

const path = (rest: string) => `/manage/properties/${footfall.property.id}${rest}`
const call = (method: string, at: string, options: CallOptions = {}) => footfall.call(method, path(at), options)
const saveList = async (body: object) => call('POST', '/contact-lists', { body })
const lists = async () => (await call('GET', '/contact-lists')).json.data.lists
const newsOf = async () => (await lists()).find(({ name }: { name: string }) => name === 'News')

async function addPerson(email = `person${++people}@example.com`): Promise<{ id: string; email: string }> {
  const { status, json, text } = await call('POST', '/contacts', { body: { email } })
  assert.equal(status, 200, text)
  return json.data.contact
}

const setLists = (id: string, ...names: string[]) => call('POST', `/contacts/${id}/labels`, { body: { lists: names } })
const listsOf = async (id: string) => (await call('GET', `/contacts/${id}/labels`)).json.data.lists
const memberships = async (id: string) => (await call('GET', `/contacts/${id}/memberships`)).json.data.memberships

/** Once everything that waits was sent. */
async function sendAll(): Promise<void> {
  await untilEqual(
    async () =>
      (await footfall.context.records.selectFrom('mails').select('id').where('state', '=', 'pending').execute()).length,
    0,
  )
}

async function linkTo(email: string): Promise<string> {
  await sendAll()
  const mail = mails.received.findLast(({ to }) => to.includes(email))
  assert.ok(mail, `a mail to ${email}`)
  return /\/lists\/confirm\/lc_\w+/.exec(mail.text.replaceAll('=\r\n', ''))?.[0] ?? ''
}

async function open(method: 'GET' | 'POST', at: string, headers: Record<string, string> = {}) {
  const isForm = method === 'POST'
  const answer = await fetch(`${footfall.url}${at}`, {
    method,
    headers: { ...headers, ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(isForm && { body: 'List-Unsubscribe=One-Click' }),
  })
  return { status: answer.status, text: await answer.text() }
}

let told = 0

/** No two people fill in a form with the same signals, nor from the same address. */
async function fill(form: Form, answers: Record<string, string>, language = 'en'): Promise<void> {
  const n = ++told
  const from = { address: `198.51.100.${n % 250}`, headers: { 'accept-language': language } }
  const opened = await flow.open(form, {}, from)
  footfall.clock.advance(20_000)
  const signals = { ...personSignals, dur: 20_000 + n }
  const { json } = await flow.process(opened.token, { ...sent(opened, answers), _sig: signals }, from)
  assert.equal(json.validated, true)
  await makeDueContacts(footfall.context)
}

describe('by hand', () => {
  test('whoever is added is asked, and is in the list after the button alone, not after a look', async () => {
    const { id, email } = await addPerson()
    assert.deepEqual((await setLists(id, 'News', 'Friends')).json.data.lists, ['Friends'])
    const link = await linkTo(email)
    const [asked] = await memberships(id)
    assert.deepEqual([asked.list, asked.state, asked.form, asked.confirmed_ts], ['News', 'pending', null, null])
    assert.ok(!JSON.stringify(asked).includes('lc_'), 'nobody but its reader knows the link')
    for (let look = 0; look < 3; look++) assert.match((await open('GET', link)).text, /Yes, subscribe me/)
    assert.deepEqual(await listsOf(id), ['Friends'])
    assert.match((await open('POST', link, { 'accept-language': 'de' })).text, /Sie sind angemeldet/)
    assert.deepEqual(await listsOf(id), ['Friends', 'News'])
    assert.equal((await open('POST', link)).status, 200, 'twice is once')
    const [confirmed] = await memberships(id)
    assert.equal(confirmed.state, 'confirmed')
    assert.equal(confirmed.confirmed_ts, Math.floor(footfall.clock.now() / 1000))
  })

  test('a list that asks nobody is as it was; who is in a list stays when it begins to ask', async () => {
    const { id } = await addPerson()
    await setLists(id, 'Old')
    await saveList({ name: 'old', is_confirmed: true })
    assert.deepEqual(await listsOf(id), ['Old'])
    assert.deepEqual((await setLists(id, 'Old', 'Else')).json.data.lists, ['Else', 'Old'])
    await sendAll()
    assert.equal(mails.received.length, 0)
  })

  test('whoever has unsubscribed is never added again, and a contact without an email is not asked', async () => {
    const { id, email } = await addPerson()
    await setLists(id, 'News')
    await open('POST', await linkTo(email))
    const [{ unsubscribe_url }] = await memberships(id)
    const leave = new URL(unsubscribe_url).pathname
    assert.match((await open('GET', leave)).text, /<button>Unsubscribe/)
    assert.deepEqual(await listsOf(id), ['News'])
    assert.match((await open('POST', leave)).text, /You are unsubscribed/)
    assert.deepEqual(await listsOf(id), [])
    assert.equal((await setLists(id, 'News')).status, 409)
    assert.equal((await open('POST', await linkTo(email))).status, 404, 'an old link lets nobody in again')
    assert.deepEqual([(await memberships(id))[0].state, await listsOf(id)], ['unsubscribed', []])
    const nameless = (await call('POST', '/contacts', { body: { external_id: 'nobody' } })).json.data.contact
    assert.equal((await setLists(nameless.id, 'News')).status, 422)
  })

  test('the email is sent again by hand, after a while, and an old link expires', async () => {
    const { id, email } = await addPerson()
    await setLists(id, 'News')
    const link = await linkTo(email)
    const [asked] = await memberships(id)
    const again = () => call('POST', `/contacts/${id}/memberships/${asked.id}/send`)
    assert.equal((await again()).status, 429)
    footfall.clock.advance(8 * DAY_MS)
    assert.equal((await open('GET', link)).status, 404)
    assert.equal((await open('POST', link)).status, 404)
    assert.equal((await again()).status, 200)
    assert.equal((await open('POST', await linkTo(email))).status, 200)
    assert.equal((await again()).status, 409)
  })
})

describe('by a form', () => {
  test('whoever agrees is asked in their language; whoever does not agree is not', async () => {
    const fields = [
      { name: 'email', type: 'email', label: 'Email' },
      { name: 'newsletter', type: 'checkbox', label: 'Newsletter' },
    ]
    const form = await flow.create(footfall.property.id, { name: 'Join', kind: 'managed', fields })
    assert.equal((await saveList({ name: 'News', form_ids: [form.id] })).status, 200)
    await fill(form, { email: 'no@example.com' })
    await fill(form, { email: 'yes@example.com', newsletter: 'on' }, 'fr-FR')
    await sendAll()
    assert.deepEqual(
      mails.received.flatMap(({ to }) => to),
      ['yes@example.com'],
    )
    assert.match(mails.received[0]!.html, /^<!doctype html>\s*<html lang="fr">[^]*Confirmez/)
    await open('POST', await linkTo('yes@example.com'))
    assert.equal((await newsOf()).form_ids[0], form.id)
    await fill(form, { email: 'yes@example.com', newsletter: 'on' })
    await sendAll()
    assert.equal(mails.received.length, 1, 'who is in the list is not asked again')
    await saveList({ name: 'News', form_ids: [] })
  })

  test('whoever has left may ask for it themselves, and is out until they confirm', async () => {
    const form = await flow.create(footfall.property.id, {
      name: 'Plain',
      kind: 'managed',
      fields: [{ name: 'email', type: 'email', label: 'Email' }],
    })
    await saveList({ name: 'News', form_ids: [form.id] })
    const { id, email } = await addPerson()
    await setLists(id, 'News')
    await open('POST', await linkTo(email))
    const [{ unsubscribe_url }] = await memberships(id)
    await open('POST', new URL(unsubscribe_url).pathname)
    footfall.clock.advance(2 * DAY_MS)
    await fill(form, { email })
    assert.deepEqual(await listsOf(id), [])
    await open('POST', await linkTo(email))
    assert.deepEqual(await listsOf(id), ['News'])
    await saveList({ name: 'News', form_ids: [] })
  })

  test('one inbox gets three emails in a day at most, whatever lists and properties ask', async () => {
    const email = 'victim@example.com'
    const { id } = await addPerson(email)
    for (let n = 0; n < 6; n++) await saveList({ name: `List ${n}`, is_confirmed: true })
    await setLists(id, ...Array.from({ length: 6 }, (_, n) => `List ${n}`))
    await sendAll()
    assert.equal(mails.received.length, 3)
    const elsewhere = await footfall.addProperty({ name: 'Other' })
    const other = (rest: string, body: object) =>
      footfall.call('POST', `/manage/properties/${elsewhere.id}${rest}`, { body })
    await other('/contact-lists', { name: 'News', is_confirmed: true })
    for (const written of [email, 'victim+news@example.com']) {
      const made = (await other('/contacts', { email: written })).json.data.contact
      assert.equal((await other(`/contacts/${made.id}/labels`, { lists: ['News'] })).status, 200)
    }
    await sendAll()
    assert.equal(mails.received.length, 3)
  })

  test('sent again by hand, it is no more than three in a day either', async () => {
    const { id, email } = await addPerson()
    await setLists(id, 'News')
    const [asked] = await memberships(id)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      // One that is under way would be sent again once its lease is over.
      await sendAll()
      footfall.clock.advance(11 * 60_000)
      statuses.push((await call('POST', `/contacts/${id}/memberships/${asked.id}/send`)).status)
    }
    await sendAll()
    const received = mails.received.filter(({ to }) => to.includes(email))
    assert.deepEqual([statuses, received.length], [[200, 200, 429, 429], 3])
  })
})

test('links that nobody was sent, of any kind, lead nowhere and change nothing', async () => {
  for (const at of ['lc_00000000000000000000', 'lm_00000000000000000000', 'x', '%00', "lc_'or'1'='1", '..%2f..'])
    for (const what of ['confirm', 'leave'])
      for (const method of ['GET', 'POST'] as const)
        assert.equal((await open(method, `/lists/${what}/${at}`)).status, 404, `${method} ${what} ${at}`)
  const { id, email } = await addPerson()
  await setLists(id, 'News')
  const confirmId = (await linkTo(email)).split('/').at(-1)
  const [asked] = await memberships(id)
  assert.equal((await open('POST', `/lists/confirm/${asked.id}`)).status, 404, 'the link to leave lets nobody in')
  assert.equal((await open('POST', `/lists/leave/${confirmId}`)).status, 404)
  assert.equal((await memberships(id))[0].state, 'pending')
})

test('erased, a person is in no list, and their links are dead', async () => {
  const { id, email } = await addPerson()
  await setLists(id, 'News')
  const link = await linkTo(email)
  await footfall.call('DELETE', `/v2/property/contacts/${id}`)
  assert.equal((await open('POST', link)).status, 404)
  const left = await footfall.context.records
    .selectFrom('list_memberships')
    .select('id')
    .where('email', '=', email)
    .execute()
  assert.deepEqual(left, [])
})

test('merged, a person keeps what either has confirmed and what either has left', async () => {
  const [kept, other] = [await addPerson(), await addPerson()]
  await setLists(other.id, 'News')
  await open('POST', await linkTo(other.email))
  const merged = await call('POST', `/contacts/${kept.id}/merge`, { body: { other: other.id } })
  assert.deepEqual([await listsOf(kept.id), (await memberships(kept.id)).length], [['News'], 1])
  await call('POST', `/contacts/${kept.id}/merges/${merged.json.data.merge_id}/undo`)
  assert.deepEqual([await listsOf(kept.id), (await memberships(kept.id)).length], [[], 0])
  assert.deepEqual([await listsOf(other.id), (await memberships(other.id)).length], [['News'], 1])
})

test('without a mail server a list says what is missing, and nobody is added behind their back', async (t) => {
  const plain = await startFootfall(t)
  const post = (rest: string, body: object) =>
    plain.call('POST', `/manage/properties/${plain.property.id}${rest}`, { body })
  await post('/contact-lists', { name: 'News', is_confirmed: true })
  const { id } = (await post('/contacts', { email: 'ann@example.com' })).json.data.contact
  const refused = await post(`/contacts/${id}/labels`, { lists: ['News'] })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /SMTP_URL and MAIL_FROM/)
  const { missing_settings } = (await plain.call('GET', `/manage/properties/${plain.property.id}/contact-lists`)).json
    .data
  assert.deepEqual(missing_settings, ['SMTP_URL', 'MAIL_FROM'])
})
