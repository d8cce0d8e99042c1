// Reading what was sent: pages and totals; all of it, in batches: export-records.ts. In SQLite a statement holds up the whole process, so each
// one looks at a bounded stretch of the list, whose index holds what lists filter by, and reads a bounded number of bytes. Every statement
// names its property.
import { type RawBuilder, sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAsk } from '../kernel/page.ts'
import { wordsOf } from '../kernel/words.ts'
import type { Records } from '../stores/records.ts'
import type { SubmissionTable } from '../stores/form-tables.ts'
import { batchesOf, type Places } from './batches.ts'
import type { Answer, Mark, ScoreReason, Verdict } from '../forms/form-model.ts'

export interface FormScope {
  readonly propertyId: string
  readonly formId: string
}

export const shows = ['kept', 'spam', 'all'] as const
/** `kept`: what the owner works with; `spam`: dropped, or marked so. The owner's mark counts more than the verdict. */
export type Show = (typeof shows)[number]

export interface SubmissionFilter {
  readonly show: Show
  readonly verdict?: Verdict | undefined
  /** Words that are all somewhere in the answers or the names of their fields; capital letters do not count. */
  readonly search?: string | undefined
  /** Unix milliseconds, included. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
}

type Stored = Omit<SubmissionTable, 'seq'> & { readonly seq: number }

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

// ---------------------------------------------------------------- stretches of the list

const isSpam = sql`coalesce(mark, case when verdict = 'dropped' then 'spam' else '' end) = 'spam'`

/** `%` and `_` are letters like any other. */
const likeText = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Until a row of before has its column (search-filling.ts), what it holds is looked through as it is stored. */
const searched = sql`coalesce(search, lower(fields))`

/** No answer holds NUL, and PostgreSQL takes none, not even to look for it. */
function areFound(words: readonly string[]): RawBuilder<boolean>[] {
  if (words.some((word) => word.includes('\0'))) return [sql`1 = 0`]
  return words.map((word) => sql`${searched} like ${likeText(word)} escape '\\'`)
}

export function conditionOf({ show, verdict, search, fromMs, toMs }: SubmissionFilter): RawBuilder<boolean> {
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
export const ofForm = ({ propertyId, formId }: FormScope) =>
  sql`form_id = (select id from forms where id = ${formId} and property_id = ${propertyId})`

/** Rows of the list's index that one statement looks at: a few milliseconds. */
const STRETCH = 20_000
/** Rows whose texts are looked through by one: they are not in the index. */
const SEARCHED = 500

interface Stretch extends Places {
  /** Rows in it that hold to the filter. */
  readonly count: number
}

interface StretchRow {
  readonly found: number
  readonly first: number
  readonly count: number
}

/** From the newest to the oldest. Stop asking, and no more is read. */
async function* stretchesOf(records: Records, scope: FormScope, filter: SubmissionFilter): AsyncGenerator<Stretch> {
  const [size, read] = filter.search
    ? [SEARCHED, sql`seq, verdict, mark, submitted_ms, search, case when search is null then fields end as fields`]
    : [STRETCH, sql`seq, verdict, mark, submitted_ms`]
  for (let last = Number.MAX_SAFE_INTEGER; ;) {
    const { rows } = await sql<StretchRow>`select count(*) as found, coalesce(min(seq), 0) as first,
      coalesce(sum(case when ${conditionOf(filter)} then 1 else 0 end), 0) as count
      from (select ${read} from submissions where ${ofForm(scope)} and seq <= ${last}
        order by seq desc limit ${size}) as stretch`.execute(records)
    const { found, first, count } = rows[0]!
    if (found > 0) yield { first, last, count }
    if (found < size) return
    last = first - 1
    await nextTurn() // for others
  }
}

const inStretch = (records: Records, scope: FormScope, filter: SubmissionFilter, { first, last }: Places) =>
  records
    .selectFrom('submissions')
    .where('property_id', '=', scope.propertyId)
    .where('form_id', '=', scope.formId)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .where(conditionOf(filter))

// ---------------------------------------------------------------- rows, which may be large

/** How large the answers are stands at the head of a row: the rest of it is not read. */
export const answerBytes = sql<number>`octet_length(fields)`

/** Those between two places, which batchesOf has bounded. */
export async function readRows(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  places: Places,
  order: 'asc' | 'desc',
): Promise<Submission[]> {
  const rows = await inStretch(records, scope, filter, places).select(columns).orderBy('seq', order).execute()
  return rows.map(toSubmission)
}

async function pageOf(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  stretch: Places,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Submission[]> {
  const found = inStretch(records, scope, filter, stretch).select(['seq', answerBytes.as('bytes')])
  const places = await found.orderBy('seq', 'desc').offset(offset).limit(limit).execute()
  const rows: Submission[] = []
  for (const batch of batchesOf(places)) {
    rows.push(...(await readRows(records, scope, filter, batch, 'desc')))
    await nextTurn()
  }
  return rows
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
  ask: PageAsk,
): Promise<SubmissionPage> {
  const page: { readonly rows: Submission[]; total: number } = { rows: [], total: 0 }
  for await (const stretch of stretchesOf(records, scope, filter)) {
    const offset = Math.max((ask.page - 1) * ask.perPage - page.total, 0)
    const limit = ask.perPage - page.rows.length
    if (limit > 0 && offset < stretch.count)
      page.rows.push(...(await pageOf(records, scope, filter, stretch, { offset, limit })))
    page.total += stretch.count
  }
  return page
}

/** The place of the newest one that has `keep` newer ones before it: it and all older ones are beyond the limit. */
export async function findPlaceBeyond(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  keep: number,
): Promise<number | undefined> {
  let newer = 0
  for await (const stretch of stretchesOf(records, scope, filter)) {
    if (newer + stretch.count > keep) {
      const of = inStretch(records, scope, filter, stretch).select('seq').orderBy('seq', 'desc')
      return (
        await of
          .offset(keep - newer)
          .limit(1)
          .executeTakeFirst()
      )?.seq
    }
    newer += stretch.count
  }
  return undefined
}

export async function countSubmissionRows(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
): Promise<number> {
  let total = 0
  for await (const { count } of stretchesOf(records, scope, filter)) total += count
  return total
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

export async function markSubmissionRow(
  records: Records,
  { property_id, id }: Pick<Submission, 'property_id' | 'id'>,
  mark: Mark | null,
): Promise<Submission | undefined> {
  const row = await records
    .updateTable('submissions')
    .set({ mark, ...(mark === 'not_spam' && { is_noted: notedAgain }) })
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
