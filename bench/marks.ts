// The cost of being able to mark sessions as invalid: queries of a property without marks, beside the same
// ones with marks looked up.
import { settingsFor } from './homes.ts'
import { askScript } from './processes.ts'
import type { Row } from './table.ts'

/** Milliseconds of CPU time, the median of several. */
interface Times {
  readonly without: number
  /** Repeated: how much two runs of one query differ. */
  readonly again: number
  readonly marked: number
}

/**
 * @param dataDir an empty folder. @returns a row for each query and way: its CPU time as `p50 ms`, against
 * that without marks.
 */
export async function measureMarks(dataDir: string): Promise<{ rows: Row[] }> {
  const measured = await askScript<Record<string, Times>>('bench/marks-store.ts', [], settingsFor(dataDir))
  const rows = Object.entries(measured).flatMap(([name, { without, again, marked }]): Row[] => [
    { name: `${name}, no marks`, p50Ms: without },
    { name: `${name}, no marks, again`, p50Ms: again, ratio: again / without },
    { name: `${name}, with marks`, p50Ms: marked, ratio: marked / without },
  ])
  return { rows }
}
