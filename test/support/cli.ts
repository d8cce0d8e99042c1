// The command line as tests run it: in processes of its own, with nothing of this machine's settings.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandFile } from './programs.ts'
import { pause } from './site.ts'

export type Environment = Readonly<Record<string, string>>

/**
 * What a process needs of this machine, and none of its settings: where programs are, and what Node has
 * compiled already.
 */
export const programs: Environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && (name === 'PATH' || name === 'NODE_COMPILE_CACHE') ? [[name, value]] : [],
  ),
)

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
  const child = spawn(process.execPath, [commandFile, ...args], {
    env: { ...programs, ...env },
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  // A command that refuses its words does not wait for what it is told.
  child.stdin.on('error', () => undefined).end(input)
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}

/**
 * In a process of its own, as a shell does it: for a few of a file's commands, since loading the program
 * takes most of their time.
 */
export const run = (args: readonly string[], env: Environment, input?: string): Promise<Ended> =>
  start(args, env, input).ended

/** Runs commands for whoever started it, one after the other. */
const driver = `
  import { Readable } from 'node:stream'
  import { main } from '${pathToFileURL(commandFile).href}'
  const swap = (object, name, value) => Object.defineProperty(object, name, { value, configurable: true, writable: true })
  const run = async ({ args, env, input }) => {
    const said = { out: '', err: '' }
    const given = { ...process.env }
    Object.assign(process.env, env)
    swap(process.stdout, 'write', (text) => (said.out += text) !== '')
    swap(process.stderr, 'write', (text) => (said.err += text) !== '')
    for (const stream of [process.stdout, process.stderr]) swap(stream, 'isTTY', false)
    swap(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)]))
    const code = await main(args)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, given)
    return { code, ...said }
  }
  process.on('message', (command) => run(command).then((ended) => process.send(ended)))`

interface Command {
  readonly args: readonly string[]
  readonly env: Environment
  readonly input?: string
}

/** For commands that only have to be understood or to answer, whatever process does it. */
function openDriver(onGone: () => void): (command: Command) => Promise<Ended> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', driver], {
    env: programs,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.unref()
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the commands broke off with ${code}`)))
  gone.catch(onGone)
  let last: Promise<unknown> = Promise.resolve()
  const send = async ({ args, env, input = '' }: Command): Promise<Ended> => {
    // Between commands it keeps nobody waiting, and it ends with whoever started it.
    child.channel?.ref()
    child.send({ args, env, input })
    const [ended] = await Promise.race([once(child, 'message'), gone])
    child.channel?.unref()
    return ended
  }
  return (command) => {
    const ended = last.then(() => send(command))
    last = ended.catch(() => undefined)
    return ended
  }
}

let shared: ReturnType<typeof openDriver> | undefined

/** As `run`, in one process for all of them. */
export function tell(args: readonly string[], env: Environment, input?: string): Promise<Ended> {
  // Who had asked it hears that it broke off; whoever comes next has another one.
  shared ??= openDriver(() => (shared = undefined))
  return shared({ args, env, ...(input !== undefined && { input }) })
}

/** In order. */
export const runAll = (commands: readonly Command[]): Promise<Ended[]> =>
  Promise.all(commands.map(({ args, env, input }) => tell(args, env, input)))

/** The answer to a program; the command must have succeeded and said nothing else. */
export async function ask(args: readonly string[], env: Environment, input?: string) {
  const { code, out, err } = await tell([...args, '--json'], env, input)
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return JSON.parse(out)
}

/**
 * Until a command that was just started has begun a large transaction in SQLite: what the cache does not hold
 * is written before it ends.
 */
export async function untilWriting(dataDir: string, { child }: Started): Promise<void> {
  const size = () => statSync(join(dataDir, 'records.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0
  const before = size()
  while (size() <= before + 1_000_000) {
    assert.equal(child.exitCode, null, 'it ended before it was seen to write')
    await pause(5)
  }
}
