// Signs requests to S3-compatible storage: AWS Signature Version 4
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
import { createHmac, hash } from 'node:crypto'

export interface Credentials {
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

export interface Unsigned {
  readonly method: string
  readonly host: string
  /** Encoded as it is sent. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

/** RFC 3986, as the standard wants it: also what encodeURIComponent leaves alone. */
export const uriEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** In the order that is signed. */
export const queryText = (query: Unsigned['query']): string =>
  Object.entries(query)
    .map(([name, value]) => `${uriEncoded(name)}=${uriEncoded(value)}`)
    .toSorted()
    .join('&')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** @returns the headers that go with the request. */
export function signedHeaders(request: Unsigned, { region, keyId, secret }: Credentials, nowMs: number) {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const headers = { host: request.host, 'x-amz-content-sha256': request.bodyHash, 'x-amz-date': time }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    lines.join(''),
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((above, part) => hmac(above, part), `AWS4${secret}`)
  const signature = hmac(key, toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { ...headers, authorization }
}
