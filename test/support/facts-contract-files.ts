// What every facts store promises of the files that it saves.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Facts } from '../../server/stores/facts.ts'
import { DAY } from './facts-fold.ts'
import { freshProperty, hostile } from './facts-rows.ts'

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

export function fileContract(where: string, facts: () => Facts): void {
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
}
