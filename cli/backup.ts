// `footfall backup`: everything that lies on this machine into a folder or S3-compatible storage, while the
// service runs or not; which backups there are; whether they can be restored.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { fullTarget, NOTHING_TO_COPY, openRepository, ownerOf, passphraseOf } from '../server/backups/backups.ts'
import type { Stores } from '../server/backups/manifest.ts'
import { findRun, insertRun, withdrawRun } from '../server/backups/records.ts'
import { newRun } from '../server/backups/run.ts'
import { storesHere, takeBackup, type Watch } from '../server/backups/take.ts'
import { checkBackup, isWhole } from '../server/backups/verify.ts'
import { type Config, factsSettings, readConfig } from '../server/config.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { newId } from '../server/kernel/secrets.ts'
import { openSecret } from '../server/secret.ts'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import { dueRecordMigrations } from '../server/stores/migrations/records.ts'
import type { Records } from '../server/stores/records.ts'
import { withRecordsOf } from './with-records.ts'
import { answer, columns, counted, readOptions, UsageError, write } from './command.ts'
import { openByteMeter } from './meter.ts'

const usage = `footfall backup [TARGET] [--json]
footfall backup list [TARGET] [--json]
footfall backup check [TARGET] [--backup ID] [--json]

Copies both databases and the secret of DATA_DIR to TARGET, a folder or s3://BUCKET/PREFIX (default: BACKUP_TO). If a service
is running on this DATA_DIR, it keeps running and takes the backup itself. Backups are incremental, and each can be restored on
its own. The newest BACKUP_KEEP are kept.
  list    lists the backups you can restore
  check   reads a whole backup (default: the newest) and verifies its checksums

A backup contains everything, including contacts and the secret: protect it like DATA_DIR, or set BACKUP_PASSPHRASE. Back up
database servers (DATABASE_URL, CLICKHOUSE_URL) with their own tools. Exit code 3: both are servers, so there was nothing to copy.`

const quiet = pino({ level: 'silent' })

/** For scripts: not a failure, and no backup either. */
const NOTHING = 3
/** The service looks every second; somebody who has not begun by then is not there. */
const ANSWER_MS = 3_000
const POLL_MS = 100

export const elsewhere = ({ facts, records }: Stores): string[] => [
  ...(facts ? [] : ['The facts are on the server of CLICKHOUSE_URL, which has tools of its own for this.']),
  ...(records ? [] : ['The records are on the server of DATABASE_URL, which has tools of its own for this.']),
]

/** @throws UsageError when neither says where. */
export function targetOf(config: Config, [given, ...more]: readonly string[]): string {
  const target = given ?? config.backupTo
  if (target === null || more.length > 0) throw new UsageError('one TARGET is needed, where BACKUP_TO is not set')
  return fullTarget(target)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

interface Done {
  readonly id: string
  readonly newBytes: number
}

// ---------------------------------------------------------------- by the service

/** @returns undefined when no service runs on these records. */
async function askService(config: Config, records: Records, target: string): Promise<Done | undefined> {
  const isEncrypted = passphraseOf(config) !== null
  const id = newId({ randomBytes }, 'bk')
  await insertRun(records, newRun({ id, target, isEncrypted, nowMs: Date.now() }))
  const meter = openByteMeter()
  try {
    for (const end = Date.now() + ANSWER_MS; ; await sleep(POLL_MS)) {
      const run = await findRun(records, id)
      if (!run || run.state === 'failed') throw new Error(run?.note ?? 'The backup was canceled.')
      if (run.state === 'done') return { id: run.backup_id ?? '', newBytes: run.new_bytes }
      meter.show(run.done_bytes, run.all_bytes)
      if (run.state === 'asked' && Date.now() > end && (await withdrawRun(records, id))) return undefined
    }
  } finally {
    meter.stop()
  }
}

// ---------------------------------------------------------------- by this process

/** While it is open, no service can have the store open. */
async function withOwnFacts<Result>(config: Config, work: (facts: Facts | null) => Promise<Result>): Promise<Result> {
  if (!storesHere(config).facts) return work(null)
  const facts = await openFacts({ ...factsSettings(config), log: quiet })
  try {
    return await work(facts)
  } finally {
    await facts.close()
  }
}

async function takeHere(config: Config, records: Records, target: string): Promise<Done> {
  const repository = await openRepository(config, target, ownerOf(openKeys(openSecret(config, randomBytes))))
  const meter = openByteMeter()
  const watch: Watch = { onProgress: async (done, all) => meter.show(done, all) }
  try {
    // Stores as they are: a backup before an upgrade is one of the version before.
    return await withOwnFacts(config, async (facts) => {
      const { summary } = await takeBackup({ config, records, facts, now: Date.now }, repository, watch)
      return { id: summary.id, newBytes: summary.new_bytes }
    })
  } finally {
    meter.stop()
  }
}

export async function take(config: Config, target: string): Promise<Done> {
  return withRecordsOf(config, async (records) => {
    // An older version, or one that is stopped, cannot be asked.
    const canBeAsked = (await dueRecordMigrations(records)).length === 0
    const done = canBeAsked ? await askService(config, records, target) : undefined
    return done ?? (await takeHere(config, records, target))
  })
}

async function takeInto(config: Config, target: string, json: boolean): Promise<number> {
  const here = storesHere(config)
  if (!here.facts && !here.records) {
    answer(json, { target, backup: null, ...here }, [NOTHING_TO_COPY])
    return NOTHING
  }
  if (!existsSync(config.dataDir)) throw new Error(`There is nothing in ${config.dataDir}.`)
  const { id, newBytes } = await take(config, target)
  const lines = [`Backup ${id} is in ${target}; ${megabytes(newBytes)} were added.`, ...elsewhere(here)]
  answer(json, { target, backup: id, new_bytes: newBytes, ...here }, lines)
  return 0
}

// ---------------------------------------------------------------- what is there

async function list(config: Config, target: string, json: boolean): Promise<number> {
  const backups = await (await openRepository(config, target)).listBackups()
  const rows = backups.map(({ id, created_ms, bytes, new_bytes, version }) => [
    id,
    new Date(created_ms).toISOString(),
    megabytes(bytes),
    `${megabytes(new_bytes)} added`,
    `by ${version}`,
  ])
  answer(json, { target, backups }, rows.length === 0 ? ['There is none.'] : columns(rows))
  return 0
}

async function check(
  config: Config,
  target: string,
  options: { json: boolean; backup: string | undefined },
): Promise<number> {
  const repository = await openRepository(config, target)
  const id = options.backup ?? (await repository.listIds())[0]
  if (id === undefined) throw new Error(`There are no backups in ${target}.`)
  const found = await checkBackup(repository, id, Number.POSITIVE_INFINITY)
  const bad = [
    ...found.missing.map((piece) => `missing: ${piece}`),
    ...found.damaged.map((piece) => `damaged: ${piece}`),
  ]
  const verdict = isWhole(found) ? 'can be restored' : 'cannot be restored'
  answer(options.json, { target, ...found }, [
    `Backup ${id} ${verdict}: ${counted(found.pieces, 'piece')} read.`,
    ...bad,
  ])
  return isWhole(found) ? 0 : 1
}

export async function backup(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { backup: { type: 'string' } })
  if (values.help) {
    write(usage)
    return 0
  }
  const config = readConfig()
  const [first, ...rest] = positionals
  const { json } = values
  if (first === 'list') return list(config, targetOf(config, rest), json)
  if (first === 'check') return check(config, targetOf(config, rest), { json, backup: values.backup })
  return takeInto(config, targetOf(config, positionals), json)
}
