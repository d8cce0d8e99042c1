// Sends a webhook: one POST over a guarded connection, one deadline over everything, no redirects, and an
// outcome whatever happens. Nothing here throws at its caller, keeps more of an answer than is shown, or
// reads a proxy from the environment.
import type { Dispatcher } from 'undici'
import { keptHeaders, readAnswer } from './answer.ts'
import { openConnector, type Dial } from './connector.ts'
import { isPlainHost, openGuard, type Reach, RefusedAddress } from './guard.ts'
import { systemLookup, type Lookup } from './lookup.ts'
import { openPool, type Connection, type Pool } from './pool.ts'
import { codeOf, DeadlinePassed, reasonOf, statusReason } from './reasons.ts'

/** What an endpoint has to answer (docs/webhooks.md). */
export const DEADLINE_MS = 10_000

export interface Outcome {
  /** Null when no status line came. */
  readonly status: number | null
  /** Null when it was delivered; otherwise a few words: `timeout`, `refused address`, `status 500` … */
  readonly error: string | null
  readonly headers: Readonly<Record<string, string>>
  /** The first kilobytes of the answer, as text. */
  readonly body: string
  readonly durationMs: number
}

export interface WebhookClient {
  /**
   * Never rejects, and is over at the deadline.
   * @param headers as they are; Host and Content-Length are added
   */
  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Outcome>
  /** Ends the idle connections; posts under way end by themselves. */
  close(): void
}

export interface WebhookClientOptions extends Reach {
  /** PEM certificates trusted instead of the system's: for tests. An installation has NODE_EXTRA_CA_CERTS. */
  readonly ca?: string | undefined
  /** The resolver; the system's unless a test brings its own. */
  readonly lookup?: Lookup
  /** How TCP connections are begun; for tests. */
  readonly dial?: Dial
  readonly deadlineMs?: number
}

type Response = Dispatcher.ResponseData

interface Attempt {
  readonly target: URL
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

function send({ client }: Connection, { target, body, headers, signal }: Attempt): Promise<Response> {
  const path = `${target.pathname}${target.search}`
  // Compressed answers are for browsers; those that come all the same are unpacked within bounds.
  const withEncoding = { ...headers, 'accept-encoding': 'identity' }
  return client.request({ method: 'POST', path, headers: withEncoding, body, signal })
}

const closedEarly = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * An idle connection may be closed by the endpoint in the very moment in which it is used again. That says
 * nothing about the endpoint, so the request is sent once more on a new one, within the same deadline; its id
 * makes a second arrival harmless.
 */
async function respond(pool: Pool, attempt: Attempt): Promise<{ connection: Connection; response: Response }> {
  const connection = pool.take(attempt.target.origin, attempt.signal)
  try {
    return { connection, response: await send(connection, attempt) }
  } catch (error) {
    pool.drop(connection)
    if (!connection.isUsed || attempt.signal.aborted || !closedEarly.has(codeOf(error))) throw error
    return respondAnew(pool, attempt)
  }
}

async function respondAnew(pool: Pool, attempt: Attempt): Promise<{ connection: Connection; response: Response }> {
  const connection = pool.make(attempt.target.origin, attempt.signal)
  try {
    return { connection, response: await send(connection, attempt) }
  } catch (error) {
    pool.drop(connection)
    throw error
  }
}

async function exchange(pool: Pool, attempt: Attempt): Promise<Omit<Outcome, 'durationMs'>> {
  const { connection, response } = await respond(pool, attempt)
  const status = response.statusCode
  const headers = keptHeaders(response.headers)
  const answer = await readAnswer(response.body, headers['content-encoding'] ?? '')
  if (answer.isWhole) pool.give(connection)
  else pool.drop(connection)
  return { status, error: statusReason(status), headers, body: answer.text }
}

/** Saved ones pass; this holds for whatever else gets here, and for what the settings no longer allow. */
function targetOf(url: string, reach: Reach): URL {
  const target = URL.parse(url)
  if (!target || target.username !== '' || target.password !== '') throw new RefusedAddress()
  const isPlain = target.protocol === 'http:' && isPlainHost(reach, target)
  if (!isPlain && target.protocol !== 'https:') throw new RefusedAddress()
  return target
}

export function openWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allow, ca, lookup = systemLookup, dial, deadlineMs = DEADLINE_MS } = options
  const guards = { tls: openGuard(allow), plain: openGuard(allow, false) }
  const pool = openPool(openConnector(guards, lookup, ca, dial))
  return {
    post: async (url, body, headers) => {
      const started = performance.now()
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new DeadlinePassed()), deadlineMs)
      const durationMs = (): number => Math.round(performance.now() - started)
      try {
        const result = await exchange(pool, { target: targetOf(url, options), body, headers, signal: deadline.signal })
        return { ...result, durationMs: durationMs() }
      } catch (error) {
        const reason = reasonOf(deadline.signal.aborted ? deadline.signal.reason : error)
        return { status: null, error: reason, headers: {}, body: '', durationMs: durationMs() }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => pool.close(),
  }
}
