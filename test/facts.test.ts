// The facts store with the embedded engine.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openFacts, type Facts } from '../server/stores/facts.ts'
import { migrateFacts } from '../server/stores/migrations/facts.ts'
import { factsContract } from './support/facts-contract.ts'
import { ownWaits } from './support/patience.ts'
import { findProcess } from './support/worker-lines.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-facts-'))
const options = { dataDir, urls: [], cluster: null, memoryMb: 768, threads: 2, fsync: true, ...ownWaits }
let facts: Facts

before(async () => {
  facts = await openFacts({ ...options, log: pino({ level: 'silent' }) })
  await migrateFacts(facts)
})
after(async () => {
  await facts.close()
  rmSync(dataDir, { recursive: true, force: true })
})

factsContract('embedded', () => facts)

test('the engine keeps no logs of its own and stays under its ceiling', async () => {
  assert.deepEqual(await facts.query('test', "SELECT database, name FROM system.tables WHERE name LIKE '%\\_log'"), [])
  const settings = await facts.query<{ name: string; value: string }>(
    'test',
    "SELECT name, value FROM system.server_settings WHERE name IN ('max_server_memory_usage', 'mark_cache_size', 'background_pool_size') ORDER BY name",
  )
  assert.deepEqual(Object.fromEntries(settings.map(({ name, value }) => [name, Number(value)])), {
    background_pool_size: 2,
    mark_cache_size: 48 * 1024 * 1024,
    max_server_memory_usage: 768 * 1024 * 1024,
  })
})

test('readers and writers run under their own limits', async () => {
  const [row] = await facts.query<Record<string, string>>(
    'test',
    "SELECT toString(getSetting('max_memory_usage')) AS memory, toString(getSetting('max_threads')) AS threads, toString(getSetting('async_insert')) AS async, toString(getSetting('output_format_parallel_formatting')) AS formatters",
  )
  assert.deepEqual(row, {
    memory: String(Math.floor(768 * 1024 * 1024 * 0.23)),
    threads: '2',
    async: 'false',
    formatters: 'false',
  })
})

test('a question about sessions of many weeks takes no more threads than others, however many parts they lie in', async () => {
  const weeks = Array.from({ length: 80 }, (_, week) => week)
  const dayOf = (week: number) => new Date(Date.UTC(2023, 0, 2) + week * 7 * 86_400_000).toISOString().slice(0, 10)
  for (const round of [1, 2]) {
    const rows = weeks.map((week) => ({
      property: 'weeks',
      day: dayOf(week),
      session: `${round}`,
      view: 1,
      at: 1,
      seen: 1,
    }))
    // Each week is a part of its own, and a question waits ten seconds for all that is on its way at most.
    for (let from = 0; from < rows.length; from += 20) {
      await facts.appendAll('views', rows.slice(from, from + 20))
      await facts.query('test', "SELECT count() FROM views WHERE property = 'weeks'")
    }
  }
  const pid = findProcess(join(dataDir, 'facts-engine.xml'))
  assert.ok(pid !== undefined || process.platform !== 'linux', 'the engine is found')
  const threads = (): number => (pid === undefined ? 0 : readdirSync(`/proc/${pid}/task`).length)
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, threads())
  }, 1)
  const before = threads()
  const [row] = await facts.query<{ views: string }>(
    'test',
    `SELECT count() AS views FROM views FINAL WHERE property = 'weeks'
AND (day, session) IN (SELECT day, session FROM sessions FINAL WHERE property = 'weeks')`,
  )
  clearInterval(look)
  assert.ok(most - before < 50, `${most - before} threads more`)
  assert.equal(Number(row?.views), 2 * weeks.length)
})

test('a second process is told that the store is in use', () => {
  const script = `
    import { openFacts } from ${JSON.stringify(join(import.meta.dirname, '../server/stores/facts.ts'))}
    await openFacts({ ...${JSON.stringify(options)}, log: console }).then(() => console.log('it is ours'), (error) => console.log(error.message))
    process.exit(0)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..'),
  })
  assert.match(stdout, /another process/)
  assert.doesNotMatch(stdout, /ours/)
})
