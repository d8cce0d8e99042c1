// Lists, tags and notes of contacts, and contacts that are added by hand, through the front door.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startFootfall, type Footfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12) })
})

after(async () => {
  for (const close of closers) await close()
})

const path = (rest = '') => `/manage/properties/${footfall.property.id}/contacts${rest}`
const post = (rest: string, body: unknown) => footfall.call('POST', path(rest), { body })
const get = async (rest: string) => (await footfall.call('GET', path(rest))).json.data
const add = async (body: object): Promise<string> => (await post('', body)).json.data.contact.id
const listed = async (query: Record<string, string>) =>
  (await footfall.call('GET', '/v2/property/contacts', { query })).json.data.data.map(
    ({ email }: { email: string }) => email,
  )

test('a contact is added by hand, with what a member knows; whoever is there already is not overwritten', async () => {
  const { status, json } = await post('', {
    email: 'Ann@Example.com',
    first_name: 'Ann',
    lifecycle_stage: 'lead',
    state: 'unsubscribed',
  })
  assert.equal(status, 200)
  const { contact } = json.data
  assert.deepEqual(
    [contact.email, contact.first_name, contact.lifecycle_stage, contact.state],
    ['Ann@Example.com', 'Ann', 'lead', 'unsubscribed'],
  )
  const again = await post('', { email: 'ann@example.com ', first_name: 'Mallory' })
  assert.deepEqual([again.status, Object.keys(again.json.errors)], [409, ['email']])
  await add({ external_id: 'u7' })
  assert.equal((await post('', { external_id: 'u7' })).status, 409)
  for (const body of [{}, { first_name: 'Nobody' }, { email: 'nonsense' }, { email: 7 }, { external_id: 'null' }])
    assert.equal((await post('', body)).status, 422, JSON.stringify(body))
})

test('lists and tags are set as a whole, spelt alike, counted, and filter the list of contacts', async () => {
  const [bea, cy] = [await add({ email: 'bea@example.com' }), await add({ email: 'cy@example.com' })]
  const set = async (id: string, body: object) => (await post(`/${id}/labels`, body)).json.data
  assert.deepEqual(await set(bea, { lists: [' News ', 'news'], tags: ['VIP', 'Wine   lover'] }), {
    lists: ['News'],
    tags: ['VIP', 'Wine lover'],
  })
  assert.deepEqual(await set(cy, { tags: ['vip'] }), { lists: [], tags: ['VIP'] }, 'as others write it')
  assert.deepEqual(await get('/labels'), {
    lists: [{ name: 'News', contacts: 1 }],
    tags: [
      { name: 'VIP', contacts: 2 },
      { name: 'Wine lover', contacts: 1 },
    ],
  })
  assert.deepEqual(await listed({ tag: 'vip' }), ['cy@example.com', 'bea@example.com'])
  assert.deepEqual(await listed({ tag: 'VIP', list: 'news' }), ['bea@example.com'])
  assert.deepEqual(await listed({ tag: 'vip', sort: 'name', search: 'cy' }), ['cy@example.com'])
  assert.deepEqual(await listed({ list: 'nothing' }), [])
  assert.deepEqual(await set(bea, { tags: [] }), { lists: ['News'], tags: [] })
  assert.deepEqual(await get(`/${bea}/labels`), { lists: ['News'], tags: [] })
})

test('labels that nobody could read or that are too many are refused, and change nothing', async () => {
  const id = await add({ email: 'dee@example.com' })
  await post(`/${id}/labels`, { tags: ['kept'] })
  const many = Array.from({ length: 51 }, (_, at) => `t${at}`)
  for (const body of [{ tags: [''] }, { tags: ['x'.repeat(61)] }, { tags: many }, { tags: 'x' }, { lists: [7] }])
    assert.equal((await post(`/${id}/labels`, body)).status, 422, JSON.stringify(body).slice(0, 40))
  assert.deepEqual((await get(`/${id}/labels`)).tags, ['kept'])
  assert.equal((await post('/ct_nobody/labels', { tags: ['x'] })).status, 404)
})

test('notes are kept with their author and time, the latest first, and deleted for good', async () => {
  const id = await add({ email: 'eve@example.com' })
  const { note } = (await post(`/${id}/notes`, { text: ' Called. ' })).json.data
  footfall.clock.advance(60_000)
  await post(`/${id}/notes`, { text: 'Line one\nLine two' })
  const { notes } = await get(`/${id}/notes`)
  assert.deepEqual(
    notes.map(({ text }: { text: string }) => text),
    ['Line one\nLine two', 'Called.'],
  )
  assert.deepEqual(note.edited_by, { kind: 'admin', id: null, name: null })
  for (const text of ['', '   ', 'x'.repeat(5001)]) assert.equal((await post(`/${id}/notes`, { text })).status, 422)
  const drop = () => footfall.call('DELETE', path(`/${id}/notes/${note.id}`))
  assert.deepEqual([(await drop()).status, (await drop()).status], [200, 404])
  const other = await add({ email: 'fay@example.com' })
  assert.equal((await footfall.call('DELETE', path(`/${other}/notes/${notes[0].id}`))).status, 404)
})

test('what was noted about a person goes with them, and nothing more can be noted', async () => {
  const id = await add({ email: 'gus@example.com' })
  await post(`/${id}/labels`, { lists: ['Leaving'], tags: ['secret'] })
  await post(`/${id}/notes`, { text: 'Personal' })
  await footfall.call('DELETE', `/v2/property/contacts/${id}`)
  assert.deepEqual([await get(`/${id}/labels`), await get(`/${id}/notes`)], [{ lists: [], tags: [] }, { notes: [] }])
  assert.equal((await post(`/${id}/labels`, { tags: ['x'] })).status, 410)
  assert.equal((await post(`/${id}/notes`, { text: 'x' })).status, 410)
  const { records } = footfall.context
  assert.deepEqual(await records.selectFrom('contact_notes').select('id').where('contact_id', '=', id).execute(), [])
})

test('the value, orders and first source of contacts are those of their sessions', async () => {
  const load = async (address: string, page: string) => (await footfall.track.load({ page, address })).json.session_id
  const first = await load('203.0.113.61', 'https://example.com/?utm_source=letter&utm_medium=email')
  footfall.clock.advance(60_000)
  const second = await load('203.0.113.62', 'https://example.com/')
  const known = []
  for (const session_id of [first, second]) {
    const identified = await footfall.call('POST', '/v2/property/contacts/identify', {
      body: { email: 'hal@example.com', session_id },
    })
    known.push(identified.json.data.contact.id)
    for (const [value, order] of [
      [1000, 'a'],
      [500, session_id === first ? 'b' : 'a'],
    ] as const)
      await footfall.call('POST', '/v2/property/session/acquisition', {
        body: { session_id, value, currency_code: 'USD', tags: [`shop:order:${order}`] },
      })
  }
  const [id] = known
  const empty = await add({ email: 'ida@example.com' })
  const { worth } = await get(`/worth?ids=${id},${empty},ct_nobody`)
  assert.deepEqual(new Set(Object.keys(worth)), new Set([id, empty]))
  assert.deepEqual(worth[empty], { value_cents: 0, currency: 'USD', orders: 0, first: null })
  assert.deepEqual([worth[id].orders, worth[id].first.source], [2, 'letter'])
  assert.ok(worth[id].value_cents >= 2500)
})

test('everything about a person is taken out as JSON, and as a page in which nothing runs', async () => {
  const hostile = '<script>alert(1)</script>'
  const id = await add({ email: 'jo@example.com', first_name: hostile })
  await post(`/${id}/labels`, { lists: ['News'], tags: [hostile] })
  await post(`/${id}/notes`, { text: `Said ${hostile}` })
  const json = await footfall.call('GET', path(`/${id}/export`))
  assert.equal(json.status, 200)
  const person = JSON.parse(json.text)
  assert.deepEqual(
    [
      person.contact.id,
      person.lists,
      person.tags,
      person.notes[0].text,
      person.consents,
      person.submissions,
      person.sessions,
    ],
    [id, ['News'], [hostile], `Said ${hostile}`, [], [], []],
  )
  const page = await footfall.call('GET', path(`/${id}/export?format=html`))
  assert.match(page.text, /<h2>Tags<\/h2><p>&lt;script&gt;/)
  assert.doesNotMatch(page.text, /<script/)
  assert.match(String(page.headers.get('content-disposition')), /^attachment; filename="ct_\w+\.html"$/)
  assert.match(String(page.headers.get('content-security-policy')), /default-src 'none'/)
  assert.equal((await footfall.call('GET', path('/ct_nobody/export'))).status, 404)
})
