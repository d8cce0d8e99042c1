// A property's contacts go with it: all of them, nobody else's, and nothing of them stays in a file.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { scrubDeleted } from '../stores/records.ts'
import { listContacts } from './contacts.ts'
import { eraseContact } from './erase.ts'
import { identifyContact } from '../identify/identify.ts'
import { removeContacts } from './removal-records.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const contactsOf = (world: ContactWorld, propertyId: string) =>
  listContacts(world.node, propertyId, { search: 'ann' }, { page: 1, perPage: 100 })

onEach('every contact and every link of the property goes, and none of another one', async (_t, world) => {
  const other = await world.addProperty()
  for (let n = 0; n < 60; n++) {
    await world.identify({ external_id: `u${n}`, traits: { first_name: 'Ann' } }, world.session(n))
    if (n % 20 === 0) {
      const theirs = { external_id: `u${n}`, traits: { first_name: 'Ann' } }
      await identifyContact(world.node, other, { by: 'token', identification: theirs, session: world.session(n) })
    }
  }
  await removeContacts(world.node.records, world.propertyId)
  assert.equal((await contactsOf(world, world.propertyId)).total, 0)
  assert.equal((await contactsOf(world, other)).total, 3)
  const links = await world.node.records.selectFrom('contact_sessions').select('property_id').execute()
  assert.deepEqual(new Set(links.map((link) => link.property_id)), new Set([other]))
  assert.equal(links.length, 3)
  await removeContacts(world.node.records, world.propertyId)
})

/**
 * Files that hold three letters which are in the texts of the contact alone: the search index keeps a text as
 * such. No id has such letters by chance.
 */
function filesWith(world: ContactWorld, trigram: string): string[] {
  const { dataDir } = world.options
  return readdirSync(dataDir).filter((file) => readFileSync(join(dataDir, file)).includes(trigram))
}

for (const home of homes.filter(({ kind }) => kind === 'sqlite')) {
  testOnEach(
    [home],
    'the search index keeps no three letters of a removed contact, nor of what it was before',
    async (t) => {
      const world = await openContacts(t, home)
      const other = await world.addProperty()
      for (let n = 0; n < 40; n++) {
        await world.identify({ external_id: `u${n}`, traits: { company: 'žłø' } })
        await world.identify({ external_id: `u${n}`, traits: { company: 'łđø' } })
        await identifyContact(world.node, other, {
          by: 'token',
          identification: { external_id: `o${n}`, traits: { company: 'ħŋø' } },
        })
      }
      for (const trigram of ['łđø', 'ħŋø'])
        assert.notDeepEqual(filesWith(world, trigram), [], 'there are some to be found')
      await removeContacts(world.node.records, world.propertyId)
      await scrubDeleted(world.node.records)
      for (const trigram of ['žłø', 'łđø']) assert.deepEqual(filesWith(world, trigram), [], trigram)
      assert.notDeepEqual(filesWith(world, 'ħŋø'), [])
    },
  )

  testOnEach([home], 'nor of one that was erased', async (t) => {
    const world = await openContacts(t, home)
    const { id } = await world.identify({ external_id: 'u1', traits: { company: 'žłø' } })
    await world.identify({ external_id: 'u2', traits: { company: 'ħŋø' } })
    assert.notDeepEqual(filesWith(world, 'žłø'), [])
    await eraseContact(world.node, world.propertyId, id)
    assert.deepEqual(filesWith(world, 'žłø'), [])
    assert.notDeepEqual(filesWith(world, 'ħŋø'), [])
  })
}
