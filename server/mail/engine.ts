// Sends what waits in the outbox of mail. Of several processes each mail is sent by one; what a process
// leaves undone when it dies, another one sends after the lease.
import type { Deps } from '../kernel/deps.ts'
import { decrypt } from '../kernel/encryption.ts'
import { settledWithin } from '../queues/deadline.ts'
import { openRounds, type Rounds } from '../queues/rounds.ts'
import { contextOf } from './mail.ts'
import type { MailContent } from './mail-model.ts'
import { claimMail, type MailRow, noteMail } from './records.ts'
import type { Refusal, Transport } from './smtp.ts'

/** Longer than an attempt may take (smtp.ts): past it the process is dead, or as good as. */
const LEASE_MS = 90_000
/** Finds what was enqueued, and what is due again. */
const POLL_MS = 1_000
/** Connections to the mail server at once. */
const AT_ONCE = 4
const CLOSE_WAIT_MS = 5_000
const MINUTE_MS = 60_000
/** After each attempt that may succeed later; greylisting ends within minutes, an outage within a day. */
export const RETRY_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS)

type EngineDeps = Pick<Deps, 'records' | 'keys' | 'log' | 'now'>

const isExpired = ({ expires_ms: expires }: MailRow, nowMs: number): boolean => expires !== null && expires <= nowMs

/** The change of a mail after an attempt. What it says is kept only as long as it may be sent. */
function changeAfter({ attempts, expires_ms }: MailRow, refusal: Refusal, nowMs: number) {
  const tried = { attempts: attempts + 1, error: refusal?.reason ?? null }
  if (!refusal) return { ...tried, state: 'sent' as const, content: null, finished_ms: nowMs }
  const delayMs = RETRY_MS[attempts]
  const failed = { ...tried, state: 'failed' as const, content: null, finished_ms: nowMs }
  if (refusal.isFinal || delayMs === undefined) return failed
  const nextMs = nowMs + delayMs
  return expires_ms !== null && nextMs >= expires_ms ? failed : { ...tried, claimed_until_ms: nextMs }
}

export class MailEngine {
  readonly #deps: EngineDeps
  readonly #transport: Transport
  readonly #running = new Set<Promise<void>>()
  readonly #rounds: Rounds
  readonly #timer: NodeJS.Timeout
  #isClosing = false
  #isAway = false

  constructor(deps: EngineDeps, transport: Transport, pollMs = POLL_MS) {
    this.#deps = deps
    this.#transport = transport
    this.#rounds = openRounds(
      () => this.#round(),
      (error) => this.#complain(error),
    )
    this.#timer = setInterval(() => this.#rounds.soon(), pollMs)
    this.#rounds.soon()
  }

  /** Lets attempts under way end; others are sent by whoever comes next. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#rounds.end()
    await settledWithin(Promise.all(this.#running), CLOSE_WAIT_MS)
  }

  async #round(): Promise<void> {
    const { records, now } = this.#deps
    while (!this.#isClosing && this.#running.size < AT_ONCE) {
      const nowMs = now()
      const row = await claimMail(records, { nowMs, untilMs: nowMs + LEASE_MS })
      this.#isAway = false
      if (!row) return
      const run = this.#run(row)
        .catch((error: unknown) => this.#complain(error))
        .finally(() => {
          this.#running.delete(run)
          this.#rounds.soon()
        })
      this.#running.add(run)
    }
  }

  async #run(row: MailRow): Promise<void> {
    const { records, log, now } = this.#deps
    const refusal = isExpired(row, now())
      ? { reason: 'It was too late to send it.', isFinal: true }
      : await this.#send(row)
    // Neither whom it was for nor what the server said: both may name somebody.
    if (refusal) log.warn({ mail: row.id, kind: row.kind, final: refusal.isFinal }, 'a mail was not sent')
    await noteMail(records, row, changeAfter(row, refusal, now()))
  }

  async #send({ id, to_email: to, content, created_ms: createdMs }: MailRow): Promise<Refusal> {
    const opened = content === null ? undefined : decrypt(this.#deps.keys, content, contextOf(id))
    if (opened === undefined)
      return { reason: 'It cannot be read: it was written under another SECRET.', isFinal: true }
    return this.#transport.send({ id, to, content: JSON.parse(opened) as MailContent, createdMs })
  }

  /** Once for each time that the records are away. */
  #complain(error: unknown): void {
    if (!this.#isAway) this.#deps.log.error({ err: error }, 'mail waits: its records cannot be read or written')
    this.#isAway = true
  }
}
