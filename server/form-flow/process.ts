// The process step: checks, scores and stores what was sent, and uses the token up. One transaction decides:
// of two at once one is stored, and what was acknowledged is stored. Clean, flagged and dropped submissions
// take the same path and get the same answer.
import type { Context } from '../context.ts'
import type { Pay } from '../kernel/pay.ts'
import { Problem } from '../kernel/problem.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { cleanText } from '../kernel/text.ts'
import type { Listener } from '../kernel/triggers.ts'
import { newId } from '../kernel/secrets.ts'
import { isMailOn } from '../mail/mail.ts'
import { orNotFound } from '../stores/gone.ts'
import { sharingCommit, writeWhile } from '../stores/records.ts'
import { readAnswers, storedAnswers } from './answers.ts'
import {
  appendStart,
  checkAnswers,
  type Checked,
  enterStep,
  noteStart,
  type Sent,
  type Step,
  takeHoneypotOut,
} from './check.ts'
import { gatherEvidence } from '../spam-score/evidence.ts'
import { type Answers, MAX_LIB, type Verdict } from '../forms/form-model.ts'
import { noteSent, withinReason } from './note.ts'
import { ownPage } from '../forms/own-pages.ts'
import { quoted } from '../forms/rule-messages.ts'
import { scoreOf } from '../spam-score/score.ts'
import { readSender, type Sender } from './sender.ts'
import { consumeFormSession, consuming, countTrap } from './records.ts'
import { alreadyUsed, type Caller, findVisitSession, assertSameAddress, isUntied } from './form-sessions.ts'
import { readSignals } from '../spam-score/signals.ts'
import { makeContactOf } from '../submissions/leads.ts'
import { insertSubmission, type NewSubmission, submissionInserts } from '../submissions/records.ts'
import { saidIn } from './language.ts'
import { successOf } from './success.ts'
import { submissionTrigger } from './triggers.ts'
import { attachUploads, findFilesOf, type PendingUpload } from '../uploads/uploads.ts'

export interface ProcessBody {
  readonly map: Sent
  readonly data: Sent
  readonly ty?: string | null
  readonly _sig?: unknown
}

/** `map` must name all fields that are sent: this detects a client that loses fields on the way. */
function assertInMap(map: Sent, original: Sent): void {
  for (const name of Object.keys(original))
    if (!Object.hasOwn(map, name))
      throw new Problem('form_discrepancy', `Data discrepancy: ${quoted(name)} is missing from map.`)
}

/** Any value in it; clients may send an empty field as null. */
function isFilled(trap: unknown): boolean {
  if (trap === undefined || trap === null || trap === false || trap === '') return false
  return typeof trap !== 'object' || Object.keys(trap).length > 0
}

/** Not read for a visitor who sends Global Privacy Control. */
async function visitOf(context: Context, { session, visitor }: Step, caller: Caller): Promise<SessionRef | undefined> {
  if (isUntied(caller.headers)) return undefined
  return session.session ?? findVisitSession(context, session.property_id, caller, visitor)
}

/** Checked again here: domains may have been taken away since the form was saved. */
const redirectOf = ({ session: { form }, property }: Step): string | undefined =>
  form.redirect_url === null ? undefined : ownPage(form.redirect_url, [...property.domains, ...form.domains])

export interface Accepted {
  readonly step: Step
  readonly caller: Caller
  /** With files as people read them. */
  readonly answers: Answers
  readonly uploads: readonly PendingUpload[]
  readonly body: Pick<ProcessBody, 'data' | '_sig'>
  /** False for a plain HTML form: nothing is known of how it was filled in. */
  readonly isScripted: boolean
  readonly atMs: number
}

async function judge(
  context: Context,
  { step, caller, answers, body, isScripted, atMs }: Accepted,
  visiting: Promise<SessionRef | undefined>,
) {
  const evidence = await gatherEvidence(context, {
    formSession: step.session,
    frozen: step.session.frozen,
    answers,
    signals: readSignals(body._sig),
    visitor: step.visitor,
    headers: caller.headers,
    wait: caller.wait,
    atMs,
    session: visiting,
    hasHoneypot: Object.hasOwn(body.data, step.session.honeypot),
    isScripted,
  })
  return { ...scoreOf(evidence), body_mac: evidence.bodyMac, signals_mac: evidence.signalsMac }
}

/** What follows from the IP address; the address itself only where the form stores it. */
function senderColumns({ visitor, place, agent, bot, language }: Sender, isIpKept: boolean) {
  return {
    ip: isIpKept ? visitor.address : '',
    network: place.as_name,
    country: place.country,
    country_code: place.country_code,
    region: place.region,
    city: place.city,
    lat: place.lat,
    lon: place.lon,
    browser: agent.browser,
    os: agent.os,
    device: agent.device,
    language,
    is_bot: bot.is_bot ? 1 : 0,
    bot_name: bot.name,
    bot_reason: bot.reason,
  }
}

/**
 * As a visitor's identify: not where only tokens may identify, and not of somebody with Global Privacy
 * Control.
 */
function leadOf(
  { step: { session, property }, caller }: Accepted,
  verdict: Verdict,
): NonNullable<NewSubmission['lead']> {
  if (isUntied(caller.headers)) return 'private'
  return verdict === 'clean' && session.form.creates_contacts && !property.is_token_only ? 'due' : 'none'
}

async function newSubmission(
  context: Context,
  accepted: Accepted,
  visiting: Promise<SessionRef | undefined>,
): Promise<NewSubmission> {
  const { step, caller, answers, atMs } = accepted
  const { session } = step
  const judged = await judge(context, accepted, visiting)
  const visit = await visiting
  return {
    id: newId(context, 'sb'),
    property_id: session.property_id,
    form_id: session.form_id,
    fact_id: session.fact_id,
    submitted_ms: atMs,
    ...judged,
    answers: storedAnswers(session.frozen, answers),
    ...senderColumns(readSender(context.enrich, caller.headers, step.visitor), session.form.is_ip_kept),
    lead: leadOf(accepted, judged.verdict),
    isMailOn: isMailOn(context.config),
    source: session.source,
    lib: cleanText(caller.lib, MAX_LIB),
    session_day: visit?.day ?? null,
    session: visit?.hash.toString() ?? null,
  }
}

interface Storing {
  readonly tokenHash: string
  readonly submission: NewSubmission
  readonly uploads: readonly PendingUpload[]
  readonly listeners: readonly Listener[]
}

/** With those who wait for it. @returns whether anything is on its way to them. */
function storeAndEnqueue(
  { records, triggers }: Context,
  { tokenHash, submission, uploads, listeners }: Storing,
): Promise<boolean> {
  return sharingCommit(records, async (tx) => {
    if (!(await consumeFormSession(tx, tokenHash, submission.submitted_ms))) throw alreadyUsed()
    await insertSubmission(tx, submission)
    if (!(await attachUploads(tx, submission, uploads, submission.submitted_ms))) throw alreadyUsed()
    return triggers.enqueue(tx, listeners, {
      ...submissionTrigger(submission),
      isAnonymous: submission.verdict !== 'clean',
    })
  })
}

async function storeAlone({ records }: Context, { tokenHash, submission }: Storing): Promise<false> {
  const consume = consuming(records, { tokenHash, nowMs: submission.submitted_ms })
  if (!(await writeWhile(records, [consume, ...submissionInserts(records, submission)]))) throw alreadyUsed()
  return false
}

/** @throws Problem('form_session') when the token has just been used, or the form is gone. */
async function store(
  context: Context,
  tokenHash: string,
  submission: NewSubmission,
  uploads: readonly PendingUpload[],
): Promise<void> {
  const { triggers } = context
  // Also for what is dropped: the sender must not notice.
  const all = await triggers.listeners(submission.property_id, 'form_submit')
  const listeners: readonly Listener[] = submission.verdict === 'dropped' ? [] : all
  const storing = { tokenHash, submission, uploads, listeners }
  // By who listens at all: what is dropped takes the same path.
  const work = all.length + uploads.length > 0 ? storeAndEnqueue(context, storing) : storeAlone(context, storing)
  if (await orNotFound(work, alreadyUsed)) triggers.wake()
}

/** It is stored: nothing after this may fail the answer. */
async function notifyOfSubmission(
  context: Context,
  { step, caller }: Accepted,
  submission: NewSubmission,
  visit: SessionRef | undefined,
): Promise<void> {
  const note = async (): Promise<void> => {
    await noteSent(context, { ...submission, mark: null, form_name: step.session.form.name })
    // A dropped submission does not count as activity of a contact.
    if (visit && (await context.visitors.isCurrent(visit)) && submission.verdict !== 'dropped')
      context.visitors.noteActivity(visit)
  }
  await withinReason(context, note(), 'a submission is not in the facts yet', caller.wait)
}

/** Scores and stores it, and tells who waits for it. */
export async function keep(context: Context, accepted: Accepted): Promise<void> {
  const { step, caller } = accepted
  // Side by side: neither needs anything of the others.
  const visiting = visitOf(context, step, caller)
  const noted = appendStart(context, step, caller)
  const [submission, visit] = await Promise.all([newSubmission(context, accepted, visiting), visiting, noted])
  await store(context, step.session.token_hash, submission, accepted.uploads)
  // Not waited for: who is dropped must not be answered sooner.
  if (submission.lead === 'due') void makeContactOf(context, submission.id)
  await notifyOfSubmission(context, accepted, submission, visit)
}

type Examined =
  | Extract<Checked, { validated: false }>
  | (Pick<Accepted, 'answers' | 'uploads'> & {
      readonly validated: true
      /** What the visitor is told. */
      readonly ty: string
      readonly original: Sent
    })

/** The checks have the documented order. @throws Problem: form_discrepancy, form_trap, rate_limited. */
async function examine(context: Context, step: Step, caller: Caller, body: ProcessBody): Promise<Examined> {
  const { session } = step
  const { original, trap } = takeHoneypotOut(body.data, session.honeypot)
  assertInMap(body.map, original)
  const answers = readAnswers(session.frozen, original)
  if (isFilled(trap)) {
    await countTrap(context.records, session.token_hash)
    throw new Problem('form_trap', 'Data invalidated: a field that people do not see was filled in.')
  }
  const pay: Pay = (costMs) => caller.payFor(step.visitor, costMs)
  const checked = checkAnswers(step, answers, pay)
  if (!checked.validated) return checked
  const said = saidIn(session.form.language, step.visitor)
  const sending = { fields: session.frozen.fields, sessionHash: session.token_hash, said, nowMs: context.now() }
  const found = await findFilesOf(context.records, sending, answers)
  if (found.errors !== null) return { validated: false, errors: found.errors }
  // Created before anything is stored: a submission that cannot be answered is not accepted.
  const ty = successOf(session, body.ty, { answers: found.answers, pay, said })
  return { validated: true, ty, original, answers: found.answers, uploads: found.uploads }
}

/** @param readBody throws when the body has the wrong shape. */
export async function processForm(context: Context, token: string, caller: Caller, readBody: () => ProcessBody) {
  const step = await enterStep(context, token, caller)
  assertSameAddress(context.keys, step.session, step.visitor)
  const body = readBody()
  const examined = await examine(context, step, caller, body).catch(async (error: unknown) => {
    await noteStart(context, step, caller)
    throw error
  })
  if (!examined.validated) {
    await noteStart(context, step, caller)
    return examined
  }
  const { ty, original, ...accepted } = examined
  await keep(context, { step, caller, ...accepted, body, isScripted: true, atMs: context.now() })
  const redirect = redirectOf(step)
  return { validated: true, ty, original, ...(redirect !== undefined && { redirect_url: redirect }) } as const
}
