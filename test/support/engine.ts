// One embedded engine for all services of this process, each with a database of its own: to make one takes a
// quarter of the time of starting an engine.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Config } from '../../server/config.ts'
import { factsSettings } from '../../server/config.ts'
import { EngineProcess } from '../../server/engine/engine.ts'
import { openFacts } from '../../server/stores/facts.ts'
import { migrateFacts } from '../../server/stores/migrations/facts.ts'
import { openModelFolder } from './models.ts'

const log = pino({ level: 'silent' })

const MODEL = 'model'

interface Engine {
  /** Of a database of it. */
  readonly urlOf: (database: string) => string
  /** One statement. @returns its rows as JSON lines. */
  readonly run: (sql: string) => Promise<string>
  /** What makes the tables of the model, those first from which others are filled. */
  readonly tables: readonly string[]
  readonly views: readonly string[]
}

function openClient(url: string): Engine['run'] {
  const { origin, username, password } = new URL(url)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return async (body) => {
    const answer = await fetch(origin, { method: 'POST', headers: { authorization }, body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text
  }
}

/** All of them are without FSYNC. */
async function startEngine(config: Config): Promise<Engine> {
  const dataDir = openModelFolder('engine')
  const { url } = await EngineProcess.open({ dataDir, memoryMb: config.factsMemoryMb, backupDir: dataDir, log })
  const urlOf = (database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href
  const run = openClient(url)
  await run(`CREATE DATABASE ${MODEL}`)
  const facts = await openFacts({ ...factsSettings({ ...config, dataDir }), engineUrl: urlOf(MODEL), log })
  await migrateFacts(facts)
  await facts.close()
  const listing = `SELECT create_table_query AS sql FROM system.tables WHERE database = '${MODEL}' FORMAT JSONEachRow`
  const lines = (await run(listing)).trim().split('\n')
  const [views, tables] = partition(
    lines.map((line) => (JSON.parse(line) as { sql: string }).sql),
    (sql) => sql.startsWith('CREATE MATERIALIZED VIEW'),
  )
  return { urlOf, run, tables, views }
}

function partition(all: readonly string[], isFirst: (one: string) => boolean): [string[], string[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

let engine: Promise<Engine> | undefined

/** @returns the address of a database with migrated, empty facts, and what removes it. */
export async function openDatabase(config: Config): Promise<{ readonly url: string; remove(): Promise<unknown> }> {
  const { urlOf, run, tables, views } = await (engine ??= startEngine(config))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const create = (statements: readonly string[]) =>
    Promise.all(statements.map((sql) => run(sql.replaceAll(`${MODEL}.`, `${name}.`))))
  await run(`CREATE DATABASE ${name}`)
  await create(tables)
  await create([...views, `INSERT INTO ${name}.migrations SELECT * FROM ${MODEL}.migrations`])
  return { url: urlOf(name), remove: () => run(`DROP DATABASE ${name} SYNC`) }
}
