// Creates the demo's two forms, when its property has none yet, and stores what its visitors sent through
// them. Stored submissions are left alone, with the owner's mark; nothing of an erased person comes back; a
// form that its owner renamed or deleted gets no more.
import { findLink } from '../identify/identify.ts'
import { findContact } from '../contacts/contacts.ts'
import type { Parts } from '../context.ts'
import type { Enrich } from '../enrich/enrich.ts'
import { formEventRow, readSender, type Sender } from '../form-flow/form-flow.ts'
import { type Form, createForm, listForms } from '../forms/forms.ts'
import {
  findSubmission,
  markSubmissionRow,
  insertSubmission,
  notedUpdate,
  setRead,
  type NewSubmission,
} from '../submissions/submissions.ts'
import { DAY_MS, dayText } from '../kernel/days.ts'
import { SERVICE_EDITOR } from '../kernel/edits.ts'
import type { Tx } from '../stores/records.ts'
import type { FormEventKind, FormEventRow } from '../stores/tables.ts'
import { subjects } from './formtexts.ts'
import type { DemoFormName, DemoFormVisit, DemoSent } from './formvisits.ts'
import type { DemoVisit } from './traffic.ts'

// ---------------------------------------------------------------- the forms

const questionForm = {
  name: 'Questions',
  kind: 'open',
  success_html: '<p>Thank you, %name%. We answer within two days.</p>',
  is_published: true,
  retention_days: 730,
}

const letterForm = {
  name: 'The letter',
  kind: 'managed',
  fields: [
    { name: 'first_name', type: 'text', label: 'First name', autocomplete: 'given-name', width: 'half' },
    { name: 'email', type: 'email', label: 'Email', autocomplete: 'email', width: 'half' },
    { name: 'subjects', type: 'checkbox', label: 'What shall we write about?', options: subjects },
  ],
  validation: { email: { required: 'We need an address to write to.' } },
  header: { title: 'A letter on light', text: 'Four times a year, from the workshop.' },
  footer: { text: 'You can leave with one click in every letter.' },
  button: { label: 'Write to me', busy_label: 'A moment …' },
  theme: { accent: '#8a5a12', radius_px: 4 },
  form_type: 'popup',
  success_html: '<p>The next letter comes to <strong>%email%</strong>.</p>',
  is_published: true,
}

const definitions: Readonly<Record<DemoFormName, { readonly name: string }>> = {
  question: questionForm,
  letter: letterForm,
}

export type DemoForms = Partial<Readonly<Record<DemoFormName, Form>>>

const EVERY_FORM = { page: 1, perPage: 500 }

/** The existing ones, found by their names. */
export async function openDemoForms(context: Parts, propertyId: string): Promise<DemoForms> {
  const names = Object.keys(definitions) as DemoFormName[]
  const { total } = await listForms(context, propertyId, { page: 1, perPage: 1 })
  if (total === 0)
    for (const name of names) await createForm({ ...context, editor: SERVICE_EDITOR }, propertyId, definitions[name])
  const { rows } = await listForms(context, propertyId, EVERY_FORM)
  const found = names.map((name) => [name, rows.find((form) => form.name === definitions[name].name)] as const)
  return Object.fromEntries(found.filter(([, form]) => form !== undefined))
}

// ---------------------------------------------------------------- rows

function senderOf(enrich: Enrich, { address, userAgent, acceptLanguage }: DemoVisit): Sender {
  const headers = { 'user-agent': userAgent, 'accept-language': acceptLanguage }
  return readSender(enrich, headers, { address, agent: userAgent, language: acceptLanguage })
}

const SOURCE = 'demo.example'

/** The rows of the facts for the steps of the form sessions. */
export function formRows(
  enrich: Enrich,
  forms: DemoForms,
  visit: DemoVisit,
  done: readonly DemoFormVisit[],
): FormEventRow[] {
  if (done.length === 0) return []
  const { place, agent, bot } = senderOf(enrich, visit)
  return done.flatMap(({ form: name, factId, viewMs, openMs, sent }) => {
    const form = forms[name]
    if (!form) return []
    const row = (kind: FormEventKind, atMs: number, more: object = {}) =>
      formEventRow(kind, {
        propertyId: form.property_id,
        formId: form.id,
        formName: form.name,
        factId,
        atMs,
        session: { day: visit.day, hash: BigInt(visit.hash) },
        source: SOURCE,
        country_code: place.country_code,
        country: place.country,
        device: agent.device,
        isBot: bot.is_bot,
        ...more,
      })
    const rows = [row('view', viewMs)]
    if (openMs !== undefined) rows.push(row('open', openMs))
    if (sent) {
      const kind = sent.verdict === 'dropped' ? 'drop' : 'submit'
      rows.push(row(kind, sent.atMs, { submissionId: sent.id, isFlagged: sent.verdict === 'flagged' }))
    }
    return rows
  })
}

interface Sending {
  readonly visit: DemoVisit
  readonly form: Form
  readonly factId: string
  readonly sent: DemoSent
}

function submissionOf(enrich: Enrich, { visit, form, factId, sent }: Sending): NewSubmission {
  const { place, agent, bot, language } = senderOf(enrich, visit)
  const { id, atMs, answers, score, verdict, reasons } = sent
  return {
    id,
    property_id: form.property_id,
    form_id: form.id,
    fact_id: factId,
    submitted_ms: atMs,
    score,
    verdict,
    reasons,
    answers,
    ip: '',
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
    is_bot: Number(bot.is_bot),
    bot_name: bot.name,
    bot_reason: bot.reason,
    source: SOURCE,
    lib: 'form/1.0.0',
    session_day: visit.day,
    session: visit.hash,
    body_mac: null,
    signals_mac: null,
  }
}

// ---------------------------------------------------------------- storing

async function isErased(tx: Tx, propertyId: string, { day, hash }: DemoVisit): Promise<boolean> {
  const link = await findLink(tx, propertyId, { day: dayText(day), session: hash })
  const contact = link && (await findContact(tx, propertyId, link.contact_id))
  return contact?.state === 'deleted'
}

/** What came before that, the owners of the shop have read. */
const UNREAD_MS = 2 * DAY_MS

/** Marked as recorded at once: its row goes to the facts with those of the visit. */
async function store(tx: Tx, enrich: Enrich, sending: Sending, readUntilMs: number): Promise<void> {
  const { form, sent, visit } = sending
  if (await findSubmission(tx, { propertyId: form.property_id }, sent.id)) return
  if (await isErased(tx, form.property_id, visit)) return
  await insertSubmission(tx, submissionOf(enrich, sending))
  await notedUpdate(tx, null, [sent.id]).execute()
  if (sent.atMs < readUntilMs) await setRead(tx, { propertyId: form.property_id }, sent.id, true)
  if (sent.mark) await markSubmissionRow(tx, { property_id: form.property_id, id: sent.id }, sent.mark)
}

/**
 * Collects what visits sent until `flush`, which stores it in the order of time: lists show submissions in
 * the order in which they were stored.
 * @param batch submissions per transaction: one wait for the disk, and short enough for other writers.
 */
export function openSubmissionWriter(
  { records, enrich, now }: Pick<Parts, 'records' | 'enrich' | 'now'>,
  forms: DemoForms,
  batch: number,
) {
  let waiting: Sending[] = []
  return {
    /** @returns how many the visit sent. */
    add(visit: DemoVisit, done: readonly DemoFormVisit[]): number {
      const sendings = done.flatMap(({ form: name, factId, sent }) => {
        const form = forms[name]
        return form && sent ? [{ visit, form, factId, sent }] : []
      })
      waiting.push(...sendings)
      return sendings.length
    },
    async flush(): Promise<void> {
      const sendings = waiting.toSorted((a, b) => a.sent.atMs - b.sent.atMs)
      waiting = []
      const readUntilMs = now() - UNREAD_MS
      for (let from = 0; from < sendings.length; from += batch)
        await records.transaction().execute(async (tx) => {
          for (const sending of sendings.slice(from, from + batch)) await store(tx, enrich, sending, readUntilMs)
        })
    },
  }
}
