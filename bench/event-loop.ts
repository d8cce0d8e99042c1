// The event loop of a service beside long work in its records, on SQLite, which is in the same process.
import { settingsFor } from './homes.ts'
import { askScript } from './processes.ts'
import type { Row } from './table.ts'

/** @param dataDir an empty folder. */
export async function measureEventLoop(dataDir: string, contacts: number): Promise<Row[]> {
  const env = settingsFor(dataDir)
  await askScript('bench/contacts-fill.ts', [`${contacts}`], env)
  return askScript<Row[]>('bench/event-loop-run.ts', [], env)
}
