// Writes a long text to a file or standard output. A file gets its name only when it is complete; half of one
// would look complete.
import { createWriteStream, openSync, rmSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

// ---------------------------------------------------------------- standard output

/**
 * Collected texts may contain characters that move the cursor, send keys or reverse the line; a return
 * without a line feed overwrites the line.
 */
const unshowable = /\r(?!\n)|(?![\r\n])[\p{Cc}\p{Cf}]/gu

async function* shown(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield text.replace(unshowable, '\ufffd')
}

/** The reader may have seen enough (`| head`): that is no failure. */
async function toStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  const written = process.stdout.isTTY ? shown(texts) : texts
  try {
    await pipeline(Readable.from(written), process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

// ---------------------------------------------------------------- a file

/** A device or a pipe cannot be the target of a rename. */
async function isPlain(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return !found || found.isFile() || found.isDirectory()
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Signalling somebody else's process is forbidden, which proves that it exists.
    return codeOf(error) === 'EPERM'
  }
}

const partOf = (file: string, pid: number): string => `${file}.${pid}.part`

/** Removes parts of processes that were killed. In a container the next process may have the same id. */
async function removeOldParts(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => [])
  for (const name of names) {
    const pid = Number(/\.(\d+)\.part$/u.exec(name)?.[1])
    const isOurs = name === basename(partOf(file, pid))
    if (isOurs && (pid === process.pid || !isRunning(pid))) await rm(partOf(file, pid), { force: true })
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Until the returned function is called, a signal that ends the process removes the file first. */
function removeOnSignal(file: string): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(file, { force: true })
    letGo()
    process.kill(process.pid, signal)
  }
  const letGo = () => endingSignals.forEach((signal) => process.removeListener(signal, end))
  endingSignals.forEach((signal) => process.on(signal, end))
  return letGo
}

/** Only its owner can read it. */
async function toFile(texts: AsyncIterable<string>, file: string): Promise<void> {
  if (!(await isPlain(file))) {
    await pipeline(Readable.from(texts), createWriteStream(file))
    return
  }
  await removeOldParts(file)
  const part = partOf(file, process.pid)
  const letGo = removeOnSignal(part)
  try {
    // Synchronous: otherwise a signal could leave a file that is opened afterwards.
    const fd = openSync(part, 'wx', 0o600)
    await pipeline(Readable.from(texts), createWriteStream(part, { fd, flush: true }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    letGo()
  }
}

/** @param file `-` for standard output; a terminal is not sent its control characters. */
export function writeParts(texts: AsyncIterable<string>, file: string): Promise<void> {
  return file === '-' ? toStandardOutput(texts) : toFile(texts, file)
}
