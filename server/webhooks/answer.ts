// What an endpoint answers, as much of it as is kept for the run log. Hostile by assumption: what is read and
// what is unpacked from it are both bounded, and nothing in it can make a delivery fail that has been
// accepted.
import type { Readable } from 'node:stream'
import { createGunzip, createInflate, type Zlib } from 'node:zlib'

/** Read so that the connection can be used again; a longer answer costs its connection. */
export const MAX_ANSWER_BYTES = 64 * 1024
/** Kept, after decompression. */
export const KEPT_ANSWER_BYTES = 4096
/** Kept of the headers: this many, each cut to this length. */
const MAX_HEADERS = 50
const MAX_HEADER_LENGTH = 1024

export interface Answer {
  readonly text: string
  /** Whether it was read to its end. */
  readonly isWhole: boolean
}

/**
 * Encodings whose sender names the size of the window: 16 MB for Brotli, whatever we accept. We request none,
 * so they stay packed.
 */
const notUnpacked = new Set(['br', 'zstd'])

type Decoder = Readable & NodeJS.WritableStream & Zlib

const plainName = (encoding: string): string => encoding.trim().toLowerCase()

function decoderOf(encoding: string): Decoder | undefined {
  switch (plainName(encoding)) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    default:
      return undefined
  }
}

/** A buffer twice as large, with the same beginning, until there is room. */
function withRoom(buffer: Buffer, length: number): Buffer {
  if (length <= buffer.length) return buffer
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * buffer.length))
  buffer.copy(larger)
  return larger
}

/**
 * The first bytes of a stream, at most `limit`, and whether that was all; a stream that breaks has what came
 * until then. They are copied: a chunk of one byte holds on to all that was read from the socket with it.
 */
async function firstOf(stream: Readable, limit: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  let bytes: Buffer = Buffer.allocUnsafe(1024)
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, limit - length)
      bytes = withRoom(bytes, length + part.length)
      part.copy(bytes, length)
      length += part.length
      // Leaving the loop destroys the stream, and with it a connection that would go on sending.
      if (part.length < chunk.length) return { bytes: bytes.subarray(0, length), isWhole: false }
    }
  } catch {
    return { bytes: bytes.subarray(0, length), isWhole: false }
  }
  return { bytes: bytes.subarray(0, length), isWhole: true }
}

/** As far as it goes, when the answer was cut. */
async function unpacked(bytes: Buffer, encoding: string): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  if (decoder === undefined) return bytes.subarray(0, KEPT_ANSWER_BYTES)
  decoder.end(bytes)
  return (await firstOf(decoder, KEPT_ANSWER_BYTES)).bytes
}

/**
 * NUL is no text for PostgreSQL; a half character at the cut is left out, and any other byte that is no UTF-8
 * shown as such.
 */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: bytes.length === KEPT_ANSWER_BYTES }).replaceAll('\0', '\uFFFD')

/** Never throws: by then the status is known, which is what counts. */
export async function readAnswer(body: Readable, encoding: string): Promise<Answer> {
  const { bytes, isWhole } = await firstOf(body, MAX_ANSWER_BYTES)
  const name = plainName(encoding)
  // The bytes would be no text, and the sentence is of more use to a reader of the run log.
  if (notUnpacked.has(name)) return { text: `(${bytes.length} bytes packed with ${name}, not unpacked here)`, isWhole }
  return { text: textOf(await unpacked(bytes, encoding)), isWhole }
}

/** One text for each header, cut, so that an endpoint cannot fill the run log. */
export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, [value ?? ''].flat().join(', ').slice(0, MAX_HEADER_LENGTH).toWellFormed()]),
  )
}
