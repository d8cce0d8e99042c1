// The first lines on a terminal, for the person who started the service.
import { VERSION } from './version.ts'

/** What is drawn around a line that must not be missed. */
function boxed(lines: readonly string[]): string[] {
  const width = Math.max(...lines.map(({ length }) => length))
  return [
    `┌${'─'.repeat(width + 4)}┐`,
    ...lines.map((line) => `│  ${line.padEnd(width)}  │`),
    `└${'─'.repeat(width + 4)}┘`,
  ]
}

export interface Greeting {
  /** Where the service is. */
  readonly url: string
  readonly dashboard: string
  /** The one-time link for the first owner; undefined once there is one. */
  readonly setup: string | undefined
  readonly notice: string | undefined
}

export function greeting({ url, dashboard, setup, notice }: Greeting): string {
  const begin =
    setup === undefined
      ? [`Dashboard      ${dashboard}`]
      : [
          ...boxed(['Create your owner account:', setup]),
          '',
          'Next: open this link in your browser. It works once.',
          '',
        ]
  return [
    '',
    `Footfall ${VERSION} is running.`,
    '',
    ...begin,
    `API reference  ${url}/docs`,
    ...(notice === undefined ? [] : ['', notice]),
    '',
    'Press Ctrl+C to stop.',
    '',
  ].join('\n')
}
