// All properties of a person beside one another: what came to each in the same days of its own time zone, who
// is there now, and which of them have fallen silent.
import { bucketsOf } from '../kernel/buckets.ts'
import { DAY_MS, DAYS_A_WEEK } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { endOfNow, parseWindow, precedingSpan } from '../kernel/window.ts'
import { isOpenProperty, listProperties, type Property } from '../properties/properties.ts'
import { type Line, readLastViews, readSites, type SiteCounts } from './facts.ts'
import { MOST_SITES, type SiteJson, type SitePeriod, type SitesJson } from './schema.ts'

export { readSites, type SiteCounts } from './facts.ts'

type SitesDeps = Pick<Deps, 'records' | 'facts' | 'now'>

const LIVE_MS = 300_000
/** Fewer sessions than this are missing by chance now and then. */
const SURELY_MISSED = 7

/**
 * Parts of a window: the preceding one as a whole, then each day. Properties of one time zone share them.
 */
function linesOf(properties: readonly Property[], period: SitePeriod, nowMs: number): Line[] {
  const byZone = Map.groupBy(properties, ({ timezone }) => timezone)
  return [...byZone].map(([timezone, own]) => {
    const window = parseWindow({ period, timezone }, nowMs)
    const days = bucketsOf(window, 'day').map(({ fromMs }) => fromMs)
    return { ids: own.map(({ id }) => id), edges: [precedingSpan(window).fromMs, ...days, window.toMs] }
  })
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Nothing since the day before yesterday. */
const isSilent = ({ sessions }: SiteCounts): boolean => sumOf(sessions.slice(-2)) === 0

/** Of a day, by the last week in which something came; by the window before, when nothing did in this one. */
function usualOf([previous = 0, ...days]: readonly number[]): number {
  const last = days.findLastIndex((count) => count > 0)
  if (last === -1) return previous / days.length
  const week = days.slice(Math.max(0, last + 1 - DAYS_A_WEEK), last + 1)
  return sumOf(week) / week.length
}

/**
 * That nothing came may be chance: it is told when at least SURELY_MISSED sessions would have come since, by
 * how many usually do, or when both windows are empty.
 */
function warningOf(counts: SiteCounts, lastMs: number | undefined, nowMs: number): SiteJson['warning'] {
  if (!isSilent(counts)) return null
  if (lastMs === undefined) return { code: 'no_data', since_ts: null }
  const isEmpty = sumOf(counts.sessions) === 0
  const missed = usualOf(counts.sessions) * ((nowMs - lastMs) / DAY_MS)
  return isEmpty || missed >= SURELY_MISSED ? { code: 'quiet', since_ts: Math.floor(lastMs / 1000) } : null
}

const figureOf = ([previous = 0, ...days]: readonly number[]) => ({ current: sumOf(days), previous })

const siteJson = (
  { id, name, domains, client, timezone, is_sample }: Property,
  counts: SiteCounts,
  warning: SiteJson['warning'],
): SiteJson => ({
  id,
  name,
  domains,
  client,
  timezone,
  is_sample,
  sessions: figureOf(counts.sessions),
  views: figureOf(counts.views),
  days: counts.sessions.slice(1),
  live: counts.live,
  warning,
})

/** @param ids of the properties; undefined: all there are. */
export async function answerSites(
  deps: SitesDeps,
  ids: readonly string[] | undefined,
  period: SitePeriod,
): Promise<SitesJson> {
  const nowMs = deps.now()
  const listed = await listProperties(deps, { page: 1, perPage: MOST_SITES }, { ids })
  const properties = listed.rows.filter(isOpenProperty)
  const liveTo = endOfNow(nowMs)
  const counts = await readSites(deps.facts, {
    lines: linesOf(properties, period, nowMs),
    live: { fromMs: liveTo - LIVE_MS, toMs: liveTo },
  })
  const silent = [...counts].filter(([, own]) => isSilent(own)).map(([id]) => id)
  const lastViews = await readLastViews(deps.facts, silent)
  const sites = properties.flatMap((property) => {
    const own = counts.get(property.id)
    return own ? [siteJson(property, own, warningOf(own, lastViews.get(property.id), nowMs))] : []
  })
  return { period, total: listed.total, sites }
}
