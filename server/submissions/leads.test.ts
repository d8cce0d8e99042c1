// Submissions that make contacts, through the front door: which do, of which answers, what they may change of
// a contact, and how they go with the person.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { contactFields, flowOf, type Form, type FormFlow, personSignals, sent } from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { makeDueContacts } from './leads.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

const fields = [
  { name: 'who', type: 'text', label: 'Your name' },
  { name: 'address', type: 'email', label: 'Where to' },
  { name: 'firm', type: 'text', label: 'Firm', autocomplete: 'organization' },
  { name: 'call', type: 'tel', label: 'Call me' },
  { name: 'news', type: 'checkbox', label: 'Yes, send me the newsletter. I can unsubscribe at any time.' },
]
const ada = {
  who: 'Ada King of Lovelace',
  address: 'Ada@Example.com',
  firm: 'Engines',
  call: '+44 20 7946 0000',
  news: 'on',
}

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12) })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id, { kind: 'managed', fields })
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(3_600_000)
})

const path = (rest: string) => `/manage/properties/${footfall.property.id}${rest}`
const get = async (rest: string) => (await footfall.call('GET', path(rest))).json.data
const contactOf = async (id: string | null) =>
  (await footfall.call('GET', `/v2/property/contacts/${id}`)).json.data.contact
const contactsOf = async (search: string) =>
  (await footfall.call('GET', '/v2/property/contacts', { query: { search } })).json.data.data

/** No two people fill in a form with the same signals. */
let told = 0

/** A minute passes, as it does for a person. */
async function fill(to: Form, answers: object, from: object = {}, opening: object = {}) {
  const opened = await flow.open(to, opening, from)
  footfall.clock.advance(60_000)
  const signals = { ...personSignals, dur: 20_000 + ++told }
  const { json } = await flow.process(opened.token, { ...sent(opened, { ...answers }), _sig: signals }, from)
  assert.equal(json.validated, true)
  return (await get(`/forms/${to.id}/submissions?show=all`)).data[0]
}

const settled = async (id: string) => {
  const read = () =>
    footfall.context.records
      .selectFrom('submissions')
      .select(['lead', 'contact_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  await untilEqual(async () => (await read()).lead !== 'due', true)
  return read()
}

describe('a good submission', () => {
  test('makes a contact of what the fields say, in the stage lead, with the consent in the words that were shown', async () => {
    const { id } = await fill(form, ada)
    const { contact_id, lead } = await settled(id)
    assert.equal(lead, 'done')
    const contact = await contactOf(contact_id)
    const { email, first_name, last_name, company, phone, lifecycle_stage, state } = contact
    assert.deepEqual(
      { email, first_name, last_name, company, phone, lifecycle_stage, state },
      {
        email: 'Ada@Example.com',
        first_name: 'Ada',
        last_name: 'King of Lovelace',
        company: 'Engines',
        phone: '+44 20 7946 0000',
        lifecycle_stage: 'lead',
        state: 'active',
      },
    )
    const { consents } = await get(`/contacts/${contact_id}/consents`)
    assert.deepEqual(consents, [
      {
        words: fields[4]!.label,
        given_ts: contact.first_seen_ts,
        form: { id: form.id, name: 'Contact' },
        submission_id: id,
      },
    ])
    assert.equal((await get(`/forms/${form.id}/submissions/${id}`)).submission.contact_id, contact_id)
  })

  test('links the visit behind it, and tells automations that wait for an identification', async () => {
    const { session_id } = (await footfall.track.load({ page: 'https://example.com/contact', address: '203.0.113.99' }))
      .json
    const { id } = await fill(form, { address: 'visit@example.com' }, { address: '203.0.113.99' })
    const { contact_id } = await settled(id)
    const { sessions } = (await footfall.call('GET', `/v2/property/contacts/${contact_id}/sessions`)).json.data
    assert.deepEqual(
      sessions.map((session: { id: string }) => session.id),
      [session_id],
    )
  })

  test('fills blanks of a contact that is there, and overwrites nothing', async () => {
    await footfall.call('POST', '/v2/property/contacts/identify', {
      body: {
        external_id: 'u1',
        email: 'grace@example.com',
        traits: { first_name: 'Grace', lifecycle_stage: 'customer' },
      },
    })
    const { id } = await fill(form, { address: 'grace@example.com', who: 'Mallory Evil', firm: 'Navy' })
    const { contact_id } = await settled(id)
    const contact = await contactOf(contact_id)
    assert.deepEqual(
      [contact.external_id, contact.first_name, contact.last_name, contact.company, contact.lifecycle_stage],
      ['u1', 'Grace', 'Evil', 'Navy', 'customer'],
    )
    assert.equal((await contactsOf('grace@example.com')).length, 1)
  })

  test('without an address, without consent, or of somebody with Global Privacy Control keeps to that', async () => {
    const nobody = await fill(form, { who: 'Nobody' })
    assert.deepEqual(await settled(nobody.id), { lead: 'done', contact_id: null })
    const silent = await settled((await fill(form, { address: 'silent@example.com', news: '' })).id)
    assert.deepEqual((await get(`/contacts/${silent.contact_id}/consents`)).consents, [])
    const shy = await fill(form, { address: 'shy@example.com' }, { headers: { 'sec-gpc': '1' } })
    assert.deepEqual(await settled(shy.id), { lead: 'private', contact_id: null })
    await footfall.call('POST', path(`/forms/${form.id}/contacts`), { body: {} })
    await makeDueContacts(footfall.context)
    assert.deepEqual(await contactsOf('shy@example.com'), [])
  })
})

describe('what is suspicious', () => {
  const bot = { agent: 'python-requests/2.31', headers: { origin: '' } }

  test('makes nothing until its owner calls it good', async () => {
    const { id, verdict } = await fill(
      form,
      { address: 'odd@example.com', who: '<a href="http://x.example">x</a>' },
      bot,
    )
    assert.notEqual(verdict, 'clean')
    assert.deepEqual(await settled(id), { lead: 'none', contact_id: null })
    const marked = await footfall.call('POST', path(`/forms/${form.id}/submissions/${id}`), {
      body: { mark: 'not_spam' },
    })
    const { submission } = marked.json.data
    assert.match(submission.contact_id, /^ct_/)
    assert.equal((await contactOf(submission.contact_id)).email, 'odd@example.com')
  })
})

test('where only tokens may identify, none is made: not of a good one, a rescued one or an earlier one', async () => {
  const property = (await footfall.addProperty()) as { id: string }
  const at = `/manage/properties/${property.id}`
  await footfall.call('POST', at, { body: { is_token_only: true } })
  const strict = await flow.create(property.id, { kind: 'managed', fields })
  const opened = await flow.open(strict)
  footfall.clock.advance(60_000)
  await flow.process(opened.token, { ...sent(opened, ada), _sig: { ...personSignals, dur: 20_000 + ++told } })
  const [row] = (await footfall.call('GET', `${at}/forms/${strict.id}/submissions`)).json.data.data
  const marked = await footfall.call('POST', `${at}/forms/${strict.id}/submissions/${row.id}`, {
    body: { mark: 'not_spam' },
  })
  assert.equal(marked.status, 200)
  const earlier = await footfall.call('POST', `${at}/forms/${strict.id}/contacts`, { body: {} })
  assert.equal(earlier.status, 422)
  await makeDueContacts(footfall.context)
  assert.deepEqual(await settled(row.id), { lead: 'none', contact_id: null })
})

describe('a form that made none', () => {
  test('makes them of earlier submissions once its owner asks, but of none that is spam', async () => {
    const open = await flow.create(footfall.property.id)
    const kept = await fill(open, { name: 'Early Bird', email: 'early@example.com' }, {}, contactFields)
    const spam = await fill(open, { name: 'x', email: 'spam@example.com' }, {}, contactFields)
    await footfall.call('POST', path(`/forms/${open.id}/submissions/${spam.id}`), { body: { mark: 'spam' } })
    assert.deepEqual(await settled(kept.id), { lead: 'none', contact_id: null })
    const apply = () => footfall.call('POST', path(`/forms/${open.id}/contacts`), { body: {} })
    assert.equal((await apply()).status, 422)
    await footfall.call('POST', path(`/forms/${open.id}`), { body: { creates_contacts: true } })
    assert.deepEqual((await apply()).json.data, { submissions: 1 })
    await makeDueContacts(footfall.context)
    const [contact] = await contactsOf('early@example.com')
    assert.deepEqual(
      [contact.first_name, contact.last_name, contact.first_seen_ts],
      ['Early', 'Bird', kept.submitted_ts],
    )
    assert.deepEqual(await contactsOf('spam@example.com'), [])
    assert.deepEqual((await apply()).json.data, { submissions: 0 })
  })

  test('is one that has no field for an address when it is made; a new one with such a field makes them', async () => {
    const bare = await flow.create(footfall.property.id, {
      kind: 'managed',
      fields: [{ name: 'message', type: 'textarea' }],
    })
    const creates = async (id: string) => (await get(`/forms/${id}`)).form.creates_contacts
    assert.deepEqual([await creates(bare.id), await creates(form.id)], [false, true])
  })
})

describe('the fields of a person', () => {
  test('are those that the owner names; a field that is not there is refused, one that was removed is let go', async () => {
    const own = await flow.create(footfall.property.id, {
      kind: 'managed',
      fields,
      contact_fields: { company: 'who', name: '', consent: null },
    })
    const { contact_id } = await settled((await fill(own, { ...ada, address: 'own@example.com' })).id)
    const contact = await contactOf(contact_id)
    assert.deepEqual([contact.company, contact.first_name], ['Ada King of Lovelace', null])
    const change = (body: object) => footfall.call('POST', path(`/forms/${own.id}`), { body })
    for (const contact_fields of [{ email: 'nothing' }, { job: 'who' }, [], 'who', { email: 7 }])
      assert.equal((await change({ contact_fields })).status, 422, JSON.stringify(contact_fields))
    const { form: after } = (await change({ fields: fields.slice(1) })).json.data
    assert.deepEqual(after.contact_fields, { name: '' })
  })
})

test('erasing the contact takes its submissions and consents along, also under another address', async () => {
  const { id } = await fill(form, { address: 'leaving@example.com', news: 'on' })
  const { contact_id } = await settled(id)
  await footfall.call('POST', `/v2/property/contacts/${contact_id}`, { body: { email: 'moved@example.com' } })
  await footfall.call('DELETE', `/v2/property/contacts/${contact_id}`)
  const { records } = footfall.context
  assert.deepEqual(await records.selectFrom('submissions').select('id').where('id', '=', id).execute(), [])
  assert.deepEqual(
    await records.selectFrom('contact_consents').selectAll().where('contact_id', '=', contact_id!).execute(),
    [],
  )
})

test('a submission that a crash left is made a contact of by the job', async () => {
  const { id } = await fill(form, { address: 'crash@example.com' })
  await settled(id)
  await footfall.context.records
    .updateTable('submissions')
    .set({ lead: 'due', contact_id: null })
    .where('id', '=', id)
    .execute()
  assert.equal(await makeDueContacts(footfall.context), 1)
  assert.equal((await contactsOf('crash@example.com')).length, 1)
})
