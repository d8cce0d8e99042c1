// Reading what was sent: pages and totals; all of it, in batches: export-records.ts. The index of the list
// holds what it is filtered by. No statement reads more answers than are taken apart in some milliseconds,
// and every one names its property.
import { type RawBuilder, sql } from 'kysely'
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import { wordsOf } from '../kernel/words.ts'
import type { SubmissionTable } from '../stores/tables/form-tables.ts'
import { contains, fromNearerEnd } from '../stores/lists.ts'
import { scanning } from '../stores/records/scans.ts'
import type { Records } from '../stores/records.ts'
import { batchesOf, type Places, type SizedPlace } from './batches.ts'
import type { Answer, Mark, ScoreReason, Verdict } from '../forms/form-model.ts'

export interface FormScope {
  readonly propertyId: string
  readonly formId: string
}

export const shows = ['kept', 'spam', 'all'] as const
/**
 * `kept`: what the owner works with; `spam`: dropped, or marked so. The owner's mark counts more than the
 * verdict.
 */
export type Show = (typeof shows)[number]

export interface SubmissionFilter {
  readonly show: Show
  readonly verdict?: Verdict | undefined
  /**
   * Words that are all somewhere in the answers or the names of their fields; capital letters do not count.
   */
  readonly search?: string | undefined
  /** Unix milliseconds, included. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
}

type Stored = Omit<SubmissionTable, 'seq' | 'contact_id'> & {
  readonly seq: number
  readonly contact_id: string | null
}

/** What is read of each. */
export const columns = [
  'seq',
  'id',
  'property_id',
  'form_id',
  'submitted_ms',
  'verdict',
  'mark',
  'score',
  'reasons',
  'fields',
  'ip',
  'network',
  'country',
  'country_code',
  'region',
  'city',
  'lat',
  'lon',
  'browser',
  'os',
  'device',
  'language',
  'is_bot',
  'bot_name',
  'bot_reason',
  'source',
  'lib',
  'session_day',
  'session',
  'contact_id',
] as const

/** As it is stored, its JSON read. */
export interface Submission extends Omit<Pick<Stored, (typeof columns)[number]>, 'reasons' | 'fields'> {
  readonly reasons: readonly ScoreReason[]
  /** In the order of the form. */
  readonly fields: readonly Answer[]
}

export const toSubmission = (row: Pick<Stored, (typeof columns)[number]>): Submission => ({
  ...row,
  reasons: JSON.parse(row.reasons) as ScoreReason[],
  fields: JSON.parse(row.fields) as Answer[],
})

// ---------------------------------------------------------------- what a list holds

const isSpam = sql`coalesce(mark, case when verdict = 'dropped' then 'spam' else '' end) = 'spam'`

/**
 * Until a row of before has its column (search-filling.ts), what it holds is looked through as it is stored.
 */
const searched = sql`coalesce(search, lower(fields))`

/** No answer holds NUL, and PostgreSQL takes none, not even to look for it. */
function areFound(words: readonly string[]): RawBuilder<boolean>[] {
  if (words.some((word) => word.includes('\0'))) return [sql`1 = 0`]
  return words.map((word) => contains(searched, word))
}

function conditionOf({ show, verdict, search, fromMs, toMs }: SubmissionFilter): RawBuilder<boolean> {
  const conditions = [
    ...(show === 'all' ? [] : [show === 'spam' ? isSpam : sql`not (${isSpam})`]),
    ...(verdict === undefined ? [] : [sql`verdict = ${verdict}`]),
    ...areFound(wordsOf(search ?? '')),
    ...(fromMs === undefined ? [] : [sql`submitted_ms >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql`submitted_ms < ${toMs}`]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`
}

/** The form is looked up in its property, so that the index of the list answers alone. */
const ofForm = ({ propertyId, formId }: FormScope) =>
  sql<boolean>`form_id = (select id from forms where id = ${formId} and property_id = ${propertyId})`

/** The submissions of a list. */
const rowsOf = (records: Records, scope: FormScope, filter: SubmissionFilter) =>
  scanning(records).selectFrom('submissions').where(ofForm(scope)).where(conditionOf(filter))

export async function countSubmissionRows(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
): Promise<number> {
  const { count } = await rowsOf(records, scope, filter)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The place of the newest one that has `keep` newer ones before it: it and all older ones are beyond the
 * limit.
 */
export async function findPlaceBeyond(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  keep: number,
): Promise<number | undefined> {
  const row = await rowsOf(records, scope, filter)
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

// ---------------------------------------------------------------- rows, which may be large

/** How large the answers are stands at the head of a row: the rest of it is not read. */
const answerBytes = sql<number>`octet_length(fields)`

/** The next ones of the list, the oldest first, and how much is to be read of each. */
export const placesAfter = (
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<SizedPlace[]> =>
  rowsOf(records, scope, filter)
    .select(['seq', answerBytes.as('bytes')])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Rows of a list between two of its places, and which comes first. */
export interface Stretch extends Places {
  readonly order: 'asc' | 'desc'
}

/** Those of a stretch that batchesOf has bounded. */
export async function readRows(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  { first, last, order }: Stretch,
): Promise<Submission[]> {
  const rows = await rowsOf(records, scope, filter)
    .select(columns)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .orderBy('seq', order)
    .execute()
  return rows.map(toSubmission)
}

export interface SubmissionPage {
  readonly rows: Submission[]
  readonly total: number
}

/** Newest first. The total is exact. */
export async function listSubmissionRows(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  query: PageQuery,
): Promise<SubmissionPage> {
  const total = await countSubmissionRows(records, scope, filter)
  const page = { offset: offsetOf(query), limit: query.perPage }
  const places = await fromNearerEnd(total, page, ({ offset, limit }, isTurned) =>
    rowsOf(records, scope, filter)
      .select(['seq', answerBytes.as('bytes')])
      .orderBy('seq', isTurned ? 'asc' : 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
  )
  const rows: Submission[] = []
  for (const batch of batchesOf(places))
    rows.push(...(await readRows(records, scope, filter, { ...batch, order: 'desc' })))
  return { rows, total }
}

// ---------------------------------------------------------------- one of them

/** Of which form is asked only where it is named. */
export interface SubmissionScope {
  readonly propertyId: string
  readonly formId?: string
}

export async function findSubmission(
  records: Records,
  { propertyId, formId }: SubmissionScope,
  id: string,
): Promise<Submission | undefined> {
  const row = await records
    .selectFrom('submissions')
    .select(columns)
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .$if(formId !== undefined, (rows) => rows.where('form_id', '=', formId ?? ''))
    .executeTakeFirst()
  return row && toSubmission(row)
}

/** One that was dropped and is spam no more is to be noted in the facts as what it is now. */
const notedAgain = sql<number>`case when verdict = 'dropped' then 0 else is_noted end`

/**
 * Once it is called good, a contact is made of it, if its form says so; not of what is called spam in time.
 */
const leadAfter = (mark: Mark | null) =>
  mark === 'not_spam'
    ? sql<'due'>`case when lead = 'none' and exists (select 1 from forms where forms.id = form_id and creates_contacts = 1)
        then 'due' else lead end`
    : sql<'none'>`case when lead = 'due' then 'none' else lead end`

/** Once it is called good, it is told of like any good one; what is called spam in time is not. */
const noticeAfter = (mark: Mark | null) =>
  mark === 'not_spam'
    ? sql<'due'>`case when notice = 'none' and verdict <> 'clean'
        and exists (select 1 from form_mails where form_mails.form_id = submissions.form_id and is_on = 1)
        then 'due' else notice end`
    : sql<'none'>`case when ${Number(mark === 'spam')} = 1 and notice in ('due', 'digest') then 'none' else notice end`

export async function markSubmissionRow(
  records: Records,
  { property_id, id }: Pick<Submission, 'property_id' | 'id'>,
  mark: Mark | null,
): Promise<Submission | undefined> {
  const row = await records
    .updateTable('submissions')
    .set({
      mark,
      lead: leadAfter(mark),
      notice: noticeAfter(mark),
      ...(mark === 'not_spam' && { is_noted: notedAgain }),
    })
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toSubmission(row)
}

export async function deleteSubmissionRow(
  records: Records,
  { property_id, id }: Pick<Submission, 'property_id' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('submissions')
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
