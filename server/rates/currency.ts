// The currency in which a property is told its money: US cents as they are stored, each at the rate of the
// day of its session (docs/definitions.md, "Currency"). `/v2` tells US cents.
import { DAY_MS } from '../kernel/days.ts'
import { convertedTo, DEFAULT_CURRENCY } from '../kernel/money.ts'
import type { Rates } from './rates.ts'

export interface Currency {
  readonly code: string
  /** Another one when rates of it have come: its answers are others then. */
  readonly mark: string
  /** In days since 1970, as below: from then on the rate stays. */
  readonly newestDay: number
  /** Minor units of it for one US cent. */
  readonly perCent: (day: number) => number
}

/**
 * Undefined for US dollars, and for a currency of which no rate is known: nothing is converted then.
 * @param chosen by the owner of a property; null when none was.
 */
export async function currencyOf(
  { rates }: { readonly rates: Rates },
  { currency: chosen }: { readonly currency: string | null },
): Promise<Currency | undefined> {
  if (chosen === null || chosen === DEFAULT_CURRENCY) return undefined
  const table = await rates.table()
  const { count, newestDay } = table.known(chosen)
  if (count === 0) return undefined
  const perCent = (day: number) => convertedTo(table.at(chosen, day * DAY_MS)!)
  return { code: chosen, mark: `${chosen} ${count} ${newestDay}`, newestDay, perCent }
}

/** Of an answer. */
export const toldIn = (money: Currency | undefined): string => money?.code ?? DEFAULT_CURRENCY
