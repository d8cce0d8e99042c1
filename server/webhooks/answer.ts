// What an endpoint answers, as much of it as is kept for the run log. Hostile by assumption: what is read and what is
// unpacked from it are both bounded, and nothing in it can make a delivery fail that has been accepted.
import { type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, constants, type Zlib } from 'node:zlib'

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

type Decoder = Readable & NodeJS.WritableStream & Zlib

function decoderOf(encoding: string): Decoder | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      // A cut answer is unpacked as far as it goes.
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return undefined
  }
}

/** The first bytes of a stream, at most `limit`, and whether that was all; a stream that breaks has what came until then. */
async function firstOf(stream: Readable, limit: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      // Leaving the loop destroys the stream, and with it a connection that would go on sending.
      if (length > limit) break
    }
  } catch {
    return { bytes: Buffer.concat(chunks).subarray(0, limit), isWhole: false }
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isWhole: length <= limit }
}

async function unpacked(bytes: Buffer, encoding: string): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  if (decoder === undefined) return bytes.subarray(0, KEPT_ANSWER_BYTES)
  decoder.end(bytes)
  return (await firstOf(decoder, KEPT_ANSWER_BYTES)).bytes
}

/** NUL is no text for PostgreSQL; a half character at the cut is left out, and any other byte that is no UTF-8 shown as such. */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: bytes.length === KEPT_ANSWER_BYTES }).replaceAll('\0', '\uFFFD')

/** Never throws: the status has been told by then. */
export async function readAnswer(body: Readable, encoding: string): Promise<Answer> {
  const { bytes, isWhole } = await firstOf(body, MAX_ANSWER_BYTES)
  return { text: textOf(await unpacked(bytes, encoding)), isWhole }
}

/** One text for each header, cut, so that nobody can fill the run log. */
export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, [value ?? ''].flat().join(', ').slice(0, MAX_HEADER_LENGTH).toWellFormed()]),
  )
}
