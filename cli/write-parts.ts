// A long text to where the user wants it. A file has its name only when it is whole; half of one would look like all there is.
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Who reads may have seen enough (`| head`): that is no failure. */
async function toStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

/** A device or a pipe cannot be renamed into. */
async function isPlain(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return !found || found.isFile() || found.isDirectory()
}

/** Readable by its owner alone. */
async function toFile(texts: AsyncIterable<string>, file: string): Promise<void> {
  if (!(await isPlain(file))) {
    await pipeline(Readable.from(texts), createWriteStream(file))
    return
  }
  const part = `${file}.${process.pid}.part`
  try {
    await pipeline(Readable.from(texts), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** @param file `-` for standard output. */
export function writeParts(texts: AsyncIterable<string>, file: string): Promise<void> {
  return file === '-' ? toStandardOutput(texts) : toFile(texts, file)
}
