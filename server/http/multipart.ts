// Bodies of multipart forms as they arrive (RFC 7578): texts are gathered, files are handed out as streams,
// so that none is ever whole in memory.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../kernel/problem.ts'

export type SentPair = readonly [name: string, value: string]

export interface SentFile {
  readonly field: string
  /** As the browser names it. */
  readonly name: string
  readonly content: Readable
}

export interface MultipartLimits {
  readonly pairs: number
  /** Of all texts. */
  readonly textBytes: number
  /** Of the whole body. */
  readonly bodyBytes: number
  readonly files: number
}

/** May leave the rest of a file unread. Called for several at once where they are small. */
export type TakeFile = (file: SentFile) => Promise<void>

export const unreadable = () => new Problem('validation_failed', 'The form cannot be read.')
const tooLarge = () => new Problem('payload_too_large', 'The body is too large.')

async function* within(body: Readable, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if ((bytes += chunk.length) > most) throw tooLarge()
    yield chunk
  }
}

class Reading {
  readonly pairs: SentPair[] = []
  readonly #limits: MultipartLimits
  readonly #take: TakeFile
  readonly #open = new Set<BusboyFileStream>()
  readonly #taken: Promise<void>[] = []
  #fault: Error | undefined
  #textBytes = 0

  constructor(limits: MultipartLimits, take: TakeFile) {
    this.#limits = limits
    this.#take = take
  }

  listen(parser: BusboyInstance): void {
    parser.on('field', (name, value) => {
      this.#textBytes += Buffer.byteLength(value)
      if (this.#textBytes > this.#limits.textBytes) this.#fault ??= tooLarge()
      else this.pairs.push([name, value])
    })
    parser.on('file', (field, content, name) => {
      this.#open.add(content)
      // Whoever reads it hears of its end otherwise; a stream without a listener would end the process.
      content.on('error', () => undefined)
      this.#taken.push(this.#takeOne({ field, name: name ?? '', content }, content))
    })
    parser.on('partsLimit', () => (this.#fault ??= unreadable()))
    parser.on('filesLimit', () => (this.#fault ??= unreadable()))
  }

  async #takeOne(file: SentFile, content: BusboyFileStream): Promise<void> {
    try {
      if (this.#fault === undefined && file.name !== '') await this.#take(file)
    } catch (error) {
      this.#fault ??= error as Error
    } finally {
      this.#open.delete(content)
      content.resume()
    }
  }

  /** The body has broken off: nobody waits for the rest of a file. */
  breakOff(error: Error): void {
    this.#fault ??= error
    for (const content of this.#open) content.destroy(unreadable())
  }

  async end(): Promise<readonly SentPair[]> {
    await Promise.all(this.#taken)
    if (this.#fault !== undefined) throw this.#fault
    if (this.pairs.length > this.#limits.pairs) throw unreadable()
    return this.pairs
  }
}

/**
 * @returns the texts, in the order in which they were sent; all files were taken by then.
 * @throws Problem: validation_failed for a body that is cut or has no boundary; payload_too_large; and what
 * `take` throws, once the rest of the body was read.
 */
export async function readMultipart(
  body: Readable,
  contentType: string,
  limits: MultipartLimits,
  take: TakeFile,
): Promise<readonly SentPair[]> {
  const reading = new Reading(limits, take)
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fields: limits.pairs + 1,
        fieldSize: limits.textBytes + 1,
        files: limits.files,
        parts: limits.pairs + limits.files + 1,
      },
    })
    reading.listen(parser)
    await pipeline(within(body, limits.bodyBytes), parser)
  } catch (error) {
    reading.breakOff(error instanceof Problem ? error : unreadable())
  }
  return reading.end()
}
