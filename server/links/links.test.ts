// Groups and links in the records, on either database: what is stored, who sees it, and that no code is given
// out twice.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LinkWorld, openLinks } from '../../test/support/link-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { Problem } from '../kernel/problem.ts'

import { readAvailability, wordsOfAddress } from './availability.ts'
import { CODE_ALPHABET, CODE_LENGTH, isCode, randomCode, slugFault, slugOf } from './codes.ts'
import { createGroup, getGroup, listGroups, newGroup, removeGroup, updateGroup } from './groups.ts'
import { type Domain, utmRecord } from './link-model.ts'
import {
  createLink,
  createLinks,
  getLink,
  type LinkDraft,
  listLinks,
  removeLink,
  type ShownLink,
  updateLink,
} from './links.ts'
import { drawChange } from './records.ts'
import { ownPaths } from '../redirect/hosts.ts'
import { readChangeNo } from '../redirect/records.ts'

const { homes } = await openHomes()

const all = { page: 1, perPage: 100 }

const draftOf = (group_id: string, more: Partial<LinkDraft> = {}): LinkDraft => ({
  group_id,
  destination_url: 'https://example.com/',
  domain: 'link-a',
  ...more,
})

const refused = (kind: Problem['kind'], said: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.kind, kind)
  assert.match(error.message, said)
  return true
}

const noGroup = refused('not_found', /^The group is not in this property\.$/)
const noLink = refused('not_found', /^The link is not in this property\.$/)

test('a code is seven characters, none of which looks like another, each as likely as the others', () => {
  assert.equal(new Set(CODE_ALPHABET).size, 55)
  assert.doesNotMatch(CODE_ALPHABET, /[0Oo1lIi]/)
  const seen = new Map<string, number>()
  for (let made = 0; made < 20_000; made++) {
    const code = randomCode(randomBytes)
    assert.ok(code.length === CODE_LENGTH && isCode(code), code)
    for (const letter of code) seen.set(letter, (seen.get(letter) ?? 0) + 1)
  }
  assert.deepEqual([...seen.keys()].toSorted(), [...CODE_ALPHABET].toSorted())
  const even = (20_000 * CODE_LENGTH) / 55
  // Without the rejected bytes the first 36 letters would be a quarter more likely than the others.
  for (const [letter, count] of seen) assert.ok(Math.abs(count / even - 1) < 0.15, `${letter}: ${count} of ${even}`)
})

testOnEach(
  homes,
  'a group is stored with its defaults, changed by what is sent alone, and null clears its description',
  async (t, home) => {
    const { node, propertyId } = await openLinks(t, home)
    const group = await createGroup(node, propertyId, { name: '  Spring\0 ' })
    assert.deepEqual(group, {
      id: group.id,
      name: 'Spring',
      description: null,
      purpose: 'campaign',
      state: 'active',
      track_clicks: true,
      utm_template: utmRecord(() => null),
      count_links: 0,
      count_clicks: 0,
      created_at: '2026-11-10T12:00:00.000Z',
    })
    assert.match(group.id, /^lg_[0-9A-Za-z]{20}$/)
    assert.deepEqual(await getGroup(node, propertyId, group.id), group)
    const changed = await updateGroup(node, propertyId, group.id, {
      description: ' For\ud800 all ',
      purpose: 'partner',
    })
    assert.deepEqual(changed, { ...group, description: 'For\ufffd all', purpose: 'partner' })
    assert.deepEqual(await updateGroup(node, propertyId, group.id, {}), changed)
    const rest = { name: 'Autumn', track_clicks: false, state: 'archived' } as const
    assert.deepEqual(await updateGroup(node, propertyId, group.id, rest), { ...changed, ...rest })
    for (const description of [null, '', ' ']) {
      await updateGroup(node, propertyId, group.id, { description: 'x' })
      assert.equal((await updateGroup(node, propertyId, group.id, { description })).description, null)
    }
    assert.equal((await updateGroup(node, propertyId, group.id, { state: 'active' })).state, 'active')
    for (const name of ['', ' \n', '\0']) {
      await assert.rejects(
        createGroup(node, propertyId, { name }),
        refused('validation_failed', /name may not be empty/),
      )
      await assert.rejects(updateGroup(node, propertyId, group.id, { name }), refused('validation_failed', /name/))
    }
  },
)

testOnEach(homes, 'a link is stored as it was sent, and only what is sent is changed', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const utm = { utm_source: ' News letter ', utm_medium: '', utm_campaign: null, utm_term: 'a&b=c', utm_content: 'ü' }
  const link = await createLink(node, propertyId, draftOf(groupId, { name: ' Poster ', utm, domain: 'link-b' }))
  const stored = {
    utm_source: ' News letter ',
    utm_medium: null,
    utm_campaign: null,
    utm_term: 'a&b=c',
    utm_content: 'ü',
  }
  assert.deepEqual(link, {
    id: link.id,
    group_id: groupId,
    name: 'Poster',
    code: link.code,
    short_url: `https://footfall.test/b/${link.code}`,
    destination_url: 'https://example.com/',
    domain: 'link-b',
    utm: stored,
    is_active: true,
    tags: [],
    notes: null,
    is_archived: false,
    past_groups: [],
    clicks: 0,
    created_ts: Date.UTC(2026, 10, 10, 12) / 1000,
  })
  assert.match(link.id, /^ln_[0-9A-Za-z]{20}$/)
  const update = (change: Parameters<typeof updateLink>[3]) => updateLink(node, propertyId, link.id, change)
  assert.deepEqual(await update({}), link)
  assert.deepEqual(await update({ utm: { utm_medium: 'print', utm_source: null, utm_term: '' } }), {
    ...link,
    utm: { ...stored, utm_medium: 'print', utm_source: null, utm_term: null },
  })
  assert.deepEqual(Object.values((await update({ utm: null })).utm), [null, null, null, null, null])
  assert.deepEqual(
    [(await update({ name: null })).name, (await update({ name: 'x' })).name, (await update({ name: ' ' })).name],
    [null, 'x', null],
  )
  assert.equal((await update({ is_active: false })).is_active, false)
  const destination_url = ' https://exämple.org/ä?x=%20#Y '
  const last = await update({ destination_url, is_active: true })
  assert.deepEqual([last.destination_url, last.is_active, last.code], [destination_url.trim(), true, link.code])
  assert.deepEqual(await getLink(node, propertyId, link.id), last)
})

testOnEach(homes, 'an update that is refused changes nothing', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const link = await createLink(node, propertyId, draftOf(groupId))
  const destination_url = `${link.short_url}x`
  const change = { destination_url, is_active: false, domain: 'link-b' as Domain }
  await assert.rejects(updateLink(node, propertyId, link.id, change), refused('validation_failed', /short link/))
  assert.deepEqual(await getLink(node, propertyId, link.id), link)
  await assert.rejects(
    createLink(node, propertyId, draftOf(groupId, { destination_url })),
    refused('validation_failed', /short link/),
  )
})

testOnEach(homes, 'what another property has is as if it were not there, and stays as it is', async (t, home) => {
  const world = await openLinks(t, home)
  const { node, propertyId, groupId } = world
  const link = await createLink(node, propertyId, draftOf(groupId))
  const foreign = await world.addProperty()
  for (const id of [groupId, 'lg_nothing', '', 'lg_\0', link.id, 'lg_x@link-a']) {
    await assert.rejects(getGroup(node, foreign, id), noGroup)
    await assert.rejects(updateGroup(node, foreign, id, { name: 'taken' }), noGroup)
    await assert.rejects(updateGroup(node, foreign, id, {}), noGroup)
    await assert.rejects(removeGroup(node, foreign, id), noGroup)
    await assert.rejects(
      createLink(node, foreign, draftOf(id)),
      refused('validation_failed', /^group_id is not a group of this property/),
    )
    assert.deepEqual(await listLinks(node, { propertyId: foreign, groupId: id }, all), { rows: [], total: 0 })
  }
  for (const id of [link.id, 'ln_nothing', '', 'ln_\0', groupId]) {
    await assert.rejects(getLink(node, foreign, id), noLink)
    await assert.rejects(updateLink(node, foreign, id, { is_active: false }), noLink)
    await assert.rejects(updateLink(node, foreign, id, {}), noLink)
    await assert.rejects(removeLink(node, foreign, id), noLink)
  }
  assert.deepEqual(await listGroups(node, foreign, all), { rows: [], total: 0 })
  assert.deepEqual(await listLinks(node, { propertyId: foreign, groupId: null }, all), { rows: [], total: 0 })
  assert.deepEqual(await getLink(node, propertyId, link.id), link)
  assert.equal((await getGroup(node, propertyId, groupId)).name, 'Group')
})

testOnEach(homes, 'lists have the newest first, page by page, and count what is in use', async (t, home) => {
  const world = await openLinks(t, home)
  const { node, propertyId, groupId, clicks } = world
  const second = await world.addGroup()
  const links: ShownLink[] = []
  for (let i = 0; i < 7; i++) links.push(await createLink(node, propertyId, draftOf(i % 2 === 0 ? groupId : second)))
  await removeLink(node, propertyId, links[2]!.id)
  await updateLink(node, propertyId, links[4]!.id, { domain: 'link-b', is_active: false })
  clicks.set(links[6]!.id, 12).set(second, 5)
  const ids = async (group: string | null, page: number) => {
    const { rows, total } = await listLinks(node, { propertyId, groupId: group }, { page, perPage: 4 })
    return [rows.map(({ id }) => links.findIndex((link) => link.id === id)), total]
  }
  assert.deepEqual(await ids(null, 1), [[6, 5, 4, 3], 6])
  assert.deepEqual(await ids(null, 2), [[1, 0], 6])
  assert.deepEqual(await ids(null, 3), [[], 6])
  assert.deepEqual(await ids(groupId, 1), [[6, 4, 0], 3])
  assert.deepEqual(await ids(second, 1), [[5, 3, 1], 3])
  assert.deepEqual(
    (await listLinks(node, { propertyId, groupId: null }, all)).rows.map((link) => link.clicks),
    [12, 0, 0, 0, 0, 0],
  )
  const groups = await listGroups(node, propertyId, all)
  const shown = groups.rows.map(({ id, count_links, count_clicks }) => [id, count_links, count_clicks])
  assert.deepEqual(shown, [
    [second, 3, 5],
    [groupId, 3, 0],
  ])
  assert.deepEqual(
    (await listGroups(node, propertyId, { page: 2, perPage: 1 })).rows.map(({ id }) => id),
    [groupId],
  )
  assert.equal(groups.total, 2)
})

testOnEach(
  homes,
  'pages and counts are the same when the links lie far apart among those of others',
  async (t, home) => {
    const { node, propertyId, groupId } = await openLinks(t, home)
    const links = await createLinks(node, propertyId, { drafts: Array.from({ length: 9 }, () => draftOf(groupId)) })
    await node.records
      .updateTable('links')
      .set((of) => ({ seq: of('seq', '*', 20_000) }))
      .execute()
    const newestFirst = links.map(({ id }) => id).toReversed()
    for (let perPage = 1; perPage <= 10; perPage++)
      for (let page = 1; page <= 10; page++) {
        const { rows, total } = await listLinks(
          node,
          { propertyId, groupId: page % 2 === 0 ? groupId : null },
          { page, perPage },
        )
        const wanted = newestFirst.slice((page - 1) * perPage, page * perPage)
        assert.deepEqual([rows.map(({ id }) => id), total], [wanted, 9])
      }
    assert.equal((await getGroup(node, propertyId, groupId)).count_links, 9)
  },
)

testOnEach(homes, 'a deleted link is gone for good; deleting it again is a 404', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const link = await createLink(node, propertyId, draftOf(groupId))
  await removeLink(node, propertyId, link.id)
  await assert.rejects(getLink(node, propertyId, link.id), noLink)
  await assert.rejects(updateLink(node, propertyId, link.id, { is_active: true }), noLink)
  await assert.rejects(removeLink(node, propertyId, link.id), noLink)
  assert.equal((await getGroup(node, propertyId, groupId)).count_links, 0)
})

testOnEach(homes, 'a deleted group is gone with its links, what it said included', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  await updateGroup(node, propertyId, groupId, { description: 'what it said' })
  const links = await createLinks(node, propertyId, { drafts: Array.from({ length: 2100 }, () => draftOf(groupId)) })
  await removeGroup(node, propertyId, groupId)
  await assert.rejects(getGroup(node, propertyId, groupId), noGroup)
  await assert.rejects(updateGroup(node, propertyId, groupId, { state: 'active' }), noGroup)
  await assert.rejects(removeGroup(node, propertyId, groupId), noGroup)
  await assert.rejects(getLink(node, propertyId, links[0]!.id), noLink)
  await assert.rejects(createLink(node, propertyId, draftOf(groupId)), refused('validation_failed', /group_id/))
  assert.deepEqual(await listLinks(node, { propertyId, groupId: null }, all), { rows: [], total: 0 })
  assert.deepEqual(await listGroups(node, propertyId, all), { rows: [], total: 0 })
  const [row] = await node.records.selectFrom('link_groups').selectAll().execute()
  assert.deepEqual([row?.state, row?.name, row?.description], ['deleted', '', null])
})

testOnEach(homes, 'many links are made all or none, in their order, with groups of their own', async (t, home) => {
  const { node, propertyId } = await openLinks(t, home)
  const group = newGroup(node, { name: 'From a file' })
  const drafts = Array.from({ length: 450 }, (_, i) => draftOf(group.id, { name: `n${i}` }))
  const wrong = [...drafts.slice(0, 420), draftOf('lg_nothing')]
  await assert.rejects(
    createLinks(node, propertyId, { drafts: wrong, groups: [group] }),
    refused('validation_failed', /group_id/),
  )
  assert.equal((await listLinks(node, { propertyId, groupId: null }, all)).total, 0)
  assert.equal((await listGroups(node, propertyId, all)).total, 1)
  const progress: number[] = []
  const links = await createLinks(node, propertyId, { drafts, groups: [group] }, (count) => progress.push(count))
  assert.deepEqual(
    links.map(({ name }) => name),
    drafts.map(({ name }) => name),
  )
  assert.deepEqual(progress, [200, 400, 450])
  const listed = await listLinks(node, { propertyId, groupId: group.id }, { page: 5, perPage: 100 })
  assert.deepEqual(
    listed.rows.map(({ name }) => name),
    drafts
      .slice(0, 50)
      .map(({ name }) => name)
      .toReversed(),
  )
  assert.deepEqual(await createLinks(node, propertyId, { drafts: [] }), [])
})

// ---------------------------------------------------------------- codes

test('a slug is 3 to 64 letters, digits, - and _, and no address that the service has or may want', () => {
  for (const code of ['abc', 'Spring-2026', '__-', 'x'.repeat(64), '123', 'dashboards'])
    assert.equal(slugFault(code), undefined, code)
  for (const code of ['ab', 'x'.repeat(65), 'a b', 'a/b', 'ä-bc', 'a.b', 'a+b', '%41bc', 'abc\n', '\u0661\u0661\u0661'])
    assert.equal(slugFault(code), 'shape', code)
  for (const code of ['dashboard', 'Dashboard', 'favicon', 'robots']) assert.equal(slugFault(code), 'reserved', code)
  const first = ownPaths.map((path) => path.split('/')[1]!).filter((name) => /^[\w-]{3,}$/.test(name))
  for (const name of first) assert.equal(slugFault(name), 'reserved', name)
})

test('whatever is suggested for a name or an address can be chosen', () => {
  for (const [written, slug] of [
    ['https://example.com/blog/Spring%20letter%C3%A4.html', 'spring-lettera'],
    ['shop.example/a/12345?x=1', 'shop'],
    ['https://www.example.co.uk', 'example-co'],
    ['https://example.com/%zz/', 'example'],
    ['http://', ''],
  ] as const)
    assert.equal(wordsOfAddress(written), slug, written)
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'binary' })), (written) => {
      for (const slug of [slugOf(written), wordsOfAddress(written)])
        assert.match(slug, /^(?:[a-z0-9_](?:[a-z0-9_-]{0,38}[a-z0-9_])?)?$/, JSON.stringify(written))
    }),
  )
})

testOnEach(homes, 'a code that the owner chose is theirs on its domain, and nobody else’s ever', async (t, home) => {
  const { node, propertyId, groupId, addProperty, addGroup } = await openLinks(t, home)
  const link = await createLink(node, propertyId, draftOf(groupId, { code: ' Spring-2026 ' }))
  assert.equal(link.short_url, 'https://footfall.test/a/Spring-2026')
  assert.equal((await node.links.find('link-a', 'Spring-2026'))?.linkId, link.id)
  for (const code of [null, '', ' '])
    assert.equal((await createLink(node, propertyId, draftOf(groupId, { code }))).code.length, CODE_LENGTH)
  const taken = refused('validation_failed', /^code is taken, or was before/)
  const other = await addProperty()
  const elsewhere = draftOf(await addGroup(other), { code: link.code })
  await assert.rejects(createLink(node, other, elsewhere), taken)
  await removeLink(node, propertyId, link.id)
  await assert.rejects(createLink(node, propertyId, draftOf(groupId, { code: link.code })), taken)
  assert.equal((await createLink(node, other, { ...elsewhere, domain: 'link-b' })).code, link.code)
  assert.equal((await createLink(node, propertyId, draftOf(groupId, { code: 'spring-2026' }))).code, 'spring-2026')
  await assert.rejects(
    createLink(node, propertyId, draftOf(groupId, { code: 'manage' })),
    refused('validation_failed', /reserved/),
  )
  const two = [draftOf(groupId, { code: 'twice' }), draftOf(groupId, { code: 'twice' })]
  await assert.rejects(createLinks(node, propertyId, { drafts: two }), taken)
  assert.equal(await node.links.find('link-a', 'twice'), undefined, 'neither is created')
  const asked = { domain: 'link-a', words: ['', wordsOfAddress('https://example.com/autumn')] } as const
  const read = (code: string) => readAvailability(node.records, propertyId, { ...asked, code })
  assert.deepEqual(await read('spring-2026'), {
    is_free: false,
    reason: 'taken',
    suggestions: ['spring-2026-2', 'spring-2026-3', 'spring-2026-4'],
  })
  assert.deepEqual((await read('')).suggestions, ['autumn', 'autumn-2', 'autumn-3'])
  assert.deepEqual([(await read('autumn')).is_free, (await read('x')).reason], [true, 'shape'])
})

/** Makes every code of the next seven bytes one of two, until a third is needed. */
function collide({ chance }: LinkWorld, codes: readonly string[]): void {
  let drawn = 0
  chance.bytes = (count) => {
    if (count !== CODE_LENGTH) return randomBytes(count)
    const code = codes[Math.min(drawn++, codes.length - 1)]!
    return Buffer.from([...code].map((letter) => CODE_ALPHABET.indexOf(letter)))
  }
}

testOnEach(homes, 'a code that is taken, also by a deleted link, is drawn again', async (t, home) => {
  const world = await openLinks(t, home)
  const { node, propertyId, groupId } = world
  const draft = draftOf(groupId)
  collide(world, ['aaaaaaa', 'aaaaaaa', 'aaaaaaa', 'bbbbbbb'])
  const codes = (await createLinks(node, propertyId, { drafts: [draft, draft] })).map(({ code }) => code)
  assert.deepEqual(codes, ['aaaaaaa', 'bbbbbbb'])
  const [first] = (await listLinks(node, { propertyId, groupId: null }, { page: 2, perPage: 1 })).rows
  await removeLink(node, propertyId, first!.id)
  collide(world, ['aaaaaaa', 'bbbbbbb', 'ccccccc'])
  assert.equal((await createLink(node, propertyId, draft)).code, 'ccccccc')
  collide(world, ['aaaaaaa'])
  assert.equal((await createLink(node, propertyId, { ...draft, domain: 'link-b' })).code, 'aaaaaaa')
  await assert.rejects(createLink(node, propertyId, draft), refused('unavailable', /No free code/))
  assert.equal((await listLinks(node, { propertyId, groupId: null }, all)).total, 3)
})

testOnEach(homes, 'codes drawn alike on two nodes at the same moment are still unique', async (t, home) => {
  const world = await openLinks(t, home)
  const { propertyId, groupId } = world
  const nodes = [world.node, await world.another()]
  collide(
    world,
    [...'abcdefgh'].flatMap((letter) => Array.from({ length: 8 }, () => letter.repeat(7))).concat('zzzzzzz'),
  )
  const drafts = Array.from({ length: 8 }, (_, i) => createLink(nodes[i % 2]!, propertyId, draftOf(groupId)))
  const codes = (await Promise.all(drafts)).map(({ code }) => code)
  assert.equal(new Set(codes).size, 8)
  for (const code of codes)
    for (const node of nodes) {
      await node.links.refresh()
      assert.ok(await node.links.find('link-a', code), code)
    }
})

testOnEach(
  homes,
  'a link that moves keeps its code where it is free, leaves it to nobody else, and finds it again',
  async (t, home) => {
    const world = await openLinks(t, home)
    const { node, propertyId, groupId } = world
    collide(world, ['aaaaaaa'])
    const link = await createLink(node, propertyId, draftOf(groupId))
    const move = async (domain: Domain) => {
      const { code, short_url } = await updateLink(node, propertyId, link.id, { domain })
      assert.equal(short_url, `https://footfall.test/${domain.at(-1)}/${code}`)
      return code
    }
    assert.equal(await move('link-b'), 'aaaaaaa')
    assert.equal(await move('link-b'), 'aaaaaaa')
    collide(world, ['aaaaaaa', 'bbbbbbb'])
    const other = await createLink(node, propertyId, draftOf(groupId))
    assert.equal(other.code, 'bbbbbbb', 'the code that was left stays taken')
    assert.equal(await move('link-a'), 'aaaaaaa')
    collide(world, ['bbbbbbb'])
    const blocking = await createLink(node, propertyId, draftOf(groupId, { domain: 'link-b' }))
    collide(world, ['bbbbbbb', 'ccccccc'])
    const moved = await updateLink(node, propertyId, blocking.id, { domain: 'link-a' })
    assert.equal(moved.code, 'ccccccc', 'where its code is taken it gets another')
    assert.equal((await updateLink(node, propertyId, blocking.id, { domain: 'link-b' })).code, 'bbbbbbb')
    assert.equal((await listLinks(node, { propertyId, groupId: null }, all)).total, 3)
    assert.equal((await getGroup(node, propertyId, groupId)).count_links, 3)
  },
)

testOnEach(homes, 'changes commit in the order of their numbers, on two nodes at once too', async (t, home) => {
  const world = await openLinks(t, home)
  const nodes = [world.node, await world.another()]
  const drawn: number[] = []
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      nodes[i % 2]!.records.transaction().execute(async (tx) => {
        const number = await drawChange(tx)
        assert.equal(await readChangeNo(world.node.records), number - 1, 'all before are committed, and none after')
        drawn.push(number)
      }),
    ),
  )
  assert.deepEqual(
    drawn,
    drawn.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(drawn).size, 10)
})

testOnEach(homes, 'a change stands although this node could not look at it at once', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const failing = { ...node, links: { refresh: async () => Promise.reject(new Error('away')) } }
  const link = await createLink(failing, propertyId, draftOf(groupId))
  assert.deepEqual(await getLink(node, propertyId, link.id), link)
})

testOnEach(homes, 'while clicks cannot be counted a change is refused, and not made in silence', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const link = await createLink(node, propertyId, draftOf(groupId))
  const query = async () => Promise.reject(new Problem('unavailable', 'away'))
  const blind = { ...node, facts: { ...node.facts, query } }
  await assert.rejects(updateLink(blind, propertyId, link.id, { is_active: false }), refused('unavailable', /away/))
  await assert.rejects(updateGroup(blind, propertyId, groupId, { name: 'x' }), refused('unavailable', /away/))
  assert.equal((await getLink(node, propertyId, link.id)).is_active, true)
  assert.equal((await getGroup(node, propertyId, groupId)).name, 'Group')
})

testOnEach(homes, 'nothing is made for a property that is gone', async (t, home) => {
  const { node, groupId } = await openLinks(t, home)
  await assert.rejects(createGroup(node, 'pr_gone', { name: 'x' }), refused('not_found', /Property/))
  await assert.rejects(createLink(node, 'pr_gone', draftOf(groupId)), refused('validation_failed', /group_id/))
})
