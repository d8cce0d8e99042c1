// The table of everything that a caller can cause. A Problem is the only error whose words reach a client;
// any other is ours: logged in full and answered without details.

/** One row per kind: the HTTP status and the `error_code` of the answer (docs/errors.md). */
export const problems = {
  unauthenticated: { status: 401, errorCode: 'unauthenticated' },
  second_factor: { status: 401, errorCode: 'second_factor_required' },
  share_password: { status: 401, errorCode: 'password_required' },
  insufficient_scope: { status: 403, errorCode: 'insufficient_scope' },
  form_signature: { status: 403, errorCode: 'lib_error' },
  form_trap: { status: 403, errorCode: 'data_invalidated' },
  not_found: { status: 404, errorCode: 'not_found' },
  method_not_allowed: { status: 405, errorCode: 'method_not_allowed' },
  conflict: { status: 409, errorCode: 'conflict' },
  gone: { status: 410, errorCode: 'error' },
  expectation_failed: { status: 417, errorCode: 'expectation_failed' },
  form_session: { status: 419, errorCode: 'session_expired' },
  form_discrepancy: { status: 419, errorCode: 'data_discrepancy' },
  payload_too_large: { status: 413, errorCode: 'payload_too_large' },
  unsupported_media_type: { status: 415, errorCode: 'unsupported_media_type' },
  validation_failed: { status: 422, errorCode: 'validation_failed' },
  rate_limited: { status: 429, errorCode: 'rate_limited' },
  unavailable: { status: 503, errorCode: 'unavailable' },
  no_room: { status: 507, errorCode: 'no_room' },
} as const

export type ProblemKind = keyof typeof problems

/** Field name to sentences, as the answer's `errors` has them. */
export type FieldErrors = Record<string, string[]>

export class Problem extends Error {
  readonly kind: ProblemKind
  readonly errors: FieldErrors | undefined
  /** Sent as Retry-After, in whole seconds. */
  readonly retryAfterSeconds: number | undefined

  /** @param message is shown to the caller: never a secret, never personal data. */
  constructor(
    kind: ProblemKind,
    message: string,
    options: { errors?: FieldErrors; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Problem'
    this.kind = kind
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return problems[this.kind].status
  }

  get errorCode(): string {
    return problems[this.kind].errorCode
  }
}

export const propertyNotFound = () => new Problem('not_found', 'Property not found.')

/** A 422 about one field. */
export function invalid(field: string, sentence: string): Problem {
  return new Problem('validation_failed', sentence, { errors: { [field]: [sentence] } })
}
