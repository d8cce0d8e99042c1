// All sites in one statement: the sessions of each property by the days of its own time zone, and who is
// there now. Days that are settled are read as sums where the property's days are those of UTC.
import { DAY_MS, dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import { boundsOf, everySession, type ScopeFacts, sessionRows, summedDays, type Sums } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { isCounted, type SessionColumn } from '../stores/session-columns.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import { NEVER_MS } from '../stores/tables.ts'

/** Properties of one time zone, and where the parts of their windows begin. */
export interface Line {
  readonly ids: readonly string[]
  /** Milliseconds in ascending order; the last one is the end of the last part. */
  readonly edges: readonly number[]
}

/** What is counted of a property. */
export interface SiteCounts {
  /** By the parts of its line. */
  readonly sessions: readonly number[]
  readonly views: readonly number[]
  /** With a page view in the last minutes. */
  readonly live: number
}

export interface SitesQuery {
  readonly lines: readonly Line[]
  readonly live: Span
}

/** Lines lie behind one another on one axis, each this long: longer than all of time in milliseconds. */
const LINE_MS = 10 ** 14
/** The part of those who are there now. */
const LIVE_EDGE = -1

/** Of one array of edges, so that a single look-up finds the part of a session of any time zone. */
const edgeSql = `roundDown(toUnixTimestamp64Milli(entry_at)
    + ${LINE_MS} * transform(property, {line_of:Array(String)}, {lines:Array(Int64)}, toInt64(0)), {edges:Array(Int64)}) AS edge`

const columns: readonly SessionColumn[] = ['entry_at', 'view_count']

const hasUtcDays = ({ edges }: Line): boolean => edges.slice(1, -1).every((edge) => edge % DAY_MS === 0)

/** Whether all sessions of a settled day are in one part of every line. */
const isInOnePart =
  (lines: readonly Line[]) =>
  ({ firstMs, lastMs }: SettledDay): boolean =>
    lastMs < firstMs ||
    lines.every(({ edges }) => {
      const partOf = (ms: number) => edges.findLastIndex((edge) => edge <= ms)
      return partOf(firstMs) === partOf(lastMs)
    })

const idsOf = (lines: readonly Line[]): string[] => lines.flatMap(({ ids }) => ids)

/** Where each property is on the axis. */
const bindLines = (lines: readonly Line[]) => ({
  line_of: idsOf(lines),
  lines: lines.flatMap(({ ids }, index) => ids.map(() => index + 1)),
  edges: [0, ...lines.flatMap(({ edges }, index) => edges.map((edge) => (index + 1) * LINE_MS + edge))],
})

async function partsOf(facts: ScopeFacts, lines: readonly Line[], hasMarks: boolean) {
  const summed = lines.filter(hasUtcDays)
  const span = {
    fromMs: Math.min(...lines.map(({ edges }) => edges[0]!)),
    toMs: Math.max(...lines.map(({ edges }) => edges.at(-1)!)),
  }
  const query = {
    settled: await facts.settledDays(),
    layout: facts.layout,
    hasMarks,
    bounds: boundsOf('', span),
    columns,
    condition: everySession,
  }
  const sums = summedDays({ ...query, ofProperty: 'property IN {summed:Array(String)}' }, isInOnePart(summed))
  const ofProperty = `(property IN {unsummed:Array(String)}
    OR property IN {summed:Array(String)} AND day NOT IN {summed_days:Array(Date)})`
  const unsummed = idsOf(lines.filter((line) => !hasUtcDays(line)))
  return {
    rows: sessionRows({ ...query, ofProperty }),
    sums,
    hasRows: !sums || sums.hasRows || unsummed.length > 0,
    params: {
      summed: idsOf(summed),
      unsummed,
      summed_days: sums?.days ?? [],
    },
  }
}

/** A view that gives a bot away makes the whole session one; who carries on over midnight began yesterday. */
const liveSql = (hasMarks: boolean): string => `SELECT property, toInt64(${LIVE_EDGE}) AS edge,
  uniqExact(day, session) AS counted, toUInt64(0) AS seen FROM views
WHERE property IN {line_of:Array(String)} AND day >= {live_day:Date}
  AND at >= fromUnixTimestamp64Milli({live_from:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({live_to:Int64}, 'UTC')
  AND (property, day, session) NOT IN (SELECT property, day, session FROM sessions FINAL
    WHERE property IN {line_of:Array(String)} AND day >= {live_day:Date} AND NOT (${isCounted(hasMarks)}))
GROUP BY property`

const bindLive = ({ fromMs, toMs }: Span) => ({
  live_from: fromMs,
  live_to: toMs,
  live_day: storedDay(dayOf(fromMs) - 1),
})

interface Row {
  readonly property: string
  readonly edge: string
  readonly sessions: string
  readonly views: string
}

/** Rows outside of a line's own parts are before its window: those belong to the end of the line before. */
function countsOf(line: Line, lineNumber: number, rows: readonly Row[]): SiteCounts {
  const byEdge = new Map(rows.map((row) => [Number(row.edge), row]))
  const parts = line.edges.slice(0, -1).map((edge) => byEdge.get(lineNumber * LINE_MS + edge))
  return {
    sessions: parts.map((row) => Number(row?.sessions ?? 0)),
    views: parts.map((row) => Number(row?.views ?? 0)),
    live: Number(byEdge.get(LIVE_EDGE)?.sessions ?? 0),
  }
}

/** By property. */
export async function readSites(
  facts: Pick<Facts, 'query'> & ScopeFacts,
  { lines, live }: SitesQuery,
): Promise<Map<string, SiteCounts>> {
  if (lines.length === 0) return new Map()
  const marked = await Promise.all(idsOf(lines).map((id) => facts.hasMarks(id)))
  const hasMarks = marked.includes(true)
  const { rows, hasRows, sums, params } = await partsOf(facts, lines, hasMarks)
  const ofRows = `SELECT property, ${edgeSql}, count() AS counted, sum(view_count) AS seen FROM ${rows.sql} GROUP BY property, edge`
  const ofSums = (of: Sums) => `SELECT property, ${edgeSql}, sum(sums.sessions) AS counted, sum(sums.views) AS seen
FROM ${of.sql('settled_figures', ['property', 'entry_at', 'sessions', 'views'])} AS sums GROUP BY property, edge`
  const arms = [...(hasRows ? [ofRows] : []), ...(sums ? [ofSums(sums)] : []), liveSql(hasMarks)]
  const found = await facts.query<Row>(
    'sites.readSites',
    `SELECT property, edge, sum(parts.counted) AS sessions, sum(parts.seen) AS views FROM (
${arms.join('\nUNION ALL\n')}
) AS parts GROUP BY property, edge`,
    { ...sums?.params, ...rows.params, ...params, ...bindLines(lines), ...bindLive(live) },
  )
  const byProperty = Map.groupBy(found, ({ property }) => property)
  return new Map(
    lines.flatMap((line, index) =>
      line.ids.map((id) => [id, countsOf(line, index + 1, byProperty.get(id) ?? [])] as const),
    ),
  )
}

/** When a person's page view arrived last, by property; those that never had one are left out. */
export async function readLastViews(
  facts: Pick<Facts, 'query'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await facts.query<{ property: string; last_ms: string }>(
    'sites.readLastViews',
    `SELECT property, max(toUnixTimestamp64Milli(at)) AS last_ms FROM views
WHERE property IN {ids:Array(String)} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND is_bot = 0 GROUP BY property`,
    { ids },
  )
  return new Map(rows.map(({ property, last_ms }) => [property, Number(last_ms)]))
}
