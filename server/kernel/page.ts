// Numbered pages: parses the requested page, and builds the keys around its rows, the same in every list.
import { invalid } from './problem.ts'

export interface PageQuery {
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** Rows before the page. */
export const offsetOf = ({ page, perPage }: PageQuery): number => (page - 1) * perPage

/** The list's URL, for links to its pages. `query` is that of the request. */
export interface PageAddress {
  readonly baseUrl: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
}

export interface Paginator<Row> {
  data: Row[]
  current_page: number
  per_page: number
  total: number
  last_page: number
  /** Number of the first and last row of the page, counted from 1; null on an empty page. */
  from: number | null
  to: number | null
  next_page_url: string | null
  prev_page_url: string | null
}

export interface LinkedPaginator<Row> extends Paginator<Row> {
  first_page_url: string
  last_page_url: string
  path: string
  links: { url: string | null; label: string; active: boolean }[]
}

export const MAX_PER_PAGE = 100
const DEFAULT_PER_PAGE = 25
/** Far above any list; keeps page × size an exact integer. */
const MAX_PAGE = 1_000_000_000
/** Page numbers shown on either side of the current one in `links`. */
const LINKS_AROUND = 3

/**
 * A whole number from a query string or a body. Absent: the default.
 * @throws Problem('validation_failed') naming the field.
 */
export function readInteger(
  field: string,
  value: unknown,
  rule: { min: number; max: number; default: number },
): number {
  if (value === undefined || value === null) return rule.default
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < rule.min || number > rule.max) {
    throw invalid(field, `${field} must be a whole number from ${rule.min} to ${rule.max}.`)
  }
  return number
}

/**
 * An empty value counts as absent: forms send one for each field that was left empty. The same in every list.
 */
export const unlessEmpty = <Value>(value: Value) => (value === '' ? undefined : value) as Exclude<Value, ''> | undefined

/** `page` of a query string: from 1, default 1. */
export function readPageNumber(value: unknown): number {
  return readInteger('page', unlessEmpty(value), { min: 1, max: MAX_PAGE, default: 1 })
}

export interface DayCount {
  /** YYYY-MM-DD */
  readonly day: string
  readonly count: number
}

/**
 * The days that hold rows `offset` to `offset + limit` of a list that is sorted by day, and how many rows of
 * the first of them come before.
 * @param days in the order of the list.
 */
export function daysOfPage(
  days: readonly DayCount[],
  offset: number,
  limit: number,
): { days: string[]; offset: number } {
  let before = 0
  const found: string[] = []
  let skip = 0
  for (const { day, count } of days) {
    if (before + count > offset && before < offset + limit) {
      if (found.length === 0) skip = offset - before
      found.push(day)
    }
    before += count
  }
  return { days: found, offset: skip }
}

/** `per_page` of a query string: 1 to 100, default 25. */
export const readPerPage = (text: string | undefined): number =>
  readInteger('per_page', unlessEmpty(text), { min: 1, max: MAX_PER_PAGE, default: DEFAULT_PER_PAGE })

interface PageTexts {
  readonly page?: string
  readonly per_page?: string
}

/**
 * `page` and `per_page` of a query string. @throws Problem('validation_failed') naming the one that is wrong.
 */
export function readPageQuery({ page, per_page }: PageTexts): PageQuery {
  return { page: readPageNumber(page), perPage: readPerPage(per_page) }
}

/**
 * For lists that are answered whole: a caller that asks for one page would take the answer for it.
 * @throws Problem('validation_failed') naming the parameter that was sent.
 */
export function refusePages(query: Readonly<Record<string, unknown>>): void {
  for (const name of ['page', 'per_page']) {
    if (unlessEmpty(query[name]) !== undefined) throw invalid(name, `${name} is not taken here: this comes whole.`)
  }
}

/** The rows of one page and the keys around them. */
export function paginate<Row>(rows: Row[], query: PageQuery, total: number, address: PageAddress): Paginator<Row> {
  const before = offsetOf(query)
  const last = lastPage(query, total)
  return {
    data: rows,
    current_page: query.page,
    per_page: query.perPage,
    total,
    last_page: last,
    from: rows.length > 0 ? before + 1 : null,
    to: rows.length > 0 ? before + rows.length : null,
    next_page_url: query.page < last ? pageUrl(address, query.page + 1) : null,
    // Past the end, "previous" is the last page that has rows.
    prev_page_url: query.page > 1 ? pageUrl(address, Math.min(query.page - 1, last)) : null,
  }
}

/** The same with the URLs of the first and last page and a bar of page links. */
export function paginateLinked<Row>(
  rows: Row[],
  query: PageQuery,
  total: number,
  address: PageAddress,
): LinkedPaginator<Row> {
  const page = paginate(rows, query, total, address)
  const numbers = pagesAround(query.page, page.last_page)
  return {
    ...page,
    first_page_url: pageUrl(address, 1),
    last_page_url: pageUrl(address, page.last_page),
    path: address.baseUrl + address.path,
    links: [
      { url: page.prev_page_url, label: 'Previous', active: false },
      ...numbers.map((number) => ({
        url: pageUrl(address, number),
        label: String(number),
        active: number === query.page,
      })),
      { url: page.next_page_url, label: 'Next', active: false },
    ],
  }
}

/**
 * The page that a query string asks for, of a list that is read page by page. @throws
 * Problem('validation_failed')
 */
export async function linkedPage<Row>(
  query: PageTexts,
  address: PageAddress,
  list: (page: PageQuery) => Promise<{ readonly rows: Row[]; readonly total: number }>,
): Promise<LinkedPaginator<Row>> {
  const page = readPageQuery(query)
  const { rows, total } = await list(page)
  return paginateLinked(rows, page, total, address)
}

/** At least 1: an empty list has one empty page. */
function lastPage(query: PageQuery, total: number): number {
  return Math.max(1, Math.ceil(total / query.perPage))
}

function pagesAround(page: number, last: number): number[] {
  const from = Math.max(1, Math.min(page, last) - LINKS_AROUND)
  const to = Math.min(last, Math.max(page, 1) + LINKS_AROUND)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

function pageUrl(address: PageAddress, page: number): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(address.query)) {
    if (name === 'page') continue
    // A name that was given several times has a list.
    for (const text of [value].flat()) if (typeof text === 'string') query.append(name, text)
  }
  query.append('page', String(page))
  return `${address.baseUrl}${address.path}?${query.toString()}`
}

/** Rows per page when a whole list is read. */
const ROWS_AT_ONCE = 1000

/** Every row of a list, page by page. */
export async function everyRow<Row>(list: (query: PageQuery) => Promise<{ readonly rows: Row[] }>): Promise<Row[]> {
  const all: Row[] = []
  for (let page = 1; ; page++) {
    const { rows } = await list({ page, perPage: ROWS_AT_ONCE })
    all.push(...rows)
    if (rows.length < ROWS_AT_ONCE) return all
  }
}

/** One page of a list, and how many rows the whole list has. */
export interface Listed<Row> {
  readonly rows: Row[]
  readonly total: number
}
