// The README's commands do what the README says: its shell blocks are run in order against `npm start`, and
// each answer must hold everything that the JSON block below it shows ("…" stands for any text).
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { takePort } from './support/ports.ts'

const root = new URL('..', import.meta.url).pathname
const MARK = '=== answer of block'

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}

/**
 * Every key and item of `shown` is in `actual`; lists may go on. The path of the first difference, else
 * undefined.
 */
function difference(shown: unknown, actual: unknown, path = ''): string | undefined {
  if (shown === '…')
    return typeof actual === 'string' && actual !== '' ? undefined : `${path} is ${JSON.stringify(actual)}`
  if (shown === null || typeof shown !== 'object')
    return shown === actual ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`
  if (actual === null || typeof actual !== 'object' || Array.isArray(shown) !== Array.isArray(actual))
    return `${path} is missing`
  const found = new Map<string, unknown>(Object.entries(actual))
  for (const [key, value] of Object.entries(shown)) {
    const fault = difference(value, found.get(key), `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** A process group of its own, so that nothing of what npm started is left. */
function start(t: TestContext, command: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
    await ended
  })
  return child
}

async function untilServing(server: ChildProcess): Promise<void> {
  let seen = ''
  server.stderr!.on('data', (chunk: Buffer) => (seen += chunk.toString()))
  for await (const line of createInterface(server.stdout!)) {
    seen += `${line}\n`
    if (!line.startsWith('Footfall serves')) continue
    server.stdout!.resume() // a full pipe would stop it
    return
  }
  throw new Error(`npm start ended:\n${seen}`)
}

/** One shell for all blocks, as in a reader's terminal; what each prints follows its mark. */
async function runBlocks(t: TestContext, blocks: readonly Block[], env: Record<string, string>): Promise<string[]> {
  const shell = start(t, 'bash', ['-eu', '-o', 'pipefail'], env)
  let output = ''
  let errors = ''
  shell.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  shell.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  shell.stdin!.end(blocks.map(({ text }) => `echo '${MARK}'\n${text}`).join('\n'))
  const [code] = (await once(shell, 'close')) as [number | null]
  assert.equal(code, 0, `the README's commands failed:\n${output}\n${errors}`)
  return output.split(`${MARK}\n`).slice(1)
}

const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the README leads from npm start to the figures of a first visit, exactly as it shows', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-readme-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = {
    DATA_DIR: dataDir,
    PORT: String(await takePort()),
    ADMIN_TOKEN: '',
    DATABASE_URL: '',
    CLICKHOUSE_URL: '',
  }
  const [first, ...blocks] = blocksOf(readme.replaceAll('127.0.0.1:8080', `127.0.0.1:${env.PORT}`))
  assert.equal(first?.text.trim(), 'npm start')
  await untilServing(start(t, 'npm', ['start'], env))

  const outputs = await runBlocks(
    t,
    blocks.filter(({ language }) => language === 'sh'),
    env,
  )
  let at = -1
  for (const { language, text } of blocks) {
    if (language === 'sh') at++
    if (language !== 'json') continue
    const answer: unknown = JSON.parse(outputs[at]!.trim().split('\n').at(-1)!)
    const fault = difference(JSON.parse(text), answer)
    assert.equal(fault, undefined, `block ${at + 1}: ${fault}\n${JSON.stringify(answer)}`)
  }
  assert.ok(at >= 6)
})

test('the comparison of answers can fail', () => {
  assert.equal(difference({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }, 3] }), undefined)
  assert.equal(difference({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), '.a.0.b is 2, not 1')
  assert.equal(difference({ a: '…' }, { a: '' }), '.a is ""')
  assert.equal(difference({ a: { b: 1 } }, { a: null }), '.a is missing')
})

test('every file and npm script that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [, name] of readme.matchAll(/npm (?:run (?:-s )?)?(start|test|demo|bench|footfall|dev)\b/g))
    assert.ok(scripts[name!], name)
  for (const [, path] of readme.matchAll(/\]\((?!https?:)([^)]+)\)/g))
    assert.ok(readFileSync(join(root, path!.replace(/#.*/, ''))).length > 0, path)
  for (const [, path] of readme.matchAll(/`((?:test|docs)\/[\w./-]+)`/g))
    assert.ok(readFileSync(join(root, path!)).length > 0, path)
})
