// Gathers the evidence about a submission: from the request, from what the IP address did before, and from
// the visit behind it. A facts store that is slow or away stops nothing: what is unknown gives no points.
import type { Context } from '../context.ts'
import type { Wait } from '../queues/deadline.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { type Keys, mac } from '../kernel/keys.ts'
import type { FormSessionTable } from '../stores/tables/form-tables.ts'
import { hintsIn, type Visitor } from '../tracker/tracker.ts'
import { countSameSignals, countSameTexts, type EarlierSession, listSessionsOfAddress } from './records.ts'
import { type Answers, type Frozen, HISTORY_MS } from '../forms/form-model.ts'
import { type Clues, DURATION_SLACK_MS, type Visit } from './score.ts'
import { agentMac, type Headers, isUntied, reasonOf } from '../form-flow/form-sessions.ts'
import type { Signals } from './signals.ts'
import { findVisit } from './facts.ts'
import { comparedTexts, describeWriting } from './writing.ts'

/** What the flow knows once a submission has passed every check. */
export interface Submitting {
  readonly formSession: Pick<
    FormSessionTable,
    'token_hash' | 'property_id' | 'form_id' | 'address_mac' | 'agent_mac' | 'opened_ms' | 'traps' | 'has_origin'
  >
  readonly frozen: Frozen
  readonly answers: Answers
  /** The body's `_sig`, by readSignals. */
  readonly signals: Signals | undefined
  /** As the request shows it now. */
  readonly visitor: Visitor
  readonly headers: Headers
  /** For reading the visit. */
  readonly wait: Wait
  readonly atMs: number
  /** The visitor's session, when one is known: it is looked for beside everything else. */
  readonly session: Promise<SessionRef | undefined>
  /** Whether `data` contained the honeypot (empty). */
  readonly hasHoneypot: boolean
  /**
   * False for a plain HTML form, which arrives at once as a whole: how long it took, and with which signals,
   * is
   * not known, and gives no points.
   */
  readonly isScripted: boolean
}

/** For the score, and stored with the submission for comparison with later ones. */
export interface Evidence extends Clues {
  readonly bodyMac: string | null
  readonly signalsMac: string | null
}

export type EvidenceDeps = Pick<Context, 'records' | 'facts' | 'keys' | 'enrich' | 'log'>

const TEXTS_MS = 7 * 86_400_000
/** Shorter than for texts: among many people, some counts agree by chance. */
const SIGNALS_MS = 86_400_000
const RATE_MS = 600_000
/**
 * A page that is open for longer than a token lives opens its form again; the visitor has been there since
 * the first time.
 */
const REOPENED_MS = 3_600_000
/** Fewer steps than these agree among many people. */
const MIN_STEPS = 3
/** Browsers that coarsen their clock count in tenths of a second: then only keys tell people apart. */
const COARSE_MS = 100
const MIN_KEYS = 10

function bodyMacOf(keys: Keys, { formSession, frozen, answers }: Submitting): string | null {
  const texts = comparedTexts(frozen, answers)
  return texts ? mac(keys('form-answers'), formSession.property_id, 'texts', ...texts).toString('hex') : null
}

function isTellingApart({ isReadable, durationMs = 0, keystrokes = 0, focuses = 0, touched = 0 }: Signals): boolean {
  if (!isReadable || durationMs <= 0 || keystrokes + focuses + touched < MIN_STEPS) return false
  return keystrokes >= MIN_KEYS || durationMs % COARSE_MS !== 0
}

function signalsMacOf(keys: Keys, { formSession, signals }: Submitting): string | null {
  if (!signals || !isTellingApart(signals)) return null
  const members = Object.entries(signals).map(([name, value]) => `${name}=${String(value)}`)
  const key = keys('form-answers')
  return mac(key, formSession.property_id, 'signals', ...members.toSorted()).toString('hex')
}

// ---------------------------------------------------------------- what the address did before

/**
 * Since the form was opened; for a page that counted for longer, since the same visitor first opened it
 * without sending.
 */
function elapsedOf({ formSession, signals, atMs, isScripted }: Submitting, earlier: readonly EarlierSession[]): number {
  if (!isScripted) return Infinity
  const elapsedMs = Math.max(0, atMs - formSession.opened_ms)
  if ((signals?.durationMs ?? 0) <= elapsedMs + DURATION_SLACK_MS) return elapsedMs
  const openedMs = earlier
    .filter((one) => one.form_id === formSession.form_id && one.agent_mac === formSession.agent_mac)
    .filter((one) => one.consumed_ms === null && one.opened_ms >= atMs - REOPENED_MS)
    .map((one) => one.opened_ms)
  return Math.max(elapsedMs, ...openedMs.map((each) => atMs - each))
}

function trapsBefore({ formSession }: Submitting, earlier: readonly EarlierSession[]): Clues['trapsBefore'] {
  const trapped = earlier.filter((one) => one.traps > 0 && one.token_hash !== formSession.token_hash)
  if (trapped.length === 0) return 'none'
  return trapped.some((one) => one.agent_mac === formSession.agent_mac) ? 'visitor' : 'address'
}

const countRecent = ({ atMs }: Submitting, earlier: readonly EarlierSession[]) =>
  1 + earlier.filter(({ consumed_ms }) => consumed_ms !== null && consumed_ms > atMs - RATE_MS).length

// ---------------------------------------------------------------- all of it

/** Global Privacy Control hides the visit: then its absence means nothing. */
async function visitBehind({ facts, log }: EvidenceDeps, submitting: Submitting): Promise<Visit | undefined> {
  const { formSession, session, headers, wait, atMs } = submitting
  if (isUntied(headers)) return undefined
  return wait(findVisit(facts, formSession.property_id, await session, atMs), (error) =>
    log.warn({ reason: reasonOf(error) }, 'a submission is scored without the visit behind it'),
  )
}

function botReasonOf({ enrich }: EvidenceDeps, { visitor, headers }: Submitting): Clues['botReason'] {
  const place = enrich.place(visitor.address)
  return enrich.bot({ userAgent: visitor.agent, place, brands: hintsIn(headers)?.brands }).reason
}

/**
 * Always makes the same queries, whatever they find: the duration of an answer reveals nothing of the score.
 */
export async function gatherEvidence(deps: EvidenceDeps, submitting: Submitting): Promise<Evidence> {
  const { keys, records } = deps
  const { formSession, frozen, answers, atMs } = submitting
  const propertyId = formSession.property_id
  const bodyMac = bodyMacOf(keys, submitting)
  const signalsMac = signalsMacOf(keys, submitting)
  const since = (backMs: number) => ({ propertyId, sinceMs: atMs - backMs })
  const [earlier, sameTexts, sameSignals, visit] = await Promise.all([
    listSessionsOfAddress(records, { ...since(HISTORY_MS), addressMac: formSession.address_mac }),
    bodyMac === null ? 0 : countSameTexts(records, { ...since(TEXTS_MS), bodyMac }),
    signalsMac === null ? 0 : countSameSignals(records, bodyMac, { ...since(SIGNALS_MS), signalsMac }),
    visitBehind(deps, submitting),
  ])
  return {
    bodyMac,
    signalsMac,
    signals: submitting.signals,
    elapsedMs: elapsedOf(submitting, earlier),
    writing: describeWriting(frozen, answers),
    hasHoneypot: submitting.hasHoneypot,
    isScripted: submitting.isScripted,
    traps: formSession.traps,
    trapsBefore: trapsBefore(submitting, earlier),
    sameTexts,
    sameSignals,
    recentSubmissions: countRecent(submitting, earlier),
    hasAgentChanged: agentMac(keys, propertyId, submitting.visitor) !== formSession.agent_mac,
    botReason: botReasonOf(deps, submitting),
    hasOrigin: formSession.has_origin === 1,
    visit,
  }
}
