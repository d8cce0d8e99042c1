// The log on a terminal: a line for people instead of JSON, and only what somebody has to know.

const levels: Readonly<Record<string, string>> = { warn: 'Warning', error: 'Error', fatal: 'Error' }

/** Known elsewhere in the line, or of no use to a reader. */
const told = new Set(['level', 'time', 'msg', 'err', 'worker'])

/** Control characters of foreign texts would move the cursor; JSON escapes those in fields. */
// oxlint-disable-next-line no-control-regex -- these are meant
const plain = (text: string): string => text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

interface Line {
  readonly level?: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

/** @param json a line of the log. */
export function readableLine(json: string): string {
  const line = JSON.parse(json) as Line & Readonly<Record<string, unknown>>
  const fields = Object.entries(line).filter(([name]) => !told.has(name))
  const more = fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')
  const said = [`${levels[line.level ?? ''] ?? line.level}: ${line.msg ?? ''}`, more].filter(Boolean).join(' ')
  return plain([said, line.err?.stack ?? line.err?.message].filter(Boolean).join('\n'))
}

/** What `info` says is for logs: people on a terminal are told what is wrong. */
export const levelForPeople = (level: string): string => (level === 'info' ? 'warn' : level)

/** Where pino writes when people read it. */
export const forPeople = (target: { write(text: string): unknown }) => ({
  write: (json: string): void => void target.write(`${readableLine(json)}\n`),
})
