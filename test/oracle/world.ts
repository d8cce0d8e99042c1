// What enrichment makes of addresses, agents, languages and sources is no figure: the test learns it from the
// service, one probe each, and hands it to the oracle as this table. The same goes for currency rates.

import type { Conversion } from './conversions.ts'

/** By id of the dimension (dimensions.ts). */
type Texts = Readonly<Record<string, string>>

export interface Link {
  readonly id: string
  readonly group: string
  /** Where it is visited. */
  readonly path: string
}

export interface Form {
  readonly id: string
  readonly key: string
}

export interface World {
  /** By name. */
  readonly forms: ReadonlyMap<string, Form>
  /** By id. */
  readonly conversions: ReadonlyMap<string, Conversion>
  /** Ids of contacts by the external id that the owner's server names. */
  readonly contacts: ReadonlyMap<string, string>
  /** By name. */
  readonly links: ReadonlyMap<string, Link>
  /** By client address; with the country code. */
  readonly places: ReadonlyMap<string, Texts>
  /** By agent header; bots are not here. */
  readonly agents: ReadonlyMap<string, Texts>
  /** By language header. */
  readonly languages: ReadonlyMap<string, Texts>
  /** By the landing's name. */
  readonly origins: ReadonlyMap<string, Texts>
  /** US cents for one minor unit of the currency on a day (days since 1970). */
  readonly rate: (currency: string, day: number) => number
}

export function known<Value>(table: ReadonlyMap<string, Value>, key: string): Value {
  const value = table.get(key)
  if (value === undefined) throw new Error(`the probes did not teach us ${JSON.stringify(key)}`)
  return value
}
