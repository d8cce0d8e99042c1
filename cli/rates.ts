// `footfall rates refresh`: exchange rates from the European Central Bank, or from a file in its format. Nothing is fetched unless this is run.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { parseEcbRates } from '../server/sessions/rates.ts'
import { saveRates } from '../server/sessions/records.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords, withMigrationLock } from '../server/stores/records.ts'

const DEFAULT_SOURCE = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
/** The bank's whole history since 1999 is 8 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

const usage = `footfall rates refresh [--source URL|FILE] [--json]

Reads exchange rates in the format of the European Central Bank (its daily file, or its history) into the records.
  --source   an http(s) URL or a file; ${DEFAULT_SOURCE}
`

async function readSource(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  const answer = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}`)
  const bytes = await answer.arrayBuffer()
  if (bytes.byteLength > MAX_BYTES) throw new Error(`${source} is larger than ${MAX_BYTES} bytes`)
  return new TextDecoder().decode(bytes)
}

/** @returns the exit code. */
export async function rates(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      source: { type: 'string', default: DEFAULT_SOURCE },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.join(' ') !== 'refresh') {
    ;(values.help ? process.stdout : process.stderr).write(usage)
    return values.help ? 0 : 2
  }
  const found = parseEcbRates(await readSource(values.source))
  if (found.length === 0)
    throw new Error(`${values.source} holds no exchange rates in the format of the European Central Bank`)
  const records = await openRecords(readConfig())
  try {
    await withMigrationLock(records, () => migrateRecords(records))
    await saveRates(records, found)
  } finally {
    await records.destroy()
  }
  const days = [...new Set(found.map((rate) => rate.day))].sort()
  const saved = { rates: found.length, days: days.length, from: days[0], to: days.at(-1) }
  process.stdout.write(
    values.json
      ? `${JSON.stringify(saved)}\n`
      : `Saved ${saved.rates} rates of ${saved.days} days, ${saved.from} to ${saved.to}.\n`,
  )
  return 0
}
