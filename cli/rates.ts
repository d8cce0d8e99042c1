// `footfall rates refresh`: exchange rates from the European Central Bank, or from a file in its format.
// Nothing is fetched unless this is run.
import { readFile } from 'node:fs/promises'
import { parseEcbRates } from '../server/rates/rates.ts'
import { saveRates } from '../server/rates/records.ts'
import { answer, readOptions, UsageError, write } from './command.ts'
import { withRecords } from './with-records.ts'

const DEFAULT_SOURCE = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
/** The bank's whole history since 1999 is 8 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

const usage = `footfall rates refresh [--source URL|FILE] [--json]

Imports exchange rates in the format of the European Central Bank (its daily file or its history). Running servers use them
within five minutes.
  --source   an http(s) URL or a file; default: ${DEFAULT_SOURCE}`

async function readSource(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  const reply = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!reply.ok) throw new Error(`${source} answered ${reply.status}`)
  const bytes = await reply.arrayBuffer()
  if (bytes.byteLength > MAX_BYTES) throw new Error(`${source} is larger than ${MAX_BYTES} bytes`)
  return new TextDecoder().decode(bytes)
}

/** @returns the exit code. */
export async function rates(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { source: { type: 'string', default: DEFAULT_SOURCE } })
  if (values.help) {
    write(usage)
    return 0
  }
  if (positionals.join(' ') !== 'refresh') throw new UsageError('the only action is refresh')
  const found = parseEcbRates(await readSource(values.source))
  if (found.length === 0) {
    throw new Error(`${values.source} holds no exchange rates in the format of the European Central Bank`)
  }
  await withRecords(({ records }) => saveRates(records, found))
  const days = [...new Set(found.map((rate) => rate.day))].sort((a, b) => (a < b ? -1 : 1))
  const saved = { rates: found.length, days: days.length, from: days[0], to: days.at(-1) }
  answer(values.json, saved, [`Saved ${saved.rates} rates, ${saved.from} to ${saved.to}.`])
  return 0
}
