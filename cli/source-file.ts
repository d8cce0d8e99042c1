// A file that a command reads, or standard input.
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './command.ts'

/** @param file `-` for standard input. */
export function openSource(file: string): AsyncIterable<Buffer> {
  return file === '-' ? process.stdin : createReadStream(file)
}

/** Reports a mistyped name before any store is opened. @throws UsageError */
export async function assertReadable(file: string): Promise<void> {
  if (file === '-') return
  const found = await stat(file).catch(() => undefined)
  if (!found || found.isDirectory()) throw new UsageError(`there is no file ${file}`)
}

/** The limit of the management API. */
const MAX_FILE = 1_048_576

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > MAX_FILE) throw new Error(`the file is larger than ${MAX_FILE / 1024} kB`)
    yield chunk
  }
}

/** Undefined for invalid JSON. The parser's own message would contain parts of the file. */
function parsed(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}

/**
 * Whole, as UTF-8. @throws UsageError when there is none; Error when it is too large or in another encoding.
 */
export async function readText(file: string): Promise<string> {
  await assertReadable(file)
  const bytes = await buffer(bounded(openSource(file)))
  if (!isUtf8(bytes)) throw new Error('the file is not in UTF-8: save it in that encoding')
  return new TextDecoder().decode(bytes)
}

/** @throws Error when it is no JSON object. */
export async function readDefinition(file: string): Promise<Readonly<Record<string, unknown>>> {
  const definition = parsed(await readText(file))
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
    throw new Error('the file holds no JSON object')
  return Object.fromEntries(Object.entries(definition))
}
