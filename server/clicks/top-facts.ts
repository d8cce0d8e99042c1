// The most clicked links of a property in a window, for its overview.
import type { SessionScope, TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopLink {
  readonly id: string
  /** Of people. */
  readonly clicks: number
  /** Sessions that began through it. */
  readonly sessions: number
  /** Visits that began through it, of whatever sessions; not there for a share link. */
  readonly visits?: number
}

/**
 * SELECT of `value`, a link or '', and `number`, how many came through it; of one link there may be several
 * rows. Or all links, where they are known: the largest number first, equal ones by their id.
 */
type CountsByLink = Pick<SessionScope, 'sql' | 'params'> | { readonly all: Counts }

/**
 * Clicks are those of the window. Its sessions are asked for when they are needed: until they are known,
 * those of the running day may have to be folded.
 */
export interface TopLinksQuery extends TopQuery {
  /** Of sessions that began in the window. */
  arrivals(): Promise<CountsByLink>
  /** Of visits of these sessions after the first one of each. */
  returns(): Promise<CountsByLink>
}

/** What is known already, or is read now. */
export interface TopLinksKeeper {
  clicks(): Promise<Counts>
  /** Visits after the first one of each session. */
  returns(read: () => Promise<Counts>): Promise<Counts>
}

type Query = Pick<Facts, 'query'>

/** By the id of the link. */
export type Counts = readonly { readonly id: string; readonly number: number }[]

const cameThrough = (links: readonly string[] | undefined): string =>
  links ? 'value IN {links:Array(String)}' : "value != ''"

/** @param links those that are wanted: others may come as well. Undefined: those with the most sessions. */
async function readArrivals(facts: Query, ask: TopLinksQuery, links?: readonly string[]): Promise<Counts> {
  const came = await ask.arrivals()
  if ('all' in came) return came.all
  const { sql, params } = came
  const rows = await facts.query<{ through: string; number: string }>(
    'links.topArrivals',
    `SELECT value AS through, sum(came.number) AS number FROM (${sql}) AS came WHERE ${cameThrough(links)}
GROUP BY through ORDER BY number DESC, through LIMIT {limit:UInt32}`,
    { ...params, limit: ask.limit, ...(links && { links }) },
  )
  return rows.map(({ through, number }) => ({ id: through, number: Number(number) }))
}

/** Visits after the first one of each session. @param links as for arrivals; undefined: all of them. */
async function readReturns(facts: Query, ask: TopLinksQuery, links?: readonly string[]): Promise<Counts> {
  const came = await ask.returns()
  if ('all' in came) return came.all
  const { sql, params } = came
  const rows = await facts.query<{ through: string; number: string }>(
    'links.topReturns',
    `SELECT value AS through, sum(came.number) AS number FROM (${sql}) AS came WHERE ${cameThrough(links)} GROUP BY through`,
    { ...params, ...(links && { links }) },
  )
  return rows.map(({ through, number }) => ({ id: through, number: Number(number) }))
}

interface LinkCounts {
  readonly clicks: Counts
  readonly arrivals: Counts
  readonly returns: Counts
}

function joined({ clicks, arrivals, returns }: LinkCounts, ids: readonly string[]): TopLink[] {
  const numbersOf = (rows: Counts) => new Map(rows.map(({ id, number }) => [id, number]))
  const [clicked, arrived, returned] = [numbersOf(clicks), numbersOf(arrivals), numbersOf(returns)]
  return ids.map((id) => {
    const sessions = arrived.get(id) ?? 0
    return { id, clicks: clicked.get(id) ?? 0, sessions, visits: sessions + (returned.get(id) ?? 0) }
  })
}

/** @param clicks in their order, that of the answer; also those of deleted links. */
export async function readTopLinks(facts: Query, ask: TopLinksQuery, clicks: Counts): Promise<TopLink[]> {
  const ids = clicks.map(({ id }) => id)
  if (ids.length === 0) return []
  const [arrivals, returns] = await Promise.all([readArrivals(facts, ask, ids), readReturns(facts, ask, ids)])
  return joined({ clicks, arrivals, returns }, ids)
}

/** Every link with clicks or sessions, in no order; `limit` of them when there are more. */
export async function readLinkCounts(facts: Query, ask: TopLinksQuery, kept: TopLinksKeeper): Promise<TopLink[]> {
  const readAllReturns = () => kept.returns(() => readReturns(facts, ask))
  let returns: Promise<Counts> | undefined
  // They take longest: begun as soon as either tells of links. Without any they are not needed.
  const thenReturns = (counts: Counts): Counts => {
    if (counts.length > 0 && counts.length < ask.limit) returns ??= readAllReturns()
    returns?.catch(() => undefined) // told to whoever is still there
    return counts
  }
  const asked = [kept.clicks(), readArrivals(facts, ask)].map((reading) => reading.then(thenReturns))
  const [clicks = [], arrivals = []] = await Promise.all(asked)
  const ids = [...new Set([...clicks, ...arrivals].map(({ id }) => id))].slice(0, ask.limit)
  if (ids.length === 0) return []
  return joined({ clicks, arrivals, returns: await (returns ?? readAllReturns()) }, ids)
}
