// A clock with a day that the facts cannot store: refused with an explanation, and nothing of such a day is
// stored.
import type { FastifyRequest, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { dayOf, LAST_DAY } from '../kernel/days.ts'
import { Problem } from '../kernel/problem.ts'

/** Somebody has to correct it, which takes a while. */
const RETRY_SECONDS = 60

const wrongClock = () =>
  new Problem('unavailable', 'The clock of this server is wrong: it says a year before 1970 or after 2149.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

/** A hook of all endpoints that write or query days. Short links still redirect. */
export function refuseWrongClock({ now }: Pick<Context, 'now'>) {
  return ({ method }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const today = dayOf(now())
    done(method === 'OPTIONS' || (today >= 0 && today < LAST_DAY) ? undefined : wrongClock())
  }
}
