// What the mark of a day relies on (docs/decisions/0027-settled-days.md): the engine commits the number that
// an insert adds to a day after the rows of the insert.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { pino } from 'pino'
import { newDataDir } from '../../../test/support/records.ts'
import { openFacts } from '../facts.ts'
import { migrateFacts } from '../migrations/facts.ts'

const INSERTS = 20
const options = { urls: [], cluster: null, memoryMb: 512, threads: 2, fsync: false, log: pino({ level: 'silent' }) }

interface Part {
  readonly name: string
  /** When its folder was given its name, by the file system: that is when it is committed. */
  readonly committed: bigint
}

test('the number of a day changes after its rows and sessions have, with every insert', async (t) => {
  const facts = await openFacts({ ...options, dataDir: newDataDir(t), acknowledge: 'insert', lingerMs: 0 })
  t.after(() => facts.close())
  await migrateFacts(facts)
  for (const table of ['views', 'clicks', 'impressions', 'sessions', 'day_changes'])
    await facts.command('test', `SYSTEM STOP MERGES ${table}`)
  const partsOf = async (table: string): Promise<Part[]> => {
    const rows = await facts.query<{ name: string; path: string }>(
      'test',
      'SELECT name, path FROM system.parts WHERE active AND table = {table:String}',
      { table },
    )
    return rows.map(({ name, path }) => ({ name, committed: statSync(path, { bigint: true }).ctimeNs }))
  }
  const seen = new Set<string>()
  const newPartsOf = async (table: string): Promise<bigint[]> => {
    const parts = (await partsOf(table)).filter(({ name }) => !seen.has(`${table} ${name}`))
    for (const { name } of parts) seen.add(`${table} ${name}`)
    return parts.map(({ committed }) => committed).toSorted((a, b) => Number(a - b))
  }
  for (let insert = 0; insert < INSERTS; insert++) {
    const rows = Array.from({ length: 50 }, (_, view) => ({
      property: 'p',
      day: view % 2 === 0 ? '2026-03-04' : '2026-01-06',
      session: `${insert}`,
      view,
      at: 1,
      seen: 1,
    }))
    await facts.appendAll('views', rows)
    const [sessions, changes] = [await newPartsOf('sessions'), await newPartsOf('day_changes')]
    assert.deepEqual([sessions.length, changes.length], [2, 1])
    assert.ok(sessions.at(-1)! < changes[0]!, `${sessions.at(-1)} and ${changes[0]}`)

    const done = rows.map(({ property, day, session, view, at: atMs }) => {
      return { property, day, session_day: day, session, id: `${view}`, at: atMs }
    })
    await facts.appendAll('impressions', done)
    const [seenOf, afterSeen] = [await newPartsOf('impressions'), await newPartsOf('day_changes')]
    assert.deepEqual([seenOf.length, afterSeen.length], [2, 1])
    assert.ok(seenOf.at(-1)! < afterSeen[0]!, `${seenOf.at(-1)} and ${afterSeen[0]}`)

    // These are folded into sessions as well, which change the number once more.
    await facts.appendAll('clicks', done)
    const [clicked, folded, afterClicks] = [
      await newPartsOf('clicks'),
      await newPartsOf('sessions'),
      await newPartsOf('day_changes'),
    ]
    assert.deepEqual([clicked.length, folded.length, afterClicks.length], [2, 2, 2])
    assert.ok(clicked.at(-1)! < afterClicks[0]!, `${clicked.at(-1)} and ${afterClicks[0]}`)
    assert.ok(folded.at(-1)! < afterClicks[1]!, `${folded.at(-1)} and ${afterClicks[1]}`)
  }
})
