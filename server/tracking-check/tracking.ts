// "Is my tracking working?": what arrived lately, and in words what to do about what did not.
import { type Arrivals, countViewsBy, type CountedViews, readArrivals } from './facts.ts'
import { countErrorsSince } from '../diagnostics/diagnostics.ts'
import { isOwnHost } from '../enrich/enrich.ts'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { isExcludedAddress, type Property } from '../properties/properties.ts'
import type { RefusedCalls, Refusals } from '../tracker/tracker.ts'
import type { AdviceJson, TrackingJson } from './schema.ts'

/** The version of the browser library that this program hands out (browser/package.json). */
export const SERVED_LIBRARY = '1.2.0'
/** The oldest that loses nothing: copies in caches and senders of the owner's own may be a version behind. */
const OLDEST_CURRENT = '1.1.0'
/** Hosts and versions of the last days: what was fixed before is over. */
const RECENT_DAYS = 7

interface Seen {
  readonly arrivals: Arrivals
  readonly hosts: TrackingJson['hosts']
  readonly libraries: TrackingJson['libraries']
  readonly refused: readonly RefusedCalls[]
  readonly errors: number
  readonly isExcluded: boolean
}

const parts = (version: string): number[] => version.split('.').map(Number)

/** A text without a version is that of somebody's own script. */
export function isOldLibrary(version: string): boolean {
  if (version === '') return false
  const [own, current] = [parts(version), parts(OLDEST_CURRENT)]
  const at = current.findIndex((part, index) => part !== (own[index] ?? 0))
  return at !== -1 && (own[at] ?? 0) < (current[at] ?? 0)
}

/** One a rule, in the order in which an owner should look at them. */
const rules: readonly ((seen: Seen) => AdviceJson | undefined)[] = [
  ({ arrivals: { lastMs, hasBots } }) => {
    if (lastMs !== null || hasBots) return undefined
    return {
      code: 'no_view',
      text: 'No page views yet. Add the tracking code to the head of every page, then open one in a browser.',
    }
  },
  ({ arrivals: { lastMs, hasBots } }) => {
    if (lastMs !== null || !hasBots) return undefined
    return {
      code: 'only_bots',
      text: 'Only bots have visited so far. Tracking works; see them under Bots.',
    }
  },
  ({ isExcluded }) => {
    if (!isExcluded) return undefined
    return {
      code: 'excluded_self',
      text: 'Your own IP address is excluded, so your visits from here are not counted.',
    }
  },
  ({ arrivals: { lastMs, viewsSince } }) => {
    if (lastMs === null || viewsSince > 0) return undefined
    return {
      code: 'quiet',
      text: 'There were page views before, but none in the last 24 hours. Is the tracking code still on your pages?',
    }
  },
  ({ hosts }) => {
    const foreign = hosts.filter(({ is_own }) => !is_own)
    if (foreign.length === 0) return undefined
    return {
      code: 'foreign_hosts',
      text: 'Page views come from hostnames that are not among the domains of this property. Add them if they are yours. Otherwise, someone else is using your key.',
    }
  },
  ({ refused }) => {
    if (!refused.some(({ reason }) => reason === 'host')) return undefined
    return {
      code: 'refused_hosts',
      text: 'Page views from hostnames that are not among the domains were rejected, as your settings require. If a hostname is yours, add it to the domains.',
    }
  },
  ({ refused }) => {
    if (!refused.some(({ reason }) => reason !== 'host')) return undefined
    return {
      code: 'refused_calls',
      text: 'Revenue or identification from browsers was rejected, as your settings require. If your pages send it, send it from your server with an access token instead.',
    }
  },
  ({ libraries }) => {
    if (!libraries.some(({ version }) => isOldLibrary(version))) return undefined
    return {
      code: 'old_library',
      text: `Some pages load an old version of the library; the current one is ${SERVED_LIBRARY}. Load it from this service instead of hosting a copy.`,
    }
  },
  ({ errors }) => {
    if (errors === 0) return undefined
    return {
      code: 'library_errors',
      text: 'The library reported errors in the last 24 hours. They are listed under Bots, as “Library errors”.',
    }
  },
]

const shownTs = (timeMs: number | null): number | null => (timeMs === null ? null : Math.floor(timeMs / 1000))

/** Without domains nothing can be foreign. */
const withOwner = (rows: readonly CountedViews[], domains: readonly string[]) =>
  rows.map(({ id, views }) => ({ host: id, views, is_own: domains.length === 0 || isOwnHost(id, domains) }))

/** @param address of the caller. */
export async function readTracking(
  { facts, now, refusals }: Pick<Deps, 'facts' | 'now'> & { readonly refusals: Refusals },
  property: Property,
  address: string,
): Promise<TrackingJson> {
  const [dayAgo, recent] = [now() - DAY_MS, now() - RECENT_DAYS * DAY_MS]
  const [arrivals, byHost, byLibrary, errors, refused] = await Promise.all([
    readArrivals(facts, property.id, dayAgo),
    countViewsBy(facts, property.id, 'hostname', recent),
    countViewsBy(facts, property.id, 'library', recent),
    countErrorsSince(facts, property.id, dayAgo),
    refusals.list(property.id, dayOf(recent)),
  ])
  const seen: Seen = {
    arrivals,
    hosts: withOwner(byHost, property.domains),
    libraries: byLibrary.map(({ id, views }) => ({ version: id, views })),
    refused,
    errors,
    isExcluded: isExcludedAddress(property, address),
  }
  return {
    first_view_ts: shownTs(arrivals.firstMs),
    last_view_ts: shownTs(arrivals.lastMs),
    views_24h: arrivals.viewsSince,
    hosts: seen.hosts,
    libraries: seen.libraries,
    refused,
    errors_24h: errors,
    advice: rules.flatMap((rule) => rule(seen) ?? []),
  }
}
