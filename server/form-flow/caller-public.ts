// Who calls a step of a form, as far as the request tells.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { headerOf } from '../http/client.ts'
import { clientOf } from '../http/limits.ts'
import { openWorkLimit } from '../http/work.ts'
import { openAllowance } from '../queues/deadline.ts'
import { openVisitorReader } from '../tracker/tracker.ts'
import type { Caller } from './form-sessions.ts'

export type ReadCaller = (request: FastifyRequest, signature: string) => Caller

/** Milliseconds of the thread that one call may use on average; ordinary calls use a fraction of one. */
const WORK_A_CALL_MS = 1

export function openCallerReader({ config, deadlines, now }: Context): ReadCaller {
  const readVisitor = openVisitorReader(config.trustProxy)
  const work = openWorkLimit(config.publicRateLimit * WORK_A_CALL_MS)
  return (request, signature) => ({
    headers: request.headers,
    signature: headerOf(request.headers, signature),
    lib: headerOf(request.headers, 'x-svc-lib') ?? '',
    visitorOf: (property) => readVisitor(request, property),
    payFor: ({ address }, costMs) => work.pay(clientOf(address), costMs, now()),
    wait: openAllowance(deadlines.formFactsMs),
  })
}
