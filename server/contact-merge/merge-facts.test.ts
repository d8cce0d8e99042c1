// What merging two contacts does to figures, stories, files and everybody who calls: through the front door,
// with real facts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

const path = (rest: string) => `/manage/properties/${footfall.property.id}${rest}`
const get = async (rest: string, query = {}) => (await footfall.call('GET', path(rest), { query })).json.data
const post = (rest: string, body: unknown = {}) => footfall.call('POST', path(rest), { body })

async function countSessions(id: string): Promise<number> {
  const clauses = [{ id: 'contact_id', op: 'equals', value: id }]
  const { status, json, text } = await footfall.call('POST', path('/sessions'), { body: { period: 'today', clauses } })
  assert.equal(status, 200, text)
  return json.data.total
}

test('figures, stories and worth follow a merge, and its undo', async () => {
  const [visitA, visitB] = [await calls.newSession(), await calls.newSession()]
  const kept = await calls.newContact({ session_id: visitA, traits: { first_name: 'Ann' } })
  const other = await calls.newContact({ session_id: visitB, traits: { first_name: 'Anna' } })
  const order = { session_id: visitB, value: 500, currency_code: 'USD', order_id: 'o1', tags: ['shop:order:o1'] }
  assert.equal((await footfall.call('POST', '/v2/property/session/acquisition', { body: order })).status, 200)
  const merged = await post(`/contacts/${kept.id}/merge`, { other: other.id })
  assert.equal(merged.status, 200, merged.text)
  const worth = async (id: string) => (await get('/contacts/worth', { ids: id })).worth[id]
  const contactOfVisit = async () => (await get(`/sessions/${visitB}`)).session
  assert.deepEqual([(await worth(kept.id)).value_cents, (await worth(kept.id)).orders], [500, 1])
  assert.deepEqual([(await contactOfVisit()).contact_id, (await contactOfVisit()).contact_name], [kept.id, 'Ann'])
  assert.deepEqual([await countSessions(kept.id), await countSessions(other.id)], [2, 0])
  const undone = await post(`/contacts/${kept.id}/merges/${merged.json.data.merge_id}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual([await countSessions(kept.id), await countSessions(other.id)], [1, 1])
  assert.deepEqual([(await worth(kept.id)).value_cents, (await worth(other.id)).value_cents], [0, 500])
  assert.equal((await contactOfVisit()).contact_id, other.id)
})
