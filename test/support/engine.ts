// One embedded engine for all services of this process, each with a database that nobody else has: it is made
// once, and emptied for the next service.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../server/config.ts'
import { EngineProcess } from '../../server/engine/engine.ts'
import { copyFacts } from './models.ts'

const log = pino({ level: 'silent' })

/** The database of a store that was copied; the others are made as it was. */
const MODEL = 'default'

interface Engine {
  /** Of a database of it. */
  readonly urlOf: (database: string) => string
  /** One statement. @returns its rows, as the statement says. */
  readonly run: (sql: string) => Promise<string>
  /** What makes the tables of a database, those first from which others are filled. */
  readonly tables: readonly string[]
  readonly views: readonly string[]
  /** How a database is made that nobody has altered. */
  readonly shape: string
  /** Databases that nobody has, with empty tables. */
  readonly free: string[]
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

/** Its tables and what was migrated, in a few letters. */
const shapeOf = (database: string): string => `
  SELECT groupBitXor(cityHash64(name, replaceAll(create_table_query, '${database}.', ''))) AS tables,
    (SELECT groupBitXor(cityHash64(name)) FROM (SELECT DISTINCT name FROM ${database}.migrations)) AS migrations
  FROM system.tables WHERE database = '${database}'`

/** All of them are without FSYNC. */
async function startEngine(config: Config): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-engine-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  await copyFacts(dataDir, config)
  const { url } = await EngineProcess.open({ dataDir, memoryMb: config.factsMemoryMb, backupDir: dataDir, log })
  const urlOf = (database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href
  const run = openClient(url)
  const listing = `SELECT create_table_query AS sql FROM system.tables WHERE database = '${MODEL}' FORMAT JSONEachRow`
  const lines = (await run(listing)).trim().split('\n')
  const [views, tables] = partition(
    lines.map((line) => (JSON.parse(line) as { sql: string }).sql),
    (sql) => sql.startsWith('CREATE MATERIALIZED VIEW'),
  )
  return { urlOf, run, tables, views, shape: await run(shapeOf(MODEL)), free: [MODEL] }
}

function partition(all: readonly string[], isFirst: (one: string) => boolean): [string[], string[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

let engine: Promise<Engine> | undefined

async function createDatabase({ run, tables, views }: Engine): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const named = (sql: string) => run(sql.replaceAll(`${MODEL}.`, `${name}.`))
  await run(`CREATE DATABASE ${name}`)
  await Promise.all(tables.map(named))
  await Promise.all([...views.map(named), run(`INSERT INTO ${name}.migrations SELECT * FROM ${MODEL}.migrations`)])
  return name
}

/** Emptied for the next one: to make all of the tables takes twenty times as long. */
async function giveBack({ run, shape, free }: Engine, name: string): Promise<void> {
  if ((await run(shapeOf(name))) !== shape) return void (await run(`DROP DATABASE ${name} SYNC`))
  const filled = await run(
    `SELECT DISTINCT table FROM system.parts WHERE database = '${name}' AND active AND table != 'migrations'`,
  )
  const tables = filled.split('\n').filter((table) => table !== '')
  await Promise.all(tables.map((table) => run(`TRUNCATE TABLE ${name}.${table}`)))
  free.push(name)
}

/** @returns the address of a database with migrated, empty facts, and what gives it back. */
export async function openDatabase(config: Config): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const made = await (engine ??= startEngine(config))
  const name = made.free.pop() ?? (await createDatabase(made))
  return { url: made.urlOf(name), remove: () => giveBack(made, name) }
}
