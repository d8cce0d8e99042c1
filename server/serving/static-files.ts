// Files in memory, in every encoding: requests read nothing from the disk, and slow readers share one copy.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The smallest first: the first one that a browser accepts is sent. */
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

export interface StaticFile {
  readonly type: string
  readonly plain: Buffer
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>
  /** Changes with the bytes. */
  readonly hash: string
}

export function staticFile(type: string, plain: Buffer, encoded: StaticFile['encoded'] = {}): StaticFile {
  return { type, plain, encoded, hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22) }
}

/**
 * The best encoding that an Accept-Encoding header allows; undefined for the plain bytes. A quality of 0
 * forbids one.
 */
export function chooseEncoding(header: string): Encoding | undefined {
  const allowed = new Map(
    header.split(',').map((part): [string, boolean] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  return encodings.find((name) => allowed.get(name) ?? allowed.get('*') ?? false)
}

/**
 * Whether one of the versions named in If-None-Match is this one. Weak comparison, since proxies may weaken a
 * tag.
 */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag)
}

/** The smallest encoding that the browser accepts, or 304 when it has the file already. */
export function sendStatic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, encoded, hash }: StaticFile,
  ownHeaders: Readonly<Record<string, string>>,
): FastifyReply {
  const encoding = chooseEncoding(headers['accept-encoding'] ?? '')
  const bytes = encoding && encoded[encoding]
  const tag = `"${hash}${bytes ? `-${encoding}` : ''}"`
  reply.headers({ ...ownHeaders, vary: 'Accept-Encoding', etag: tag, ...(bytes && { 'content-encoding': encoding }) })
  if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type(type).send(bytes ?? plain)
}
