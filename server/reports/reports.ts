// Reports as admins manage them: who gets them, what they look like, and one to oneself at once.
import type { Context } from '../context.ts'
import { readEmail } from '../kernel/email.ts'
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { currentTs } from '../kernel/deps.ts'
import { orNotFound } from '../stores/gone.ts'
import { enqueueMail, letterHtml, letterText, missingSettings } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import { listSubscribers, replaceReaders } from '../subscriptions/subscriptions.ts'
import { reportLetter } from './letters.ts'
import { type ReportDeps, readReport } from './reading.ts'
import { type ReportKind, reportKinds } from './report-model.ts'
import type { PreviewJson, ReportsChange, ReportsJson } from './schema.ts'
import { dueAt } from './sending.ts'

const DAY_MS = 86_400_000
/** Within it the next week, or month, has begun. */
const AHEAD_MS = { weekly: 7 * DAY_MS, monthly: 32 * DAY_MS } as const

function nextTs(property: Property, kind: ReportKind, nowMs: number): number {
  const now = dueAt(property, kind, nowMs)
  return Math.floor((now > nowMs ? now : dueAt(property, kind, nowMs + AHEAD_MS[kind])) / 1000)
}

export async function readReports(
  { records, config, now }: Pick<Context, 'records' | 'config' | 'now'>,
  property: Property,
): Promise<ReportsJson> {
  const of = async (kind: ReportKind) => ({
    recipients: await listSubscribers(records, { propertyId: property.id, kind }),
    next_ts: nextTs(property, kind, now()),
  })
  return { missing: missingSettings(config), weekly: await of('weekly'), monthly: await of('monthly') }
}

/** What is left out stays. @throws Problem('validation_failed' | 'not_found') */
export async function changeReports(
  deps: Pick<Context, 'records' | 'config' | 'now' | 'randomBytes'>,
  property: Property,
  change: ReportsChange,
): Promise<ReportsJson> {
  const work = deps.records.transaction().execute(async (tx) => {
    for (const kind of reportKinds) {
      const emails = change[kind]
      if (emails) await replaceReaders(deps, tx, { propertyId: property.id, kind }, { path: kind, emails })
    }
  })
  await orNotFound(work, propertyNotFound)
  return readReports(deps, property)
}

export async function previewReport(deps: ReportDeps, property: Property, kind: ReportKind): Promise<PreviewJson> {
  const letter = reportLetter(deps.config, property, await readReport(deps, property, kind))
  return { subject: letter.subject, html: letterHtml(letter), text: letterText(letter) }
}

/**
 * Of the last week or month, whatever is in it. @throws Problem('validation_failed') without a mail server.
 */
export async function sendReportTo(
  deps: ReportDeps & Pick<Context, 'keys' | 'randomBytes'>,
  property: Property,
  kind: ReportKind,
  address: string,
): Promise<void> {
  const missing = missingSettings(deps.config)
  const to = readEmail(address)
  if (missing.length > 0 || !to)
    throw new Problem('validation_failed', `Email is not set up: ${missing.join(' and ')} must be set.`)
  const letter = reportLetter(deps.config, property, await readReport(deps, property, kind))
  const minute = Math.floor(currentTs(deps) / 60)
  const onceKey = `report now ${kind} ${property.id} ${minute} ${to.key}`
  const reason = 'You get this email because you asked for it in the settings of the property.'
  await enqueueMail(deps, deps.records, {
    kind: 'report',
    to,
    propertyId: property.id,
    letter: { ...letter, reason },
    onceKey,
  })
}
