// The memory of links says what the database says: at once after a change of this node, by the next look
// after one of another node.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { type LinkNode, type LinkWorld, openLinks } from '../../test/support/link-nodes.ts'
import { rounds } from '../../test/support/long.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { removeLinks } from '../links/remove.ts'
import { removeProperty } from '../properties/properties.ts'
import type { Records } from '../stores/records.ts'
import { openLostLinks } from './lost-links.ts'
import { type LinkDirectory, NEW_EVERY_MS, openLinkDirectory, type Target } from './directory.ts'
import { createGroup, newGroup, removeGroup, updateGroup } from '../links/groups.ts'
import { type Domain, domains } from '../links/link-model.ts'
import { createLink, createLinks, removeLink, type ShownLink, updateLink } from '../links/links.ts'
import { withUtm } from '../links/utm.ts'

const { homes } = await openHomes()

const draftOf = (group_id: string, path = '') => ({
  group_id,
  destination_url: `https://example.com/${path}`,
  domain: 'link-a' as Domain,
})

const log = pino({ level: 'silent' })

/** Loaded already. */
async function openDirectory(t: TestContext, records: Records): Promise<LinkDirectory> {
  const directory = openLinkDirectory({ records, log })
  t.after(() => directory.close())
  await directory.loaded
  return directory
}

/** What the redirect should know, read row by row: the target of every code that was ever given out. */
async function truthOf(records: Records): Promise<Map<string, Target>> {
  const rows = await records
    .selectFrom('links')
    .innerJoin('link_groups', 'link_groups.id', 'links.group_id')
    .select(['links.id as linkId', 'domain', 'code', 'destination_url', 'utm', 'is_active'])
    .select(['group_id', 'link_groups.property_id', 'link_groups.state', 'track_clicks'])
    .where('is_deleted', '=', 0)
    .where('link_groups.state', '!=', 'deleted')
    .execute()
  return new Map(
    rows.map(({ linkId, domain, code, ...row }): [string, Target] => [
      `${domain}/${code}`,
      {
        linkId,
        group: {
          id: row.group_id,
          propertyId: row.property_id,
          state: row.state as 'active' | 'archived',
          tracksClicks: row.track_clicks === 1,
        },
        location: withUtm(row.destination_url, JSON.parse(row.utm)),
        isActive: row.is_active === 1,
      },
    ]),
  )
}

/** Of every code, in use or not. */
async function assertExact(node: { links: LinkDirectory; records: Records }, codes: Iterable<string>): Promise<void> {
  const truth = await truthOf(node.records)
  const all = new Set([...codes, ...[...truth.keys()].map((place) => place.split('/')[1]!)])
  // At once: codes that are not there share their questions.
  const places = [...all].flatMap((code) => domains.map((domain) => ({ domain, code })))
  const found = await Promise.all(places.map(async ({ domain, code }) => node.links.find(domain, code)))
  for (const [at, { domain, code }] of places.entries())
    assert.deepEqual(found[at], truth.get(`${domain}/${code}`), `${domain}/${code}`)
  assert.equal(node.links.size, truth.size)
}

testOnEach(
  homes,
  'a link is known on its node when the answer of its creation is there, and each change of it',
  async (t, home) => {
    const { node, propertyId, groupId } = await openLinks(t, home)
    const link = await createLink(node, propertyId, { ...draftOf(groupId), utm: { utm_source: 'mail' } })
    const find = () => node.links.find('link-a', link.code) as Target | undefined
    assert.deepEqual(find(), {
      linkId: link.id,
      group: { id: groupId, propertyId, state: 'active', tracksClicks: true },
      location: 'https://example.com/?utm_source=mail',
      isActive: true,
    })
    await updateLink(node, propertyId, link.id, { destination_url: 'https://example.org/', utm: null })
    assert.equal(find()?.location, 'https://example.org/')
    await updateLink(node, propertyId, link.id, { is_active: false })
    assert.equal(find()?.isActive, false)
    await updateGroup(node, propertyId, groupId, { state: 'archived', track_clicks: false })
    assert.deepEqual([find()?.group.state, find()?.group.tracksClicks], ['archived', false])
    await updateLink(node, propertyId, link.id, { domain: 'link-b' })
    assert.equal(await node.links.find('link-a', link.code), undefined)
    assert.equal((await node.links.find('link-b', link.code))?.linkId, link.id)
    await updateLink(node, propertyId, link.id, { domain: 'link-a' })
    assert.equal(await node.links.find('link-b', link.code), undefined)
    assert.equal(find()?.linkId, link.id)
    await removeLink(node, propertyId, link.id)
    assert.equal(await node.links.find('link-a', link.code), undefined)
  },
)

testOnEach(homes, 'a group that is deleted takes its links out of the memory, and no others', async (t, home) => {
  const { node, propertyId, groupId, addGroup } = await openLinks(t, home)
  const otherId = await addGroup()
  const links = await createLinks(node, propertyId, {
    drafts: Array.from({ length: 1500 }, (_, i) => draftOf(groupId, String(i))),
  })
  const other = await createLink(node, propertyId, draftOf(otherId))
  assert.equal(node.links.size, 1501)
  await removeGroup(node, propertyId, groupId)
  assert.equal(node.links.size, 1)
  const gone = await Promise.all(links.map(async ({ code }) => node.links.find('link-a', code)))
  assert.ok(gone.every((target) => target === undefined))
  assert.equal((await node.links.find('link-a', other.code))?.linkId, other.id)
})

testOnEach(
  homes,
  'every change of another node is known after the next look, by itself within a second',
  async (t, home) => {
    const { node, propertyId, groupId, another } = await openLinks(t, home)
    const other = await another()
    const made = await createLinks(node, propertyId, {
      drafts: Array.from({ length: 2500 }, (_, i) => draftOf(groupId, String(i))),
    })
    await other.links.refresh()
    await assertExact(
      other,
      made.map(({ code }) => code),
    )
    const [first, second, third] = made
    await updateLink(node, propertyId, first!.id, { domain: 'link-b', utm: { utm_term: 'x' } })
    await removeLink(node, propertyId, second!.id)
    await updateLink(node, propertyId, third!.id, { is_active: false })
    await other.links.refresh()
    await assertExact(
      other,
      made.map(({ code }) => code),
    )
    await removeGroup(node, propertyId, groupId)
    for (let waited = 0; other.links.size > 0 && waited < 10_000; waited += 20) await pause(20)
    assert.equal(other.links.size, 0)
  },
)

testOnEach(
  homes,
  'a link that another process has just created is found by the first who follows it',
  async (t, home) => {
    const { node, propertyId, groupId, another } = await openLinks(t, home)
    const other = await another()
    await other.links.loaded
    for (let i = 0; i < 20; i++) {
      const link = await createLink(node, propertyId, draftOf(groupId, String(i)))
      assert.equal((await other.links.find('link-a', link.code))?.linkId, link.id)
    }
  },
)

testOnEach(homes, 'a flood of made-up codes costs a few statements, however many there are', async (t, home) => {
  const { node, propertyId, groupId, another } = await openLinks(t, home)
  let looks = 0
  const records = new Proxy(node.records, {
    get(target, name: keyof Records) {
      if (name === 'selectFrom') looks++
      const value: unknown = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const directory = await openDirectory(t, records)
  looks = 0
  const startMs = performance.now()
  const asked: unknown[] = []
  for (let wave = 0; wave < 200; wave++) {
    for (let code = 0; code < 50; code++) asked.push(directory.find('link-a', `made-up-${wave}-${code}`))
    await pause(1)
  }
  assert.ok((await Promise.all(asked)).every((target) => target === undefined))
  const elapsedMs = performance.now() - startMs
  // Those of the poll, which looks twice a second, and those that codes share.
  const most = Math.ceil(elapsedMs / NEW_EVERY_MS) + Math.ceil(elapsedMs / 500) + 2
  assert.ok(looks <= most, `${looks} statements for ${asked.length} codes in ${elapsedMs} ms`)
  const link = await createLink(await another(), propertyId, draftOf(groupId))
  assert.equal((await directory.find('link-a', link.code))?.linkId, link.id, 'a new one is found all the same')
})

testOnEach(homes, 'until all links are loaded, those that are missing come from the database', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const made = await createLinks(node, propertyId, {
    drafts: Array.from({ length: 2500 }, (_, i) => draftOf(groupId, String(i))),
  })
  const gone = made.at(-2)!
  await removeLink(node, propertyId, gone.id)
  const directory = openLinkDirectory({ records: node.records, log })
  t.after(() => directory.close())
  assert.equal(directory.size, 0)
  const last = made.at(-1)!
  const found = directory.find('link-a', last.code)
  assert.ok(found instanceof Promise)
  assert.deepEqual(await found, await node.links.find('link-a', last.code))
  assert.equal(await directory.find('link-b', last.code), undefined)
  assert.equal(await directory.find('link-a', gone.code), undefined)
  for (const text of ['', '\0', '\ud800', "' or 1=1", 'x'.repeat(100_000), '../x'])
    assert.equal(await directory.find('link-a', text), undefined)
  await directory.loaded
  assert.equal(await directory.find('link-a', 'nothing'), undefined)
  await assertExact({ links: directory, records: node.records }, [gone.code])
})

testOnEach(
  homes,
  'changes made while the links are being loaded are in the memory when it is complete',
  async (t, home) => {
    const { node, propertyId, groupId, addGroup } = await openLinks(t, home)
    const otherId = await addGroup()
    const draft = (i: number) => draftOf(i % 2 === 0 ? groupId : otherId, String(i))
    const made = await createLinks(node, propertyId, { drafts: Array.from({ length: 4000 }, (_, i) => draft(i)) })
    const directory = openLinkDirectory({ records: node.records, log })
    t.after(() => directory.close())
    const late = newGroup(node, { name: 'Late' })
    await updateLink(node, propertyId, made[1]!.id, { destination_url: 'https://example.org/' })
    await removeLink(node, propertyId, made[3999]!.id)
    await createLinks(node, propertyId, { drafts: [draftOf(late.id)], groups: [late] })
    await removeGroup(node, propertyId, groupId)
    await directory.refresh()
    await directory.loaded
    await directory.refresh()
    await assertExact(
      { links: directory, records: node.records },
      made.map(({ code }) => code),
    )
  },
)

testOnEach(
  homes,
  'while the records are away the memory goes on answering, and catches up when they are back',
  async (t, home) => {
    const { node, propertyId, groupId } = await openLinks(t, home)
    const link = await createLink(node, propertyId, draftOf(groupId))
    const failing = { isOn: false }
    const records = new Proxy(node.records, {
      get(target, name: keyof Records) {
        if (failing.isOn) throw new Error('the records are away')
        const value: unknown = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const directory = await openDirectory(t, records)
    failing.isOn = true
    await removeLink(node, propertyId, link.id)
    await assert.rejects(directory.refresh(), /away/)
    assert.equal((await directory.find('link-a', link.code))?.linkId, link.id)
    assert.equal(await directory.find('link-a', 'nothing'), undefined)
    failing.isOn = false
    await directory.refresh()
    assert.equal(await directory.find('link-a', link.code), undefined)
  },
)

testOnEach(homes, 'records that were put back to an older state are read anew', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const [kept, lost] = await createLinks(node, propertyId, { drafts: [draftOf(groupId, '1'), draftOf(groupId, '2')] })
  await node.records.deleteFrom('links').where('id', '=', lost!.id).execute()
  await node.records.updateTable('counters').set({ value: 1 }).execute()
  await node.links.refresh()
  for (let waited = 0; node.links.size !== 1 && waited < 10_000; waited += 5) await pause(5)
  assert.equal(await node.links.find('link-a', lost!.code), undefined)
  assert.equal((await node.links.find('link-a', kept!.code))?.linkId, kept!.id)
})

testOnEach(homes, 'a code of a deleted group or property is never given out again', async (t, home) => {
  const world = await openLinks(t, home)
  const { node, chance } = world
  const propertyId = await world.addProperty()
  const bytes = chance.bytes
  const drawn = await createLink(node, propertyId, draftOf(await world.addGroup(propertyId), 'old'))
  const groupId = await world.addGroup()
  const chosen = await createLink(node, world.propertyId, { ...draftOf(groupId, 'old'), code: 'spring' })
  await removeGroup(node, world.propertyId, groupId)
  await removeProperty(
    { records: node.records, emptyProperty: (id) => removeLinks(node.records, id) },
    { properties: { forget: () => undefined }, tokens: { forgetProperty: () => undefined } },
    propertyId,
  )
  const draft = draftOf(world.groupId, 'new')
  for (const { code } of [drawn, chosen])
    await assert.rejects(createLink(node, world.propertyId, { ...draft, code }), /code is taken/)
  const digits = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'
  chance.bytes = (count) =>
    count === 7 ? Buffer.from([...drawn.code].map((letter) => digits.indexOf(letter))) : bytes(count)
  await assert.rejects(createLink(node, world.propertyId, draft), /No free code/)
  assert.equal((await createLink(node, world.propertyId, { ...draft, domain: 'link-b' })).code, drawn.code)
})

// ---------------------------------------------------------------- two nodes at once

interface Step {
  readonly node: 0 | 1
  readonly kind:
    | 'create'
    | 'bulk'
    | 'edit'
    | 'move'
    | 'switch'
    | 'remove'
    | 'addGroup'
    | 'archive'
    | 'removeGroup'
    | 'look'
  readonly pick: number
  /** Begun without waiting for what was begun before. */
  readonly isAtOnce: boolean
}

const steps = fc.array(
  fc.record<Step>({
    node: fc.constantFrom(0, 1),
    kind: fc.constantFrom(
      'create',
      'create',
      'bulk',
      'edit',
      'move',
      'switch',
      'remove',
      'addGroup',
      'archive',
      'removeGroup',
      'look',
    ),
    pick: fc.nat(1000),
    isAtOnce: fc.boolean(),
  }),
  { minLength: 5, maxLength: 30 },
)

/** Refusals are part of the game: what another step removed meanwhile cannot be changed. */
const allowRefusal = (error: unknown) => {
  assert.match(String(error), /is not (?:in|a group of) this property/)
}

interface Game {
  readonly world: LinkWorld
  readonly nodes: readonly [LinkNode, LinkNode]
  readonly groups: string[]
  readonly links: ShownLink[]
}

async function play({ world: { propertyId }, nodes, groups, links }: Game, step: Step): Promise<void> {
  const node = nodes[step.node]
  const group = groups[step.pick % groups.length]!
  const link = links[step.pick % Math.max(1, links.length)]
  if (step.kind === 'create') links.push(await createLink(node, propertyId, draftOf(group, String(step.pick))))
  if (step.kind === 'bulk')
    links.push(...(await createLinks(node, propertyId, { drafts: [1, 2, 3].map(() => draftOf(group)) })))
  if (step.kind === 'addGroup') groups.push((await createGroup(node, propertyId, { name: 'More' })).id)
  if (step.kind === 'archive')
    await updateGroup(node, propertyId, group, { state: step.pick % 2 === 0 ? 'archived' : 'active' })
  if (step.kind === 'removeGroup' && step.pick % 3 === 0) await removeGroup(node, propertyId, group)
  if (step.kind === 'look') await node.links.refresh()
  if (!link) return
  if (step.kind === 'edit')
    await updateLink(node, propertyId, link.id, { destination_url: `https://example.com/e${step.pick}` })
  if (step.kind === 'move') await updateLink(node, propertyId, link.id, { domain: domains[step.pick % 2]! })
  if (step.kind === 'switch') await updateLink(node, propertyId, link.id, { is_active: step.pick % 2 === 0 })
  if (step.kind === 'remove') await removeLink(node, propertyId, link.id)
}

testOnEach(
  homes,
  'whatever two nodes change, one after the other or at once, both memories end as the database is',
  async (t, home) => {
    const world = await openLinks(t, home)
    const nodes = [world.node, await world.another()] as const
    const game: Game = { world, nodes, groups: [world.groupId], links: [] }
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        game.groups.push((await createGroup(world.node, world.propertyId, { name: 'Fresh' })).id)
        let running: Promise<void>[] = []
        for (const step of chosen) {
          if (!step.isAtOnce) await Promise.all(running)
          running = [...(step.isAtOnce ? running : []), play(game, step).catch(allowRefusal)]
        }
        await Promise.all(running)
        for (const node of nodes) {
          await node.links.refresh()
          await assertExact(
            node,
            game.links.map(({ code }) => code),
          )
        }
      }),
      { numRuns: rounds(15, 500) },
    )
  },
)

testOnEach(homes, 'many changes of another node are taken in with turns for others in between', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const directory = await openDirectory(t, node.records)
  const drafts = Array.from({ length: 5000 }, (_, i) => draftOf(groupId, String(i)))
  await createLinks({ ...node, links: { refresh: async () => undefined } }, propertyId, { drafts })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await directory.refresh()
  isOver = true
  assert.equal(directory.size, 5000)
  assert.ok(turns >= 10, `${turns} turns for ten slices`)
})

testOnEach(homes, 'of a code that leads nowhere any more it is known whose it was', async (t, home) => {
  const { node, propertyId, groupId, addProperty, addGroup } = await openLinks(t, home)
  const create = (of = propertyId, group = groupId) => createLink(node, of, draftOf(group))
  const [used, deleted, moved] = [await create(), await create(), await create()]
  const other = await addProperty()
  const goes = await addGroup(other)
  const [first, second] = [await create(other, goes), await create(other, goes)]
  await removeLink(node, propertyId, deleted.id)
  await updateLink(node, propertyId, moved.id, { domain: 'link-b' })
  await removeLink(node, other, first.id)
  await removeGroup(node, other, goes)
  const findLost = openLostLinks(node.records)
  const codes = [used, deleted, moved, first, second].map(({ code }) => code)
  const ask = () => Promise.all([...codes, '2222222'].map((code) => findLost({ place: 'link-a', code })))
  assert.deepEqual(await ask(), [undefined, propertyId, propertyId, other, other, undefined])
  assert.equal(await findLost({ place: 'link-b', code: deleted.code }), undefined, 'a code of another short domain')
})
