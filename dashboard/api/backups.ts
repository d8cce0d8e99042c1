// Backups of the installation: how they are set up, which there are, and one now.
import { get, post } from '../api.ts'
import type {
  BackupJson as Backup,
  BackupRunJson as BackupRun,
  BackupSetupJson as BackupSetup,
} from '../../server/backups/schema.ts'

export type { Backup, BackupRun, BackupSetup }

export interface Backups {
  readonly backups: readonly Backup[]
  readonly runs: readonly BackupRun[]
}

export const getBackupSetup = async (signal?: AbortSignal): Promise<BackupSetup> =>
  (await get<{ setup: BackupSetup }>('/manage/backup', { signal })).setup
export const listBackups = (signal?: AbortSignal): Promise<Backups> => get('/manage/backups', { signal })
export const takeBackup = (): Promise<unknown> => post('/manage/backup', {})
