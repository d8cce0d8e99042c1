// Money as whole minor units, with each currency's own number of decimals. The table is a frozen copy of ISO
// 4217's: `Intl` follows prices in shops and differs for 29 codes.

/** Codes by the number of decimals of their minor unit (ISO 4217, list one). */
const codesByExponent: readonly (readonly [exponent: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  [
    2,
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU ' +
      'CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR ' +
      'KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK ' +
      'PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD ' +
      'USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
]

const exponents: ReadonlyMap<string, number> = new Map(
  codesByExponent.flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, exponent] as const)),
)

export const DEFAULT_CURRENCY = 'USD'

/**
 * The most that one event may have, in minor units of its currency and in US cents. A larger amount is a
 * mistake or an attack, and nine million of these fit the 64-bit sums of the store.
 */
export const MAX_MINOR = 1e12

/** Every active code, upper case. */
export const currencyCodes: readonly string[] = [...exponents.keys()].sort()

/** Decimals of the currency's minor unit; undefined for a code that ISO 4217 does not have. */
export function currencyExponent(currency: string): number | undefined {
  return exponents.get(currency)
}

/** Halves are rounded away from zero: 0.5 is 1, -0.5 is -1. */
export function roundHalfAway(value: number): number {
  const rounded = Math.floor(Math.abs(value) + 0.5)
  return value < 0 ? -rounded : rounded
}

/** A currency and how many of its units one US dollar bought. */
export interface Rated {
  readonly currency: string
  readonly perUsd: number
}

/**
 * Converts whole minor units, rounded half away from zero. Both codes are known; an unknown one counts as
 * having two decimals.
 */
export function convertMinor(amount: number, from: Rated, to: Rated): number {
  if (from.currency === to.currency) return amount
  const shift = (exponents.get(to.currency) ?? 2) - (exponents.get(from.currency) ?? 2)
  // Divides by a power of ten instead of multiplying by its inverse: 0.1 is not exact as a double, 10 is.
  const scaled = shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift
  return roundHalfAway((scaled * to.perUsd) / from.perUsd)
}

/** Minor units of the currency for one US cent, not rounded. */
export const convertedTo = ({ currency, perUsd }: Rated): number => perUsd * 10 ** ((exponents.get(currency) ?? 2) - 2)

/** Whole USD cents. */
export function toUsdCents(amount: number, from: Rated): number {
  return convertMinor(amount, from, { currency: DEFAULT_CURRENCY, perUsd: 1 })
}

/** A sum of amounts, capped at the largest integer that a double represents exactly. */
export function safeSum(amounts: readonly number[]): number {
  return Math.min(
    amounts.reduce((sum, amount) => sum + amount, 0),
    Number.MAX_SAFE_INTEGER,
  )
}
