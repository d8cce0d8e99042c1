// The body of a delivery, rendered before its first attempt: the session and its contact are looked up then,
// and the condition is judged. Nothing here is an attempt: while a store is away the delivery waits.
import type { Context } from '../context.ts'
import { findLink } from '../identify/identify.ts'
import { type Answer, findForm } from '../forms/forms.ts'
import { findSubmission, answersByLabel, type Submission } from '../submissions/submissions.ts'
import { fileLink, fileText, listFiles } from '../uploads/uploads.ts'
import { dashboardUrl } from '../config.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { sessionId, type SessionRef } from '../kernel/ids.ts'
import { isChat } from '../kernel/payloads.ts'
import type { TriggerEvent } from '../kernel/triggers.ts'
import { triggers, type TriggerType } from '../kernel/trigger-table.ts'
import type { RecordTables } from '../stores/tables.ts'
import { sessionKey } from '../sessions/sessions.ts'
import type { Conversion } from '../conversions/conversion-model.ts'
import { findConversion } from '../conversions/records.ts'
import { chatBody } from './chat.ts'
import { messageOf } from './chat-message.ts'
import { envelopeBody, legacyFormBody, type EnvelopeSession, type EnvelopeSubmission, type Run } from './envelope.ts'
import { meets } from '../automations/match.ts'
import { findAutomation } from '../automations/records.ts'
import type { FoundSession, RunFacts } from './facts.ts'
import { sampleSession, sampleSubmission } from './samples.ts'

export interface BodyDeps extends Pick<Context, 'config' | 'records' | 'keys' | 'now'> {
  readonly runFacts: RunFacts
}

/** What of a delivery its body is made from. */
export type BodyRow = Pick<
  RecordTables['deliveries'],
  | 'id'
  | 'property_id'
  | 'automation_id'
  | 'payload'
  | 'url'
  | 'event_value'
  | 'event'
  | 'conversion_id'
  | 'session_day'
  | 'session'
  | 'contact_id'
> & { readonly event_type: string }

/** Why there is nothing to send. */
interface Skipped {
  readonly skipped: string
}

export type Body = { readonly body: string } | Skipped

type Parts = Pick<Run, 'event' | 'session' | 'conversion' | 'submission'>

const sessionOf = ({ session_day, session }: BodyRow): SessionRef | undefined =>
  session_day === null || session === null ? undefined : { day: session_day, hash: BigInt(session) }

/** The event with the page on which it happened, when the event itself does not name it. */
async function placed(
  deps: BodyDeps,
  propertyId: string,
  event: TriggerEvent,
  session: SessionRef | undefined,
): Promise<TriggerEvent> {
  if (!session || event.page_path !== null) return event
  const page = await deps.runFacts.page(propertyId, session, event.created_ts * 1000)
  return page ? { ...event, page_path: page.path, page_url: page.url } : event
}

const known = (text: string | undefined) => (text === undefined || text === '' ? null : text)

/** Only id and url when nothing else of the session is stored, as after RETENTION_DAYS. */
function shownSession(
  deps: BodyDeps,
  propertyId: string,
  session: SessionRef,
  found: FoundSession | undefined,
): EnvelopeSession {
  const id = sessionId(deps.keys, propertyId, session)
  const { entry, channel, contactId, country, money } = found ?? {}
  return {
    id,
    url: `${dashboardUrl(deps.config)}/properties/${propertyId}/sessions/${id}`,
    entry_ts: entry ? Math.floor(entry.atMs / 1000) : null,
    entry_path: entry ? entry.path : null,
    channel_category: entry ? known(channel) : null,
    channel_name: entry && channel ? channelLabel(channel) : null,
    contact_id: known(contactId),
    country: known(country),
    acquisition_value_cents: money?.money?.amount ?? 0,
    acquisition_currency_code: money?.currency ?? null,
  }
}

/** Receivers cannot sign in: each file comes with a link, which expires. */
async function withLinks(
  { config, records, keys, now }: BodyDeps,
  { id, fields }: Pick<Submission, 'id' | 'fields'>,
): Promise<readonly Answer[]> {
  const files = Map.groupBy(await listFiles(records, [id]), ({ field }) => field)
  return fields.map((answer) => {
    const own = files.get(answer.name)
    if (!own) return answer
    const texts = own.map((file) => `${fileText(file)} ${fileLink(config.baseUrl, keys, file.id, now())}`)
    return { ...answer, value: typeof answer.value === 'string' ? texts.join(' ') : texts }
  })
}

/** Null when it is gone: deleted, or past its time. */
async function findSent(
  deps: BodyDeps,
  propertyId: string,
  { form_id, form_submit_id }: TriggerEvent,
): Promise<EnvelopeSubmission | null> {
  if (form_id === null || form_submit_id === null) return null
  const form = await findForm(deps.records, propertyId, form_id)
  const scope = { propertyId, formId: form_id }
  const submission = form && (await findSubmission(deps.records, scope, form_submit_id))
  if (!form || !submission) return null
  const answers = await withLinks(deps, submission)
  return {
    id: submission.id,
    form: { id: form.id, name: form.name },
    fields: answersByLabel(answers),
    country: submission.country || null,
    city: submission.city || null,
    ip: submission.ip || null,
    geo: { lat: submission.lat, lon: submission.lon },
    is_bot: submission.is_bot === 1,
    is_flagged: submission.verdict === 'flagged',
    raw_fields: answers,
    submitted_ts: Math.floor(submission.submitted_ms / 1000),
  }
}

async function partsOf(deps: BodyDeps, row: BodyRow, event: TriggerEvent): Promise<Parts | Skipped> {
  const propertyId = row.property_id
  const session = sessionOf(row)
  const conversion = await judged(deps, row, event, session)
  if (conversion === undefined) return { skipped: 'The session has not met the condition.' }
  const [place, found, submission] = await Promise.all([
    placed(deps, propertyId, event, session),
    session && deps.runFacts.session(propertyId, session),
    findSent(deps, propertyId, event),
  ])
  if (found?.isInvalid) return { skipped: 'The session is marked as invalid.' }
  const shown = session ? shownSession(deps, propertyId, session, found) : null
  // The session may have been identified a moment ago, before the facts know of it.
  const visit = shown && { ...shown, contact_id: shown.contact_id ?? row.contact_id }
  return { event: place, session: visit, conversion, submission }
}

/** When the automation names a form, the sample answers its fields as they are now. */
async function sampleParts(deps: BodyDeps, row: BodyRow): Promise<Parts> {
  const isForm = triggers[row.event_type as TriggerType].value === 'form'
  const form =
    isForm && row.event_value !== null ? await findForm(deps.records, row.property_id, row.event_value) : undefined
  const nowMs = deps.now()
  return {
    event: null,
    session: sampleSession(deps, row.property_id, nowMs),
    conversion: null,
    submission: isForm ? sampleSubmission(form, nowMs) : null,
  }
}

/**
 * The records know first that a session is identified: the facts learn it after its deliveries are enqueued.
 */
async function hasMet(
  deps: BodyDeps,
  propertyId: string,
  session: SessionRef,
  conversion: Conversion,
): Promise<boolean> {
  const isIdentify = conversion.event_type === 'identify'
  if (isIdentify && (await findLink(deps.records, propertyId, sessionKey(session)))) return true
  return deps.runFacts.hasConverted(propertyId, session, conversion)
}

/** Null without a condition, undefined when it is not met. */
async function judged(
  deps: BodyDeps,
  row: BodyRow,
  event: TriggerEvent,
  session: SessionRef | undefined,
): Promise<Conversion | null | undefined> {
  if (row.conversion_id === null) return null
  const conversion = session && (await findConversion(deps.records, row.property_id, row.conversion_id))
  if (!session || !conversion) return undefined
  if (meets(event, conversion)) return conversion
  return (await hasMet(deps, row.property_id, session, conversion)) ? conversion : undefined
}

function textOf({ config }: BodyDeps, { payload, url }: BodyRow, run: Run): string {
  if (isChat(payload)) return chatBody(payload, messageOf(run, dashboardUrl(config)), url)
  return payload === 'legacy_form' ? legacyFormBody(run) : envelopeBody(run)
}

/**
 * The same bytes go out with every attempt: to be called once and kept.
 * @throws Problem('unavailable') while a store does not answer: call again later.
 */
export async function bodyOf(deps: BodyDeps, row: BodyRow): Promise<Body> {
  const automation = await findAutomation(deps.records, row.property_id, row.automation_id)
  if (!automation) return { skipped: 'The automation is gone.' }
  const isTest = row.event === null
  const parts =
    row.event === null ? await sampleParts(deps, row) : await partsOf(deps, row, JSON.parse(row.event) as TriggerEvent)
  if ('skipped' in parts) return parts
  const run: Run = {
    id: row.id,
    occurredMs: deps.now(),
    propertyId: row.property_id,
    automation: {
      id: automation.id,
      name: automation.name,
      event_type: row.event_type as TriggerType,
      event_value: row.event_value,
    },
    isTest,
    ...parts,
  }
  return { body: textOf(deps, row, run) }
}
