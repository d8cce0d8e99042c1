// Lists of facts as CSV: which columns there are, and what a cell says. Read in pages, a day at a time.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { channelLabel } from '../enrich/enrich.ts'
import { safeCell, toCsv } from '../csv/cells.ts'
import { dayFromText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { sessionId } from '../kernel/ids.ts'
import { clickId } from '../clicks/clicks.ts'
import type { FactRange, Part, Text } from './export.ts'
import { csvColumns } from './session-columns.ts'
import { countRowsByDay, factLists, type FactRow, readPage, type RowValue, stretchesOf } from './facts.ts'

/** Of one question: some two megabytes of JSON, read in about 15 milliseconds. */
const ROWS_AT_ONCE = 2_000
/** Written between two turns of the others. */
const ROWS_A_PART = 200

export type ListKind = keyof typeof factLists
export type ListDeps = Pick<Deps, 'facts' | 'keys'>

type Cell = (row: FactRow, deps: ListDeps, propertyId: string) => RowValue
type Columns = Readonly<Record<string, Cell>>

/** Of a column that holds a text or a number. */
function text(row: FactRow, column: string): string {
  const value = row[column] ?? ''
  return typeof value === 'object' ? '' : String(value)
}

const time =
  (column: string): Cell =>
  (row) =>
    new Date(Number(row[column])).toISOString()
const column =
  (name: string): Cell =>
  (row) =>
    row[name] ?? ''
const same = (...names: string[]): Columns => Object.fromEntries(names.map((name) => [name, column(name)]))
const yes =
  (column: string): Cell =>
  (row) =>
    Number(row[column]) === 1 ? 'yes' : 'no'

const session =
  (day: string): Cell =>
  (row, { keys }, propertyId) => {
    const hash = BigInt(text(row, 'session'))
    return hash === 0n ? '' : sessionId(keys, propertyId, { day: dayFromText(text(row, day)), hash })
  }

const columns: Readonly<Record<ListKind, Columns>> = {
  sessions: {
    session_id: session('day'),
    day: (row) => text(row, 'day'),
    entry_at: time('entry_ms'),
    last_at: time('last_ms'),
    ...same(...Object.keys(csvColumns)),
    bounced: yes('bounced'),
    channel: (row) => channelLabel(text(row, 'channel')),
    channel_method: (row) => (text(row, 'link') === '' ? text(row, 'channel_method') : 'link'),
  },
  events: {
    at: time('at_ms'),
    session_id: session('day'),
    ...same('kind', 'name', 'value', 'number'),
    sent_by: (row) => (Number(row['by_visitor']) === 1 ? 'visitor' : 'server'),
    amount_minor: column('amount'),
    currency: column('currency'),
    amount_usd_cents: (row) => (row['amount'] === null ? '' : (row['amount_usd'] ?? '')),
    ...same('order_id', 'tags', 'meta', 'contact_id'),
  },
  clicks: {
    click_id: (row) => clickId({ day: text(row, 'day'), id: text(row, 'id') }),
    at: time('at_ms'),
    ...same('link', 'link_group', 'destination', 'referrer_domain', 'referrer_url'),
    ...same('country', 'country_code', 'region', 'city', 'device', 'browser', 'os', 'language'),
    is_bot: yes('is_bot'),
    ...same('bot_name', 'bot_reason'),
    session_id: session('session_day'),
    ...same('count', 'rule'),
    is_scan: yes('is_scan'),
  },
}

/** Several values in one cell are JSON when they have names, and parted by a comma when they have none. */
function cellText(value: RowValue): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
  return String(value)
}

/** A number is none that a spreadsheet could take for a formula, and stays a number. */
const isNumber = /^-?\d+(?:\.\d+)?$/
const safe = (value: RowValue): string => {
  const cell = cellText(value)
  return isNumber.test(cell) && cell.length <= 15 ? cell : safeCell(cell)
}

/** Of a stretch of days, a page at a time. */
async function* pagesOf(
  deps: ListDeps,
  kind: ListKind,
  propertyId: string,
  days: FactRange,
): AsyncGenerator<readonly FactRow[]> {
  for (let after: FactRow | undefined; ;) {
    const rows = await readPage(deps.facts, factLists[kind], propertyId, { days, after, limit: ROWS_AT_ONCE })
    yield rows
    after = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE) return
  }
}

async function* partsOf(
  deps: ListDeps,
  kind: ListKind,
  propertyId: string,
  stretches: readonly FactRange[],
): AsyncGenerator<Part> {
  const cells = Object.values(columns[kind])
  const line = (row: FactRow): string[] => cells.map((cell) => safe(cell(row, deps, propertyId)))
  yield { text: toCsv([Object.keys(columns[kind])]), rows: 0 }
  for (const stretch of stretches) {
    for await (const rows of pagesOf(deps, kind, propertyId, stretch)) {
      for (let at = 0; at < rows.length; at += ROWS_A_PART) {
        const some = rows.slice(at, at + ROWS_A_PART)
        yield { text: toCsv(some.map(line)), rows: some.length }
        await nextTurn()
      }
    }
  }
}

export async function openList(deps: ListDeps, kind: ListKind, propertyId: string, days: FactRange): Promise<Text> {
  const counted = await countRowsByDay(deps.facts, factLists[kind].table, propertyId, days)
  return {
    total: counted.reduce((sum, { rows }) => sum + rows, 0),
    parts: partsOf(
      deps,
      kind,
      propertyId,
      stretchesOf(counted, ROWS_AT_ONCE).map(({ from, to }) => ({ from, to, ...(days.span && { span: days.span }) })),
    ),
  }
}
