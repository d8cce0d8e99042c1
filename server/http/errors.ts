// Turns anything thrown into an answer: a Problem with its own words, or a blank 500 whose cause is logged.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import { internalErrorBody, problemBody, type ErrorBody } from './answer.ts'
import { validationProblem, type Fault } from './validation.ts'

/** Anything that may be thrown: fastify's errors, a driver's, or something else. */
interface Thrown {
  readonly code?: unknown
  readonly errcode?: unknown
  readonly statusCode?: unknown
  readonly validation?: readonly Fault[]
  readonly validationContext?: string
}

/** An absent database is a 503, which callers retry; any other database error is a failure of the service. */
const outageCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // A full disk, an exhausted quota or a read-only disk: here, or on PostgreSQL's machine.
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  '53100',
])
const OUTAGE_RETRY_SECONDS = 5

/** The row that a new row refers to is gone. */
const FOREIGN_KEY_OF_POSTGRES = '23503'
const FOREIGN_KEY_OF_SQLITE = 787

function isThrown(error: unknown): error is Thrown {
  return typeof error === 'object' && error !== null
}

const byCode: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('payload_too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('validation_failed', 'The body is not valid JSON.'),
  FST_ERR_BAD_URL: () => new Problem('not_found', 'Nothing found at this URL.'),
}

/** Undefined for errors that no caller caused. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!isThrown(error)) return undefined
  if (error.validation) return validationProblem(error.validation, error.validationContext ?? 'body')
  const known = typeof error.code === 'string' && Object.hasOwn(byCode, error.code) ? byCode[error.code] : undefined
  if (known) return known()
  if (typeof error.code === 'string' && outageCodes.has(error.code)) {
    return new Problem('unavailable', 'The service is temporarily unavailable.', {
      retryAfterSeconds: OUTAGE_RETRY_SECONDS,
      cause: error,
    })
  }
  // A property, a form or a person that was deleted during the call.
  if (error.code === FOREIGN_KEY_OF_POSTGRES || error.errcode === FOREIGN_KEY_OF_SQLITE)
    return new Problem('not_found', 'What this belongs to was deleted in the meantime.')
  // Fastify's remaining refusals: wrong lengths, empty or poisoned JSON.
  const status = error.statusCode
  return typeof status === 'number' && status >= 400 && status < 500
    ? new Problem('validation_failed', 'The request cannot be read.')
    : undefined
}

/** Removes headers of the answer that was replaced: its type, encoding and cache key. */
function blank(reply: FastifyReply): FastifyReply {
  for (const name of ['content-encoding', 'etag']) reply.removeHeader(name)
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
}

export function sendProblem(reply: FastifyReply, problem: Problem, extra?: { success: false }): FastifyReply {
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
  if (problem.kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  const body: ErrorBody = extra ? { ...problemBody(problem), ...extra } : problemBody(problem)
  return blank(reply).code(problem.status).send(JSON.stringify(body))
}

/** @param extra is added to the body of every error: the public group's libraries only read `success`. */
export function errorHandler(extra?: { success: false }) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error)
    if (!problem) {
      request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
      return blank(reply)
        .code(500)
        .send(JSON.stringify({ ...internalErrorBody, ...extra }))
    }
    if (problem.kind === 'unavailable')
      request.log.warn({ err: problem.cause ?? problem, route: request.routeOptions.url }, 'answered unavailable')
    return sendProblem(reply, problem, extra)
  }
}

/** For connections without a valid request: no HTTP, too slow, or too large a header. */
export const BROKEN_REQUEST = {
  errorCode: 'bad_request',
  statuses: { malformed: 400, late: 408, headersTooLarge: 431 },
} as const

function brokenStatus(code: string | undefined): number {
  const { malformed, late, headersTooLarge } = BROKEN_REQUEST.statuses
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? late : malformed
}

/** There is no reply object, only the socket. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status = brokenStatus(error.code)
  const body = JSON.stringify({
    code: status,
    status: 'Error',
    error_code: BROKEN_REQUEST.errorCode,
    message: 'The request cannot be read.',
  })
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`)
}
