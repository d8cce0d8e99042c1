// The contact endpoints on PostgreSQL: the same answers as on SQLite, and no text that this database would
// choke on reaches it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'

const postgres = await startPostgres({ after })
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls

describe('on PostgreSQL', { skip: postgres ? false : 'there is no PostgreSQL for this machine' }, () => {
  before(async () => {
    const env = { DATABASE_URL: await postgres!.freshUrl() }
    footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 9), env })
    calls = contactCalls(footfall)
  })

  after(async () => {
    for (const close of closers) await close()
  })

  test('somebody is identified, listed, found, changed, shown with the session, and deleted', async () => {
    const session_id = await calls.newSession()
    const { contact, linked_to_session } = (
      await calls.identify({ external_id: 'ada', email: 'Ada@Example.com', session_id, traits: { city: 'London' } })
    ).json.data
    assert.deepEqual([linked_to_session, contact.session_count], [true, 1])
    assert.equal((await calls.identify({ email: 'ada@example.COM' })).json.data.contact.id, contact.id)
    const { data } = (await calls.list({ search: 'lond ADA', state: 'active', lifecycle_stage: 'user' })).json
    assert.deepEqual([data.total, data.data[0].id], [1, contact.id])
    assert.equal(
      (await calls.update(contact.id, { city: null, company: 'Engines' })).json.data.contact.company,
      'Engines',
    )
    assert.equal((await calls.list({ search: 'london' })).json.data.total, 0)
    const shown = (await calls.sessions(contact.id)).json.data
    assert.deepEqual([shown.sessions[0].id, shown.sessions[0].views, shown.paging.next_cursor], [session_id, 1, null])
    for (let time = 0; time < 2; time++) assert.deepEqual((await calls.remove(contact.id)).json.data, { deleted: true })
    assert.equal((await calls.update(contact.id, { city: 'Rome' })).status, 410)
    assert.deepEqual((await calls.get(contact.id)).json.data.contact.session_count, 1)
    assert.notEqual((await calls.identify({ email: 'ada@example.com' })).json.data.contact.id, contact.id)
  })

  test('texts with NUL, half a character or wildcards are stored as what is left of them, or not found', async () => {
    calls.nextMinute()
    const hostile = 'a\0b\uD800c%_\\"\'*'
    const { id } = await calls.newContact()
    const traits = {
      first_name: hostile,
      lifecycle_stage: `x${hostile}`,
      meta: [{ key: `k${hostile}`, value: hostile }],
    }
    assert.equal((await calls.identify({ external_id: `id-${hostile}`, traits })).status, 422)
    const named = await calls.identify({ external_id: 'id-c%_\\"\'*', traits })
    assert.equal(named.status, 200, named.text)
    assert.equal(named.json.data.contact.first_name, 'ab\uFFFDc%_\\"\'*')
    assert.equal((await calls.update(id, { ...traits, external_id: 'other-c%_\\"\'*' })).status, 200)
    assert.equal((await calls.list({ search: 'c%_\\"\'*' })).json.data.total, 2)
    for (const search of ['\0', 'a\0']) assert.equal((await calls.list({ search })).status, 422)
    for (const search of ['\uD800', '%', '_', '\\', "' OR 1=1 --"])
      assert.equal((await calls.list({ search })).status, 200)
    assert.equal((await calls.list({ lifecycle_stage: hostile })).status, 422)
    assert.equal((await calls.list({ lifecycle_stage: '%' })).json.data.total, 0)
    for (const path of ['%00', 'a%00b', '%F0%9F%98%80', '..%2f', "'"]) {
      assert.equal((await calls.get(path)).status, 404)
      assert.equal((await calls.sessions(path)).status, 404)
      assert.equal((await calls.update(path, { city: 'x' })).status, 404)
      assert.equal((await calls.remove(path)).status, 404)
    }
  })

  test('of two people identified on one session at once one wins; one new address makes one contact', async () => {
    calls.nextMinute()
    const session_id = await calls.newSession()
    const both = await Promise.all(
      [calls.address(), calls.address()].map((email) => calls.identify({ email, session_id })),
    )
    assert.equal(both.filter(({ json }) => json.data.linked_to_session).length, 1)
    const email = calls.address()
    const same = await Promise.all(Array.from({ length: 8 }, () => calls.identify({ email })))
    assert.equal(new Set(same.map(({ json }) => json.data.contact.id)).size, 1)
  })
})
