// Statements that are put together once: the same as those put together for each call, on both databases.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { openHomes, openMigrated, testOnEach } from '../../test/support/records.ts'
import { type Records, type Tx, writeWhile } from './records.ts'
import { builtOnce } from './built-once.ts'

const { homes } = await openHomes()

interface Salt {
  readonly day: number
  readonly salt: string
}

const ofDay = (records: Records | Tx, { day, salt }: Salt) =>
  records
    .selectFrom('salts')
    .select('salt')
    .where('day', '=', day)
    .where((of) => of.or([of('salt', '=', salt), of('salt', '=', 'any')]))
    .limit(3)

testOnEach(homes, 'each call has its own values in a statement that was built once', async (t, home) => {
  const { records } = await openMigrated(t, home)
  let builds = 0
  const statementOf = builtOnce((built, values: Salt) => {
    builds++
    return ofDay(built, values)
  })
  fc.assert(
    fc.property(fc.array(fc.record({ day: fc.integer(), salt: fc.string() }), { minLength: 2 }), (all) => {
      const statements = all.map((values) => statementOf(records, values))
      all.forEach((values, index) => {
        const { sql, parameters } = ofDay(records, values).compile()
        assert.deepEqual([statements[index]!.sql, statements[index]!.parameters], [sql, parameters])
      })
    }),
  )
  assert.equal(builds, 1)
})

testOnEach(homes, 'it reads, writes, and is the last of some that changes nothing', async (t, home) => {
  const { records } = await openMigrated(t, home)
  const insertion = builtOnce((built, { day, salt }: Salt) => built.insertInto('salts').values({ day, salt }))
  const renaming = builtOnce((built, { day, salt }: Salt) =>
    built.updateTable('salts').set({ salt }).where('day', '=', day),
  )
  const selection = builtOnce(ofDay)
  const rows = async (values: Salt) => (await records.executeQuery(selection(records, values))).rows
  const [one, two] = [
    { day: 1, salt: 'one' },
    { day: 2, salt: 'two' },
  ]
  assert.equal(await writeWhile(records, [insertion(records, one), insertion(records, two)]), true)
  assert.deepEqual([await rows(one), await rows(two)], [[{ salt: 'one' }], [{ salt: 'two' }]])
  const absent = { day: 9, salt: 'other' }
  const later = { day: 1, salt: 'other' }
  assert.equal(await writeWhile(records, [renaming(records, absent), renaming(records, later)]), false)
  assert.deepEqual(await rows(one), [{ salt: 'one' }])
})
