// The file of the facts log: what was committed is there after any end of the process, and damage is noticed.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { rounds } from '../../../test/support/long.ts'
import { LogFile, type LogRows } from './file.ts'

const folder = mkdtempSync(join(tmpdir(), 'footfall-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const NAME = 'facts-log.sqlite'
const ALL_BYTES = 1_000_000_000

const optionsOf = (dir: string, skipsDamage = false) => ({
  file: join(dir, NAME),
  fsync: true,
  skipsDamage,
  keptFreeBytes: 0,
})
const openIn = (dir: string, skipsDamage = false): LogFile => LogFile.open(optionsOf(dir, skipsDamage))
const newFolder = (): string => mkdtempSync(join(folder, 'log-'))
const rowsOf = (lines: string): LogRows => ({ table: 'views', columns: 'a, b', lines })
const linesIn = (log: LogFile): string[] => log.read(0, ALL_BYTES).entries.map(({ lines }) => lines)

/** The files as a kill would leave them: nothing is closed. */
function copyOf(dir: string): string {
  const copy = newFolder()
  for (const name of readdirSync(dir)) if (!name.endsWith('-shm')) cpSync(join(dir, name), join(copy, name))
  return copy
}

/** Larger than a page, so that one commit takes several frames. */
const text = fc.string({ minLength: 1, maxLength: 9_000, unit: 'binary' })

type Step = { readonly add: readonly string[]; readonly removes: number }
const step: fc.Arbitrary<Step> = fc.record({ add: fc.array(text, { maxLength: 3 }), removes: fc.nat(3) })

test('what was appended and not removed is there after a kill, in its order, and numbers are never used again', () => {
  const plan = fc.array(fc.tuple(step, fc.constantFrom('goes on', 'is killed', 'is closed')), { maxLength: 12 })
  fc.assert(
    fc.property(plan, (steps) => {
      let dir = newFolder()
      let log = openIn(dir)
      let held: { seq: number; lines: string }[] = []
      let greatest = 0
      for (const [{ add, removes }, then] of steps) {
        const gone = held.slice(0, removes)
        const seqs = log.append(
          add.map(rowsOf),
          gone.map(({ seq }) => seq),
        )
        assert.ok(seqs.every((seq, index) => seq > greatest && (index === 0 || seq > seqs[index - 1]!)))
        greatest = seqs.at(-1) ?? greatest
        held = [...held.slice(removes), ...add.map((lines, index) => ({ seq: seqs[index]!, lines }))]
        if (then === 'is killed') dir = copyOf(dir)
        if (then !== 'goes on') log.close()
        if (then === 'is closed' && held.length === 0) greatest = 0 // the file is gone with its numbers
        if (then !== 'goes on') log = openIn(dir)
        const { entries } = log.read(0, ALL_BYTES)
        assert.deepEqual(
          entries.map(({ seq, lines }) => ({ seq, lines })),
          held.map(({ seq, lines }) => ({ seq, lines: lines.toWellFormed() })),
        )
        assert.equal(log.state().entries, held.length)
      }
      log.close()
    }),
    { numRuns: rounds(30, 500) },
  )
})

test('read in pieces, it is the same', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 20_000 }), (all, bytes) => {
      const log = openIn(newFolder())
      log.append(all.map(rowsOf), [])
      const read: string[] = []
      for (let at = 0; ;) {
        const { entries } = log.read(at, bytes)
        if (entries.length === 0) break
        read.push(...entries.map(({ lines }) => lines))
        at = entries.at(-1)!.seq
      }
      assert.deepEqual(read, linesIn(log))
      log.close()
    }),
    { numRuns: rounds(20, 300) },
  )
})

/** So many commits of an entry each, then a kill. */
function killedAfter(commits: number): string {
  const dir = newFolder()
  const log = openIn(dir)
  for (let commit = 0; commit < commits; commit++) log.append([rowsOf(`commit ${commit} ${'x'.repeat(3_000)}`)], [])
  const copy = copyOf(dir)
  log.close()
  return copy
}

const COMMITS = 12
const killed = killedAfter(COMMITS)
const walOf = (dir: string): string => join(dir, `${NAME}-wal`)
const walBytes = readFileSync(walOf(killed)).length

test('of a log that was cut anywhere, every commit before the cut is there, and nothing stops the start', () => {
  fc.assert(
    fc.property(fc.nat(walBytes), (length) => {
      const dir = copyOf(killed)
      truncateSync(walOf(dir), length)
      const log = openIn(dir)
      const lines = linesIn(log)
      log.close()
      assert.deepEqual(
        lines.map((line) => line.slice(0, 9).trim()),
        Array.from({ length: lines.length }, (_, commit) => `commit ${commit}`),
      )
      // All frames of a commit are about the same size: no more than one commit is lost with its last frame.
      assert.ok(lines.length >= Math.floor((COMMITS * length) / walBytes) - 2, `${lines.length} of ${length} bytes`)
    }),
    { numRuns: rounds(60, 1_000) },
  )
})

test('a byte that was changed in the middle stops the start; whoever wants to go on keeps what can be read', () => {
  // Behind the damaged frame at least two commits must follow: with fewer it could be the end that a power
  // cut left.
  const middle = Math.floor((walBytes * (COMMITS - 3)) / COMMITS)
  fc.assert(
    fc.property(fc.integer({ min: 32, max: middle - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const dir = copyOf(killed)
      const bytes = readFileSync(walOf(dir))
      bytes[at] = bytes[at]! ^ change
      writeFileSync(walOf(dir), bytes)
      assert.throws(() => openIn(dir), /facts log .* is damaged.*FACTS_LOG_DAMAGED=skip/)
      const log = openIn(dir, true)
      const lines = linesIn(log)
      log.append([rowsOf('from now on')], [])
      assert.equal(linesIn(log).length, lines.length + 1)
      log.close()
      lines.forEach((line, commit) => assert.ok(line.startsWith(`commit ${commit} `)))
      const aside = readdirSync(dir).find((name) => name.startsWith('facts-log-damaged-')) ?? ''
      assert.deepEqual(readFileSync(join(dir, aside, `${NAME}-wal`)), bytes)
    }),
    { numRuns: rounds(60, 1_000) },
  )
})

test('so does one in the file itself', () => {
  const dir = newFolder()
  const log = openIn(dir)
  log.append(
    Array.from({ length: 20 }, (_, entry) => rowsOf(`entry ${entry} ${'y'.repeat(3_000)}`)),
    [],
  )
  // Closed with something in it, the file holds everything.
  log.close()
  const file = join(dir, NAME)
  const bytes = readFileSync(file)
  const at = bytes.indexOf('yyyy', Math.floor(bytes.length / 2))
  bytes[at] = 'z'.charCodeAt(0)
  writeFileSync(file, bytes)
  assert.throws(() => openIn(dir), /is damaged/)
  const opened = openIn(dir, true)
  assert.equal(linesIn(opened).length, 19)
  opened.close()
})

test('a log in which nothing waits is no file, so nothing of what was erased is left in it', () => {
  const dir = newFolder()
  const log = openIn(dir)
  const [seq = 0] = log.append([rowsOf('somebody')], [])
  log.append([], [seq])
  log.close()
  assert.deepEqual(readdirSync(dir), [])
})

test('a file that was large is small again once it is empty', () => {
  const dir = newFolder()
  const log = openIn(dir)
  const seqs = log.append(
    Array.from({ length: 50 }, () => rowsOf('x'.repeat(1024 * 1024))),
    [],
  )
  log.append([], seqs)
  log.append([rowsOf('the next one')], [])
  assert.deepEqual(linesIn(log), ['the next one'])
  assert.ok(statSync(join(dir, NAME)).size < 1024 * 1024)
  log.close()
})

test('with too little room on the disk nothing is acknowledged', () => {
  const dir = newFolder()
  const log = LogFile.open({ ...optionsOf(dir), keptFreeBytes: Number.MAX_SAFE_INTEGER })
  assert.throws(() => log.append([rowsOf('no room')], []), /no room/)
  assert.deepEqual(linesIn(log), [])
  log.close()
})
