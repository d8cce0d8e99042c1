// Sends the reports that are due: at seven in the morning after a week or month is over, by the property's
// clock, and not later than a day after. Each reader gets each once: the key of the mail says so, whichever
// process makes it.
import type { Context } from '../context.ts'
import { monthBegin, weekBegin } from '../kernel/calendar.ts'
import { DAY_MS } from '../kernel/days.ts'
import { clockAt, instantOf } from '../kernel/zones.ts'
import { enqueueMail, isMailOn, knownOnceKeys } from '../mail/mail.ts'
import { isOpenProperty, type Property } from '../properties/properties.ts'
import { propertiesWith, type Reader, readersOf } from '../subscriptions/subscriptions.ts'
import { reportLetter } from './letters.ts'
import { type ReportDeps, readReport } from './reading.ts'
import { type ReportKind, reportKinds } from './report-model.ts'

export type SendDeps = ReportDeps & Pick<Context, 'keys' | 'randomBytes' | 'log'>

const SEND_AT_MS = 7 * 3_600_000

type Calendar = Pick<Property, 'timezone' | 'week_start'>

/** When the report of the week or month before becomes due: in the one that an instant is in. */
export function dueAt({ timezone: zone, week_start: weekStart }: Calendar, kind: ReportKind, nowMs: number): number {
  const beginMs = kind === 'weekly' ? weekBegin(zone, nowMs, weekStart, 0) : monthBegin(zone, nowMs, 0)
  return instantOf(zone, clockAt(zone, beginMs) + SEND_AT_MS)
}

interface Due {
  readonly property: Property
  readonly kind: ReportKind
  readonly dueMs: number
}

const keyOf = ({ property, kind, dueMs }: Due, { to }: Reader): string =>
  `report ${kind} ${property.id} ${dueMs} ${to.key}`

/** Those whom nothing was sent yet: mostly nobody, and then the facts are not asked. */
async function waitingFor(deps: SendDeps, due: Due): Promise<Reader[]> {
  const readers = await readersOf(deps, deps.records, { propertyId: due.property.id, kind: due.kind })
  const told = new Set(
    await knownOnceKeys(
      deps.records,
      readers.map((reader) => keyOf(due, reader)),
    ),
  )
  return readers.filter((reader) => !told.has(keyOf(due, reader)))
}

async function sendOne(deps: SendDeps, due: Due): Promise<number> {
  const { property, kind, dueMs } = due
  const readers = await waitingFor(deps, due)
  if (readers.length === 0) return 0
  const report = await readReport(deps, property, kind)
  if (report.isEmpty) return 0
  const letter = reportLetter(deps.config, property, report)
  for (const reader of readers)
    await enqueueMail(deps, deps.records, {
      kind: 'report',
      to: reader.to,
      propertyId: property.id,
      letter: { ...letter, unsubscribeUrl: reader.unsubscribeUrl },
      onceKey: keyOf(due, reader),
      expiresMs: dueMs + DAY_MS,
    })
  return readers.length
}

/** @returns how many were written. */
export async function sendReports(deps: SendDeps): Promise<number> {
  if (!isMailOn(deps.config)) return 0
  let sent = 0
  for (const kind of reportKinds)
    for (const propertyId of await propertiesWith(deps.records, kind)) {
      const property = await deps.properties.byId(propertyId)
      if (!property || !isOpenProperty(property)) continue
      const dueMs = dueAt(property, kind, deps.now())
      const isDue = deps.now() >= dueMs && deps.now() < dueMs + DAY_MS
      if (isDue) sent += await sendOne(deps, { property, kind, dueMs })
    }
  return sent
}
