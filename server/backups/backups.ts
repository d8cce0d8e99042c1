// Backups of this installation: asked for, taken one at a time by one process, listed. The rules; how one is
// taken and restored stands in take.ts and restore.ts.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, SettingError } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Keys } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import type { BackupRunRow } from '../stores/tables.ts'
import { newRun } from './run.ts'
import {
  claimRun,
  endBrokenRuns,
  endRun,
  findAsked,
  findRun,
  hasOpenRuns,
  hasSlot,
  insertRun,
  lastRuns,
  listRuns,
  noteBeat,
  noteProgress,
} from './records.ts'
import { Repository } from './repository.ts'
import { lastDueMs, nextDueMs } from './schedule.ts'
import type { BackupJson, BackupRunJson, BackupSetupJson } from './schema.ts'
import { openStorage } from '../storage/storage.ts'
import { storesHere, takeBackup } from './take.ts'

/** A sign of life so often; without one for long a run has broken off. */
const BEAT_MS = 5_000
const BROKEN_MS = 60_000
const SHOWN_RUNS = 50

type BackupDeps = Pick<Deps, 'config' | 'records' | 'facts' | 'keys' | 'log' | 'now' | 'randomBytes'>

export const ownerOf = (keys: Keys): string => keys('backup').export().toString('hex')

/** @throws SettingError when the file cannot be read. */
export function passphraseOf({
  backupPassphrase,
  backupKeyFile,
}: Pick<Config, 'backupPassphrase' | 'backupKeyFile'>): string | null {
  if (backupKeyFile === null) return backupPassphrase
  if (backupPassphrase !== null)
    throw new SettingError('BACKUP_KEY_FILE', 'and BACKUP_PASSPHRASE are both set: one is enough')
  try {
    const text = readFileSync(backupKeyFile, 'utf8').trim()
    if (text !== '') return text
  } catch {
    // told below
  }
  throw new SettingError('BACKUP_KEY_FILE', `cannot be read, or is empty: ${backupKeyFile}`)
}

/** @param target as it is written; folders are found from where the process was started. */
export const fullTarget = (target: string): string => (target.startsWith('s3://') ? target : resolve(target))

const storageSettings = ({ backupS3Url, backupS3Region, backupS3KeyId, backupS3Secret }: Config) => ({
  url: backupS3Url,
  region: backupS3Region,
  keyId: backupS3KeyId,
  secret: backupS3Secret,
  credentials: 'BACKUP_S3_KEY_ID and BACKUP_S3_SECRET',
})

/** With the owner's key it may be written to. */
export const openRepository = (config: Config, target: string, owner?: string): Promise<Repository> =>
  Repository.open(openStorage(target, storageSettings(config)), {
    passphrase: passphraseOf(config),
    ...(owner !== undefined && { owner }),
  })

export const NOTHING_TO_COPY =
  'There is nothing to back up: both databases run on servers (CLICKHOUSE_URL, DATABASE_URL). Use their own tools.'

/** @throws Problem('conflict') when both stores are on servers. */
function assertSomethingHere(config: Config): void {
  const { facts, records } = storesHere(config)
  if (!facts && !records) throw new Problem('conflict', NOTHING_TO_COPY)
}

function targetOf({ backupTo }: Config): string {
  if (backupTo === null) throw new Problem('conflict', 'BACKUP_TO is not set.')
  return fullTarget(backupTo)
}

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000))

export const runJson = (run: BackupRunRow): BackupRunJson => ({
  id: run.id,
  state: run.state,
  target: run.target,
  is_scheduled: run.slot !== null,
  progress:
    run.state === 'done' ? 1 : run.all_bytes === 0 ? 0 : Math.floor((run.done_bytes / run.all_bytes) * 1000) / 1000,
  new_bytes: run.new_bytes,
  backup_id: run.backup_id,
  error: run.state === 'failed' ? run.note : null,
  asked_ts: Math.floor(run.asked_ms / 1000),
  finished_ts: seconds(run.ended_ms),
})

/** What the settings say of backups. @throws SettingError as passphraseOf. */
export function backupSetup({ config, now }: Pick<Deps, 'config' | 'now'>): BackupSetupJson {
  const { backupTo, backupSchedule: schedule, backupKeep } = config
  return {
    target: backupTo === null ? null : fullTarget(backupTo),
    schedule,
    next_ts: schedule && seconds(nextDueMs(schedule, now())),
    keep: backupKeep,
    is_encrypted: passphraseOf(config) !== null,
    ...storesHere(config),
  }
}

/** Asks for one; whoever has asked already and was not begun has all of it, too. */
export async function askForBackup(deps: BackupDeps): Promise<BackupRunRow> {
  const { config, records, now } = deps
  assertSomethingHere(config)
  const target = targetOf(config)
  const waiting = await findAsked(records, target)
  if (waiting) return waiting
  const run = newRun({ id: newId(deps, 'bk'), target, isEncrypted: passphraseOf(config) !== null, nowMs: now() })
  await insertRun(records, run)
  return run
}

/** Anything else cannot exist, and may hold what a database does not take. */
const idShape = /^bk_[0-9A-Za-z]{16,64}$/

export async function getRun({ records }: Pick<Deps, 'records'>, id: string): Promise<BackupRunRow> {
  const run = idShape.test(id) ? await findRun(records, id) : undefined
  if (!run) throw new Problem('not_found', 'There is no such backup.')
  return run
}

/** What can be restored, newest first. @throws Problem('unavailable') when the place cannot be read. */
export async function listBackups({ config }: Pick<Deps, 'config'>): Promise<BackupJson[]> {
  if (config.backupTo === null) return []
  try {
    const summaries = await (await openRepository(config, targetOf(config))).listBackups()
    return summaries.map(({ created_ms, took_ms, ...rest }) => ({
      ...rest,
      created_ts: Math.floor(created_ms / 1000),
      took_seconds: Math.ceil(took_ms / 1000),
    }))
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('There are no backups')) return []
    throw new Problem('unavailable', 'The backup location cannot be read.', { cause: error })
  }
}

export const listRunsOf = async ({ records }: Pick<Deps, 'records'>): Promise<BackupRunJson[]> =>
  (await listRuns(records, SHOWN_RUNS)).map(runJson)

/** For /metrics: when the newest whole one and the newest failed one ended, in seconds. */
export async function backupTimes({
  records,
}: Pick<Deps, 'records'>): Promise<{ done: number | null; failed: number | null }> {
  const { doneMs, failedMs } = await lastRuns(records)
  return { done: seconds(doneMs), failed: seconds(failedMs) }
}

async function askForDue({ config, records, now, randomBytes }: BackupDeps): Promise<void> {
  if (config.backupSchedule === null || config.backupTo === null) return
  const { facts, records: recordsHere } = storesHere(config)
  if (!facts && !recordsHere) return
  const slot = lastDueMs(config.backupSchedule, now())
  if (await hasSlot(records, slot)) return
  const made = newRun({
    id: newId({ randomBytes }, 'bk'),
    target: targetOf(config),
    isEncrypted: passphraseOf(config) !== null,
    nowMs: now(),
  })
  await insertRun(records, { ...made, slot })
}

/** @throws Error in words for the owner. */
async function takeRun(deps: BackupDeps, run: BackupRunRow): Promise<{ id: string; newBytes: number }> {
  const { config, records, keys, now } = deps
  if ((passphraseOf(config) !== null) !== (run.is_encrypted !== 0))
    throw new Error('Whoever asked for it and the service do not agree about BACKUP_PASSPHRASE.')
  const repository = await openRepository(config, run.target, ownerOf(keys))
  let beatMs = Number.NEGATIVE_INFINITY
  const onProgress = async (done: number, all: number): Promise<void> => {
    if (performance.now() - beatMs < BEAT_MS) return
    beatMs = performance.now()
    await noteProgress(records, run.id, { beat_ms: now(), done_bytes: done, all_bytes: all })
  }
  const { summary } = await takeBackup(deps, repository, { onProgress })
  return { id: summary.id, newBytes: summary.new_bytes }
}

async function finishRun(deps: BackupDeps, run: BackupRunRow): Promise<void> {
  const { records, log, now } = deps
  // Also while one piece is long under way.
  const beat = setInterval(() => void noteBeat(records, run.id, now()).catch(() => undefined), BEAT_MS).unref()
  try {
    const { id, newBytes } = await takeRun(deps, run)
    await endRun(records, run.id, { state: 'done', ended_ms: now(), backup_id: id, new_bytes: newBytes, note: '' })
    log.info({ backup: id, bytes: newBytes }, 'a backup was taken')
  } catch (error) {
    log.error({ err: error, target: run.target }, 'a backup failed')
    const note = error instanceof Error ? error.message : 'unknown'
    await endRun(records, run.id, { state: 'failed', ended_ms: now(), backup_id: null, new_bytes: 0, note })
  } finally {
    clearInterval(beat)
  }
}

/**
 * Takes what was asked for and what is due. To be called again and again, by every process.
 * @returns how many were taken.
 */
export async function workOnBackups(deps: BackupDeps): Promise<number> {
  const { records, now } = deps
  await askForDue(deps)
  for (let taken = 0; ; taken++) {
    if (!(await hasOpenRuns(records))) return taken
    await endBrokenRuns(records, now() - BROKEN_MS, now())
    const run = await claimRun(records, now())
    if (!run) return taken
    await finishRun(deps, run)
  }
}
