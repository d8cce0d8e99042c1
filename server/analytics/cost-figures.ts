// What came of what was spent. docs/definitions.md, "Cost", is the law of this file.

/** What one conversion cost, in minor units; null of none, and where the cost is not known. */
export const perConversion = (cost: number | null, conversions: number): number | null =>
  cost === null || conversions === 0 ? null : Math.floor(Math.round((cost / conversions) * 1e6) / 1e6 + 0.5)

/** How many times its cost it brought in, two decimals; null where nothing was spent. */
export const returnOf = (brought: number, cost: number | null): number | null =>
  cost === null || cost === 0 ? null : Math.floor(Math.round((brought / cost) * 1e9) / 1e7 + 0.5) / 100
