// Links from a file, in both homes of the records: checked whole, created whole, and exported in the order in
// which they came.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { type Home, openHomes, openMigrated, testOnEach } from '../../test/support/records.ts'
import { readConfig } from '../config.ts'
import { Problem } from '../kernel/problem.ts'
import { createProperty } from '../properties/properties.ts'
import { type Bulk, type BulkLimits, checkLinks } from './bulk.ts'
import { exportLinks, linkBatches } from './export.ts'
import { everyGroup } from './group-words.ts'
import { type CreateDeps, createGroup, noDirectory } from './groups.ts'
import { createLinks } from './create.ts'

const { homes } = await openHomes()

interface Site {
  readonly deps: CreateDeps
  readonly propertyId: string
  check(text: string, limits?: BulkLimits, keepCodes?: boolean): Promise<Bulk>
  create(bulk: Bulk, told?: (count: number) => void): Promise<unknown>
  destinations(groupId?: string): Promise<string[]>
}

async function openSite(t: TestContext, home: Home): Promise<Site> {
  const { records } = await openMigrated(t, home)
  const config = readConfig({ BASE_URL: 'https://service.example' })
  const log = pino({ level: 'silent' })
  const deps: CreateDeps = { config, records, now: Date.now, randomBytes, log, links: noDirectory }
  const property = await createProperty(deps, { name: 'One', domains: [], default_period: null, plan: 'paid' })
  async function* chunks(text: string) {
    yield Buffer.from(text)
  }
  const options = { group: 'Bulk', domain: 'link-a', createGroups: true }
  return {
    deps,
    propertyId: property.id,
    check: (text, limits, keepCodes = false) =>
      checkLinks(deps, property.id, chunks(text), { ...options, keepCodes, ...(limits && { limits }) }),
    create: (bulk, told) => createLinks(deps, property.id, bulk, told),
    async destinations(groupId) {
      const wanted = { propertyId: property.id, groupId: groupId ?? null }
      const batches = await Array.fromAsync(linkBatches(deps, wanted))
      return batches.flat().map((link) => link.destination_url)
    },
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `https://shop.example/${n}`)

testOnEach(
  homes,
  'more links than one statement takes are created and exported in the order of the rows',
  async (t, home) => {
    const site = await openSite(t, home)
    const wanted = numbered(2_300)
    const bulk = await site.check(`destination_url\n${wanted.join('\n')}\n`)
    const told: number[] = []
    await site.create(bulk, (count) => void told.push(count))
    assert.deepEqual(await site.destinations(), wanted)
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
    assert.equal(told.at(-1), wanted.length)
    const [group] = await everyGroup(site.deps.records, site.propertyId)
    assert.deepEqual([group!.name, group!.count_links], ['Bulk', wanted.length])
    const parts = await Array.fromAsync(exportLinks(site.deps, { propertyId: site.propertyId, groupId: null }))
    assert.equal(
      parts
        .map(({ text }) => text)
        .join('')
        .trimEnd()
        .split('\r\n').length,
      wanted.length + 1,
    )
    assert.equal(
      parts.reduce((sum, { links }) => sum + links, 0),
      wanted.length,
    )
  },
)

testOnEach(
  homes,
  'a group that is deleted between check and creation takes all of the file with it',
  async (t, home) => {
    const site = await openSite(t, home)
    const group = await createGroup(site.deps, site.propertyId, { name: 'Gone' })
    const bulk = await site.check('destination_url,group\nhttps://a.example/,New\nhttps://b.example/,Gone\n')
    assert.equal(bulk.checked.bad_rows, 0)
    const { records } = site.deps
    await records.updateTable('link_groups').set({ state: 'deleted' }).where('id', '=', group.id).execute()
    await assert.rejects(
      site.create(bulk),
      (error) => error instanceof Problem && error.errors?.['group_id'] !== undefined,
    )
    assert.deepEqual([await site.destinations(), await everyGroup(records, site.propertyId)], [[], []])
  },
)

testOnEach(homes, 'links of one group alone are exported when that is asked for', async (t, home) => {
  const site = await openSite(t, home)
  await site.create(
    await site.check('destination_url,group\nhttps://a.example/,A\nhttps://b.example/,B\nhttps://c.example/,A\n'),
  )
  const groups = await everyGroup(site.deps.records, site.propertyId)
  const { id } = groups.find(({ name }) => name === 'A')!
  assert.deepEqual(await site.destinations(id), ['https://a.example/', 'https://c.example/'])
})

testOnEach(
  homes.slice(0, 1),
  'a file with too many rows or bytes is refused before anything is written',
  async (t, home) => {
    const site = await openSite(t, home)
    const text = `destination_url\n${numbered(11).join('\n')}\n`
    const refusal = (pattern: RegExp) => (error: unknown) => error instanceof Problem && pattern.test(error.message)
    await assert.rejects(site.check(text, { rows: 10, bytes: 1_000 }), refusal(/more than 10 rows/))
    await assert.rejects(site.check(text, { rows: 11, bytes: 100 }), refusal(/larger than/))
    assert.equal((await site.check(text, { rows: 11, bytes: 1_000 })).drafts.length, 11)
  },
)

testOnEach(
  homes,
  'every export is read again as the same links in the same groups, whatever these are called',
  async (t, home) => {
    const site = await openSite(t, home)
    const { deps, propertyId } = site
    const make = (name: string) => createGroup(deps, propertyId, { name })
    const first = await make('Same')
    const groups = [first, await make('Same'), await make(first.id), await make('=1+1'), await make('Other, "quoted"')]
    const names = [null, '=SUM(A1)', "'Tis", 'a;b', 'two\nlines', '😀']
    const drafts = groups.flatMap(({ id }, place) =>
      names.map((name, index) => ({
        group_id: id,
        domain: place % 2 === 0 ? ('link-a' as const) : ('link-b' as const),
        destination_url: `https://shop.example/${place}/${index}?q=a,b;c"d`.replace('"', '%22'),
        name,
        utm: { utm_source: name ?? 'x' },
      })),
    )
    await createLinks(deps, propertyId, { drafts })
    const told = async () =>
      (await Array.fromAsync(linkBatches(deps, { propertyId, groupId: null })))
        .flat()
        .map(({ group_id, domain, destination_url, name, utm }) => ({ group_id, domain, destination_url, name, utm }))
    const made = await told()
    assert.equal(made.length, drafts.length)
    for (const groupId of [null, first.id]) {
      const before = await told()
      const parts = await Array.fromAsync(exportLinks(deps, { propertyId, groupId }))
      const bulk = await site.check(parts.map(({ text }) => text).join(''))
      assert.deepEqual(bulk.checked.faults, [])
      assert.deepEqual(bulk.groups, [])
      await site.create(bulk)
      const expected = before.filter(({ group_id }) => groupId === null || group_id === groupId)
      assert.deepEqual((await told()).slice(before.length), expected)
    }
  },
)

testOnEach(
  homes.slice(0, 1),
  'a name of several groups needs the id of one; that of another group does not count',
  async (t, home) => {
    const site = await openSite(t, home)
    const make = (name: string) => createGroup(site.deps, site.propertyId, { name })
    const [one, , other] = [await make('Same'), await make('Same'), await make('Other')]
    const rows = [`Same,${one.id}`, `${one.id},`, `Same,${other.id}`, 'Same,', `Other,${one.id}`, 'Same,lg_nothing']
    const { checked, drafts } = await site.check(
      `destination_url,group,group_id\n${rows.map((row) => `https://a.example/,${row}\n`).join('')}`,
    )
    assert.deepEqual(
      checked.faults.map(({ line, field }) => [line, field]),
      [4, 5, 7].map((line) => [line, 'group']),
    )
    assert.deepEqual(
      drafts.map(({ group_id }) => group_id),
      [one.id, one.id, other.id],
    )
  },
)

testOnEach(homes.slice(0, 1), 'words that look like ids of groups make no group', async (t, home) => {
  const site = await openSite(t, home)
  const { checked, groups } = await site.check(`destination_url,group\nhttps://a.example/,lg_00000000000000000000\n`)
  assert.deepEqual(checked.faults, [{ line: 2, field: 'group', reason: 'does not match a group of this property' }])
  assert.deepEqual(groups, [])
})

testOnEach(
  homes.slice(0, 1),
  'a row that no redirect could follow, and an invisible group, are faults',
  async (t, home) => {
    const site = await openSite(t, home)
    const rows = [
      `https://a.example/${'🎉'.repeat(2020)},A,`,
      `https://b.example/${'ä'.repeat(1300)},A,${'ä'.repeat(255)}`,
    ]
    const { checked, groups } = await site.check(
      `destination_url,group,utm_term\n${rows.join('\n')}\nhttps://c.example/,\u2060,\nhttps://d.example/,A,x\n`,
    )
    const wrong = checked.faults.map(({ line, field }) => [line, field])
    assert.deepEqual(wrong, [
      [2, 'destination_url'],
      [3, 'destination_url'],
      [4, 'group'],
    ])
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['A'],
    )
  },
)

testOnEach(homes.slice(0, 1), 'a file has at most 50,000 rows', async (t, home) => {
  const site = await openSite(t, home)
  const file = (rows: number) => `destination_url\n${'x\n'.repeat(rows)}`
  await assert.rejects(site.check(file(50_001)), /more than 50000 rows/)
  const limits = { rows: 5, bytes: 1_000 }
  assert.equal((await site.check(file(5), limits)).checked.bad_rows, 5)
  await assert.rejects(site.check(file(6), limits), /more than 5 rows/)
})

testOnEach(homes, 'codes of a file are checked against each other and against all there ever were', async (t, home) => {
  const site = await openSite(t, home)
  const row = (code: string) => `https://a.example/,${code}`
  await site.create(await site.check(['destination_url,code', row('Mine'), row('')].join('\n')))
  const rows = [
    'destination_url,code',
    row('Mine'),
    row('mine'),
    row('other'),
    row('other'),
    row('a b'),
    row('v2-is-fine'),
  ]
  const { checked, drafts } = await site.check(rows.join('\n'))
  assert.deepEqual(checked.faults, [
    { line: 2, field: 'code', reason: 'is taken, or was before' },
    { line: 5, field: 'code', reason: 'is in the file twice' },
    { line: 6, field: 'code', reason: 'must have 3 to 64 characters: letters without accents, digits, - and _' },
  ])
  assert.equal(checked.bad_rows, 3)
  assert.ok(drafts.length > 0)
  const exported = (await Array.fromAsync(exportLinks(site.deps, { propertyId: site.propertyId, groupId: null })))
    .map(({ text }) => text)
    .join('')
  const anew = await site.check(exported)
  assert.deepEqual([anew.checked.bad_rows, anew.checked.ignored_columns.includes('code')], [0, true])
  assert.equal((await site.check(exported, undefined, true)).checked.bad_rows, 2, 'with its codes, it is taken')
})
