// The backups as `footfall doctor` checks them: is there one, is it recent, and can it be restored?
import { DAY_MS } from '../server/kernel/days.ts'
import { fullTarget, openRepository } from '../server/backups/backups.ts'
import { intervalMs } from '../server/backups/schedule.ts'
import { storesHere } from '../server/backups/take.ts'
import { checkBackup, isWhole } from '../server/backups/verify.ts'
import { ok, type Scene, type Verdict, warn, wrong } from './doctor-verdict.ts'

/** Without a schedule, one that is older is forgotten rather than wanted. */
const OLD_MS = 7 * DAY_MS
/** Of a schedule, one may be late: it is being taken, or the machine was off. */
const LATE = 2
/** Reading a gigabyte takes seconds; `footfall backup check` reads all. */
const MOST_READ_BYTES = 1024 ** 3

const HOUR_MS = 3_600_000

function ageWords(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  return hours < 48 ? `${hours} hours old` : `${Math.floor(hours / 24)} days old`
}

/** Reads the newest backup, as far as that is quick; the rest of it has to be there. */
export async function checkBackups({ config }: Scene): Promise<Verdict> {
  const { facts, records } = storesHere(config)
  if (!facts && !records) return ok('both stores are on servers: their own tools take them')
  if (config.backupTo === null)
    return config.backupSchedule === null
      ? ok('BACKUP_TO is not set: none are taken by the service')
      : wrong('BACKUP_SCHEDULE is set, and BACKUP_TO is not')
  return newestVerdict(await openRepository(config, fullTarget(config.backupTo)), config.backupSchedule)
}

type Repository = Awaited<ReturnType<typeof openRepository>>

async function newestVerdict(repository: Repository, schedule: Scene['config']['backupSchedule']): Promise<Verdict> {
  const [newest] = await repository.listBackups()
  if (!newest) return warn(`there is none in ${repository.place}`)
  const found = await checkBackup(repository, newest.id, MOST_READ_BYTES)
  const age = Date.now() - newest.created_ms
  const says = `${newest.id} in ${repository.place}, ${ageWords(age)}`
  if (!isWhole(found))
    return wrong(
      `${says}, cannot be restored: ${found.missing.length} pieces are missing, ${found.damaged.length} damaged`,
    )
  const read =
    found.read === found.pieces ? 'all of it was read' : `${found.read} of its ${found.pieces} pieces were read`
  const oldMs = schedule === null ? OLD_MS : LATE * intervalMs(schedule)
  return age > oldMs ? warn(`${says}: that is old; ${read}`) : ok(`${says}; ${read}`)
}
