// What came of the visits of a window: events, conversions, forms, links, content. Each capability counts its
// own facts; here they meet the names that the records have for them now.
import { eventColumns, readTopEvents, type TopEvent } from '../lists/event-facts.ts'
import { returningColumns, rowsAndKeysOf, type Scope } from '../analytics/facts.ts'
import { arrivalsOf, returnsOf } from '../analytics/starts-facts.ts'
import { compareTexts, mergeCounts } from '../analytics/merging.ts'
import { round } from '../analytics/metrics.ts'
import type { Config } from '../config.ts'
import { findBlockNames } from '../content/content.ts'
import { type CutScope, type Kept, notKept } from './kept.ts'
import { findFormNames } from '../forms/forms.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { findLinks, placeUrl } from '../links/links.ts'
import {
  type Counts as ClickCounts,
  readLinkCounts,
  readTopLinks,
  type TopLink,
  type TopLinksQuery,
} from '../clicks/clicks.ts'
import type { Span } from '../kernel/window.ts'
import { boundsOf, countOutcomes, type InParts, type OutcomeCount } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { type OutcomeTable, outcomeTables } from '../stores/outcome-sums.ts'
import type { SessionColumn } from '../stores/session-columns.ts'

/** Rows of each kind. */
export const SHOWN = 10
/** Counted of each kind: some may be deleted by now, and are then left out. */
const COUNTED = 60
/**
 * Of a part of a window: more forms and blocks than a property has. With more events or links, windows are
 * read whole.
 */
const COUNTED_OF_PART = 1000

export interface TopForm {
  readonly id: string
  /** Form sessions: how often it was shown. */
  readonly sessions: number
  readonly submissions: number
}

export interface TopContent {
  readonly id: string
  readonly views: number
  readonly clicks: number
}

export interface OutcomeFacts {
  readonly events: readonly TopEvent[]
  readonly forms: readonly TopForm[]
  readonly links: readonly TopLink[]
  readonly content: readonly TopContent[]
}

/**
 * How long before a click, a step of a form or an impression its visitor's session may have begun. A session
 * goes on into the day after its own and no longer, and of what was rendered then is told within a day: so a
 * part of a window has the visitors that the whole has.
 */
const LOOK_BACK_MS = 3 * DAY_MS

/** What these read of a session. */
export const outcomeColumns = [...returningColumns, 'entry_link', ...eventColumns] as const satisfies SessionColumn[]

/**
 * When the sessions of the visitors of a part began.
 * @param fromMs where the window begins of which it is a part: no visitor counts whose session began before.
 */
export const visitorSpan = ({ fromMs, toMs }: Span, windowFromMs: number): Span => ({
  fromMs: Math.max(windowFromMs, fromMs - LOOK_BACK_MS),
  toMs,
})

/**
 * The scope, for those who only know that there are some sessions.
 * @param fromMs where the window begins of which the scope is a part.
 */
async function askOf(facts: Facts, scope: Scope, fromMs: number, limit: number): Promise<TopLinksQuery> {
  const { propertyId, span, clauses, held } = scope
  // What is kept has the visitors of this part, and of the window no others than the whole has.
  const visitors = { ...scope, span: held?.span ?? visitorSpan(span, fromMs) }
  const [hasMarks, narrowed, days] = await Promise.all([
    facts.hasMarks(propertyId),
    clauses.length > 0 ? rowsAndKeysOf(facts, visitors, ['day', 'session']) : undefined,
    facts.settledDays(),
  ])
  return {
    window: boundsOf(propertyId, span),
    hasMarks,
    visitors: narrowed,
    settled: { days, layout: facts.layout },
    limit,
    arrivals: () => arrivalsOf(facts, scope),
    returns: () => returnsOf(facts, scope),
  }
}

const toForm = ({ id, shown, used }: OutcomeCount): TopForm => ({ id, sessions: shown, submissions: used })
const toContent = ({ id, shown, used }: OutcomeCount): TopContent => ({ id, views: shown, clicks: used })
const toClicks = ({ id, used }: OutcomeCount): ClickCounts[number] => ({ id, number: used })

export async function readOutcomes(facts: Facts, scope: Scope): Promise<OutcomeFacts> {
  const ask = await askOf(facts, scope, scope.span.fromMs, COUNTED)
  const things = countOutcomes(facts, outcomeTables, ask)
  const [events, links] = await Promise.all([
    readTopEvents(facts, scope, SHOWN),
    things.then(({ clicks }) => readTopLinks(facts, ask, clicks.past.map(toClicks))),
  ])
  const { form_events, impressions } = await things
  return { events: events.past, forms: form_events.past.map(toForm), links, content: impressions.past.map(toContent) }
}

/** What one statement each says of a part of a window. */
interface Counts {
  readonly events: () => Promise<readonly TopEvent[]>
  readonly forms: () => Promise<readonly TopForm[]>
  readonly clicks: () => Promise<ClickCounts>
  readonly content: () => Promise<readonly TopContent[]>
}

const countsOf = (facts: Facts, scope: Scope, ask: TopLinksQuery): Counts => {
  const count = async (table: OutcomeTable) => (await countOutcomes(facts, [table], ask))[table].past
  return {
    events: async () => (await readTopEvents(facts, scope, COUNTED_OF_PART)).past,
    forms: async () => (await count('form_events')).map(toForm),
    clicks: async () => (await count('clicks')).map(toClicks),
    content: async () => (await count('impressions')).map(toContent),
  }
}

/** The same of a window that is cut in two. */
function countsOfParts(
  facts: Facts,
  scope: Scope,
  ask: TopLinksQuery,
  cutMs: number,
): Record<keyof InParts<0>, Counts> {
  const events = readTopEvents(facts, scope, COUNTED_OF_PART, cutMs)
  const things = countOutcomes(facts, outcomeTables, ask, cutMs)
  const of = (part: keyof InParts<0>): Counts => ({
    events: async () => (await events)[part],
    forms: async () => (await things).form_events[part].map(toForm),
    clicks: async () => (await things).clicks[part].map(toClicks),
    content: async () => (await things).impressions[part].map(toContent),
  })
  return { past: of('past'), recent: of('recent') }
}

async function gather(facts: Facts, ask: TopLinksQuery, counts: Counts, kept: Kept): Promise<OutcomeFacts> {
  const [events, forms, links, content] = await Promise.all([
    kept.ofEvents(['events'], counts.events),
    kept.ofTable('form_events', counts.forms),
    readLinkCounts(facts, ask, {
      clicks: () => kept.ofTable('clicks', counts.clicks),
      returns: (read) => kept.ofLinkedVisits(read),
    }),
    kept.ofTable('impressions', counts.content),
  ])
  return { events, forms, links, content }
}

/**
 * The same of a part of a window that begins at `fromMs`, and more of it: as much as it takes to add parts
 * up.
 */
export async function readOutcomeCounts(facts: Facts, scope: Scope, fromMs: number, kept: Kept): Promise<OutcomeFacts> {
  const ask = await askOf(facts, scope, fromMs, COUNTED_OF_PART)
  return gather(facts, ask, countsOf(facts, scope, ask), kept)
}

/** Both parts of the scope. */
export async function readOutcomeParts(facts: Facts, scope: Scope, { past, recent, kept }: CutScope) {
  const { fromMs } = scope.span
  const [ask, ofPast, ofRecent] = await Promise.all(
    [scope, past, recent].map((part) => askOf(facts, part, fromMs, COUNTED_OF_PART)),
  )
  const counts = countsOfParts(facts, scope, ask!, recent.span.fromMs)
  const [before, today] = await Promise.all([
    gather(facts, ofPast!, counts.past, notKept),
    gather(facts, ofRecent!, counts.recent, kept),
  ])
  return { past: before, recent: today }
}

/** In the orders in which they are shown. */
const inOrder = {
  events: (a: TopEvent, b: TopEvent) => b.count - a.count || compareTexts(a.name, b.name),
  forms: (a: TopForm, b: TopForm) =>
    b.submissions - a.submissions || b.sessions - a.sessions || compareTexts(a.id, b.id),
  links: (a: TopLink, b: TopLink) => b.clicks - a.clicks || compareTexts(a.id, b.id),
  content: (a: TopContent, b: TopContent) => b.views - a.views || b.clicks - a.clicks || compareTexts(a.id, b.id),
}

/** Of two parts of a window. Undefined when there is too much in one of them to tell. */
export function mergeOutcomes(past: OutcomeFacts, recent: OutcomeFacts): OutcomeFacts | undefined {
  const events = mergeCounts(past.events, recent.events, 'name', COUNTED_OF_PART)
  const forms = mergeCounts(past.forms, recent.forms, 'id', COUNTED_OF_PART)
  const links = mergeCounts(past.links, recent.links, 'id', COUNTED_OF_PART)
  const content = mergeCounts(past.content, recent.content, 'id', COUNTED_OF_PART)
  if (!events || !forms || !links || !content) return undefined
  const clicked = links.filter(({ clicks }) => clicks > 0)
  return {
    events: events.toSorted(inOrder.events).slice(0, SHOWN),
    forms: forms.toSorted(inOrder.forms).slice(0, COUNTED),
    links: clicked.toSorted(inOrder.links).slice(0, COUNTED),
    content: content.toSorted(inOrder.content).slice(0, COUNTED),
  }
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : round(part / whole, 4))

/** Of all that were counted, those that the records know, each with what they say of it. */
function named<Row extends { readonly id: string }, Name, Shown>(
  rows: readonly Row[],
  names: ReadonlyMap<string, Name>,
  show: (row: Row, name: Name) => Shown,
): Shown[] {
  const known = rows.flatMap((row) => {
    const name = names.get(row.id)
    return name === undefined ? [] : [show(row, name)]
  })
  return known.slice(0, SHOWN)
}

/** As the records have it now: what was renamed or deleted since is so here. */
export async function shownOutcomes(
  { records, config }: Pick<Deps, 'records'> & { readonly config: Config },
  propertyId: string,
  { events, forms, links, content }: OutcomeFacts,
) {
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const [ofForms, ofLinks, ofContent] = await Promise.all([
    findFormNames(records, propertyId, idsOf(forms)),
    findLinks(records, propertyId, idsOf(links)),
    findBlockNames(records, propertyId, idsOf(content)),
  ])
  return {
    events: events.map((row) => ({ ...row, value_cents: round(row.value_cents, 0) })),
    forms: named(forms, ofForms, (row, { name, key }) => {
      const { id, sessions, submissions } = row
      return { id, name, key, sessions, submissions, rate: share(submissions, sessions) }
    }),
    links: named(links, ofLinks, ({ id, clicks, sessions, visits }, { name, code, ...place }) => {
      const short_url = `${placeUrl(config, place)}/${code}`
      return { id, name: name ?? code, short_url, clicks, sessions, ...(visits !== undefined && { visits }) }
    }),
    content: named(content, ofContent, ({ id, views, clicks }, { name, key }) => ({
      id,
      name,
      key,
      views,
      clicks,
      rate: share(clicks, views),
    })),
  }
}
