// Random questions about the traffic: windows, clauses with every operator, metrics, intervals, pages.
import { eventIds, type Clause } from './clauses.ts'
import type { Described } from './fold.ts'
import { dimensions } from './dimensions.ts'
import { graphMetrics, type GraphQuestion } from './figures.ts'
import { DAY, dayOf, type Scalar } from './hits.ts'
import type { Random } from './random.ts'
import { acceptedIntervals, windowOf, type Asked } from './windows.ts'
import type { PageQuestion } from './documents.ts'
import { costLists } from './costs.ts'
import { type GoalQuestion, lists, type ListQuestion } from './lists.ts'
import { rounds } from '../support/long.ts'
import type { PagesQuestion } from './pages.ts'

export type Question =
  | { readonly kind: 'metrics'; readonly asked: Asked; readonly clauses: readonly Clause[] }
  | {
      readonly kind: 'graph'
      readonly asked: Asked
      readonly clauses: readonly Clause[]
      readonly graph: GraphQuestion
    }
  | { readonly kind: 'live'; readonly clauses: readonly Clause[]; readonly metric: GraphQuestion['metric'] }
  | {
      readonly kind: 'sessions'
      readonly asked: Asked
      readonly clauses: readonly Clause[]
      readonly page: PageQuestion
    }
  | {
      readonly kind: 'list'
      readonly asked: Asked
      readonly clauses: readonly Clause[]
      readonly list: ListQuestion
    }
  | {
      readonly kind: 'goal'
      readonly asked: Asked
      readonly clauses: readonly Clause[]
      readonly goal: GoalQuestion
    }
  | {
      readonly kind: 'pages'
      readonly asked: Asked
      readonly clauses: readonly Clause[]
      readonly pages: PagesQuestion
    }

const periods = ['today', 'yesterday', 'last_7', 'last_28', 'month_to_date', 'year_to_date', 'last_12_months'] as const
const dateText = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

/** One day less than the lengths at which the accepted intervals change, and just these. */
const edges = [0, 1, 6, 7, 29, 30, 179, 180, 364, 365]

/** Whole hours, halves and quarters, in both directions, with and without summer time. */
const zones = [
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Auckland',
] as const

/** Of the public interface, which is in UTC unless it is told otherwise. */
function askedSomewhere(random: Random, now: number): Asked {
  const asked = askedWindow(random, now)
  return random.chance(0.4) ? { ...asked, timezone: random.pick(zones) } : asked
}

export function askedWindow(random: Random, now: number): Asked {
  if (random.chance(0.65)) return { period: random.pick(periods) }
  const today = dayOf(now)
  const to = today + random.int(-40, 3)
  const length = random.chance(0.5) ? random.pick(edges) : random.int(0, 420)
  return { period: 'custom', date_from: dateText(to - length), date_to: dateText(to) }
}

// ---------------------------------------------------------------- clauses

const textIds: readonly string[] = [
  ...dimensions,
  'country_code',
  'hostname',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'page_path',
  'tag',
  'contact_id',
  'link',
  'link_group',
  'form',
]
const textOps = [
  'equals',
  'equals',
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_set',
  'is_not_set',
]
const numberOps = ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte', 'is_set', 'is_not_set']

function valuesIn(sessions: readonly Described[], id: string): string[] {
  const values = sessions.flatMap(({ session, texts, forms, conversions }) => {
    if (id === 'page_path') return session.views.map((view) => view.path)
    if (id === 'tag') return [...session.tags]
    if (id === 'form') return forms.map((form) => form.id)
    if (id === 'conversion') return conversions
    if (id === 'event_meta') return session.events.flatMap((event) => event.pairs)
    if (id === 'event_name') return session.events.map((event) => event.name)
    if (id === 'event_value') return session.events.map((event) => event.value ?? '')
    return [texts[id] ?? '']
  })
  return [...new Set(values.filter((value) => value !== ''))].sort()
}

/** A piece of the text, in another case now and then. */
function pieceOf(random: Random, text: string, op: string): string {
  const letters = [...text]
  const length = random.int(1, letters.length)
  const from =
    op === 'starts_with' ? 0 : op === 'ends_with' ? letters.length - length : random.int(0, letters.length - length)
  const piece = letters.slice(from, from + length).join('')
  return random.chance(0.4) ? piece.toUpperCase() : piece
}

const partial = new Set(['contains', 'not_contains', 'starts_with', 'ends_with'])

function textClause(random: Random, sessions: readonly Described[], id: string): Clause {
  const op = random.pick(textOps)
  if (op.startsWith('is_')) return { id, op }
  const known = valuesIn(sessions, id)
  const one = () => {
    const value = known.length === 0 || random.chance(0.05) ? 'nowhere' : random.pick(known)
    return partial.has(op) ? pieceOf(random, value, op) : value
  }
  return { id, op, value: random.chance(0.35) ? Array.from({ length: random.int(1, 3) }, one) : one() }
}

/** Of conversions that any session met, by their ids alone. */
function conversionClause(random: Random, sessions: readonly Described[]): Clause {
  const known = valuesIn(sessions, 'conversion')
  if (known.length === 0) return { id: 'event_name', op: 'is_set' }
  const value = random.chance(0.35) ? random.some(known, random.int(1, Math.min(3, known.length))) : random.pick(known)
  return { id: 'conversion', op: random.pick(['equals', 'not_equals']), value }
}

function numberClause(random: Random): Clause {
  const op = random.pick(numberOps)
  const one = (): Scalar => random.pick([0, 12, 49, 49.5, '49', -3, 11.9])
  return op.startsWith('is_')
    ? { id: 'event_value_num', op }
    : { id: 'event_value_num', op, value: random.chance(0.3) ? [one(), one()] : one() }
}

function clauses(random: Random, sessions: readonly Described[]): Clause[] {
  const count = random.pick([0, 0, 1, 1, 1, 2, 2, 3])
  return Array.from({ length: count }, () => {
    if (random.chance(0.1)) return conversionClause(random, sessions)
    if (!random.chance(0.3)) return textClause(random, sessions, random.pick(textIds))
    const id = random.pick(eventIds)
    return id === 'event_value_num' ? numberClause(random) : textClause(random, sessions, id)
  })
}

// ---------------------------------------------------------------- questions

function graph(random: Random, window: Asked, now: number): GraphQuestion {
  const accepted = acceptedIntervals(windowOf(window, now))
  const interval = random.chance(0.7) ? { interval: random.pick(accepted) } : {}
  return { metric: random.pick(graphMetrics), compare: random.chance(0.5), ...interval }
}

/** Of a conversion that some session met, now and then. */
function goalOf(random: Random, sessions: readonly Described[]): Pick<ListQuestion, 'goal' | 'attribution'> {
  const known = valuesIn(sessions, 'conversion')
  if (known.length === 0 || random.chance(0.4)) return {}
  return { goal: random.pick(known), attribution: random.pick(['first', 'last']) }
}

const list = (random: Random, sessions: readonly Described[]): ListQuestion => ({
  ...goalOf(random, sessions),
  list: random.pick(lists),
  order: random.pick(['desc', 'desc', 'asc']),
  page: random.pick([1, 1, 2]),
  per_page: random.pick([3, 10, 100]),
})

export function question(random: Random, sessions: readonly Described[], now: number): Question {
  const window = askedSomewhere(random, now)
  const narrowed = { asked: window, clauses: clauses(random, sessions) }
  const kind = random.pick([
    'metrics',
    'metrics',
    'graph',
    'graph',
    'live',
    'sessions',
    'list',
    'list',
    'cost',
    'goal',
    'goal',
    'pages',
    'pages',
  ] as const)
  switch (kind) {
    case 'metrics':
      return { kind, ...narrowed }
    case 'graph':
      return { kind, ...narrowed, graph: graph(random, window, now) }
    case 'live':
      return { kind, clauses: narrowed.clauses, metric: random.pick(graphMetrics) }
    case 'sessions':
      return { kind, ...narrowed, page: { limit: random.pick([1, 7, 20, 100, 1000]), page: random.int(1, 4) } }
    case 'list':
      return { kind, ...narrowed, list: list(random, sessions) }
    case 'goal': {
      const known = valuesIn(sessions, 'conversion')
      if (known.length === 0) return { kind: 'metrics', ...narrowed }
      const goal = { goal: random.pick(known), attribution: random.pick(['first', 'first', 'last'] as const) }
      // Most are about all sessions.
      return { kind, asked: window, clauses: random.chance(0.6) ? [] : narrowed.clauses, goal }
    }
    case 'cost': {
      const asked = { ...list(random, sessions), hasCost: true, list: random.pick(costLists) } as const
      return { kind: 'list', asked: window, clauses: [], list: asked }
    }
    case 'pages': {
      // Most are about all sessions: sums of settled days are read for these alone.
      const asked = random.chance(0.6) ? { asked: window, clauses: [] } : narrowed
      const pages = {
        depth: random.pick([null, null, 1, 2]),
        page: random.pick([1, 1, 2]),
        per_page: random.pick([5, 100]),
      }
      return { kind, ...asked, pages }
    }
  }
}

/**
 * Asked in each run: every length at which the accepted intervals change, and numbers just at their bound.
 */
export function fixedQuestions(now: number): Question[] {
  const today = dayOf(now)
  const graph = { metric: 'sessions', compare: true } as const
  const spans = edges.map((length): Question => {
    const window = { period: 'custom', date_from: dateText(today - length), date_to: dateText(today) }
    return { kind: 'graph', asked: window, clauses: [], graph }
  })
  const bounds = ['equals', 'gt', 'gte', 'lt', 'lte'].map((op): Question => {
    const clauses = [{ id: 'event_value_num', op, value: 12 }]
    return { kind: 'graph', asked: { period: 'last_28' }, clauses, graph }
  })
  return [...spans, ...bounds]
}

/** The others are another run's: a goal takes five questions, the heaviest of all. */
const CREDITED = rounds(2, Infinity)

/**
 * Asked in each run: to which sessions the conversions of some goals are credited, in a long run of all, and
 * what every campaign cost.
 */
export function creditQuestions(random: Random, sessions: readonly Described[]): Question[] {
  const about = (period: string, list: ListQuestion): Question => ({
    kind: 'list',
    asked: { period },
    clauses: [],
    list,
  })
  const whole = { order: 'desc', page: 1, per_page: 100 } as const
  const known = random.some(valuesIn(sessions, 'conversion'), CREDITED)
  const goals = known.flatMap((goal) => [
    about('last_12_months', { ...whole, goal, attribution: 'first', list: 'entry_path_full' }),
    about('last_7', { ...whole, goal, attribution: 'first', list: 'source' }),
    about('last_7', { ...whole, goal, attribution: 'last', list: 'source' }),
  ])
  const ofOverview = known.flatMap((goal) =>
    (['last_7', 'last_28'] as const).map((period): Question => ({
      kind: 'goal',
      asked: { period },
      clauses: [],
      goal: { goal, attribution: 'first' },
    })),
  )
  return [...goals, ...ofOverview, ...costLists.map((list) => about('last_28', { ...whole, hasCost: true, list }))]
}

const PROJECTED_FROM_MS = 0.02 * DAY

/** The last second without a projection of the next day, and the first one with it. */
export function projectionEdges(end: number): { readonly now: number; readonly question: Question }[] {
  const midnight = (dayOf(end) + 1) * DAY
  const graph = { metric: 'views', interval: 'day', compare: false } as const
  const question: Question = { kind: 'graph', asked: { period: 'last_7' }, clauses: [], graph }
  return [PROJECTED_FROM_MS - 1001, PROJECTED_FROM_MS - 1].map((after) => ({ now: midnight + after, question }))
}
