// `footfall move`: carries an installation to other stores: from the embedded ones to servers, and back.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { openRepository } from '../server/backups/backups.ts'
import { restoreBackup } from '../server/backups/restore.ts'
import { type Config, readConfig } from '../server/config.ts'
import { endPause, findPause } from '../server/pause-records.ts'
import { openSecret } from '../server/secret.ts'
import { carryFacts } from '../server/stores/carry-facts.ts'
import { carryRecords } from '../server/stores/carry-records.ts'
import { placeOfFacts } from '../server/stores/facts-place.ts'
import { migrateStores } from '../server/stores/migrate.ts'
import { dueRecordMigrations } from '../server/stores/migrations/records.ts'
import type { Records } from '../server/stores/records.ts'
import { take } from './backup.ts'
import { answer, counted, needed, readOptions, write } from './command.ts'
import { findService } from './doctor-service.ts'
import { isWrittenTo, waitForOtherMove } from './move-lease.ts'
import { carryPaused } from './move-paused.ts'
import { type Carried, metered, openStores, quiet, type Task } from './move-stores.ts'
import { withRecordsOf } from './with-records.ts'

const usage = `footfall move --to FILE [--json]
footfall move --to FILE --pause [--json]
footfall move --resume [--json]

Copies this installation (the current settings) to the databases in FILE, which has one NAME=value per line:
CLICKHOUSE_URL, CLICKHOUSE_CLUSTER and DATABASE_URL for servers; otherwise the embedded database in its DATA_DIR.
Run it twice: first while the service runs, to copy most of the data; then with --pause, or with the service stopped, to copy
the rest and verify everything. Then start the service with FILE. See docs/move.md.
  --pause    the last step while the service runs: reports, short links and content stay available, and changes are refused
             from here on
  --resume   lets the running service accept changes again

Facts are copied week by week, records in one transaction; both are compared by counts and sums. It can be interrupted and run
again.`

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

/** The records first: what the facts name is then there, except what came meanwhile. */
async function carry({ from, to, hasFacts, hasRecords }: Task): Promise<Carried> {
  const source = await openStores(from)
  try {
    if (!(await isCurrent(source.records)))
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

interface Outcome extends Carried {
  readonly isFinal: boolean
  /** How long nothing was written, where the service went on. */
  readonly pausedSeconds: number | undefined
}

function linesOf({ facts, records, isFinal, pausedSeconds }: Outcome, file: string): string[] {
  return [
    ...(records
      ? [`Records: ${counted(records.rows, 'row')} in ${counted(records.tables, 'table')}, the same on both sides.`]
      : []),
    ...(facts
      ? [
          `Facts: ${counted(facts.rows, 'row')} in ${counted(facts.weeks, 'week')}, the same on both sides; ${counted(facts.carried, 'week')} had to be carried.`,
        ]
      : []),
    isFinal
      ? `Everything is there. ${pausedSeconds === undefined ? 'Start' : 'Restart'} the service with the settings of ${file}; the data here is unchanged.`
      : 'The service went on meanwhile: run this once more with --pause, and restart it with the settings of the file.',
    ...(pausedSeconds === undefined
      ? []
      : [
          `No changes have been accepted for ${pausedSeconds} s, and none are until then. To stay here after all: footfall move --resume`,
        ]),
  ]
}

async function resume(json: boolean): Promise<number> {
  const config = readConfig()
  const isEnded = await withRecordsOf(config, async (records) => {
    const pause = await findPause(records, placeOfFacts(config))
    return pause !== undefined && endPause(records, pause.id)
  })
  const line = isEnded ? 'Changes are accepted again within a second.' : 'Changes were not paused.'
  answer(json, { is_resumed: isEnded }, [line])
  return 0
}

const isCurrent = async (records: Records): Promise<boolean> => (await dueRecordMigrations(records)).length === 0

/** Here, or on another machine of the same servers: what it writes meanwhile would be missing. */
async function isServed(from: Config): Promise<boolean> {
  if (await findService(from)) return true
  if (from.databaseUrl === null) return false
  return withRecordsOf(from, async (records) => (await isCurrent(records)) && isWrittenTo(records))
}

/** @throws Error when a service that runs is being moved by another command, or has been moved already. */
async function waitForOther(from: Config): Promise<void> {
  const tell = (seconds: number): void =>
    void process.stderr.write(`Another move has paused changes. In case it was killed: waiting for ${seconds} s …\n`)
  await withRecordsOf(from, async (records) => {
    if (await isCurrent(records)) await waitForOtherMove(records, placeOfFacts(from), tell)
  })
}

async function carryAll(task: Task, isPausing: boolean): Promise<Outcome> {
  const { from } = task
  const isServing = await isServed(from)
  if (isPausing && !isServing)
    throw new Error('The service does not answer here, so nothing has to be paused: run it without --pause.')
  if (isServing) await waitForOther(from)
  carrySecret(from, task.to)
  if (isPausing) return { ...(await carryPaused(task)), isFinal: true }
  const carried = isServing && isEmbedded(from) ? await carryCopy(task) : await carry(task)
  return { ...carried, isFinal: !isServing, pausedSeconds: undefined }
}

/** Of an earlier move away from there: it is over once the service can be started there again. */
async function endOldPause({ to, hasRecords }: Task, { pausedSeconds }: Outcome): Promise<void> {
  // With facts alone the records are those of both sides, and the pause may be the one of this move.
  if (hasRecords || pausedSeconds === undefined) await withRecordsOf(to, (records) => endPause(records))
}

export async function move(args: string[]): Promise<number> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = readOptions(args, { to: { type: 'string' }, pause: flag, resume: flag })
  if (values.help) {
    write(usage)
    return 0
  }
  if (values.resume) return resume(values.json)
  const file = needed(values.to, '--to')
  const [from, to] = [readConfig(), readTarget(file)]
  const task: Task = { from, to, hasFacts: !isSameFacts(from, to), hasRecords: !isSameRecords(from, to) }
  if (!task.hasFacts && !task.hasRecords) throw new Error(`${file} names the same stores as the present settings.`)
  const startMs = performance.now()
  const outcome = await carryAll(task, values.pause)
  if (outcome.isFinal) await endOldPause(task, outcome)
  const seconds = Math.round(performance.now() - startMs) / 1000
  const { isFinal: is_final, pausedSeconds: paused_seconds, ...carried } = outcome
  answer(values.json, { ...carried, is_final, seconds, paused_seconds }, linesOf(outcome, file))
  return 0
}
