// A file that a command reads, or standard input.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UsageError } from './command.ts'

/** @param file `-` for standard input. */
export function openSource(file: string): AsyncIterable<Buffer> {
  return file === '-' ? process.stdin : createReadStream(file)
}

/** A mistyped name is told before anything is opened for it. @throws UsageError */
export async function assertReadable(file: string): Promise<void> {
  if (file === '-') return
  const found = await stat(file).catch(() => undefined)
  if (!found || found.isDirectory()) throw new UsageError(`there is no file ${file}`)
}
