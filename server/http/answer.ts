// The envelopes of all answers except those of analytics and the tracker, in one place.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Paginator } from '../kernel/page.ts'
import type { Problem } from '../kernel/problem.ts'

/** Success of the authenticated and management endpoints. */
export function ok<T>(data: T): { code: 200; status: 'OK'; data: T } {
  return { code: 200, status: 'OK', data }
}

/** Bytes written at once; a socket takes no more anyway. */
const PART_CHARACTERS = 65_536

/** The text of `ok(page)` in parts, for pages with large rows: other requests are served in between. */
export async function* okInParts<Row>(page: Paginator<Row>): AsyncGenerator<string> {
  const frame = JSON.stringify(ok({ ...page, data: [] }))
  // The first one; `code` and `status` have none.
  const end = frame.indexOf(']')
  let part = frame.slice(0, end)
  for (const [index, row] of page.data.entries()) {
    part += (index === 0 ? '' : ',') + JSON.stringify(row)
    if (part.length < PART_CHARACTERS) continue
    yield part
    part = ''
    await nextTurn()
  }
  yield part + frame.slice(end)
}

export interface ErrorBody {
  readonly code: number
  readonly status: 'Error'
  readonly error_code: string
  readonly message: string
  readonly errors?: Readonly<Record<string, string[]>>
  /** Only on the public endpoints, whose libraries read nothing else. */
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

/** A failure of the service: logged in full, answered without details. */
export const internalErrorBody: ErrorBody = {
  code: 500,
  status: 'Error',
  error_code: 'internal_error',
  message: 'Something went wrong on our side.',
}
