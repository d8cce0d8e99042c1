// The steps of form sessions in the facts: the row that each step appends, and the figures of a form. Every
// figure counts form sessions, not rows, so a repeated step counts once.
import { dayOf, dayText, storedDay } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { Span } from '../kernel/window.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { factDefaults } from '../stores/fact-tables.ts'
import type { FormEventKind, FormEventRow } from '../stores/tables.ts'

/** One step of a form session. */
export interface FormStep {
  readonly propertyId: string
  readonly formId: string
  readonly formName: string
  /** Identifies the form session in all its steps: unsigned 64-bit, decimal. */
  readonly factId: string
  readonly atMs: number
  /** The visitor's session, when it is known. */
  readonly session: SessionRef | undefined
  readonly source: string
  readonly country_code: string
  readonly country: string
  readonly device: string
  readonly isBot: boolean
  /** Of a submission. */
  readonly submissionId?: string
  readonly isFlagged?: boolean
}

export function formEventRow(kind: FormEventKind, step: FormStep): FormEventRow {
  const { session } = step
  return {
    ...factDefaults.form_events,
    property: step.propertyId,
    form: step.formId,
    kind,
    day: dayText(dayOf(step.atMs)),
    id: step.factId,
    at: step.atMs,
    ...(session && { session_day: dayText(session.day), session: session.hash.toString() }),
    form_name: step.formName,
    source: step.source,
    country_code: step.country_code,
    country: step.country,
    device: step.device,
    is_bot: Number(step.isBot),
    is_flagged: Number(step.isFlagged ?? false),
    submission: step.submissionId ?? '',
  }
}

// ---------------------------------------------------------------- figures

/** Form sessions that reached a step, without bots. */
export interface Steps {
  readonly views: number
  readonly opened: number
  readonly submitted: number
}

export interface FormFigures extends Steps {
  /** Of the submitted ones. */
  readonly flagged: number
  /** Dropped as spam and not restored, bots included. */
  readonly dropped: number
  /** The same, bots only. */
  readonly bots: Steps
  readonly bySource: readonly (Steps & { readonly source: string })[]
  readonly byCountry: readonly (Steps & { readonly country_code: string; readonly country: string })[]
}

/** Rows of a list by source or country. */
const TOP = 10

const isWithin = `at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')`

/** One row per form session. A repeated step is counted once, even when its rows are on two nodes. */
const formSessionsSql = (
  hasMarks: boolean,
) => `SELECT id, max(is_bot) AS bot, any(source) AS source, any(country_code) AS country_code, any(country) AS country,
  max(kind = 'view') AS viewed, max(kind = 'open') AS opened, max(kind = 'submit') AS submitted,
  max(kind = 'submit' AND is_flagged = 1) AS flagged, max(kind = 'drop') AS dropped
FROM form_events
WHERE property = {property:String} AND form = {form:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} AND ${isWithin}
  AND (session = 0 OR ${ofValidSession(hasMarks, 'session_day')})
GROUP BY id`

function bindSpan(propertyId: string, formId: string, span: Span): Readonly<Record<string, unknown>> {
  const day = (timeMs: number) => storedDay(dayOf(timeMs))
  return {
    property: propertyId,
    form: formId,
    day_from: day(span.fromMs),
    day_to: day(span.toMs - 1),
    from_ms: span.fromMs,
    to_ms: span.toMs,
  }
}

type Counted<T> = { readonly [Key in keyof T]: string }

const toSteps = (row: Counted<Steps> | undefined): Steps => ({
  views: Number(row?.views ?? 0),
  opened: Number(row?.opened ?? 0),
  submitted: Number(row?.submitted ?? 0),
})

type StepsRow = Counted<Steps & Pick<FormFigures, 'flagged' | 'dropped'>> & { readonly bot: number }
type TopRow = Counted<Steps> & {
  readonly source: string
  readonly country_code: string
  readonly country: string
  readonly is_country: number
}

/** `s` names the column of the row of a form session, as opposed to the sum of that name. */
const countsSql = 'sum(s.viewed) AS views, sum(s.opened) AS opened, sum(s.submitted) AS submitted'

/** Steps within the window, each by its own time. */
export async function readFormFigures(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  propertyId: string,
  formId: string,
  span: Span,
): Promise<FormFigures> {
  const params = bindSpan(propertyId, formId, span)
  const formSessions = formSessionsSql(await facts.hasMarks(propertyId))
  const [totals, tops] = await Promise.all([
    facts.query<StepsRow>(
      'forms.readFigures',
      `SELECT s.bot AS bot, ${countsSql},
  sum(s.flagged) AS flagged, countIf(s.dropped = 1 AND s.submitted = 0) AS dropped
FROM (${formSessions}) AS s GROUP BY s.bot`,
      params,
    ),
    facts.query<TopRow>(
      'forms.readTopFigures',
      `SELECT s.source AS source, s.country_code AS country_code, any(s.country) AS country, toUInt8(grouping(s.source)) AS is_country,
  ${countsSql}
FROM (${formSessions}) AS s WHERE s.bot = 0 AND s.viewed + s.opened + s.submitted > 0
GROUP BY GROUPING SETS ((s.source), (s.country_code))
ORDER BY submitted DESC, views DESC, source, country_code LIMIT ${TOP} BY is_country`,
      params,
    ),
  ])
  const people = totals.find(({ bot }) => bot === 0)
  return {
    ...toSteps(people),
    flagged: Number(people?.flagged ?? 0),
    dropped: totals.reduce((sum, row) => sum + Number(row.dropped), 0),
    bots: toSteps(totals.find(({ bot }) => bot === 1)),
    bySource: tops.filter(({ is_country }) => is_country === 0).map((row) => ({ source: row.source, ...toSteps(row) })),
    byCountry: tops
      .filter(({ is_country, country_code }) => is_country === 1 && country_code !== '')
      .map((row) => ({ country_code: row.country_code, country: row.country, ...toSteps(row) })),
  }
}

/** Views and submissions of people by form, of all time; forms without any have zeros. For lists. */
export async function countFormEvents(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  propertyId: string,
  formIds: readonly string[],
): Promise<Map<string, Pick<Steps, 'views' | 'submitted'>>> {
  if (formIds.length === 0) return new Map()
  const rows = await facts.query<{ form: string; views: string; submitted: string }>(
    'forms.countEvents',
    `SELECT form, uniqExactIf(id, kind = 'view') AS views, uniqExactIf(id, kind = 'submit') AS submitted FROM form_events
WHERE property = {property:String} AND form IN {forms:Array(String)} AND kind IN ('view', 'submit') AND is_bot = 0
  AND (session = 0 OR ${ofValidSession(await facts.hasMarks(propertyId), 'session_day')}) GROUP BY form`,
    { property: propertyId, forms: [...new Set(formIds)] },
  )
  const counted = new Map(rows.map((row) => [row.form, { views: Number(row.views), submitted: Number(row.submitted) }]))
  return new Map(formIds.map((id) => [id, counted.get(id) ?? { views: 0, submitted: 0 }]))
}
