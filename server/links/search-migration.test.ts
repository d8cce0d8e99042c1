// Links from before there was the column that searches look into: those that need it get it with the
// migration.
import assert from 'node:assert/strict'
import { openHomes, openNode, testOnEach } from '../../test/support/records.ts'
import { listRecordMigrations, migrateRecords } from '../stores/migrations/records.ts'
import { listLinkRows } from './records.ts'

const { homes } = await openHomes()

/** More than one statement takes. */
const MANY = 1_200

const earlier = (await listRecordMigrations()).filter(({ name }) => name < '018_link_search')

testOnEach(
  homes,
  'links of before are found by letters beyond ASCII in any case, in UTM values too; plain ones are left as they are',
  async (t, home) => {
    const records = await openNode(t, await home.fresh(t))
    await migrateRecords(records, earlier)
    // As the tables were then: a type knows them as they are now.
    const property = {
      id: 'pr_1',
      key: 'ff_1',
      name: 'One',
      domains: '[]',
      default_period: null,
      plan: 'paid',
      created_ts: 1,
    }
    const group = { id: 'lg_1', property_id: 'pr_1', name: 'G', purpose: 'campaign', state: 'active', track_clicks: 1 }
    await records
      .insertInto('properties')
      .values({ ...property, proxy_key_hash: null, content_policy: 'standard' } as never)
      .execute()
    await records
      .insertInto('link_groups')
      .values({ ...group, description: null, created_ts: 1, change_no: 1 } as never)
      .execute()
    const link = (n: number, name: string | null, destination_url = 'https://shop.example/', utm: object = {}) => ({
      id: `ln_${n}`,
      property_id: 'pr_1',
      group_id: 'lg_1',
      name,
      domain: 'link-a' as const,
      code: `code${n}`,
      destination_url,
      utm: JSON.stringify(utm),
      is_active: 1,
      is_deleted: 0,
      created_ts: 1,
      change_no: 1,
    })
    const rows = Array.from({ length: MANY }, (_, n) => link(n, `ÜBER Nr ${n}`))
    rows.push(
      link(MANY, 'Plain', undefined, { utm_source: 'Letter' }),
      link(MANY + 1, null, 'https://shop.example/Größe'),
      link(MANY + 2, 'Quoted', undefined, { utm_source: 'a "B"' }),
      link(MANY + 3, 'ÄÖ', undefined, { utm_term: 'ÜBRIG' }),
    )
    for (let at = 0; at < rows.length; at += 200)
      await records
        .insertInto('links')
        .values(rows.slice(at, at + 200))
        .execute()
    assert.ok((await migrateRecords(records)).includes('018_link_search'))

    const found = async (...words: string[]) => {
      const scope = { propertyId: 'pr_1', groupId: null, words }
      const listed = await listLinkRows(records, scope, { page: 1, perPage: 2 })
      return [listed.total, ...listed.rows.map(({ id }) => id)]
    }
    assert.deepEqual(await found('über'), [MANY, `ln_${MANY - 1}`, `ln_${MANY - 2}`])
    assert.deepEqual(await found('über', `nr ${MANY - 1}`), [1, `ln_${MANY - 1}`])
    assert.deepEqual(await found('größe'), [1, `ln_${MANY + 1}`])
    assert.deepEqual(await found('plain', `code${MANY}`, 'letter'), [1, `ln_${MANY}`])
    assert.deepEqual(await found('quoted', '"b"'), [1, `ln_${MANY + 2}`])
    assert.deepEqual(await found('äö', 'übrig'), [1, `ln_${MANY + 3}`])
    const { count } = await records
      .selectFrom('links')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('search', 'is', null)
      .executeTakeFirstOrThrow()
    assert.equal(count, 1)
  },
)
