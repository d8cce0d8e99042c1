// The validate step: checks values and stores none. Also what it shares with the process step: the signature,
// the form session of the token, and reading the answers.
import type { Context } from '../context.ts'
import type { Pay } from '../kernel/pay.ts'
import { Problem } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import type { Visitor } from '../tracker/tracker.ts'
import { readAnswers } from './answers.ts'
import type { Answers } from '../forms/form-model.ts'
import { stepRow, appendStep } from './note.ts'
import { findFaults } from '../forms/rules.ts'
import { saidIn } from './language.ts'
import { readSender } from './sender.ts'
import { type FoundFormSession, startFormSession } from './records.ts'
import { alreadyUsed, type Caller, getOpenSession } from './form-sessions.ts'
import { isSignature } from './signature.ts'

/** PHP writes an object without keys as a list. */
export type Sent = Readonly<Record<string, unknown>>

export interface CheckBody {
  readonly data: Sent
}

export interface Step {
  readonly session: FoundFormSession
  readonly property: Property
  readonly visitor: Visitor
}

/** @throws Problem('form_signature'), or Problem('form_session') for a token without a form session. */
export async function enterStep(context: Context, token: string, caller: Caller): Promise<Step> {
  if (!isSignature(caller.signature, token, context.now()))
    throw new Problem(
      'form_signature',
      'Lib error: the signature in X-SVC-SESSION does not match the token and the day.',
    )
  const session = await getOpenSession(context, token)
  const property = await context.properties.byId(session.property_id)
  if (!property) throw alreadyUsed()
  return { session, property, visitor: caller.visitorOf(property) }
}

/** In the facts alone: noted twice it counts once. The records know of it once the form is stored. */
export async function appendStart(context: Context, { session, visitor }: Step, caller: Caller): Promise<void> {
  if (session.is_started === 1) return
  const sender = readSender(context.enrich, caller.headers, visitor)
  const row = stepRow('open', { session, formName: session.form.name, sender, atMs: context.now() })
  await appendStep(context, row, caller.wait)
}

/** The first call after init shows that the visitor has begun to fill the form in. */
export async function noteStart(context: Context, step: Step, caller: Caller): Promise<void> {
  const { session } = step
  if (session.is_started === 0 && (await startFormSession(context.records, session.token_hash)))
    await appendStart(context, step, caller)
}

/** The answers, and the value of the honeypot. */
export function takeHoneypotOut(data: Sent, honeypot: string): { readonly original: Sent; readonly trap: unknown } {
  const original = Object.fromEntries(Object.entries(data).filter(([name]) => name !== honeypot))
  return { original, trap: Object.hasOwn(data, honeypot) ? data[honeypot] : undefined }
}

/** An object; or an empty list, which PHP writes for an object without keys. */
const isKeyed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0)

/**
 * Checked before the rest of the body: a client that loses `map` on the way gets this error, whatever else is
 * missing.
 * @throws Problem('form_discrepancy')
 */
export function refuseMapless(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  if (!('map' in body) || !isKeyed(body.map))
    throw new Problem('form_discrepancy', 'Data discrepancy: map must be an object with every key of data.')
}

export type Checked =
  | { readonly validated: true; readonly errors: null }
  | { readonly validated: false; readonly errors: Record<string, string[]> }

export function checkAnswers({ session, visitor }: Step, answers: Answers, pay: Pay): Checked {
  const errors = findFaults(session.frozen, answers, pay, saidIn(session.form.language, visitor))
  return errors === null ? { validated: true, errors } : { validated: false, errors }
}

/** @param readBody throws when the body has the wrong shape. */
export async function validateForm(
  context: Context,
  token: string,
  caller: Caller,
  readBody: () => CheckBody,
): Promise<Checked> {
  const step = await enterStep(context, token, caller)
  const { data } = readBody()
  await noteStart(context, step, caller)
  const { original } = takeHoneypotOut(data, step.session.honeypot)
  const pay: Pay = (costMs) => caller.payFor(step.visitor, costMs)
  return checkAnswers(step, readAnswers(step.session.frozen, original), pay)
}
