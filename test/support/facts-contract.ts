// What every facts store promises, wherever it runs. Each test file gives its own way to open one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../../server/kernel/problem.ts'
import type { Facts } from '../../server/stores/facts.ts'
import { dropOldFacts, settleFacts } from '../../server/stores/facts-retention.ts'
import { migrateFacts } from '../../server/stores/migrations/facts.ts'
import { factDefaults } from '../../server/stores/fact-defaults.ts'
import type { FactTable } from '../../server/stores/tables.ts'
import { DAY, fold, FOLDED_SQL, traffic, type Hit } from './facts-fold.ts'

let properties = 0
/** Nobody else's rows. */
const freshProperty = () => `property${properties++}`

export const hostile = [
  "it's",
  'a"b',
  'a\\b',
  '\\',
  "\\'",
  '\0',
  'x\0y',
  'line\nline',
  '\r\n',
  '\t',
  ';',
  "'; DROP TABLE views; --",
  '{session:UInt64}',
  '\\N',
  'NULL',
  '[]',
  '🎉',
  '\u2028',
  '\ufeff',
  '\u0007',
  '/* */',
  '*/ x /*',
  '%00',
  '$1',
  '\u202eabc',
  'é'.repeat(500),
]

/** Read by an engine of its own, in a process of its own: whatever wrote it. */
function readParquet(path: string, columns: string): unknown {
  const sql = `SELECT ${columns} FROM file('${path}', 'Parquet') ORDER BY ALL`
  const code = `process.stdout.write(require('chdb').query(${JSON.stringify(sql)}, 'JSONCompactEachRow'))`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

/** @param facts gives the open and migrated store of the file. */
export function factsContract(where: string, facts: () => Facts): void {
  test(`${where}: migrating again changes nothing`, async () => {
    const before = await facts().query(
      'test',
      'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
    )
    await migrateFacts(facts())
    const after = await facts().query(
      'test',
      'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
    )
    assert.deepEqual(after, before)
    assert.ok(before.length >= 6)
  })

  test(`${where}: a store of a newer program is refused`, async () => {
    await facts().command('test', "INSERT INTO migrations (name) SELECT '999_from_tomorrow'")
    await assert.rejects(migrateFacts(facts()), /999_from_tomorrow.*newer version/)
    await facts().command(
      'test',
      "ALTER TABLE migrations DELETE WHERE name = '999_from_tomorrow' SETTINGS mutations_sync = 2",
    )
    await migrateFacts(facts())
  })

  for (const table of Object.keys(factDefaults) as FactTable[]) {
    test(`${where}: factDefaults name every column of ${table}, and the store's own defaults agree`, async () => {
      const stored = facts().layout.cluster ? `${table}_local` : table
      const columns = await facts().query<{ name: string }>(
        'test',
        "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {stored:String} AND default_kind != 'MATERIALIZED' ORDER BY name",
        { stored },
      )
      assert.deepEqual(
        columns.map((column) => column.name),
        Object.keys(factDefaults[table]).toSorted(),
      )

      const [ours, theirs] = [freshProperty(), freshProperty()]
      await facts().append(table, { property: ours, ...(table === 'events' ? { kind: 'event' as const } : {}) })
      await facts().command(
        'test',
        `INSERT INTO ${table} (property${table === 'events' ? ', kind' : ''}) SELECT '${theirs}'${table === 'events' ? ", 'event'" : ''}`,
      )
      const rows = await facts().query(
        'test',
        `SELECT * EXCEPT property FROM ${table} FINAL WHERE property IN {both:Array(String)} ORDER BY property`,
        {
          both: [ours, theirs],
        },
      )
      assert.ok(rows.length >= 2)
      for (const row of rows) assert.deepEqual(row, rows[0])
    })
  }

  test(`${where}: of two rows of one event the earlier one stays, whichever came first`, async () => {
    const property = freshProperty()
    const order = { property, day: DAY, kind: 'acquisition', session: '7', id: '9', amount: 100 } as const
    await facts().append('events', { ...order, at: 2_000, amount_usd: 2 })
    await facts().append('events', { ...order, at: 1_000, amount_usd: 1 })
    await facts().append('events', { ...order, at: 3_000, amount_usd: 3 })
    const rows = await facts().query('test', 'SELECT amount_usd FROM events FINAL WHERE property = {property:String}', {
      property,
    })
    assert.deepEqual(rows, [{ amount_usd: '1' }])
  })

  test(`${where}: a look-up does not wait for questions`, async () => {
    let answered = 0
    const slow = 'SELECT sum(sleepEachRow(0.01)) AS slept FROM numbers(200) SETTINGS max_block_size = 1'
    const questions = Array.from({ length: 6 }, async () => {
      await facts().query('test', slow)
      answered++
    })
    assert.deepEqual(await facts().lookup('test', 'SELECT 1 AS one'), [{ one: 1 }])
    assert.equal(answered, 0)
    await Promise.all(questions)
  })

  test(`${where}: what was appended is in the next question, each of many at once`, async () => {
    const property = freshProperty()
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        await facts().append('views', { property, day: DAY, session: String(i), view: i, at: 1, seen: 1 })
        const rows = await facts().query(
          'test',
          'SELECT view FROM views WHERE property = {property:String} AND session = {session:UInt64}',
          {
            property,
            session: String(i),
          },
        )
        assert.deepEqual(rows, [{ view: i }])
      }),
    )
  })

  test(`${where}: sessions are the fold of their hits, in any order, any number of times, in any batches`, async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.infiniteStream(fc.nat()), async (hits, random) => {
        const property = freshProperty()
        const sent = shuffled(
          [...hits, ...hits.filter(() => random.next().value! % 3 === 0)],
          () => random.next().value!,
        )
        const cuts = [
          0,
          ...Array.from({ length: 3 }, () => random.next().value! % (sent.length + 1)),
          sent.length,
        ].toSorted((a, b) => a - b)
        for (let i = 1; i < cuts.length; i++) await appendHits(facts(), property, sent.slice(cuts[i - 1], cuts[i]))
        assert.deepEqual(await facts().query('test', FOLDED_SQL, { property }), fold(hits))
      }),
      { numRuns: 25 },
    )
  })

  test(`${where}: a click that was stored twice is one, whatever became of its parts`, async () => {
    const property = freshProperty()
    const click = { property, day: DAY, link_group: 'g', link: 'l', id: '18446744073709551615', at: 1_772_600_000_000 }
    await facts().append('clicks', click)
    await facts().append('clicks', click)
    await facts().append('clicks', { ...click, id: '1' })
    const rows = await facts().query(
      'test',
      'SELECT id FROM clicks FINAL WHERE property = {property:String} ORDER BY id',
      {
        property,
      },
    )
    assert.deepEqual(rows, [{ id: '1' }, { id: '18446744073709551615' }])
  })

  test(`${where}: no text can break out of its place, as a value or as a parameter`, async () => {
    const property = freshProperty()
    await facts().appendAll(
      'views',
      hostile.map((title, view) => ({ property, day: DAY, session: '1', view, at: 1, seen: 1, title })),
    )
    await facts().append('events', {
      property,
      day: DAY,
      session: '1',
      id: '1',
      at: 1,
      name: 'n',
      tags: hostile,
      meta: Object.fromEntries(hostile.map((key) => [key, key])),
    })
    const views = await facts().query<{ title: string }>(
      'test',
      'SELECT title FROM views FINAL WHERE property = {property:String} ORDER BY view',
      { property },
    )
    assert.deepEqual(
      views.map((row) => row.title),
      hostile,
    )
    const [event] = await facts().query<{ tags: string[]; meta: Record<string, string> }>(
      'test',
      'SELECT tags, meta FROM events FINAL WHERE property = {property:String}',
      { property },
    )
    assert.deepEqual(event!.tags, hostile)
    assert.deepEqual(event!.meta, Object.fromEntries(hostile.map((key) => [key, key])))
    const [list] = await facts().query<{ list: string[] }>('test', 'SELECT {list:Array(String)} AS list', {
      list: hostile,
    })
    assert.deepEqual(list!.list, hostile)
    for (const one of hostile)
      assert.deepEqual(await facts().query('test', 'SELECT {one:String} AS one', { one }), [{ one }])
  })

  test(`${where}: half a character is replaced, and its row is kept`, async () => {
    const property = freshProperty()
    await facts().append('views', {
      property,
      day: DAY,
      session: '1',
      view: 1,
      at: 1,
      seen: 1,
      title: 'a\ud83dz',
      url: String.raw`\ud83d`,
    })
    const rows = await facts().query('test', 'SELECT title, url FROM views FINAL WHERE property = {property:String}', {
      property,
    })
    assert.deepEqual(rows, [{ title: 'a\ufffdz', url: String.raw`\ud83d` }])
    assert.deepEqual(await facts().query('test', 'SELECT {text:String} AS text', { text: 'a\ud83dz' }), [
      { text: 'a\ufffdz' },
    ])
  })

  test(`${where}: one row that cannot be stored fails alone`, async () => {
    const property = freshProperty()
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, view) =>
        facts().append('views', {
          property,
          day: view === 17 ? 'no day' : DAY,
          session: view === 23 ? 'x' : '1',
          view,
          at: 1,
          seen: 1,
        }),
      ),
    )
    const failed = results.flatMap((result, view) => (result.status === 'rejected' ? [view] : []))
    assert.deepEqual(failed, [17, 23])
    const [row] = await facts().query(
      'test',
      'SELECT count() AS views FROM views FINAL WHERE property = {property:String}',
      { property },
    )
    assert.deepEqual(row, { views: '38' })
  })

  test(`${where}: parameters of many questions at once do not mix`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        facts().query<{ n: number; s: string | null }>('test', 'SELECT {n:UInt32} AS n, {s:Nullable(String)} AS s', {
          n: i,
          s: i % 2 ? `s${i}` : null,
        }),
      ),
    )
    assert.deepEqual(
      answers.map(([row]) => row),
      Array.from({ length: 60 }, (_, i) => ({ n: i, s: i % 2 ? `s${i}` : null })),
    )
  })

  test(`${where}: a question that is too heavy is refused in words, and appends go on meanwhile`, async () => {
    const property = freshProperty()
    const heavy = facts().query('test', 'SELECT length(groupArray(number)) FROM numbers(2000000000)')
    const refused = assert.rejects(
      heavy,
      (error) =>
        error instanceof Problem &&
        error.kind === 'unavailable' &&
        /narrower/.test(error.message) &&
        !/SELECT|numbers/.test(error.message),
    )
    await facts().append('views', { property, day: DAY, session: '1', view: 1, at: 1, seen: 1 })
    await refused
    const slow = facts().query(
      'test',
      'SELECT sleepEachRow(0.05) FROM numbers(100) SETTINGS max_execution_time = 0.2, max_block_size = 1',
    )
    await assert.rejects(slow, (error) => error instanceof Problem && error.retryAfterSeconds !== undefined)
  })

  test(`${where}: what a question had found when it was stopped never shows in another answer`, async () => {
    const stopped = () =>
      facts().query(
        'test',
        'SELECT 7 AS leaked, sleepEachRow(0.02) FROM numbers(100) SETTINGS max_execution_time = 0.2, max_block_size = 1',
      )
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled([stopped(), stopped(), stopped(), stopped()])
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, one) => facts().query('test', 'SELECT {one:UInt8} AS one', { one })),
      )
      assert.deepEqual(
        answers,
        Array.from({ length: 8 }, (_, one) => [{ one }]),
      )
    }
  })

  test(`${where}: rows are saved as Parquet that anybody can read, with the values that were stored`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'footfall-save-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const property = freshProperty()
    const rows = Array.from({ length: 300 }, (_, i) => ({
      property,
      day: DAY,
      kind: 'event' as const,
      name: hostile[i % hostile.length]!,
      session: String(2n ** 64n - 1n - BigInt(i)),
      id: String(i),
      at: 1_772_600_000_000 + i,
      value: i % 3 === 0 ? null : hostile[(i + 5) % hostile.length]!,
      amount: i % 4 === 0 ? null : i,
      tags: hostile.slice(0, i % 4),
      meta: { key: hostile[(i + 9) % hostile.length]! },
    }))
    await facts().appendAll('events', rows)
    const path = join(folder, 'saved_1.parquet')
    const columns =
      'toString(day) AS day, name, toString(session) AS session, toString(id) AS id, value, toString(amount) AS amount, tags, meta'
    const task = {
      sql: 'SELECT * FROM events FINAL WHERE property = {property:String}',
      params: { property },
      path,
      rows: rows.length,
    }
    await facts().save('test', task, { signal: new AbortController().signal, progress: () => undefined })
    const stored = await facts().query<object>(
      'test',
      `SELECT ${columns} FROM events FINAL WHERE property = {property:String} ORDER BY ALL`,
      { property },
    )
    assert.equal(stored.length, rows.length)
    assert.deepEqual(
      readParquet(path, columns),
      stored.map((row) => Object.values(row)),
    )
  })

  test(`${where}: a file that nobody waits for any more is ended, and the next one is saved`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'footfall-save-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const stop = new AbortController()
    const slow = {
      sql: 'SELECT number, sleepEachRow(0.001) AS slept FROM numbers(1000000) SETTINGS function_sleep_max_microseconds_per_block = 0, max_block_size = 100',
      params: {},
      path: join(folder, 'saved_2.parquet'),
      rows: 1_000_000,
    }
    const told = Promise.withResolvers<number>()
    const saving = facts().save('test', slow, { signal: stop.signal, progress: told.resolve })
    const share = await told.promise
    assert.ok(share > 0 && share <= 1)
    const reason = new Error('enough')
    stop.abort(reason)
    await assert.rejects(saving, (error) => error === reason)
    const quick = { sql: 'SELECT 7 AS seven', params: {}, path: join(folder, 'saved_3.parquet'), rows: 1 }
    const watch = { signal: new AbortController().signal, progress: () => undefined }
    await facts().save('test', quick, watch)
    assert.deepEqual(readParquet(quick.path, 'seven'), [[7]])
    await assert.rejects(facts().save('test', quick, { ...watch, signal: stop.signal }), (error) => error === reason)
    const wrong = { ...quick, sql: 'SELECT nothing FROM nowhere', path: join(folder, 'saved_4.parquet') }
    await assert.rejects(facts().save('test', wrong, watch), /The question test failed/)
    assert.ok(existsSync(quick.path))
  })

  test(`${where}: a mistake of ours is no Problem and shows no SQL`, async () => {
    await assert.rejects(
      facts().query('test', 'SELECT nothing FROM nowhere'),
      (error) =>
        error instanceof Error &&
        !(error instanceof Problem) &&
        !error.message.includes('nowhere') &&
        String(error.cause).includes('nowhere'),
    )
  })

  test(`${where}: facts older than wanted are dropped by the week, the others stay, and the rest is merged`, async () => {
    const property = freshProperty()
    const now = Date.parse('2001-03-07T12:00:00Z') // a Wednesday
    const days = ['2001-02-04', '2001-02-05', '2001-02-11', '2001-02-12', '2001-02-20', '2001-03-07']
    for (const day of days)
      await facts().append('views', {
        property,
        day,
        session: '1',
        view: 1,
        at: Date.parse(day),
        seen: Date.parse(day),
      })
    const left = (table: string) =>
      facts().query<{ day: string }>(
        'test',
        `SELECT DISTINCT day FROM ${table} WHERE property = {property:String} ORDER BY day`,
        { property },
      )

    // Other tests have left rows of 1970.
    assert.deepEqual(
      (await dropOldFacts(facts(), 20, now)).filter((monday) => monday > '2000'),
      ['2001-01-29', '2001-02-05'],
    )
    for (const table of ['views', 'sessions'])
      assert.deepEqual(
        (await left(table)).map((row) => row.day),
        days.slice(3),
      )
    assert.deepEqual(await dropOldFacts(facts(), 20, now), [])
    await settleFacts(facts())
    for (const table of ['views', 'sessions'])
      assert.deepEqual(
        (await left(table)).map((row) => row.day),
        days.slice(3),
      )
  })
}

async function appendHits(facts: Facts, property: string, hits: readonly Hit[]): Promise<void> {
  await Promise.all(
    hits.map((hit) => {
      if ('views' in hit) return facts.append('views', { ...hit.views, property })
      if ('events' in hit) return facts.append('events', { ...hit.events, property })
      return facts.append('clicks', { ...hit.clicks, property })
    }),
  )
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random() % (i + 1)
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}
