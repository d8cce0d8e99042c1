// Why a delivery failed, in a few words for the owner. A class of reasons and no more: addresses, and what a
// library says about them, stay inside.
import { TlsFailure } from './connector.ts'
import { RefusedAddress } from './guard.ts'

/** The ten seconds were over. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** More came than any answer takes. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  CERT_REVOKED: 'certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is not trusted',
}

/**
 * Nothing was tried, because of what other names do: no failure of the endpoint, and to be tried again soon.
 */
export const NOT_BEGUN = 'name look-up did not begin'

const UNASKED_CONTINUE = '100 Continue, which was not asked for'

const connections: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name not found',
  ENODATA: 'name not found',
  EAI_AGAIN: 'name look-up failed',
  EAI_FAIL: 'name look-up failed',
  LOOKUP_NOT_BEGUN: NOT_BEGUN,
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before an answer',
  EPIPE: 'connection closed before an answer',
  UND_ERR_SOCKET: 'connection closed before an answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  EADDRNOTAVAIL: 'host unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answer is not HTTP',
  UND_ERR_HEADERS_OVERFLOW: 'answer has too many headers',
}

/** The code of an error, or '' */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The failure of a request that got no status. */
export function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return 'refused address'
  if (error instanceof DeadlinePassed) return 'timeout'
  if (error instanceof AnswerTooLong) return 'answer is too long'
  if (error instanceof TlsFailure) return `TLS: ${certificates[codeOf(error.cause)] ?? 'handshake failed'}`
  const code = codeOf(error)
  if (code.startsWith('ERR_SSL')) return 'TLS: handshake failed'
  // By its name: undici leaves the code of some of them empty.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'answer is not HTTP'
  // undici ends the connection at one, and has no other word for it. Other interim answers are passed over.
  if (code === 'UND_ERR_SOCKET' && error instanceof Error && error.message === 'bad response') return UNASKED_CONTINUE
  return connections[code] ?? 'request failed'
}

/** The failure that a status means; null for 2xx, the only one that is none. */
export function statusReason(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `redirect ${status}` : `status ${status}`
}
