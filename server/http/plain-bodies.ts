// Bodies of plain HTML forms: names and texts in the order in which they were sent, of both encodings that
// browsers use. Files are not read.
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'

export type SentPair = readonly [name: string, value: string]

/** A form has at most a hundred fields, and a list at most a hundred choices; most pages send ten. */
const MAX_PAIRS = 2_000

const unreadable = () => new Problem('validation_failed', 'The form cannot be read.')

function assertCount(pairs: readonly SentPair[]): readonly SentPair[] {
  if (pairs.length > MAX_PAIRS) throw unreadable()
  return pairs
}

/** @throws Problem('validation_failed') for a body that is cut or has no boundary. */
function readMultipart(body: Buffer, contentType: string): Promise<readonly SentPair[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly SentPair[]>()
  const pairs: SentPair[] = []
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fields: MAX_PAIRS + 1, fieldSize: body.length + 1, files: MAX_PAIRS, parts: MAX_PAIRS + 1 },
    })
    parser.on('field', (name, value) => void pairs.push([name, value]))
    parser.on('file', (_name, stream) => void stream.resume())
    parser.on('error', () => reject(unreadable()))
    parser.on('finish', () => resolve(pairs))
    parser.end(body)
  } catch {
    reject(unreadable())
  }
  return promise.then(assertCount)
}

/** The whole body is in memory, within the limit of its group. */
export function readPlainBodies(scope: FastifyInstance): void {
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
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => readMultipart(body, request.headers['content-type'] ?? ''),
  )
}
