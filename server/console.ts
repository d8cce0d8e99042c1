// What libraries write to the console. Standard output is the log, one line of JSON per event: text from
// elsewhere becomes such a line, so that no foreign text can look like one of ours, or break into several.
import { format } from 'node:util'
import type { Logger } from 'pino'

const methods = ['debug', 'info', 'log', 'trace', 'warn', 'error'] as const
/** Enough to recognise a message; libraries repeat their input. */
const MOST_CHARACTERS = 200

type Said = Readonly<Record<(typeof methods)[number], (...args: unknown[]) => void>>

/** Logged at `debug`. @returns the function that restores the console. */
export function logConsole(
  log: Pick<Logger, 'debug'>,
  target: { -readonly [Name in keyof Said]: Said[Name] } = console,
) {
  const before = Object.fromEntries(methods.map((method) => [method, target[method]])) as unknown as Said
  for (const method of methods) {
    target[method] = (...args) =>
      log.debug({ method, text: format(...args).slice(0, MOST_CHARACTERS) }, 'a library wrote to the console')
  }
  return (): void => {
    Object.assign(target, before)
  }
}
