// `footfall move`: carries an installation to other stores: from the embedded ones to servers, and back.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { pino } from 'pino'
import { openRepository } from '../server/backups/backups.ts'
import { restoreBackup } from '../server/backups/restore.ts'
import { type Config, factsSettings, readConfig } from '../server/config.ts'
import { EngineProcess } from '../server/engine/engine.ts'
import { openSecret } from '../server/secret.ts'
import { type CarriedFacts, carryFacts, type FactsSide } from '../server/stores/carry-facts.ts'
import { type CarriedRecords, carryRecords } from '../server/stores/carry-records.ts'
import { openFacts } from '../server/stores/facts.ts'
import { migrateStores } from '../server/stores/migrate.ts'
import { dueRecordMigrations } from '../server/stores/migrations/records.ts'
import { openRecords, type Records } from '../server/stores/records.ts'
import { take } from './backup.ts'
import { answer, counted, needed, readOptions, write } from './command.ts'
import { findService } from './doctor-service.ts'
import { openMeter } from './meter.ts'

const usage = `footfall move --to FILE [--json]

Copies this installation (the current settings) to the databases in FILE, which has one NAME=value per line:
CLICKHOUSE_URL, CLICKHOUSE_CLUSTER and DATABASE_URL for servers; otherwise the embedded database in its DATA_DIR.
Run it twice: first while the service runs, to copy most of the data; then with the service stopped, to copy the rest and
verify everything. Then start the service with FILE. See docs/move.md.

Facts are copied week by week, records in one transaction; both are compared by counts and sums. It can be interrupted and run
again.`

const quiet = pino({ level: 'silent' })

interface Stores {
  readonly facts: FactsSide
  readonly records: Records
  readonly close: () => Promise<void>
}

/**
 * What is open is closed in any case, the last first.
 * @param known facts that both sides share.
 */
async function openStores(config: Config, known?: FactsSide): Promise<Stores> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const each of closers.toReversed()) await each()
  }
  try {
    const facts = known ?? (await openFactsSide(config, closers))
    const records = await openRecords(config)
    closers.push(() => records.destroy())
    return { facts, records, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openFactsSide(config: Config, closers: (() => Promise<unknown>)[]): Promise<FactsSide> {
  const [first] = config.clickhouseUrls
  const engine = first === undefined ? await openEngine(config) : undefined
  if (engine) closers.push(() => engine.close())
  const given = { ...factsSettings(config), ...(engine && { engineUrl: engine.url }), isPatient: false, log: quiet }
  const facts = await openFacts(given)
  closers.push(() => facts.close())
  return { facts, url: first ?? engine!.url }
}

const openEngine = ({ dataDir, factsMemoryMb: memoryMb }: Config): Promise<EngineProcess> =>
  EngineProcess.open({ dataDir, memoryMb, backupDir: join(dataDir, 'backups'), log: quiet })

const isEmbedded = ({ clickhouseUrls, databaseUrl }: Config): boolean =>
  clickhouseUrls.length === 0 || databaseUrl === null

/** Of both: the ids that were given out are good there as well. */
function carrySecret(from: Config, to: Config): void {
  const secret = openSecret(from, randomBytes)
  if (to.secret === null && from.dataDir !== to.dataDir) {
    mkdirSync(to.dataDir, { recursive: true, mode: 0o700 })
    const file = join(to.dataDir, 'secret')
    if (from.secret !== null)
      throw new Error('SECRET is set here: it has to be the same in the settings of the target.')
    if (!existsSync(file)) copyFileSync(join(from.dataDir, 'secret'), file)
  }
  if (openSecret(to, randomBytes) !== secret)
    throw new Error('The target has another SECRET: the ids that were given out would be unknown there.')
}

const isSameRecords = (from: Config, to: Config): boolean =>
  from.databaseUrl === to.databaseUrl && (from.databaseUrl !== null || from.dataDir === to.dataDir)
const isSameFacts = (from: Config, to: Config): boolean =>
  from.clickhouseUrls.join() === to.clickhouseUrls.join() &&
  (from.clickhouseUrls.length > 0 || from.dataDir === to.dataDir)

/** What is to be carried, and between which settings. */
interface Task {
  readonly from: Config
  readonly to: Config
  readonly hasFacts: boolean
  readonly hasRecords: boolean
}

interface Carried {
  readonly facts: CarriedFacts | null
  readonly records: CarriedRecords | null
}

/** Shown on a terminal, or as a line now and then. */
async function metered<Result>(unit: string, work: (onStep: (done: number, all: number) => void) => Promise<Result>) {
  let meter: ReturnType<typeof openMeter> | undefined
  try {
    return await work((done, all) => {
      meter ??= openMeter(unit, all, process.stderr.isTTY)
      meter.show(done)
    })
  } finally {
    meter?.stop()
  }
}

/** The records first: what the facts name is then there, except what came meanwhile. */
async function carry({ from, to, hasFacts, hasRecords }: Task): Promise<Carried> {
  const source = await openStores(from)
  try {
    if ((await dueRecordMigrations(source.records)).length > 0)
      throw new Error('These stores are of an earlier version: start this version on them first.')
    const target = await openStores(to, hasFacts ? undefined : source.facts)
    try {
      await migrateStores(target.records, target.facts.facts, quiet)
      const records = hasRecords
        ? await metered('tables', (onStep) => carryRecords(source.records, target.records, onStep))
        : null
      const facts = hasFacts ? await metered('weeks', (onStep) => carryFacts(source.facts, target.facts, onStep)) : null
      return { facts, records }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const WORK = 'move-work'

/** The stores of a running service are its own: a backup of them is carried instead. */
async function carryCopy(task: Task): Promise<Carried> {
  const { from, to, hasFacts, hasRecords } = task
  const folder = join(from.dataDir, WORK)
  const [kept, dataDir] = [join(folder, 'kept'), join(folder, 'restored')]
  await rm(folder, { recursive: true, force: true })
  try {
    const { id } = await take(from, kept)
    const repository = await openRepository(from, kept)
    const manifest = await repository.getBackup(id)
    const copied = { ...from, dataDir }
    await restoreBackup({ config: copied, repository, manifest, log: quiet })
    // What stays where it is must not be opened beside the service.
    const isBeside = to.dataDir === from.dataDir && (!hasFacts || !hasRecords)
    return await carry({ ...task, from: copied, ...(isBeside && { to: { ...to, dataDir } }) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readTarget(file: string): Config {
  const { PATH: _path, ...env } = parseEnv(readFileSync(file, 'utf8'))
  return readConfig(env)
}

function linesOf({ facts, records }: Carried, isServing: boolean, file: string): string[] {
  return [
    ...(records
      ? [`Records: ${counted(records.rows, 'row')} in ${counted(records.tables, 'table')}, the same on both sides.`]
      : []),
    ...(facts
      ? [
          `Facts: ${counted(facts.rows, 'row')} in ${counted(facts.weeks, 'week')}, the same on both sides; ${counted(facts.carried, 'week')} had to be carried.`,
        ]
      : []),
    isServing
      ? 'The service went on meanwhile: stop it, run this once more, and start it with the settings of the file.'
      : `Everything is there. Start the service with the settings of ${file}; the data here is unchanged.`,
  ]
}

export async function move(args: string[]): Promise<number> {
  const { values } = readOptions(args, { to: { type: 'string' } })
  if (values.help) {
    write(usage)
    return 0
  }
  const file = needed(values.to, '--to')
  const [from, to] = [readConfig(), readTarget(file)]
  const task: Task = { from, to, hasFacts: !isSameFacts(from, to), hasRecords: !isSameRecords(from, to) }
  if (!task.hasFacts && !task.hasRecords) throw new Error(`${file} names the same stores as the present settings.`)
  const isServing = await findService(from)
  carrySecret(from, to)
  const startMs = performance.now()
  const carried = isServing && isEmbedded(from) ? await carryCopy(task) : await carry(task)
  const seconds = Math.round(performance.now() - startMs) / 1000
  answer(values.json, { ...carried, is_final: !isServing, seconds }, linesOf(carried, isServing, file))
  return 0
}
