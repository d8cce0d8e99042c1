// A PostgreSQL that goes away under way costs the calls that needed it, and never the process.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { newDataDir } from '../../../test/support/records.ts'
import { startPostgres } from '../../../test/support/postgres.ts'
import { callService, createServiceProperty, startService } from '../../../test/support/service.ts'
import { Problem } from '../../kernel/problem.ts'
import { openPostgres } from './postgres.ts'

const postgres = await startPostgres({ after })

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.kind === 'unavailable'

if (postgres) {
  test('what is under way when the server goes away is "unavailable", and nothing is left unheard', async (t) => {
    const records = await openPostgres(await postgres.freshUrl())
    t.after(() => records.destroy())
    const asleep = sql`select pg_sleep(60)`.execute(records)
    // Between two statements, the connection of a transaction has nobody to tell.
    const between = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const transaction = records.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      begun.resolve()
      await between.promise
      await sql`select 2`.execute(tx)
    })
    const ends = Promise.allSettled([asleep, transaction])
    await begun.promise
    await postgres.stop()
    // Whatever the sockets have to say is said.
    await pause(50)
    between.resolve()
    for (const end of await ends)
      assert.ok(end.status === 'rejected' && isUnavailable(end.reason), JSON.stringify(end, null, 1))
    await postgres.start()
    assert.deepEqual((await sql`select 1 as one`.execute(records)).rows, [{ one: 1 }])
  })

  test('the service outlives its records: calls are refused while they are away, and work again after', async (t) => {
    const service = await startService(t, newDataDir(t), { DATABASE_URL: await postgres.freshUrl() })
    const property = await createServiceProperty(service)
    const [statuses, recent] = [new Set<number>(), new Set<number>()]
    let count = 0
    let isOver = false
    const identify = async (): Promise<number> => {
      const body = { email: `u${(count += 1)}@example.com` }
      return (await callService(service, property, 'POST', '/v2/property/contacts/identify', body)).status
    }
    // All together stay below the 600 calls a minute that a token may make.
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const status = await identify()
        statuses.add(status)
        recent.add(status)
        await pause(450)
      }
    }
    /** From now on. */
    const untilAnswered = async (status: number): Promise<void> => {
      recent.clear()
      while (!recent.has(status)) await pause(20)
    }
    const callers = Promise.all([1, 2, 3, 4].map(caller))
    for (let round = 0; round < 3; round += 1) {
      await untilAnswered(200)
      await postgres.stop()
      await untilAnswered(503)
      await postgres.start()
    }
    isOver = true
    await callers
    assert.equal(await identify(), 200)
    assert.deepEqual(statuses, new Set([200, 503]), service.output().slice(-2000))
  })
}
