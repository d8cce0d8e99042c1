// S3-compatible storage (AWS, MinIO, Ceph, Backblaze, Cloudflare R2, Hetzner …): four requests,
// by path, signed (s3-signature.ts). One that fails for a reason that passes is sent again.
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { type Credentials, queryText, signedHeaders, uriEncoded } from './s3-signature.ts'
import type { Listed, LocalFile, Storage } from './storage.ts'

interface S3Place extends Credentials {
  /** Of the service, without the bucket. */
  readonly url: string
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
}

type Reply = Dispatcher.ResponseData

interface Sent {
  readonly hash: string
  /** Of each attempt. */
  readonly body?: () => Buffer | Readable
  readonly bytes?: number
}

const nothing: Sent = { hash: hash('sha256', '') }

const bytesOf = async (reply: Reply): Promise<Buffer> => Buffer.from(await reply.body.arrayBuffer())

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
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const sent = { hash: hash('sha256', body), body: () => body, bytes: body.length }
    await bytesOf(await this.#send('PUT', name, {}, sent))
  }

  async putFile(name: string, { path, bytes, sha256 }: LocalFile): Promise<void> {
    await bytesOf(await this.#send('PUT', name, {}, { hash: sha256, body: () => createReadStream(path), bytes }))
  }

  async get(name: string): Promise<Buffer | undefined> {
    const reply = await this.#send('GET', name)
    const bytes = await bytesOf(reply)
    return reply.statusCode === 404 ? undefined : bytes
  }

  async open(name: string): Promise<Readable | undefined> {
    const reply = await this.#send('GET', name)
    if (reply.statusCode !== 404) return reply.body
    await reply.body.dump()
    return undefined
  }

  async list(prefix: string): Promise<Map<string, Listed>> {
    const found = new Map<string, Listed>()
    const base = { 'list-type': '2', prefix: this.#place.prefix + prefix }
    for (let from: string | undefined = ''; from !== undefined;) {
      const asked: Readonly<Record<string, string>> = from === '' ? base : { ...base, 'continuation-token': from }
      const xml: string = (await bytesOf(await this.#send('GET', undefined, asked))).toString('utf8')
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
    await bytesOf(await this.#send('DELETE', name))
  }

  /**
   * @returns an answer of 2xx, or 404 of a name, whose body is to be read. @throws Error that says what the
   * storage said.
   */
  async #send(method: 'GET' | 'PUT' | 'DELETE', name?: string, query = {}, sent = nothing): Promise<Reply> {
    for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs *= 2) {
      const reply = await this.#try(method, name, query, sent).catch((error: Error) => error)
      const status = reply instanceof Error ? undefined : reply.statusCode
      if (!(reply instanceof Error)) {
        const { statusCode } = reply
        if (statusCode < 300 || (statusCode === 404 && name !== undefined && method !== 'PUT')) return reply
      }
      const told = reply instanceof Error ? Buffer.from(reply.message) : await bytesOf(reply)
      if (tries >= TRIES || !passes(status ?? 503)) throw this.#fault(method, status, told)
      await sleep(pauseMs)
    }
  }

  #fault(method: string, status: number | undefined, told: Buffer): Error {
    const text = told.toString('utf8')
    const words = (textIn(text, 'Message') ?? textIn(text, 'Code') ?? text).slice(0, MOST_WORDS)
    return new Error(`${this.name}: ${method} ${status === undefined ? 'failed' : `was answered ${status}`}: ${words}`)
  }

  #try(method: 'GET' | 'PUT' | 'DELETE', name: string | undefined, query: object, sent: Sent): Promise<Reply> {
    const { url, bucket, prefix } = this.#place
    const { origin, host, pathname } = new URL(url)
    const key = name === undefined ? [] : `${prefix}${name}`.split('/')
    const path = [pathname.replace(/\/+$/, ''), ...[bucket, ...key].map(uriEncoded)].join('/')
    const asked = { method, host, path, query: query as Record<string, string>, bodyHash: sent.hash }
    const { host: _host, ...headers } = signedHeaders(asked, this.#place, Date.now())
    const text = queryText(asked.query)
    return request(`${origin}${path}${text && `?${text}`}`, {
      method,
      headers: { ...headers, ...(sent.bytes !== undefined && { 'content-length': String(sent.bytes) }) },
      dispatcher: this.#agent,
      body: sent.body?.() ?? null,
    })
  }
}
