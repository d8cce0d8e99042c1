// Tags, notes, archived links, and changes of many links at once with their undo.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openLinks } from '../../test/support/link-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { editLinks, listLinkEdits, listTags, undoLinkEdit } from './edits.ts'
import { createGroup, removeGroup } from './groups.ts'
import { changedTags, readTags, tagKey } from './labels.ts'
import { createLinks, getLink, removeLink, updateLink } from './links.ts'
import { getRules } from './rules.ts'

const { homes } = await openHomes()
const NOW = Date.parse('2026-11-20T12:00:00Z')

test('a link has a tag once, whatever its capitals, and none that a file could not hold', () => {
  const word = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { maxLength: 4 }), (written, removed) => {
      let tags: string[]
      try {
        tags = readTags('tags', written)
      } catch {
        return
      }
      assert.equal(new Set(tags.map(tagKey)).size, tags.length)
      assert.deepEqual(readTags('tags', tags), tags)
      assert.deepEqual(readTags('tags', tags.join(',').split(',').filter(Boolean)), tags)
      const left = new Set(changedTags(tags, { added: [], removed }).map(tagKey))
      assert.ok(removed.every((tag) => !left.has(tagKey(tag))))
    }),
  )
})

testOnEach(
  homes,
  'many links are changed in one edit; undoing puts back what nobody changed since',
  async (t, home) => {
    const { node, propertyId } = await openLinks(t, home)
    const deps = { ...node, editor: 'admin' }
    const [old, next] = [
      await createGroup(node, propertyId, { name: 'Old' }),
      await createGroup(node, propertyId, { name: 'New' }),
    ]
    const draft = { destination_url: 'https://example.com/', domain: 'link-a', group_id: old.id } as const
    const links = await createLinks(node, propertyId, { drafts: [{ ...draft, tags: ['Spring'] }, draft, draft] })
    const ids = links.map(({ id }) => id)
    const [a = '', b = '', c = ''] = ids
    const change = {
      add_tags: ['SPRING', 'b2b'],
      group_id: next.id,
      utm: { utm_source: 'letter' },
      ends_ts: 4_000_000_000,
      is_archived: true,
    }
    const { edit_id, changed } = await editLinks(deps, propertyId, ids, change)
    assert.equal(changed, 3)
    const shown = await getLink(node, propertyId, b)
    assert.deepEqual(
      [shown.tags, shown.group_id, shown.past_groups, shown.utm.utm_source, shown.is_archived],
      [['Spring', 'b2b'], next.id, [old.id], 'letter', true],
      'a tag is spelled as it is on other links',
    )
    assert.equal((await getRules(node, propertyId, b)).ends_ts, 4_000_000_000)
    assert.deepEqual(await listTags(node, propertyId), [
      { name: 'b2b', links: 3 },
      { name: 'Spring', links: 3 },
    ])
    assert.equal((await editLinks(deps, propertyId, ids, change)).edit_id, null, 'nothing is different')

    await updateLink(node, propertyId, a, { tags: ['mine'] })
    await removeLink(node, propertyId, c)
    const undone = await undoLinkEdit(deps, propertyId, edit_id!)
    assert.deepEqual([undone.changed, undone.skipped], [1, 2])
    const back = await getLink(node, propertyId, b)
    assert.deepEqual([back.tags, back.group_id, back.utm.utm_source, back.is_archived], [[], old.id, null, false])
    assert.equal((await getRules(node, propertyId, b)).ends_ts, null)
    assert.deepEqual((await getLink(node, propertyId, a)).tags, ['mine'])
    const { rows, total } = await listLinkEdits(node, propertyId, { page: 1, perPage: 10 })
    assert.deepEqual(
      [total, ...rows.map(({ kind, links: count, edited_by }) => [kind, count, edited_by])],
      [2, ['undo', 1, 'admin'], ['update', 3, 'admin']],
    )
    assert.deepEqual(Object.keys(rows[1]!.after).toSorted(), ['ends_ts', 'group_id', 'is_archived', 'tags', 'utm'])

    const redone = await undoLinkEdit(deps, propertyId, undone.edit_id!)
    assert.equal(redone.changed, 1)
    await removeGroup(node, propertyId, old.id)
    const gone = await undoLinkEdit(deps, propertyId, redone.edit_id!)
    assert.deepEqual([gone.changed, gone.skipped], [0, 1], 'a group that is gone takes no link back')
  },
)

async function openWorld(t: Parameters<typeof startFootfall>[0]) {
  const footfall = await startFootfall(t, { now: NOW })
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  return { ...footfall, call, manage: `/manage/properties/${footfall.property.id}` }
}

test('an archived link is out of the list and leads on; a moved one keeps its clicks, and so does its old group', async (t) => {
  const footfall = await openWorld(t)
  const { call, manage, url } = footfall
  const [old, next] = [await addGroup(footfall, { name: 'Old' }), await addGroup(footfall, { name: 'New' })]
  const link = await addLink(footfall, { group_id: old, name: 'Poster', tags: ['print'], notes: 'Ask Zoë first' })
  const other = await addLink(footfall, { group_id: old, name: 'Letter' })
  const path = new URL(link.short_url).pathname
  await visit(url, path)
  const edit = (body: object) => call('POST', `${manage}/links/edit`, { body: { link_ids: [link.id], ...body } })
  assert.equal((await edit({ is_archived: true, group_id: next })).status, 200)
  assert.equal((await visit(url, path, { address: '203.0.113.9' })).status, 302)
  const names = async (query: Record<string, string>) => {
    const { json } = await call('GET', `${manage}/links`, { query: { period: 'today', ...query } })
    return json.data.data.map(({ name, figures }: { name: string; figures: { clicks: number } }) => [
      name,
      figures.clicks,
    ])
  }
  assert.deepEqual(await names({}), [['Letter', 0]])
  assert.deepEqual(await names({ state: 'archived' }), [['Poster', 2]])
  assert.deepEqual(await names({ state: 'all', search: 'zoë PRINT' }), [['Poster', 2]])
  assert.deepEqual(await names({ state: 'all', tag: 'print' }), [['Poster', 2]])
  assert.deepEqual(await names({ state: 'all', tag: 'prin' }), [])
  assert.equal((await call('GET', '/v2/property/links')).json.data.total, 2, 'tokens see all of them')
  assert.equal((await call('GET', `/v2/property/links/${link.id}`)).json.data.link.clicks, 2)
  const groups = (await call('GET', '/v2/property/link-groups')).json.data.groups
  assert.deepEqual(
    groups.map(({ name, count_clicks, count_links }: Record<string, unknown>) => [name, count_clicks, count_links]),
    [
      ['New', 1, 1],
      ['Old', 1, 1],
    ],
  )
  for (const what of ['statistics', 'results']) {
    const { json } = await call('GET', `${manage}/links/${link.id}/${what}`, { query: { period: 'today' } })
    assert.equal((json.data.results?.own.totals ?? json.data.statistics).clicks, 2, what)
  }
  const exported = (await call('GET', `${manage}/links/export`)).text
  assert.match(exported, /Ask Zoë first/)
  assert.equal(other.group_id, old)
})

test('an edit is refused whole, and named, when one of its links or values cannot be', async (t) => {
  const footfall = await openWorld(t)
  const { call, manage } = footfall
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group })
  const starting = { starts_ts: 3_000_000_000, rules: [], split: [] }
  const rules = await call('POST', `${manage}/links/${link.id}/rules`, { body: starting })
  assert.equal(rules.status, 200, rules.text)
  const rows: readonly (readonly [object, number])[] = [
    [{ link_ids: [] }, 422],
    [{ link_ids: Array.from({ length: 501 }, () => link.id) }, 422],
    [{ link_ids: [link.id, 'ln_nothing'], is_archived: true }, 404],
    [{ link_ids: [link.id], group_id: 'lg_nothing' }, 422],
    [{ link_ids: [link.id], add_tags: ['a,b'] }, 422],
    [{ link_ids: [link.id], add_tags: [''] }, 422],
    [{ link_ids: [link.id], add_tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 422],
    [{ link_ids: [link.id], utm: { utm_source: 'x'.repeat(256) } }, 422],
    [{ link_ids: [link.id], ends_ts: 2_000_000_000, is_archived: true }, 422],
    [{ link_ids: [link.id], ends_ts: 'soon' }, 422],
  ]
  for (const [body, status] of rows)
    assert.equal((await call('POST', `${manage}/links/edit`, { body })).status, status, JSON.stringify(body))
  assert.equal((await call('GET', `/v2/property/links/${link.id}`)).json.data.link.is_archived, false)
  assert.equal((await call('POST', `${manage}/link-edits/le_nothing/undo`)).status, 404)
  assert.equal((await call('GET', `${manage}/link-edits`)).json.data.total, 0)
})
