// Links sorted by what came of them, through the front door and on both databases.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { seededPick } from '../../test/support/overview-world.ts'
import { startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const footfall = await startFootfall({ after })
const manage = `/manage/properties/${footfall.property.id}/links`

interface Listed {
  readonly id: string
  readonly name: string
  readonly group_id: string
  readonly figures: Readonly<Record<'clicks' | 'arrived' | 'engaged', number>>
}

async function list(query: Record<string, string | number>): Promise<{ data: Listed[]; total: number }> {
  const reply = await footfall.call('GET', manage, { query })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

test('links are sorted by clicks, arrivals and stays: every page, both ways, with a search and in a group', async () => {
  const pick = seededPick(7)
  const groups = [await addGroup(footfall), await addGroup(footfall)]
  for (let n = 0; n < 12; n++) {
    const link = await addLink(footfall, { group_id: groups[n % 2], name: `${n % 3 === 0 ? 'Red' : 'Blue'} ${n}` })
    const path = new URL(link.short_url).pathname
    for (let visitor = 0; visitor < pick(4); visitor++) {
      const address = `203.0.113.${n * 4 + visitor + 1}`
      await visit(footfall.url, path, { address })
      if (pick(3) === 0) continue
      const { json } = await footfall.track.load({ address })
      if (pick(2) === 0) await footfall.track.ping(json.view_id, { address, tos: 30, max: 40 })
    }
  }
  const scopes: Record<string, string>[] = [{}, { search: 'red' }, { group_id: groups[1]! }]
  for (const scope of scopes) {
    const newest = (await list({ ...scope, per_page: 50 })).data
    for (const sort of ['clicks', 'arrived', 'engaged'] as const)
      for (const order of ['desc', 'asc'] as const) {
        const found: Listed[] = []
        for (let page = 1; page <= Math.ceil(newest.length / 5); page++) {
          const { data, total } = await list({ ...scope, sort, order, page, per_page: 5 })
          assert.equal(total, newest.length)
          found.push(...data)
        }
        assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(newest.map(({ id }) => id)), 'each once')
        const values = found.map(({ figures }) => figures[sort])
        assert.deepEqual(
          values,
          values.toSorted((a, b) => (order === 'asc' ? a - b : b - a)),
          `${sort} ${order}`,
        )
        const none = found.filter(({ figures }) => figures[sort] === 0).map(({ id }) => id)
        assert.deepEqual(
          none,
          newest.map(({ id }) => id).filter((id) => none.includes(id)),
          'the newest first',
        )
      }
  }
  const refused = await footfall.call('GET', manage, { query: { sort: 'name; drop' } })
  assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['sort']])
})

test('a link that was deleted, or whose clicks are of another window, is not ranked', async () => {
  const group_id = await addGroup(footfall)
  const [gone, old] = [await addLink(footfall, { group_id }), await addLink(footfall, { group_id })]
  for (const link of [gone, old]) await visit(footfall.url, new URL(link.short_url).pathname)
  await footfall.call('DELETE', `/v2/property/links/${gone.id}`)
  const first = await list({ group_id, sort: 'clicks' })
  assert.deepEqual([first.total, first.data.map(({ id }) => id)], [1, [old.id]])
  const young = await addLink(footfall, { group_id })
  const yesterday = await list({ group_id, sort: 'clicks', period: 'yesterday' })
  assert.deepEqual(
    yesterday.data.map(({ id }) => id),
    [young.id, old.id],
  )
})

test('forms, goals, experiments and automations are sorted by their numbers and names', async () => {
  const at = `/manage/properties/${footfall.property.id}`
  const post = async (path: string, body: object) => {
    const { status, json, text } = await footfall.call('POST', `${at}${path}`, { body })
    assert.equal(status, 200, text)
    return json.data
  }
  for (const name of ['b', 'C', 'a']) {
    await post('/forms', { name, kind: 'open' })
    await post('/content', { name })
    await post('/conversions', { name, event_type: 'event', event_value: name })
    await post('/automations', {
      name,
      trigger: { event_type: 'event', event_value: name },
      actions: [{ type: 'webhook', url: 'https://example.com/', payload: 'envelope' }],
    })
  }
  const { json } = await footfall.track.load({ address: '203.0.113.200' })
  await footfall.track.event(json.session_id, 'C', { address: '203.0.113.200' })
  for (const path of ['/forms', '/content', '/conversions', '/automations']) {
    const names = async (query: object) => {
      const reply = await footfall.call('GET', at + path, { query: { ...query } })
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data.data.map(({ name }: { name: string }) => name)
    }
    assert.deepEqual(await names({}), ['a', 'C', 'b'], path)
    assert.deepEqual(await names({ sort: 'name', order: 'asc' }), ['a', 'b', 'C'], path)
    assert.deepEqual(await names({ sort: 'name', order: 'asc', page: 2, per_page: 2 }), ['C'], path)
    const refused = await footfall.call('GET', at + path, { query: { sort: 'id' } })
    assert.equal(refused.status, 422, path)
  }
  const converted = await footfall.call('GET', `${at}/conversions`, { query: { sort: 'converted', per_page: 1 } })
  assert.equal(converted.json.data.data[0].name, 'C')
  const wrong = await footfall.call('GET', `${at}/conversions`, { query: { sort: 'rate', period: 'nonsense' } })
  assert.equal(wrong.status, 422)
})
