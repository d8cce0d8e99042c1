// The endpoints of backups (/manage/backup, /manage/backups): for owners of the installation, since a backup
// holds everything.
import { owner } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { askForBackup, backupSetup, getRun, listBackups, listRunsOf, runJson, workOnBackups } from './backups.ts'
import * as schema from './schema.ts'

export const backupEndpoints = chapter('Management', [
  post(
    '/manage/backup',
    owner,
    {
      summary: 'Start a backup',
      answer: schema.runFields,
      says: 'The run, which goes on in the background. Whatever was acknowledged before the call will be in it.',
    },
    async ({ context }) => {
      const run = await askForBackup(context)
      workOnBackups(context).catch((error: unknown) => context.log.error({ err: error }, 'backups were not looked at'))
      return { run: runJson(run) }
    },
  ),
  get(
    '/manage/backup',
    owner,
    { summary: 'Get the backup setup', answer: schema.setupFields, says: 'Where to, when, and what is in them.' },
    async ({ context }) => ({ setup: backupSetup(context) }),
  ),
  get(
    '/manage/backups',
    owner,
    { summary: 'List the backups', answer: schema.listFields, says: 'What can be restored, and what was asked for.' },
    async ({ context }) => ({ backups: await listBackups(context), runs: await listRunsOf(context) }),
  ),
  get(
    '/manage/backups/:run',
    owner,
    { summary: 'Get the progress of a backup', answer: schema.runFields, says: 'The run.' },
    async ({ context, params }) => ({ run: runJson(await getRun(context, params.run)) }),
  ),
])
