// What comes from outside and ages, as `footfall doctor` checks it: places and networks, exchange rates.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { geoFolder } from '../server/config.ts'
import { DAY_MS } from '../server/kernel/days.ts'
import { newestRateDay } from '../server/rates/rates.ts'
import { dueRecordMigrations } from '../server/stores/migrations/records.ts'
import { withRecordsOf } from './with-records.ts'
import { ok, type Scene, type Verdict, warn } from './doctor-verdict.ts'

/** Networks change hands: after a year about one visitor in ten is somewhere else. */
const OLD_GEO_DAYS = 365
/** Most currencies move by some percent in a quarter. */
const OLD_RATES_DAYS = 90

const daysSince = (ms: number): number => Math.floor((Date.now() - ms) / DAY_MS)

export async function checkGeo({ config }: Scene): Promise<Verdict> {
  const { openEnrich, builtMs } = await import('../server/enrich/enrich.ts')
  const warnings: string[] = []
  const folder = geoFolder(config)
  const enrich = openEnrich({
    geoDir: folder,
    log: { warn: (_fields: object, text: string) => void warnings.push(text) },
  })
  await enrich.preload()
  const { country_code: country } = enrich.place('1.1.1.1')
  enrich.close()
  if (warnings.length > 0) return warn(warnings.join('; '))
  if (country === '') return warn('the geo files have no location for a public IP address')
  const built = builtMs(folder)
  if (built === undefined) return ok('city and network files are installed')
  const days = daysSince(built)
  const says = `city and network files are ${days} days old`
  return days > OLD_GEO_DAYS ? warn(`${says}: run footfall geo refresh`) : ok(says)
}

export async function checkRates({ config }: Scene): Promise<Verdict> {
  const isThere = config.databaseUrl !== null || existsSync(join(config.dataDir, 'records.sqlite'))
  const day = isThere ? await readNewest(config) : await newestRateDay()
  const days = daysSince(Date.parse(day))
  const says = `the newest exchange rates are from ${day}, ${days} days old`
  return days > OLD_RATES_DAYS ? warn(`${says}: run footfall rates refresh`) : ok(says)
}

async function readNewest(config: Scene['config']): Promise<string> {
  return withRecordsOf(config, async (records) => {
    // A database that nothing has been put into has no such table yet.
    const isReady = (await dueRecordMigrations(records)).every((name) => !name.startsWith('001_'))
    return newestRateDay(isReady ? records : undefined)
  })
}
