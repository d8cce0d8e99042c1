// SQLite works in threads: nobody waits for a search but who asked for it, and answers of any size arrive
// whole.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { newDataDir, openNode } from '../../../test/support/records.ts'
import { copyRecords } from '../../../test/support/models.ts'
import { scanning } from '../records/scans.ts'
import { isUniqueViolation, type Records, scrubDeleted, writeAll, writeWhile } from '../records.ts'

async function open(t: TestContext): Promise<Records> {
  const options = { databaseUrl: null, dataDir: newDataDir(t) }
  await copyRecords(options.dataDir)
  return openNode(t, options)
}

/** As long as a search of a large property, or longer. */
const longRead = sql<{ count: number }>`select count(*) as count from
  (with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000) select n from numbers)`

const salt = (day: number, text = 's') => ({ day, salt: text })

test('while a search goes on the event loop turns, rows are looked up and written', async (t) => {
  const records = await open(t)
  const ended: string[] = []
  let turns = 0
  const turn = (): void => {
    turns++
    if (ended.length < 3) setImmediate(turn)
  }
  const search = longRead.execute(scanning(records)).then(() => ended.push('search'))
  setImmediate(turn)
  await records.insertInto('salts').values(salt(1)).execute()
  ended.push('write')
  assert.deepEqual(await records.selectFrom('salts').selectAll().where('day', '=', 1).execute(), [salt(1)])
  ended.push('read')
  const turnsBefore = turns
  await search
  assert.deepEqual(ended, ['write', 'read', 'search'])
  assert.ok(turns > turnsBefore)
})

test('a long write keeps nobody waiting who reads', async (t) => {
  const records = await open(t)
  const ended: string[] = []
  const write = sql`insert into salts (day, salt) select count(*), 's' from
    (with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000) select n from numbers)`
    .execute(records)
    .then(() => ended.push('write'))
  // Until here the thread has not been told of it.
  await nextTurn()
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
  ended.push('read')
  await write
  assert.deepEqual(ended, ['read', 'write'])
})

test('what was committed is seen by every read that is asked for afterwards', async (t) => {
  const records = await open(t)
  for (let day = 0; day < 200; day++) {
    const others = records
      .updateTable('salts')
      .set({ salt: String(day) })
      .execute()
    await records.transaction().execute((tx) => tx.insertInto('salts').values(salt(day)).execute())
    const reads = [records, scanning(records)].map((of) => of.selectFrom('salts').selectAll().where('day', '=', day))
    for (const read of reads) assert.equal((await read.execute()).length, 1)
    await others
  }
})

test('rows of many pieces arrive whole and in order, for each of those who ask the same at once', async (t) => {
  const records = await open(t)
  const days = Array.from({ length: 3_456 }, (_, day) => day)
  for (let at = 0; at < days.length; at += 1_000)
    await records
      .insertInto('salts')
      .values(days.slice(at, at + 1_000).map((day) => salt(day)))
      .execute()
  const all = records.selectFrom('salts').select('day').orderBy('day')
  const inside = records.transaction().execute(async (tx) => {
    await tx.insertInto('salts').values(salt(9_999)).execute()
    return tx.selectFrom('salts').select('day').orderBy('day').execute()
  })
  for (const rows of await Promise.all([
    all.execute(),
    all.execute(),
    scanning(records)
      .executeQuery(all)
      .then((of) => of.rows),
  ]))
    assert.deepEqual(
      rows.map(({ day }) => day),
      days,
    )
  assert.equal((await inside).length, days.length + 1)
  const changed = await records.updateTable('salts').set({ salt: 'new' }).returning('day').execute()
  assert.equal(changed.length, days.length + 1)
})

test('long texts arrive whole, and leave nothing open that would keep the log from being emptied', async (t) => {
  const records = await open(t)
  const texts = Array.from({ length: 40 }, (_, day) => salt(day, String(day).repeat(60_000)))
  for (const text of texts) await records.insertInto('salts').values(text).execute()
  const reads = Array.from({ length: 5 }, () => records.selectFrom('salts').selectAll().orderBy('day').execute())
  for (const rows of await Promise.all(reads)) assert.deepEqual(rows, texts)
  await records.deleteFrom('salts').execute()
  await scrubDeleted(records)
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(records)
  assert.equal(rows[0]!.log, 0)
})

const insertDay = (day: number) => sql`insert into salts (day, salt) values (${day}, 's') returning day`
const renew = (day: number) => sql`update salts set salt = 'new' where day = ${day}`

async function daysOf(records: Records): Promise<number[]> {
  const rows = await records.selectFrom('salts').select('day').orderBy('day').execute()
  return rows.map(({ day }) => day)
}

test('short transactions of one moment share a commit, and each is stored whole or not at all', async (t) => {
  const records = await open(t)
  const beside = records.transaction().execute(async (tx) => {
    await tx.insertInto('salts').values(salt(7)).execute()
    await tx.insertInto('salts').values(salt(8)).execute()
  })
  const [first, second, third] = await Promise.allSettled([
    writeAll(records, [insertDay(1), insertDay(2)]),
    writeAll(records, [insertDay(3), insertDay(1)]),
    writeAll(records, [insertDay(4)]),
  ])
  assert.ok(first.status === 'fulfilled' && third.status === 'fulfilled' && second.status === 'rejected')
  assert.deepEqual(
    first.value.map(({ rows }) => rows),
    [[{ day: 1 }], [{ day: 2 }]],
  )
  assert.ok(isUniqueViolation(second.reason))
  await beside
  assert.deepEqual(await daysOf(records), [1, 2, 4, 7, 8])
  await records.insertInto('salts').values(salt(9)).execute()
  assert.deepEqual(await daysOf(records), [1, 2, 4, 7, 8, 9])
})

test('statements are run as long as each changes something', async (t) => {
  const records = await open(t)
  await writeAll(records, [insertDay(1)])
  const told = await Promise.all([
    writeWhile(records, [renew(1), insertDay(2)]),
    writeWhile(records, [renew(9), insertDay(3)]),
    writeWhile(records, [renew(1), renew(9)]),
  ])
  assert.deepEqual(told, [true, false, false])
  assert.deepEqual(await daysOf(records), [1, 2])
})

test('closed records refuse what comes later, and what came before is there', async (t) => {
  const options = { databaseUrl: null, dataDir: newDataDir(t) }
  await copyRecords(options.dataDir)
  const { openRecords } = await import('../records.ts')
  const records = await openRecords(options)
  const write = records.insertInto('salts').values(salt(1)).execute()
  await write
  await records.destroy()
  await assert.rejects(records.insertInto('salts').values(salt(2)).execute())
  const again = await openNode(t, options)
  assert.deepEqual(await again.selectFrom('salts').selectAll().execute(), [salt(1)])
})
