// The list of contacts through the front door: what is on a page, how its pages name each other, and what is
// refused.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'

const PEOPLE = 30
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls
/** In the order in which they were made. */
const ids: string[] = []

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 9) })
  calls = contactCalls(footfall)
  for (let n = 0; n < PEOPLE; n++) {
    const traits = {
      first_name: `Ada${n}`,
      company: n % 3 === 0 ? '100% Engines_*' : 'Mills',
      lifecycle_stage: n % 2 === 0 ? 'lead' : 'customer',
    }
    ids.push((await calls.newContact({ traits })).id)
  }
  await calls.update(ids[4]!, { state: 'unsubscribed' })
  await calls.remove(ids[5]!)
})

after(async () => {
  for (const close of closers) await close()
})

const idsOf = (page: { data: { id: string }[] }): string[] => page.data.map(({ id }) => id)
const newest = (from: number, to: number): string[] => ids.toReversed().slice(from, to)

test('the contact made last comes first, 25 on a page, with every key of the page', async () => {
  calls.nextMinute()
  const { json } = await calls.list()
  assert.deepEqual(idsOf(json.data), newest(0, 25))
  const { data: _, ...keys } = json.data
  const url = (page: number) => `http://footfall.test/v2/property/contacts?page=${page}`
  assert.deepEqual(
    { ...json, data: keys },
    {
      code: 200,
      status: 'OK',
      data: {
        current_page: 1,
        per_page: 25,
        total: PEOPLE,
        last_page: 2,
        from: 1,
        to: 25,
        first_page_url: url(1),
        last_page_url: url(2),
        next_page_url: url(2),
        prev_page_url: null,
        path: 'http://footfall.test/v2/property/contacts',
        links: [
          { url: null, label: 'Previous', active: false },
          { url: url(1), label: '1', active: true },
          { url: url(2), label: '2', active: false },
          { url: url(2), label: 'Next', active: false },
        ],
      },
    },
  )
})

test('pages name each other with the whole query, and following them meets every contact once', async () => {
  calls.nextMinute()
  const query = { search: 'ada & co', per_page: 7, lifecycle_stage: 'lead', state: 'active' }
  const { data } = (await calls.list({ ...query, search: 'ada' })).json
  const next = new URL(data.next_page_url)
  assert.deepEqual(Object.fromEntries(next.searchParams), {
    search: 'ada',
    per_page: '7',
    lifecycle_stage: 'lead',
    state: 'active',
    page: '2',
  })
  const strange = new URL((await calls.list(query)).json.data.first_page_url)
  assert.equal(strange.searchParams.get('search'), 'ada & co')

  const met: string[] = []
  let address: string | null = '/v2/property/contacts?per_page=7'
  for (let page = 0; address && page < 20; page++) {
    const { json } = await footfall.call('GET', address.replace('http://footfall.test', ''))
    met.push(...idsOf(json.data))
    assert.equal(json.data.to, met.length)
    address = json.data.next_page_url
  }
  assert.deepEqual(met, newest(0, PEOPLE))
})

test('a page past the end is empty and leads back', async () => {
  calls.nextMinute()
  const { data } = (await calls.list({ page: 9 })).json
  assert.deepEqual([data.data, data.from, data.to, data.total], [[], null, null, PEOPLE])
  assert.equal(data.prev_page_url, 'http://footfall.test/v2/property/contacts?page=2')
})

test('search, state and stage narrow together; an empty text narrows nothing', async () => {
  calls.nextMinute()
  const found = async (query: Record<string, string>) =>
    idsOf((await calls.list({ per_page: 100, ...query })).json.data)
  const at = (...numbers: number[]) => numbers.map((n) => ids[n])
  assert.deepEqual(await found({ search: 'ADA12' }), at(12))
  assert.deepEqual(await found({ search: 'mills ada1' }), at(19, 17, 16, 14, 13, 11, 10, 1))
  assert.deepEqual(await found({ search: '100%' }), at(27, 24, 21, 18, 15, 12, 9, 6, 3, 0))
  assert.deepEqual(await found({ search: '1_0' }), [], 'an underscore is a letter')
  assert.deepEqual(await found({ search: 'a*' }), [], 'and so is an asterisk')
  assert.deepEqual(await found({ search: '"ada" OR mills' }), [], 'nothing is an operator')
  assert.deepEqual(await found({ state: 'unsubscribed' }), at(4))
  assert.deepEqual(await found({ state: 'deleted' }), at(5))
  assert.equal((await found({ state: 'active' })).length, PEOPLE - 2)
  assert.deepEqual(await found({ lifecycle_stage: 'customer', search: '100%' }), at(27, 21, 15, 9, 3))
  assert.deepEqual(await found({ lifecycle_stage: 'CUSTOMER' }), [], 'a stage is the text that it is')
  assert.equal((await found({ search: ' ', lifecycle_stage: '', state: '', page: '' })).length, PEOPLE)
  assert.equal((await found({ per_page: '' })).length, 25)
})

test('the list is sorted as it is asked, and its pages keep the order', async () => {
  calls.nextMinute()
  const { data } = (await calls.list({ sort: 'name', per_page: 4 })).json
  const named = [0, 1, 10, 11].map((n) => ids[n])
  assert.deepEqual(idsOf(data), named, 'names begin with A')
  assert.equal(new URL(data.next_page_url).searchParams.get('sort'), 'name')
  const last = (await calls.list({ sort: 'name', per_page: 29, page: 2 })).json.data
  assert.deepEqual(idsOf(last), [ids[5]], 'who was deleted has no name')
  const seen = await calls.identify({ email: (await calls.get(ids[3]!)).json.data.contact.email })
  assert.equal(seen.json.data.contact.id, ids[3])
  assert.equal(idsOf((await calls.list({ sort: 'last_seen' })).json.data)[0], ids[3], 'times begin with the latest')
  const earliest = await calls.list({ sort: 'first_seen', direction: 'asc', search: 'ada', per_page: 2 })
  assert.deepEqual(idsOf(earliest.json.data), ids.slice(0, 2))
  assert.deepEqual(idsOf((await calls.list({ sort: '', direction: '', per_page: 2 })).json.data), newest(0, 2))
})

test('what breaks a rule is refused by name', async () => {
  calls.nextMinute()
  const refusals: readonly (readonly [field: string, value: string])[] = [
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page', '99999999999'],
    ['per_page', '0'],
    ['per_page', '101'],
    ['per_page', '1e1'],
    ['sort', 'email'],
    ['sort', 'NAME'],
    ['direction', 'desc'],
    ['state', 'gone'],
    ['state', 'Active'],
    ['search', '\0'],
    ['search', 'ada\0'],
    ['search', 'x'.repeat(256)],
    ['lifecycle_stage', '\0'],
    ['lifecycle_stage', 'x'.repeat(65)],
  ]
  for (const [field, value] of refusals) assertRefused(await calls.list({ [field]: value }), field)
  assertRefused(await calls.list({ sort: 'name', direction: 'up' }), 'direction')
  for (const field of ['page', 'search', 'state', 'sort'])
    assertRefused(await footfall.call('GET', `/v2/property/contacts?${field}=1&${field}=2`), field)
  assert.equal(
    (await calls.list({ search: 'é'.repeat(255), lifecycle_stage: 'x'.repeat(64), per_page: 100 })).status,
    200,
  )
})
