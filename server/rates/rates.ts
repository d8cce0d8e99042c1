// Exchange rates by day: the records' own rows beside the seed. The rate of a day is the latest one known up
// to that day, so that a figure of the past never changes by what a later day brings.
import type { Deps } from '../kernel/deps.ts'
import { dayFromText, dayOf } from '../kernel/days.ts'
import { currencyCodes, type Rated } from '../kernel/money.ts'
import { type DatedRate, seedRates } from './rates-seed.ts'
import { listRates } from './records.ts'

export { type Currency, currencyOf, toldIn } from './currency.ts'
export { inCurrency, ratesOf } from './money-sql.ts'

/** Rates as they stand now; look-ups are synchronous. */
export interface RateTable {
  /**
   * The rate of the day of `timeMs`; the earliest one known for a day before it. Undefined for a currency
   * without any.
   */
  at(currency: string, timeMs: number): Rated | undefined
  /** How many days have a rate of the currency, and the newest of them, in days since 1970. */
  known(currency: string): { readonly count: number; readonly newestDay: number }
}

export interface Rates {
  /** The table, read again when it is older than RELOAD_MS. */
  table(): Promise<RateTable>
}

/** Five minutes: rates change once a day, and a refresh by command should be seen without a restart. */
const RELOAD_MS = 300_000

interface Row {
  readonly day: number
  readonly rated: Rated
}

/** Rows later in the list win over earlier ones of the same day and currency. */
export function rateTable(rates: readonly DatedRate[]): RateTable {
  const unique = new Map(rates.map((rate) => [`${rate.currency} ${rate.day}`, rate]))
  const byCurrency = new Map<string, Row[]>()
  for (const { currency, day, perUsd } of unique.values()) {
    const rows = byCurrency.get(currency) ?? []
    rows.push({ day: dayFromText(day), rated: { currency, perUsd } })
    byCurrency.set(currency, rows)
  }
  for (const rows of byCurrency.values()) rows.sort((a, b) => a.day - b.day)
  return {
    at(currency, timeMs) {
      const rows = byCurrency.get(currency)
      const day = dayOf(timeMs)
      return (rows?.findLast((row) => row.day <= day) ?? rows?.[0])?.rated
    },
    known(currency) {
      const rows = byCurrency.get(currency) ?? []
      return { count: rows.length, newestDay: rows.at(-1)?.day ?? 0 }
    },
  }
}

export function openRates({ records, now }: Pick<Deps, 'records' | 'now'>): Rates {
  let loaded: { readonly at: number; readonly table: Promise<RateTable> } | undefined
  const load = async (): Promise<RateTable> => rateTable([...seedRates, ...(await listRates(records))])
  return {
    table() {
      const at = now()
      if (!loaded || Math.abs(at - loaded.at) > RELOAD_MS) {
        const table = load()
        const entry = { at, table }
        loaded = entry
        // A failed load is not kept: the next caller asks again.
        table.catch(() => {
          if (loaded === entry) loaded = undefined
        })
      }
      return loaded.table
    },
  }
}

const known = new Set(currencyCodes)

/** Beyond these a figure is a mistake in the file, not a rate. */
const MIN_PER_USD = 1e-6
const MAX_PER_USD = 1e9

/**
 * Rates of the European Central Bank's XML (daily or history: one Cube per day, each rate for one euro),
 * turned into units for one dollar. Days without a dollar rate and codes that ISO 4217 does not list are left
 * out.
 */
export function parseEcbRates(xml: string): DatedRate[] {
  const rates: DatedRate[] = []
  for (const [, day = '', cubes = ''] of xml.matchAll(
    /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']\s*>([\s\S]*?)<\/Cube>/g,
  )) {
    const perEuro = new Map<string, number>([['EUR', 1]])
    for (const [, currency = '', rate = ''] of cubes.matchAll(/currency=["']([A-Z]{3})["']\s+rate=["']([\d.]+)["']/g)) {
      perEuro.set(currency, Number(rate))
    }
    const usd = perEuro.get('USD')
    if (!usd || Number.isNaN(Date.parse(day))) continue
    for (const [currency, rate] of perEuro) {
      const perUsd = rate / usd
      if (known.has(currency) && perUsd >= MIN_PER_USD && perUsd <= MAX_PER_USD) rates.push({ day, currency, perUsd })
    }
  }
  return rates
}

/** YYYY-MM-DD. @param records of refreshed rates; without them the newest that came with the program. */
export async function newestRateDay(records?: Deps['records']): Promise<string> {
  const [newest] = records ? await listRates(records) : []
  const seed = seedRates
    .map(({ day }) => day)
    .toSorted()
    .at(-1)!
  return newest && newest.day > seed ? newest.day : seed
}
