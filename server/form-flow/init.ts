// The init step: a page shows a form, with its own fields and rules or those of a managed form. They are
// frozen here for the form session.
import type { Context } from '../context.ts'
import type { Pay } from '../kernel/pay.ts'
import { Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { secretHash } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Property } from '../properties/properties.ts'
import { blueprintOf } from './blueprint.ts'
import {
  FREE_SESSIONS,
  type Form,
  type Frozen,
  MAX_HELD_BYTES,
  MAX_SOURCE,
  TOKEN_SECONDS,
} from '../forms/form-model.ts'
import { stepRow, appendStep } from './note.ts'
import { isRegistered, namesOrigin } from './origin.ts'
import { frozenOf, readFrozen } from '../forms/rules.ts'
import { readSender } from './sender.ts'
import { type FormSession, insertFormSession, weighHeldSessions } from './records.ts'
import {
  type Caller,
  addressMac,
  agentMac,
  findVisitSession,
  newFactId,
  newHoneypot,
  newToken,
} from './form-sessions.ts'
import { isSignature } from './signature.ts'
import { defaultSuccess } from './success.ts'
import { noteTryAtInit } from './tried.ts'
import { ownTextsOf, saidIn } from './language.ts'

/** As validated by the schema; the rules module reads fields and rules. */
export interface InitBody {
  readonly fields?: unknown
  readonly validation?: unknown
  readonly source?: string | null
  readonly successContent?: string | null
  /** The form is being sent although init has refused it. */
  readonly tried?: unknown
}

const ATTRIBUTION = 'Forms by Footfall'

const unknownForm = () => new Problem('not_found', 'Form not found')
const refused = (sentence: string) => new Problem('validation_failed', sentence)

/** With its property: a form of a deleted property is not found. @throws Problem('not_found') */
export async function getFormByKey(context: Context, key: string): Promise<{ form: Form; property: Property }> {
  const form = await context.forms.byKey(key)
  const property = form && (await context.properties.byId(form.property_id))
  if (!form || !property) throw unknownForm()
  return { form, property }
}

export function refuseClosed(form: Form): void {
  if (form.is_archived) throw refused('The form is archived: it takes no more submissions.')
  if (!form.is_published) throw refused('The form is not published.')
}

function refuseForeign(form: Form, property: Property, { headers }: Caller): void {
  if (!isRegistered(headers, [...property.domains, ...form.domains]))
    throw refused('The page is on a domain that is registered neither for the form nor for its property.')
}

/**
 * As the page sent it: it is sanitised when the form is sent, since most forms never are. Null: the form's
 * own.
 */
function successHtml(content: string | null | undefined): string | null {
  return content?.replaceAll('\0', '').toWellFormed() || null
}

/** An approximate bound: concurrent calls do not see each other. */
async function refuseHoarder({ records }: Context, session: FormSession): Promise<void> {
  const { count, bytes } = await weighHeldSessions(records, session)
  if (count >= FREE_SESSIONS && bytes >= MAX_HELD_BYTES)
    throw refused('The form was opened too often from this address without being sent: try again in ten minutes.')
}

interface Opening {
  readonly token: string
  readonly form: Form
  readonly frozen: Frozen
  readonly body: InitBody
}

export async function openSession(
  context: Context,
  caller: Caller,
  property: Property,
  opening: Opening,
): Promise<FormSession> {
  const { form, frozen, body } = opening
  const nowMs = context.now()
  const visitor = caller.visitorOf(property)
  const session: FormSession = {
    token_hash: secretHash(opening.token),
    property_id: property.id,
    form_id: form.id,
    fact_id: newFactId(context),
    address_mac: addressMac(context.keys, property.id, visitor),
    agent_mac: agentMac(context.keys, property.id, visitor),
    opened_ms: nowMs,
    expires_ms: nowMs + TOKEN_SECONDS * 1000,
    consumed_ms: null,
    is_started: 0,
    traps: 0,
    honeypot: newHoneypot(context, frozen.fields),
    frozen,
    source: cleanText(body.source ?? '', MAX_SOURCE),
    success_html: successHtml(body.successContent),
    has_origin: namesOrigin(caller.headers) ? 1 : 0,
    session: await findVisitSession(context, property.id, caller, visitor),
  }
  await refuseHoarder(context, session)
  await orNotFound(insertFormSession(context.records, session), unknownForm)
  const sender = readSender(context.enrich, caller.headers, visitor)
  await appendStep(context, stepRow('view', { session, formName: form.name, sender, atMs: nowMs }), caller.wait)
  return session
}

/**
 * The checks have the documented order, and the first failure is answered.
 * @param readBody throws when the body has the wrong shape.
 * @throws Problem('not_found') for an unknown key; another for a fault of the page or the owner.
 */
export async function initForm(context: Context, key: string, caller: Caller, readBody: () => InitBody) {
  const { form, property } = await getFormByKey(context, key)
  if (!isSignature(caller.signature, key, context.now()))
    throw new Problem('form_signature', 'Lib error: the signature in X-SVC-FORM does not match the form and the day.')
  noteTryAtInit(context, { form, property }, caller, readBody)
  refuseClosed(form)
  refuseForeign(form, property, caller)
  const body = readBody()
  const pay: Pay = (costMs) => caller.payFor(caller.visitorOf(property), costMs)
  const frozen = form.kind === 'open' ? readFrozen(body.fields, body.validation, pay) : frozenOf(form)
  const token = newToken(context)
  const said = saidIn(form.language, caller.visitorOf(property))
  const { honeypot } = await openSession(context, caller, property, { token, form, frozen, body })
  return {
    error_type: false,
    message: null,
    token,
    hp: honeypot,
    ty: form.success_html || defaultSuccess(said),
    branding: form.branding ? ATTRIBUTION : false,
    branding_link: form.branding ? context.config.baseUrl : null,
    ...ownTextsOf(said),
    ...(form.kind === 'managed' && { form_blueprint: blueprintOf(form) }),
  } as const
}
