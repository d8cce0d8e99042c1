// The command line as tests run it: in processes of its own, with nothing of this machine's settings.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const address = new URL('../../cli/footfall.ts', import.meta.url)

export type Environment = Readonly<Record<string, string>>

export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams
  /** So far. */
  readonly said: { readonly out: string; readonly err: string }
  readonly ended: Promise<Ended>
}

/** @param input what it reads on standard input, which ends then. */
export function start(args: readonly string[], env: Environment, input = ''): Started {
  const child = spawn(process.execPath, [fileURLToPath(address), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  // A command that refuses its words does not wait for what it is told.
  child.stdin.on('error', () => undefined).end(input)
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}

export const run = (args: readonly string[], env: Environment, input?: string): Promise<Ended> =>
  start(args, env, input).ended

/** Many commands that only have to be understood, in one process: starting one for each would take most of the time. */
const driver = `
  import { main } from '${address.href}'
  const ends = []
  const print = process.stdout.write.bind(process.stdout)
  for (const { args, env } of JSON.parse(process.argv[1])) {
    const said = { out: '', err: '' }
    process.stdout.write = (text) => (said.out += text) !== ''
    process.stderr.write = (text) => (said.err += text) !== ''
    Object.assign(process.env, env)
    ends.push({ code: await main(args), ...said })
    for (const name of Object.keys(env)) delete process.env[name]
  }
  print(JSON.stringify(ends))`

export async function runAll(
  commands: readonly { readonly args: readonly string[]; readonly env: Environment }[],
): Promise<Ended[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', driver, JSON.stringify(commands)], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await once(child, 'close')
  return JSON.parse(out)
}

/** The answer to a program; the command must have succeeded and said nothing else. */
export async function ask(args: readonly string[], env: Environment, input?: string) {
  const { code, out, err } = await run([...args, '--json'], env, input)
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return JSON.parse(out)
}
