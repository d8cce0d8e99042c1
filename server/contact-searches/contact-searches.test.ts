// Saved searches of contacts, and the orders that the facts know: through the front door.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12) })
  calls = contactCalls(footfall)
})

after(async () => {
  for (const close of closers) await close()
})

const path = (rest = '') => `/manage/properties/${footfall.property.id}/contact-searches${rest}`

test('a person sees their own searches and everybody’s; only admins save for everybody', async () => {
  const roles = (role: 'admin' | 'viewer') => ({ roles: { [footfall.property.id]: role } })
  const admin = await addPerson(footfall, { email: 'admin@example.com', ...roles('admin') })
  const viewer = await addPerson(footfall, { email: 'viewer@example.com', ...roles('viewer') })
  const save = (by: typeof admin, body: object) => by.call('POST', path(), { body })
  const names = async (by: typeof admin) =>
    (await by.call('GET', path())).json.data.searches.map(({ name }: { name: string }) => name)
  const query = { search: 'acme', state: 'active', sort: 'value', direction: 'desc', stage: undefined }
  const own = await save(viewer, { name: '  Mine  ', query })
  assert.equal(own.status, 200, own.text)
  assert.deepEqual(own.json.data.search.query, { search: 'acme', state: 'active', sort: 'value', direction: 'desc' })
  assert.equal((await save(viewer, { name: 'All', query, is_shared: true })).status, 403)
  const shared = await save(admin, { name: 'All', query, is_shared: true })
  assert.deepEqual([await names(viewer), await names(admin)], [['All', 'Mine'], ['All']])
  const remove = (by: typeof admin, { json }: typeof own) => by.call('DELETE', path(`/${json.data.search.id}`))
  assert.equal((await remove(admin, own)).status, 404, 'that of another person is not there')
  assert.equal((await remove(viewer, shared)).status, 403)
  assert.equal((await remove(admin, shared)).status, 200)
  assert.equal((await remove(viewer, own)).status, 200)
  assert.deepEqual([await names(viewer), await names(admin)], [[], []])
  for (const body of [
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'a\u0007b' },
    { name: 'x', query: { sort: 'no' } },
  ])
    assert.equal((await save(viewer, { query: {}, ...body })).status, 422, JSON.stringify(body))
})

test('contacts are in the order of their value or orders, page by page, filtered, from either end', async () => {
  const spent = [0, 500, 0, 2_000, 100, 0, 700]
  const emails: string[] = []
  for (const [n, cents] of spent.entries()) {
    const session_id = await calls.newSession()
    const { email } = await calls.newContact({ session_id, traits: { company: n % 2 === 0 ? 'Even' : 'Odd' } })
    emails.push(email)
    const times = cents === 100 ? 3 : cents > 0 ? 1 : 0
    for (let order = 0; order < times; order++) {
      const body = {
        session_id,
        value: Math.floor(cents / times),
        currency_code: 'USD',
        tags: [`shop:order:${n}-${order}`],
      }
      assert.equal((await footfall.call('POST', '/v2/property/session/acquisition', { body })).status, 200)
    }
  }
  const at = (...places: number[]) => places.map((place) => emails[place])
  const listed = async (query: Record<string, string | number>) => {
    const { status, json, text } = await calls.list(query)
    assert.equal(status, 200, text)
    assert.equal(json.data.total, query['search'] === undefined ? 7 : 4)
    return json.data.data.map(({ email }: { email: string }) => email)
  }
  const byValue = at(3, 6, 1, 4, 5, 2, 0)
  assert.deepEqual(await listed({ sort: 'value' }), byValue)
  assert.deepEqual(await listed({ sort: 'value', direction: 'asc' }), [...at(5, 2, 0), ...at(4, 1, 6, 3)])
  for (const direction of ['asc', 'desc']) {
    const whole = await listed({ sort: 'value', direction })
    const pages = [1, 2, 3, 4].map((page) => listed({ sort: 'value', direction, per_page: 2, page }))
    assert.deepEqual((await Promise.all(pages)).flat(), whole, direction)
  }
  assert.deepEqual(await listed({ sort: 'value', search: 'even' }), at(6, 4, 2, 0))
  assert.deepEqual((await listed({ sort: 'orders' }))[0], emails[4])
})
