// Backups in S3-compatible storage (AWS, MinIO, Ceph, Backblaze, Cloudflare R2, Hetzner …): four requests,
// by path, signed (s3-signature.ts). One that fails for a reason that passes is sent again.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { type Credentials, queryText, signedHeaders, uriEncoded } from './s3-signature.ts'
import type { Listed, Storage } from './storage.ts'

interface S3Place extends Credentials {
  /** Of the service, without the bucket. */
  readonly url: string
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
}

interface Reply {
  readonly status: number
  readonly body: Buffer
}

const TRIES = 4
const FIRST_PAUSE_MS = 500
/** A piece has a few megabytes. */
const TIMEOUT_MS = 120_000
/** Of an answer that says what went wrong. */
const MOST_WORDS = 300

const passes = (status: number): boolean => status === 408 || status === 429 || status >= 500

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

/** The text of the first element of this name: the answers are flat, and written by programs. */
const textIn = (xml: string, element: string): string | undefined => {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? []
  return text === undefined ? undefined : unescaped(text)
}

export class S3Storage implements Storage {
  readonly name: string
  readonly #place: S3Place
  /** One connection or two: a backup gives way to what people ask. */
  readonly #agent = new Agent({ connections: 2, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

  constructor(place: S3Place) {
    this.#place = place
    this.name = `s3://${place.bucket}/${place.prefix}`
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#send('PUT', name, {}, bytes)
  }

  async get(name: string): Promise<Buffer | undefined> {
    const { status, body } = await this.#send('GET', name)
    return status === 404 ? undefined : body
  }

  async list(prefix: string): Promise<Map<string, Listed>> {
    const found = new Map<string, Listed>()
    const base = { 'list-type': '2', prefix: this.#place.prefix + prefix }
    for (let from: string | undefined = ''; from !== undefined;) {
      const { body } = await this.#send('GET', undefined, from === '' ? base : { ...base, 'continuation-token': from })
      const xml = body.toString('utf8')
      for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const [key = '', bytes, putAt = ''] = [
          textIn(entry, 'Key'),
          textIn(entry, 'Size'),
          textIn(entry, 'LastModified'),
        ]
        found.set(key.slice(this.#place.prefix.length), { bytes: Number(bytes), putMs: Date.parse(putAt) })
      }
      from = textIn(xml, 'IsTruncated') === 'true' ? textIn(xml, 'NextContinuationToken') : undefined
    }
    return found
  }

  async remove(name: string): Promise<void> {
    await this.#send('DELETE', name)
  }

  /** @returns an answer of 2xx, or 404 of a name. @throws Error that says what the storage said. */
  async #send(
    method: 'GET' | 'PUT' | 'DELETE',
    name?: string,
    query = {},
    body: Uint8Array = new Uint8Array(),
  ): Promise<Reply> {
    for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs *= 2) {
      const reply = await this.#try(method, name, query, body).catch((error: unknown) => error)
      const isReply = !(reply instanceof Error)
      const { status, body: told } = isReply ? (reply as Reply) : { status: 503, body: Buffer.from(reply.message) }
      if (isReply && (status < 300 || (status === 404 && name !== undefined && method !== 'PUT'))) return reply as Reply
      if (tries >= TRIES || !passes(status)) throw this.#fault(method, isReply ? status : undefined, told)
      await sleep(pauseMs)
    }
  }

  #fault(method: string, status: number | undefined, told: Buffer): Error {
    const text = told.toString('utf8')
    const words = (textIn(text, 'Message') ?? textIn(text, 'Code') ?? text).slice(0, MOST_WORDS)
    return new Error(`${this.name}: ${method} ${status === undefined ? 'failed' : `was answered ${status}`}: ${words}`)
  }

  async #try(
    method: 'GET' | 'PUT' | 'DELETE',
    name: string | undefined,
    query: object,
    body: Uint8Array,
  ): Promise<Reply> {
    const { url, bucket, prefix } = this.#place
    const { origin, host, pathname } = new URL(url)
    const key = name === undefined ? [] : `${prefix}${name}`.split('/')
    const path = [pathname.replace(/\/+$/, ''), ...[bucket, ...key].map(uriEncoded)].join('/')
    const asked = { method, host, path, query: query as Record<string, string>, body }
    const { host: _host, ...headers } = signedHeaders(asked, this.#place, Date.now())
    const text = queryText(asked.query)
    const reply = await request(`${origin}${path}${text && `?${text}`}`, {
      method,
      headers,
      dispatcher: this.#agent,
      ...(method === 'PUT' && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    })
    return { status: reply.statusCode, body: Buffer.from(await reply.body.arrayBuffer()) }
  }
}
