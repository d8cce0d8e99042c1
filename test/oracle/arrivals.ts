// What became of the clicks on links and groups, by docs/definitions.md ("Short links"), and what the service
// says of it.
import type { Send } from './client.ts'
import { differences, isRecord, rounded } from './compare.ts'
import type { Clicker, Fold, Session } from './fold.ts'
import type { Owner } from './forms.ts'
import { MINUTE, SECOND, type Click, type Hit } from './hits.ts'
import { windowOf, type Asked, type Span } from './windows.ts'
import type { World } from './world.ts'

/** A link or a group: what it is called in a path, and the names of the links that it has. */
interface Counted {
  readonly path: string
  readonly links: ReadonlySet<string>
}

interface Arrival {
  /** Whether the first page view of the session is one. */
  readonly isEntry: boolean
  readonly isEngaged: boolean
}

const ARRIVAL_MS = MINUTE
const SKEW_MS = 2 * SECOND
const ENGAGED_SECONDS = 10

/**
 * Each page view that came after one of the clicks, the earliest first; the session's first one may seem to
 * come a little before it.
 */
function arrivalsOf({ views }: Session, clicks: readonly Click[]) {
  const isOf = (at: number, earliest: number) =>
    clicks.some((click) => at >= click.at - earliest && at <= click.at + ARRIVAL_MS)
  return views.filter(({ load }, index) => isOf(load.at, index === 0 ? SKEW_MS : 0))
}

function arrivalOf({ session }: Clicker, clicks: readonly Click[]): Arrival | undefined {
  const first = session && arrivalsOf(session, clicks)[0]
  if (!first) return undefined
  const from = first.load.at
  const rest = session.views.filter(({ load }) => load.at >= from)
  const seconds = rest.reduce((sum, view) => sum + view.seconds, 0)
  const isEngaged = rest.length > 1 || seconds >= ENGAGED_SECONDS || session.deedTimes.some((at) => at >= from)
  return { isEntry: first === session.views[0], isEngaged }
}

interface Figures {
  readonly clicks: number
  readonly visitors: number
  readonly arrivals: readonly Arrival[]
}

function figuresOf({ clickers }: Fold, { links }: Counted, { from, to }: Span): Figures {
  const isWanted = ({ link, at }: Click) => links.has(link) && at >= from && at < to
  const visitors = clickers
    .map((clicker) => ({ clicker, clicks: clicker.clicks.filter(isWanted) }))
    .filter(({ clicks }) => clicks.length > 0)
  return {
    clicks: visitors.reduce((sum, { clicks }) => sum + clicks.length, 0),
    visitors: visitors.length,
    arrivals: visitors.flatMap(({ clicker, clicks }) => arrivalOf(clicker, clicks) ?? []),
  }
}

const rate = (part: number, whole: number) => rounded(whole === 0 ? 0 : part / whole, 4)

function statisticsOf({ clicks, visitors, arrivals }: Figures, bots: number) {
  const engaged = arrivals.filter(({ isEngaged }) => isEngaged).length
  return {
    clicks,
    visitors,
    count_bots: bots,
    arrived: arrivals.length,
    already_on_site: arrivals.filter(({ isEntry }) => !isEntry).length,
    engaged,
    arrival_rate: rate(arrivals.length, visitors),
    engagement_rate: rate(engaged, arrivals.length),
  }
}

function botsOf(hits: readonly Hit[], world: World, { links }: Counted, { from, to }: Span): number {
  const isBot = ({ how, visitor }: Click) => how !== 'follow' || !world.agents.has(visitor.agent)
  return hits.filter(
    (hit) => hit.kind === 'click' && links.has(hit.link) && hit.at >= from && hit.at < to && isBot(hit),
  ).length
}

function countedOf(world: World): Counted[] {
  const groups = Map.groupBy(world.links, ([, { group }]) => group)
  return [
    ...[...world.links].map(([name, { id }]) => ({ path: `links/${id}`, links: new Set([name]) })),
    ...[...groups].map(([id, own]) => ({
      path: `link-groups/${id}`,
      links: new Set(own.map(([name]) => name)),
    })),
  ]
}

/** Everything that was sent so far, and when it is asked about. */
export interface Past {
  readonly hits: readonly Hit[]
  readonly fold: Fold
  readonly world: World
  readonly now: number
}

/** By the path of the link or the group. */
export function expectedStatistics({ hits, fold, world }: Past, window: Span) {
  return new Map(
    countedOf(world).map((counted) => {
      const bots = botsOf(hits, world, counted, window)
      return [counted.path, statisticsOf(figuresOf(fold, counted, window), bots)]
    }),
  )
}

/**
 * Every link and every group in that window.
 * @returns how many questions, and what is answered otherwise than the oracle would.
 */
export async function askLinks(send: Send, owner: Owner, past: Past, asked: Asked) {
  const window = windowOf(asked, past.now)
  const query = new URLSearchParams(Object.entries(asked)).toString()
  const failures: string[] = []
  const expected = expectedStatistics(past, window)
  for (const [what, statistics] of expected) {
    const path = `/manage/properties/${owner.propertyId}/${what}/statistics?${query}`
    const { status, body } = await send('GET', path, { authorization: `Bearer ${owner.admin}` })
    const got = isRecord(body['data']) ? body['data']['statistics'] : undefined
    const lines = differences(statistics, got).map(
      (each) => `  ${each.path}: expected ${each.expected}, got ${each.got}`,
    )
    if (lines.length > 0)
      failures.push([`at ${new Date(past.now).toISOString()}: GET ${path} (${status})`, ...lines].join('\n'))
  }
  return { asked: expected.size, failures }
}
