// UTM templates of groups: what they fill in, what they leave alone, and which are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openLinks } from '../../test/support/link-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { startFootfall } from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { createGroup, getGroup, updateGroup } from './groups.ts'
import { createLinks } from './links.ts'
import { filledTemplate, placeholders, unknownPlaceholder, withTemplate } from './utm-template.ts'

const { homes } = await openHomes()

test('placeholders are filled in, the name by the code where there is none, and nothing else changes', () => {
  const template = { utm_source: '{group}', utm_campaign: '{name}-{code}', utm_term: 'a{b', utm_content: '{name}' }
  assert.deepEqual(filledTemplate(template, { code: 'AbC', name: 'Ça va?', group: 'Spring letter' }), {
    utm_source: 'spring-letter',
    utm_campaign: 'ca-va-AbC',
    utm_term: 'a{b',
    utm_content: 'ca-va',
  })
  assert.equal(filledTemplate({ utm_content: '{name}' }, { code: 'AbC', name: '—', group: '' }).utm_content, 'AbC')
  assert.deepEqual(filledTemplate({ utm_source: '{group}' }, { code: 'AbC', name: null, group: '…' }), {})
  assert.equal(unknownPlaceholder('{code}{day}'), 'day')
  assert.equal(unknownPlaceholder('{code} {'), undefined)
})

test('what a template comes to has no placeholder left, and what is said of a link goes before it', () => {
  const text = fc.string({ unit: anyCharacter })
  fc.assert(
    fc.property(text, text, text, fc.option(text), (template, name, group, given) => {
      const source = { code: 'aBc1234', name, group }
      const { utm_source = '' } = filledTemplate({ utm_source: `${template}{code}{name}{group}` }, source)
      if (unknownPlaceholder(template) === undefined)
        for (const word of placeholders) assert.ok(!utm_source.includes(`{${word}}`), utm_source)
      const said = withTemplate({ utm_source: given }, { utm_source: 'x', utm_term: 'y' })
      assert.deepEqual(said, { utm_source: given, utm_term: 'y' })
      assert.equal(withTemplate(null, { utm_source: 'x' }), null)
    }),
  )
})

testOnEach(
  homes,
  'a new link has the template of its group with its own code, one of before stays as it was',
  async (t, home) => {
    const { node, propertyId } = await openLinks(t, home)
    const draft = { destination_url: 'https://example.com/', domain: 'link-a' } as const
    const group = await createGroup(node, propertyId, { name: 'Autumn Letter' })
    const create = async (more: object = {}) => {
      const [link] = await createLinks(node, propertyId, { drafts: [{ ...draft, group_id: group.id, ...more }] })
      return link!
    }
    const before = await create()
    await updateGroup(node, propertyId, group.id, { utm_template: { utm_source: '{group}', utm_content: '{code}' } })
    await updateGroup(node, propertyId, group.id, { utm_template: { utm_medium: 'email', utm_source: null } })
    const { utm_template } = await getGroup(node, propertyId, group.id)
    assert.deepEqual([utm_template.utm_source, utm_template.utm_medium], [null, 'email'])
    const link = await create()
    assert.deepEqual([link.utm.utm_medium, link.utm.utm_content], ['email', link.code])
    assert.equal((await create({ utm: null })).utm.utm_medium, null)
    const own = await create({ utm: { utm_medium: 'social', utm_content: '' } })
    assert.deepEqual([own.utm.utm_medium, own.utm.utm_content], ['social', null])
    assert.equal(before.utm.utm_medium, null)
    await updateGroup(node, propertyId, group.id, { utm_template: null })
    assert.equal((await create()).utm.utm_medium, null)
  },
)

test('a template is refused with a placeholder that there is not, goes into files, and leaves exports alone', async (t) => {
  const footfall = await startFootfall(t)
  const group = await addGroup(footfall, { name: 'Letter', utm_template: { utm_source: 'letter', utm_term: '{name}' } })
  const path = `/v2/property/link-groups/${group}`
  const wrong = await footfall.call('POST', path, { body: { utm_template: { utm_term: '{day}' } } })
  assert.equal(wrong.status, 422)
  assert.deepEqual(Object.keys(wrong.json.errors), ['utm_template.utm_term'])
  for (const body of [
    { utm_template: 'x' },
    { utm_template: { utm_term: 7 } },
    { utm_template: { utm_term: 'x'.repeat(256) } },
  ])
    assert.equal((await footfall.call('POST', path, { body })).status, 422, JSON.stringify(body))

  const link = await addLink(footfall, { group_id: group, name: 'First one' })
  const { location } = await visit(footfall.url, new URL(link.short_url).pathname)
  assert.equal(location, 'https://example.com/?utm_source=letter&utm_term=first-one')
  const none = await addLink(footfall, { group_id: group, name: 'Bare', utm: null })
  const manage = `/manage/properties/${footfall.property.id}/links`
  const csv = 'destination_url,name,utm_source\nhttps://example.com/a,A,\nhttps://example.com/b,B,mine\n'
  const made = await footfall.call('POST', `${manage}/import`, { body: { csv, group, domain: 'link-a' } })
  const utms = made.json.data.links.map(({ utm }: { utm: Record<string, string> }) => [
    utm['utm_source'],
    utm['utm_term'],
  ])
  assert.deepEqual(utms, [
    ['letter', 'a'],
    ['mine', 'b'],
  ])
  const exported = await footfall.call('GET', `${manage}/export`)
  const again = await footfall.call('POST', `${manage}/import`, { body: { csv: exported.text } })
  assert.equal(again.status, 200, again.text)
  const bare = again.json.data.links.find(({ name }: { name: string }) => name === 'Bare')
  assert.deepEqual([none.id === bare.id, bare.utm.utm_source, bare.utm.utm_term], [false, null, null])
})
