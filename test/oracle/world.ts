// What enrichment makes of addresses, agents, languages and sources is no figure: the test learns it from the service,
// one probe each, and hands it to the oracle as this table. The same goes for currency rates.

export interface Place {
  readonly country: string
  readonly country_code: string
  readonly region: string
  readonly city: string
  readonly timezone: string
}

export interface Agent {
  readonly browser: string
  readonly os: string
  readonly device: string
}

export interface Origin {
  readonly source: string
  readonly channel: string
  readonly referrer_domain: string
}

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
  /** By name. */
  readonly links: ReadonlyMap<string, Link>
  /** By client address. */
  readonly places: ReadonlyMap<string, Place>
  /** By agent header; bots are not here. */
  readonly agents: ReadonlyMap<string, Agent>
  /** By language header. */
  readonly languages: ReadonlyMap<string, string>
  /** By the landing's name. */
  readonly origins: ReadonlyMap<string, Origin>
  /** US cents for one minor unit of the currency on a day (days since 1970). */
  readonly rate: (currency: string, day: number) => number
}

export function known<Value>(table: ReadonlyMap<string, Value>, key: string): Value {
  const value = table.get(key)
  if (value === undefined) throw new Error(`the probes did not teach us ${JSON.stringify(key)}`)
  return value
}
