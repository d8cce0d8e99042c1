// Tells whether a webhook came from the service that shares your signing secret, unchanged, within the last minutes.
// One file without dependencies: copy it. It runs as it is on Node 22.18 and later, Deno and Bun. It never throws, whatever a request carries.
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedRequest {
  /** `whsec_…`, the whole text as it was shown. */
  readonly secret: string
  /** The value of X-Service-Signature. */
  readonly header: string | readonly string[] | null | undefined
  /** The body as it arrived, before any JSON.parse: bytes, or the text of exactly these bytes. */
  readonly body: string | Uint8Array
  /** Unix seconds; the clock's unless given. */
  readonly now?: number
  /** How far the clock of the sender may be off, either way; in seconds. */
  readonly tolerance?: number
}

export type Verdict = { readonly valid: true } | { readonly valid: false; readonly reason: Reason }
export type Reason = 'missing header' | 'malformed header' | 'too old' | 'in the future' | 'wrong signature'

/** Long enough for clocks that differ and a slow network, short enough that a recorded request is soon worth nothing. */
const TOLERANCE_SECONDS = 300
/** Two signatures take 150 characters; what is much longer is not ours. */
const MAX_HEADER_LENGTH = 1000

interface Signature {
  readonly timestamp: string
  /** Several while a secret is being replaced: any of them may be yours. */
  readonly seals: readonly string[]
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`; parts with other names may be added one day, and are passed over. */
function parse(header: string): Signature | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined
  const parts = header.split(',').map((part) => part.trim())
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length))
  const [timestamp, ...more] = valuesOf('t=')
  const seals = valuesOf('v1=').filter((seal) => /^[0-9a-f]{64}$/.test(seal))
  if (timestamp === undefined || more.length > 0 || !/^\d{1,12}$/.test(timestamp) || seals.length === 0)
    return undefined
  return { timestamp, seals }
}

function isSealed({ timestamp, seals }: Signature, secret: string, body: string | Uint8Array): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'))
  // All are compared, each in constant time: how long it takes tells nothing about how much was right.
  return seals.map((seal) => timingSafeEqual(Buffer.from(seal), expected)).includes(true)
}

const refused = (reason: Reason): Verdict => ({ valid: false, reason })

/** Valid when the header holds a signature of this body with this secret that is not older, or newer, than the tolerance. */
export function verify({ secret, header, body, now, tolerance = TOLERANCE_SECONDS }: SignedRequest): Verdict {
  if (header === null || header === undefined || header === '') return refused('missing header')
  if (typeof header !== 'string') return refused('malformed header')
  const signature = parse(header)
  if (signature === undefined) return refused('malformed header')
  // A secret that is missing from the settings must not turn into one that anybody knows.
  if (secret === '' || !isSealed(signature, secret, body)) return refused('wrong signature')
  const age = (now ?? Math.floor(Date.now() / 1000)) - Number(signature.timestamp)
  if (age > tolerance) return refused('too old')
  // Written so that a clock that is no number refuses too.
  return age >= -tolerance ? { valid: true } : refused('in the future')
}
