// Sums of money in the currency of a property, as SQL.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { Currency } from './currency.ts'

/** US cents, over rows with the day of the session. The statement also binds `ratesOf`. */
export const inCurrency = (cents: string, money: Currency | undefined): string =>
  money ? `(${cents}) * transform(day, {rate_days:Array(Date)}, {rates:Array(Float64)}, {last_rate:Float64})` : cents

interface Asked {
  readonly money?: Currency | undefined
  readonly span: Span
}

/** Facts of a session may come long after the span: there is a rate of every day since its beginning. */
export function ratesOf({ money, span }: Asked): Readonly<Record<string, unknown>> {
  if (!money) return {}
  // A session that carries on over midnight is of the day before.
  const first = dayOf(span.fromMs) - 1
  const last = Math.max(money.newestDay, first)
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return { rate_days: days.map(storedDay), rates: days.map(money.perCent), last_rate: money.perCent(last) }
}
