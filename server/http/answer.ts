// The envelopes of every answer but those of analytics and the tracker, in one place.
import type { Problem } from '../kernel/problem.ts'

/** Success of the authenticated and management endpoints. */
export function ok<T>(data: T): { code: 200; status: 'OK'; data: T } {
  return { code: 200, status: 'OK', data }
}

export interface ErrorBody {
  readonly code: number
  readonly status: 'Error'
  readonly error_code: string
  readonly message: string
  readonly errors?: Readonly<Record<string, string[]>>
  /** On the public endpoints only, whose libraries look at nothing else. */
  readonly success?: false
}

export function problemBody(problem: Problem): ErrorBody {
  const body = {
    code: problem.status,
    status: 'Error',
    error_code: problem.errorCode,
    message: problem.message,
  } as const
  return problem.errors ? { ...body, errors: problem.errors } : body
}

/** Ours, not the caller's: logged whole, answered blankly. */
export const internalErrorBody: ErrorBody = {
  code: 500,
  status: 'Error',
  error_code: 'internal_error',
  message: 'Something went wrong on our side.',
}
