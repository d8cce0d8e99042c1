// Answers of /manage that only read are compressed: an overview is a fifth of its size. Which answers
// are not, and why: docs/decisions/0067-compressed-answers.md.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from './static-files.ts'

/** Smaller answers fit into one packet as they are. */
const LEAST_BYTES = 1_024
/** Under a millisecond for an overview; the usual 11 would take many. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const brotli = promisify(brotliCompress)
const compressed: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, QUALITY),
  gzip: promisify(gzip),
}

/** Another site caused the request, as browsers say: it must not learn from the size of the answer. */
const isForeign = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.isReading !== true || typeof payload !== 'string') return payload
    reply.header('vary', 'Accept-Encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '')
    const bytes = Buffer.from(payload)
    if (encoding === undefined || bytes.length < LEAST_BYTES || isForeign(request)) return payload
    reply.header('content-encoding', encoding)
    return compressed[encoding](bytes)
  })
}
