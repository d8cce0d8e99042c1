// Which sites are shown, in which order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Site } from '../../api/sites.ts'
import { groupsOf, growthOf, matchingSites, sortIds } from './order.ts'

const siteWith = (change: Partial<Site>): Site => ({
  id: 'pr_1',
  name: 'Shop',
  domains: ['shop.example'],
  client: '',
  timezone: 'UTC',
  is_sample: false,
  sessions: { current: 0, previous: 0 },
  views: { current: 0, previous: 0 },
  days: [],
  live: 0,
  warning: null,
  ...change,
})

const anySite = fc
  .record({
    name: fc.string({ maxLength: 4 }),
    client: fc.constantFrom('', 'Acme', 'Bakery'),
    live: fc.nat(3),
    sessions: fc.record({ current: fc.nat(3), previous: fc.nat(3) }),
    views: fc.record({ current: fc.nat(3), previous: fc.nat(3) }),
  })
  .map(siteWith)

test('every site is in one group, in the order that was asked, with what cannot be compared last', () => {
  fc.assert(
    fc.property(fc.array(anySite), fc.constantFrom(...sortIds), fc.boolean(), (sites, by, isDescending) => {
      const groups = groupsOf(sites, { by, isDescending })
      assert.deepEqual(new Set(groups.flatMap((group) => group.sites)), new Set(sites))
      assert.equal(new Set(groups.map(({ client }) => client)).size, groups.length)
      assert.ok(groups.slice(0, -1).every(({ client }) => client !== ''))
      for (const group of groups) {
        const known = group.sites.map(growthOf).filter((growth) => growth !== null)
        if (by !== 'change') continue
        assert.deepEqual(group.sites.slice(0, known.length).map(growthOf), known)
        assert.deepEqual(
          known,
          known.toSorted((a, b) => (a === b ? 0 : (a < b ? -1 : 1) * (isDescending ? -1 : 1))),
        )
      }
    }),
  )
})

test('a search finds names, domains and clients by their words', () => {
  const sites = [
    siteWith({ id: 'pr_1', name: 'Tea shop', domains: ['tea.example'], client: 'Acme' }),
    siteWith({ id: 'pr_2', name: 'Blog', domains: ['acme.example'] }),
    siteWith({ id: 'pr_3', name: 'Other', domains: [] }),
  ]
  const found = (search: string) => matchingSites(sites, search).map(({ id }) => id)
  assert.deepEqual(found(' ACME '), ['pr_1', 'pr_2'])
  assert.deepEqual(found('shop acme'), ['pr_1'])
  assert.deepEqual(found(''), ['pr_1', 'pr_2', 'pr_3'])
})
