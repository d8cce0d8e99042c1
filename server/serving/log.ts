// JSON lines on standard output; on a terminal, lines for people. Of a request only its route, status and
// time are logged: no IP address, token, id or query string.
import type { FastifyInstance } from 'fastify'
import { pino, stdSerializers, type LogFn, type Logger } from 'pino'
import { isPaused } from '../kernel/paused.ts'
import { forPeople, levelForPeople } from './log-lines.ts'

/**
 * A driver's error may contain the statement with its values, or the URL with its password: only its type and
 * origin are kept.
 */
function errorWithoutValues(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error)
  const code = (error as { code?: unknown }).code
  return { type, message, stack, ...(code === undefined ? {} : { code }) }
}

/** What is refused while writes are paused is no fault, and may come thousands of times. */
function leaveOutPaused(this: Logger, given: Parameters<LogFn>, method: LogFn): void {
  if (!isPaused(given[0])) method.apply(this, given)
}

/** @param worker its number, where there are several. */
export function openLog(level: string, worker?: number): Logger {
  const isForPeople = process.stdout.isTTY
  const options = {
    level: isForPeople ? levelForPeople(level) : level,
    base: worker === undefined ? null : { worker },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorWithoutValues },
    hooks: { logMethod: leaveOutPaused },
  }
  return isForPeople ? pino(options, forPeople(process.stdout)) : pino(options)
}

/**
 * One line per answer; for the public endpoints only with LOG_LEVEL=debug, since a line per page view would
 * be too expensive.
 */
export function logAnswers(app: FastifyInstance, log: Logger, level: (route: string) => 'info' | 'debug'): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const at = level(route)
    if (log.isLevelEnabled(at)) {
      log[at](
        { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
        'answered',
      )
    }
    done()
  })
}
