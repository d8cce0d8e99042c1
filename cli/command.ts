// What the commands share: options, and answers for people and, with --json, for programs.
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** A wrong command line: answered with the usage and exit code 2. Any other failure is exit code 1. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** @returns the exit code. */
export type Command = (args: string[]) => Promise<number>

const common = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses options and positional words. Every command has --json and --help. @throws UsageError */
export function readOptions<const T extends Options>(args: string[], options: T) {
  try {
    return parseArgs({ args, options: { ...common, ...options }, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws UsageError when the option is missing or empty. */
export function needed(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is missing`)
  return value
}

export function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One JSON line for programs; else the lines for people. */
export function answer(json: boolean | undefined, value: object, lines: readonly string[]): void {
  write(json === true ? JSON.stringify(value) : lines.join('\n'))
}

/** Names may contain characters that move a terminal's cursor or change its colours. */
const harmless = (cell: string): string => cell.replace(/\p{Cc}/gu, '?')

/** Columns as wide as their widest cell. */
export function columns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(harmless))
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `1 row`, `2,000 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
