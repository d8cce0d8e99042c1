// The bench's one table: a line for each measurement, empty where a column has no meaning.

export interface Row {
  readonly name: string
  readonly perSecond?: number
  /** Relative to the bare route, or the bare count, of the same run. */
  readonly ratio?: number
  /** On a busy machine the nearest to a quiet one. */
  readonly leastMs?: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly p99Ms?: number
  readonly p999Ms?: number
  readonly mostMs?: number
  /** The longest pause of the garbage collector meanwhile, which is part of the others. */
  readonly pauseMs?: number
  /** Processor time of the longest turn of the event loop: unlike the others, the same on a busy machine. */
  readonly turnMs?: number
  /** Processor time of the service for one answer, on all threads. */
  readonly cpuMs?: number
  /** Answers that failed. */
  readonly refused?: number
  readonly memoryMb?: number
  /** Layout shift, as Chromium adds it up: without a unit. */
  readonly shift?: number
}

/** A percentile. @param sorted ascending. */
export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!

const shown: readonly (readonly [string, (row: Row) => string])[] = [
  ['', (row) => row.name],
  ['a second', (row) => row.perSecond?.toFixed(0) ?? ''],
  ['ratio', (row) => row.ratio?.toFixed(2) ?? ''],
  ['least ms', (row) => row.leastMs?.toFixed(1) ?? ''],
  ['p50 ms', (row) => row.p50Ms?.toFixed(1) ?? ''],
  ['p95 ms', (row) => row.p95Ms?.toFixed(1) ?? ''],
  ['p99 ms', (row) => row.p99Ms?.toFixed(1) ?? ''],
  ['p99.9 ms', (row) => row.p999Ms?.toFixed(1) ?? ''],
  ['most ms', (row) => row.mostMs?.toFixed(1) ?? ''],
  ['collector ms', (row) => row.pauseMs?.toFixed(1) ?? ''],
  ['cpu a turn ms', (row) => row.turnMs?.toFixed(1) ?? ''],
  ['cpu ms', (row) => row.cpuMs?.toFixed(row.cpuMs < 10 ? 3 : 0) ?? ''],
  ['refused', (row) => row.refused?.toFixed(0) ?? ''],
  ['MB', (row) => row.memoryMb?.toFixed(0) ?? ''],
  ['shift', (row) => row.shift?.toFixed(3) ?? ''],
]

/** Text in columns; the first one is a name, the others are numbers. */
export function tableOf(sections: readonly { readonly title: string; readonly rows: readonly Row[] }[]): string {
  const cells = sections.map(({ title, rows }) => ({
    title,
    lines: rows.map((row) => shown.map(([, cell]) => cell(row))),
  }))
  const heads = shown.map(([head]) => head)
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.flatMap(({ lines }) => lines.map((line) => line[column]!.length))),
  )
  const spread = (line: readonly string[]): string =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  return cells.flatMap(({ title, lines }) => ['', title, spread(heads), ...lines.map(spread)]).join('\n')
}
