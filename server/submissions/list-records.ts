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
import type { Answer, ScoreReason, Verdict } from '../forms/form-model.ts'

export interface FormScope {
  readonly propertyId: string
  readonly formId: string
}

export const shows = ['kept', 'unread', 'spam', 'all'] as const
/**
 * `kept`: what the owner works with; `unread`: those of them that nobody has opened; `spam`: dropped, or
 * marked so. The owner's mark counts more than the verdict.
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

type Stored = Omit<SubmissionTable, 'seq' | 'contact_id' | 'is_read'> & {
  readonly seq: number
  readonly is_read: number
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
  'is_read',
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

export const isSpam = sql<boolean>`coalesce(mark, case when verdict = 'dropped' then 'spam' else '' end) = 'spam'`

/**
 * Until a row of before has its column (search-filling.ts), what it holds is looked through as it is stored.
 */
const searched = sql`coalesce(search, lower(fields))`

/** No answer holds NUL, and PostgreSQL takes none, not even to look for it. */
function areFound(words: readonly string[]): RawBuilder<boolean>[] {
  if (words.some((word) => word.includes('\0'))) return [sql`1 = 0`]
  return words.map((word) => contains(searched, word))
}

const shownRows: Readonly<Record<Show, readonly RawBuilder<unknown>[]>> = {
  kept: [sql`not (${isSpam})`],
  // As the index of them has it.
  unread: [sql`is_read = 0`, sql`not (${isSpam})`],
  spam: [isSpam],
  all: [],
}

function conditionOf({ show, verdict, search, fromMs, toMs }: SubmissionFilter): RawBuilder<boolean> {
  const conditions = [
    ...shownRows[show],
    ...(verdict === undefined ? [] : [sql`verdict = ${verdict}`]),
    ...areFound(wordsOf(search ?? '')),
    ...(fromMs === undefined ? [] : [sql`submitted_ms >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql`submitted_ms < ${toMs}`]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`
}

/** The form is looked up in its property, so that the index of the list answers alone. */
export const ofForm = ({ propertyId, formId }: FormScope) =>
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

/** Anything else cannot exist, and PostgreSQL takes not every text. */
export const isSubmissionId = (id: string): boolean => /^\w{1,64}$/.test(id)

export async function findSubmission(
  records: Records,
  { propertyId, formId }: SubmissionScope,
  id: string,
): Promise<Submission | undefined> {
  if (!isSubmissionId(id)) return undefined
  const row = await records
    .selectFrom('submissions')
    .select(columns)
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .$if(formId !== undefined, (rows) => rows.where('form_id', '=', formId ?? ''))
    .executeTakeFirst()
  return row && toSubmission(row)
}
