// Bodies of plain HTML forms: names and texts in the order in which they were sent, of both encodings that
// browsers use.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readMultipart, unreadable } from './multipart.ts'

export type { SentPair } from './multipart.ts'

/** A form has at most a hundred fields, and a list at most a hundred choices; most pages send ten. */
export const MAX_PAIRS = 2_000

function readUrlEncoded(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void) => {
      const pairs = [...new URLSearchParams(text)]
      if (pairs.length > MAX_PAIRS) done(unreadable())
      else done(null, pairs)
    },
  )
}

/** The whole body is in memory, within the limit of its group. Files are not read. */
export function readPlainBodies(scope: FastifyInstance): void {
  readUrlEncoded(scope)
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const limits = { pairs: MAX_PAIRS, textBytes: body.length, bodyBytes: body.length, files: MAX_PAIRS }
      return readMultipart(Readable.from([body]), request.headers['content-type'] ?? '', limits, async () => undefined)
    },
  )
}

/** The same, but a multipart body is left to the handler, as a stream: it may hold files. */
export function streamPlainBodies(scope: FastifyInstance): void {
  readUrlEncoded(scope)
  streamMultipart(scope)
}

export function streamMultipart(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'multipart/form-data',
    (_request: FastifyRequest, body: Readable, done: (error: Error | null, body?: unknown) => void) => done(null, body),
  )
}
