// The list of all sites: a hundred properties with a million sessions in all, nothing cached.
import { settingsFor } from './homes.ts'
import { askScript } from './processes.ts'
import type { Row } from './table.ts'

/** @param dataDir an empty folder. @returns a row for each period. */
export async function measureSites(dataDir: string): Promise<Row[]> {
  const measured = await askScript<Record<string, number>>('bench/sites-store.ts', [], settingsFor(dataDir))
  return Object.entries(measured).map(([period, p50Ms]) => ({ name: `all sites, ${period}`, p50Ms }))
}
