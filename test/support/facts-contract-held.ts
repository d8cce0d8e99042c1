// What every facts store promises of sessions that are kept for a question: its statements read what the
// question began with, and nothing is left of it afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asAsker } from '../../server/queues/asker.ts'
import type { Facts, HeldQuery, HeldTables } from '../../server/stores/facts.ts'
import { plainColumns } from '../../server/stores/session-columns.ts'
import { storedName } from '../../server/stores/migrations/facts.ts'
import { freshProperty } from './facts-rows.ts'
import { untilEqual } from './until.ts'

const DAY = '1996-05-06'
const VISITORS = 9

export function heldContract(where: string, facts: () => Facts): void {
  const columns = ['day', 'session', 'view_count', 'country_at'] as const
  const sessionsOf = (property: string): HeldQuery => {
    const { layout } = facts()
    const table = layout.cluster ? `${layout.database}.${storedName('sessions', layout)}` : 'sessions'
    const from = `(SELECT ${plainColumns(columns)} FROM ${table} FINAL WHERE property = {property:String} AND is_bot = 0) AS own`
    return { columns, from, params: { property } }
  }
  const visit = (property: string, visitor: number) =>
    facts().append('views', { property, day: DAY, session: `${visitor}`, view: 1, at: Date.parse(DAY), seen: 1 })
  const visits = async () => {
    const property = freshProperty()
    await Promise.all(Array.from({ length: VISITORS }, (_, n) => visit(property, n + 1)))
    return property
  }
  const onAll = (table: string) => {
    const { cluster } = facts().layout
    return cluster ? `cluster('${cluster}', view(SELECT * FROM ${table}))` : table
  }
  const countIn = async (table: string): Promise<number> => {
    const [row] = await facts().query<{ n: string }>('test', `SELECT count() AS n FROM ${onAll(table)}`)
    return Number(row?.n)
  }
  const kept = async () => {
    const { cluster } = facts().layout
    const tables = cluster ? `clusterAllReplicas('${cluster}', system.tables)` : 'system.tables'
    const sql = `SELECT name FROM ${tables} WHERE endsWith(database, 'questions')`
    return facts().query<{ name: string }>('test', sql)
  }

  test(`${where}: sessions of a question are computed once, and nothing of them is left`, async () => {
    const property = await visits()
    const answer = await facts().holding('test', sessionsOf(property), async (tables) => {
      assert.ok(tables)
      const before = await countIn(tables.rows)
      await visit(property, VISITORS + 1)
      // In a cluster, those of each node are looked up among its own.
      const [views] = await facts().query<{ n: string }>(
        'test',
        `SELECT count() AS n FROM views WHERE property = {property:String} AND (day, session) IN ${await tables.keys}`,
        { property },
      )
      return [before, await countIn(tables.rows), Number(views?.n)]
    })
    assert.deepEqual(answer, [VISITORS, VISITORS, VISITORS])
    await untilEqual(kept, [])
    const again = await facts().holding('test', sessionsOf(property), async (tables) => countIn(tables!.rows))
    assert.equal(again, VISITORS + 1)
  })

  test(`${where}: what fails in a question leaves nothing of its sessions`, async () => {
    const property = await visits()
    const work = async () => {
      throw new Error('in the middle')
    }
    await assert.rejects(facts().holding('test', sessionsOf(property), work), /in the middle/)
    await untilEqual(kept, [])
  })

  test(`${where}: sessions that cannot be computed are not kept, and the question is asked without`, async () => {
    const query = { ...sessionsOf(freshProperty()), from: '(SELECT * FROM nothing_like_it) AS own' }
    assert.equal(await facts().holding('test', query, async (tables) => tables), undefined)
    await untilEqual(kept, [])
  })

  test(`${where}: a question whose sessions are lost is asked again without`, async () => {
    const property = await visits()
    const seen: (HeldTables | undefined)[] = []
    const answer = await facts().holding('test', sessionsOf(property), async (tables) => {
      seen.push(tables)
      if (!tables) return 'without'
      await facts().command('test', `DROP TABLE ${tables.rows}`)
      return countIn(tables.rows)
    })
    assert.equal(answer, 'without')
    assert.equal(seen.length, 2)
    await untilEqual(kept, [])
  })

  test(`${where}: nothing is kept for who has hung up`, async () => {
    const property = await visits()
    const reason = new Error('hung up')
    const asker = { propertyId: property, caller: 'c', isShared: false, signal: AbortSignal.abort(reason) }
    const ask = () => facts().holding('test', sessionsOf(property), async () => 'answered')
    await assert.rejects(asAsker(asker, ask), reason)
    await untilEqual(kept, [])
  })
}
