// Long texts on their way out: a terminal obeys none of them, and a file that did not become whole is not
// left lying about.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDataDir } from '../test/support/records.ts'
import { untilEqual } from '../test/support/until.ts'

const address = new URL('write-parts.ts', import.meta.url).href

/**
 * A process of its own that writes `texts` to `file`, and then goes on without an end when it is asked to.
 */
function startWriting(texts: readonly string[], file: string, { isEndless = false, isTerminal = false } = {}) {
  const program = `
    import { writeParts } from '${address}'
    process.stdout.isTTY = ${isTerminal}
    async function* texts() {
      yield* ${JSON.stringify(texts)}
      if (${isEndless}) await new Promise((resolve) => setTimeout(resolve, 60_000))
    }
    await writeParts(texts(), ${JSON.stringify(file)})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.pipe(process.stderr)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out }))
  return { child, ended }
}

const until = (condition: () => boolean) => untilEqual(condition, true)

const hostile = 'a\u001b[2J,\u009b2J,\u202egnp,\u0000,\t,\u200b,x\ry\nz,ä😀\r\n\r\n'

test('a terminal is shown no control and no format characters; a pipe and a file get every one', async (t) => {
  const { out } = await startWriting([hostile], '-', { isTerminal: true }).ended
  assert.equal(out, 'a\ufffd[2J,\ufffd2J,\ufffdgnp,\ufffd,\ufffd,\ufffd,x\ufffdy\nz,ä😀\r\n\r\n')
  assert.equal((await startWriting([hostile], '-').ended).out, hostile)
  const file = join(newDataDir(t), 'out.csv')
  await startWriting([hostile], file, { isTerminal: true }).ended
  assert.equal(readFileSync(file, 'utf8'), hostile)
})

test('a signal in the middle takes the part away and leaves the file of before', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const folder = newDataDir(t)
    const file = join(folder, 'out.csv')
    writeFileSync(file, 'before')
    const { child, ended } = startWriting(['half'], file, { isEndless: true })
    await until(() => existsSync(`${file}.${child.pid}.part`))
    child.kill(signal)
    assert.equal((await ended).signal, signal)
    assert.deepEqual([readdirSync(folder), readFileSync(file, 'utf8')], [['out.csv'], 'before'])
  }
})

test('the part of a process that was killed goes with the next one; that of one which still writes stays', async (t) => {
  const folder = newDataDir(t)
  const file = join(folder, 'out.csv')
  const [killed, writing] = [1, 2].map(() => startWriting(['half'], file, { isEndless: true }))
  const partOf = ({ child }: { child: { pid?: number | undefined } }) => `out.csv.${child.pid}.part`
  await until(() => readdirSync(folder).length === 2)
  killed!.child.kill('SIGKILL')
  await killed!.ended
  const others = ['out.csv.part', 'out.csv.x.part', 'other.csv.999999999.part', 'out.csv.1e3.part']
  for (const name of others) writeFileSync(join(folder, name), '')
  assert.ok(existsSync(join(folder, partOf(killed!))))
  await startWriting(['whole'], file).ended
  assert.deepEqual(readdirSync(folder).sort(), [...others, 'out.csv', partOf(writing!)].sort())
  writing!.child.kill()
  await writing!.ended
})
