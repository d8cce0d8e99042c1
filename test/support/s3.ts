// S3-compatible storage for tests, in memory: refuses what is not signed, answers lists in small pages, and
// fails now and then.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signedHeaders } from '../../server/storage/s3-signature.ts'

export interface S3 {
  readonly env: Readonly<Record<string, string>>
  /** By path, with the bucket. */
  readonly objects: Map<string, Buffer>
  /** How many requests were failed on purpose, and how many were refused. */
  readonly failed: () => number
  readonly refused: () => number
}

const credentials = { region: 'eu-test-1', keyId: 'TESTKEY', secret: 'test/secret+key' }
const PAGE = 2
/** Of so many requests one fails. */
const FAILS_EVERY = 5

function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const time = String(request.headers['x-amz-date'])
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const query = Object.fromEntries(url.searchParams)
  const bodyHash = hash('sha256', body)
  const asked = { method: request.method ?? '', host: request.headers.host ?? '', path: url.pathname, query, bodyHash }
  const { authorization } = signedHeaders(asked, credentials, Date.parse(iso))
  return request.headers.authorization === authorization
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function listed(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).toSorted()
  const from = Number(query.get('continuation-token') ?? 0)
  const page = names.slice(from, from + PAGE)
  const entries = page.map(
    (name) =>
      `<Contents><Key>${xml(name.slice(bucket.length + 1))}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>${objects.get(name)!.length}</Size></Contents>`,
  )
  const isMore = from + PAGE < names.length
  const more = isMore ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${more}${entries.join('')}</ListBucketResult>`
}

export async function startS3(t: { after(work: () => unknown): void }): Promise<S3> {
  const objects = new Map<string, Buffer>()
  let [requests, failed, refused] = [0, 0, 0]
  const answer = (method: string, url: URL, body: Buffer): readonly [status: number, body: Buffer | string] => {
    const path = decodeURIComponent(url.pathname.slice(1))
    if (url.searchParams.has('list-type')) return [200, listed(objects, path, url.searchParams)]
    const found = objects.get(path)
    if (method === 'GET') return found ? [200, found] : [404, '<Error><Code>NoSuchKey</Code></Error>']
    if (method === 'PUT') objects.set(path, body)
    else objects.delete(path)
    return [method === 'PUT' ? 200 : 204, '']
  }
  const answerTo = (request: IncomingMessage, body: Buffer): readonly [status: number, body: Buffer | string] => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const fails = ++requests % FAILS_EVERY === 0
    if (fails) failed++
    const isRefused = !isSigned(request, url, body)
    if (isRefused) refused++
    if (fails) return [503, '<Error><Code>SlowDown</Code></Error>']
    if (isRefused) return [403, '<Error><Code>SignatureDoesNotMatch</Code><Message>Not &lt;you&gt;.</Message></Error>']
    return answer(request.method ?? '', url, body)
  }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const [status, told] = answerTo(request, body)
      response.writeHead(status).end(told)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    env: {
      BACKUP_S3_URL: `http://127.0.0.1:${port}`,
      BACKUP_S3_REGION: credentials.region,
      BACKUP_S3_KEY_ID: credentials.keyId,
      BACKUP_S3_SECRET: credentials.secret,
    },
    objects,
    failed: () => failed,
    refused: () => refused,
  }
}
