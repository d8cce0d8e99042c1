// A small world of content: what visitors saw and did over three phases, and the figures of it counted by
// hand from the list, sharing no code with the server. Written from docs/definitions.md.
import { NEVER_MS } from '../../server/stores/tables.ts'
import type { EventRow, FormEventRow, ImpressionRow, ViewRow } from '../../server/stores/tables.ts'

export const PROPERTY = 'pr_world'
export const BLOCK = 'cb_world'
export const VERSIONS = ['ve_a', 've_b', 've_c'] as const
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-11-10T06:00:00Z')

/** Phases of different lengths, one change of them shortly before midnight. */
export const phases = [
  { number: 1, startedMs: START, endedMs: Date.parse('2026-11-12T23:30:00Z') },
  { number: 2, startedMs: Date.parse('2026-11-12T23:30:00Z'), endedMs: Date.parse('2026-11-13T12:00:00Z') },
  { number: 3, startedMs: Date.parse('2026-11-13T12:00:00Z'), endedMs: Date.parse('2026-11-15T00:00:00Z') },
] as const
const END = phases[2].endedMs

type Row<T> = Partial<T> & { readonly property: string; readonly session: string; readonly at: number }

export interface ContentWorld {
  readonly impressions: (Row<ImpressionRow> &
    Pick<ImpressionRow, 'phase' | 'version' | 'kind' | 'id' | 'session_day'>)[]
  readonly events: (Row<EventRow> & { readonly day: string; readonly id: string })[]
  readonly views: (Row<ViewRow> & { readonly day: string })[]
  readonly forms: (Row<FormEventRow> & { readonly session_day: string })[]
}

function openChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const dayText = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

type Chance = (below: number) => number

/** One visitor's day. */
interface Visit {
  readonly n: number
  readonly day: string
  readonly entry: number
  readonly of: { readonly property: string; readonly session: string }
}

interface Rendered {
  readonly at: number
  readonly id: string
  readonly row: Pick<
    ContentWorld['impressions'][number],
    'property' | 'session' | 'phase' | 'version' | 'session_day' | 'block' | 'day' | 'is_bot'
  >
}

function addInteractions(world: ContentWorld, chance: Chance, { at, id, row }: Rendered): void {
  if (chance(8) > 0) {
    const view = { ...row, kind: 'view', id, request: id, at, dwell_ms: chance(3) * 500 } as const
    world.impressions.push(view)
    if (chance(3) === 0) world.impressions.push({ ...view, at: at + 700, dwell_ms: 9000 + chance(999) }, view)
  }
  for (let click = 0; click < chance(3); click++) {
    const cta_key = ['buy', 'more', ''][chance(3)]!
    // Sometimes heard of before the view.
    const clickAt = at + chance(9000) - 2000
    world.impressions.push({ ...row, kind: 'click', id: `${id}${click + 1}`, request: id, at: clickAt, cta_key })
  }
}

function addRenders(world: ContentWorld, chance: Chance, { n, day, entry, of }: Visit): void {
  const isBot = Number(chance(6) === 0)
  const renders = 1 + chance(4)
  for (let i = 0; i < renders; i++) {
    // Over midnight once: no session is older.
    const at = Math.min(entry + i * chance(10 * HOUR_MS), Date.parse(day) + 2 * DAY_MS - 1)
    // A node that has not heard of the change yet serves the phase before.
    const late = chance(10) === 0 ? 60_000 : 0
    const phase = phases.find(({ endedMs }) => at - late < endedMs)?.number ?? 3
    const version = VERSIONS[(Number(of.session) + phase) % 3]!
    const row = { ...of, block: BLOCK, phase, version, day: dayText(at), session_day: day, is_bot: isBot }
    addInteractions(world, chance, { at, id: String(n * 1000 + i), row })
  }
}

const sometime = (chance: Chance, { entry }: Visit): number => entry + chance(26 * HOUR_MS) - 2 * HOUR_MS

function addEvents(world: ContentWorld, chance: Chance, visit: Visit): void {
  for (let i = 0; i < chance(4); i++) {
    const kind = (['event', 'event', 'acquisition', 'identify'] as const)[chance(4)]!
    const row = {
      ...visit.of,
      day: visit.day,
      kind,
      name: kind === 'event' ? ['signup', 'Signup'][chance(2)]! : kind,
      id: String(visit.n * 100 + i),
      at: sometime(chance, visit),
      amount: kind === 'acquisition' && chance(2) === 0 ? 100 : null,
    }
    world.events.push(row)
    // Told again later: it happened when it was told first.
    if (chance(3) === 0) world.events.push({ ...row, at: row.at + 8 * HOUR_MS }, row)
  }
}

function addPages(world: ContentWorld, chance: Chance, visit: Visit): void {
  const { n, of, day } = visit
  for (let i = 0; i < chance(3); i++) {
    const view = n * 10 + i
    const at = sometime(chance, visit)
    world.views.push({ ...of, day, view, at, seen: at, path: ['/', '/thanks', '/thanks/pro'][chance(3)]! })
    world.views.push({ ...of, day, view, at: NEVER_MS, seen: at, seconds: 9 })
  }
}

function addForms(world: ContentWorld, chance: Chance, visit: Visit): void {
  for (let i = 0; i < chance(3); i++) {
    const at = sometime(chance, visit)
    const kind = (['view', 'submit', 'submit', 'drop'] as const)[chance(4)]!
    world.forms.push({
      ...visit.of,
      form: `fm_${chance(2)}`,
      kind,
      day: dayText(at),
      id: String(visit.n * 10 + i),
      at,
      session_day: visit.day,
      is_flagged: Number(kind === 'submit' && chance(3) === 0),
    })
  }
}

/** Rows in an order that has nothing to do with their times. */
function addVisit(world: ContentWorld, chance: Chance, n: number): void {
  const entry = START + chance(END - START - 2 * HOUR_MS)
  // Some carry on in the session of the day before.
  const day = dayText(entry - (chance(6) === 0 ? DAY_MS : 0))
  // One visitor comes back as another session with the same hash on another day.
  const session = String(chance(20) === 0 ? 7 : n)
  const visit = { n, day, entry, of: { property: PROPERTY, session } }
  for (const add of [addRenders, addEvents, addPages, addForms]) add(world, chance, visit)
}

/** The same each time. With the same sessions at other blocks and properties, which are nobody's business. */
export function makeContentWorld(visits: number): ContentWorld {
  const chance = openChance(11)
  const world: ContentWorld = { impressions: [], events: [], views: [], forms: [] }
  for (let n = 1; n <= visits; n++) addVisit(world, chance, n)
  return world
}

/** What else there is in the store. */
export function foreignRows(world: ContentWorld): ContentWorld {
  const foreign = <T extends { readonly property: string }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, property: 'pr_other' }))
  return {
    impressions: [
      ...foreign(world.impressions),
      ...world.impressions.map((row) => ({ ...row, block: 'cb_other', version: 've_a', id: `9${row.id}` })),
    ],
    events: foreign(world.events),
    views: foreign(world.views),
    forms: foreign(world.forms),
  }
}

// ---------------------------------------------------------------- by hand

/** What reaches the goal. */
export type WorldGoal =
  | { readonly clicked: string | null }
  | {
      readonly done: (
        world: ContentWorld,
      ) => readonly { readonly session: string; readonly day: string; readonly at: number }[]
    }

/** The first telling of each event. */
function firstOnes(events: ContentWorld['events']): ContentWorld['events'] {
  const first = new Map<string, ContentWorld['events'][number]>()
  for (const row of events) if (row.at < (first.get(row.id)?.at ?? Infinity)) first.set(row.id, row)
  return [...first.values()]
}

export const worldGoals: Readonly<Record<string, WorldGoal>> = {
  'any click': { clicked: null },
  'a click on buy': { clicked: 'buy' },
  signup: { done: ({ events }) => firstOnes(events).filter(({ kind, name }) => kind === 'event' && name === 'signup') },
  money: {
    done: ({ events }) => firstOnes(events).filter(({ kind, amount }) => kind === 'acquisition' && amount !== null),
  },
  'any event': { done: ({ events }) => firstOnes(events).filter(({ kind }) => kind === 'event') },
  thanks: { done: ({ views }) => views.filter(({ at, path }) => at < NEVER_MS && path?.startsWith('/thanks')) },
  'form, clean': {
    done: ({ forms }) =>
      forms
        .filter(({ form, kind, is_flagged }) => form === 'fm_1' && kind === 'submit' && is_flagged === 0)
        .map((row) => ({ ...row, day: row.session_day })),
  },
  'form, any': {
    done: ({ forms }) =>
      forms
        .filter(({ form, kind }) => form === 'fm_1' && kind === 'submit')
        .map((row) => ({ ...row, day: row.session_day })),
  },
}

interface Seen {
  readonly version: string
  readonly at: number
  readonly until: number
}

function seenIn(world: ContentWorld, phase: number): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  const bots = new Set(
    world.impressions
      .filter((row) => row.kind === 'view' && row.is_bot === 1 && row.phase === phase)
      .map(({ session_day, session }) => `${session_day} ${session}`),
  )
  const views = world.impressions.filter(({ kind, is_bot }) => kind === 'view' && is_bot === 0)
  for (const { session_day, session, at, version, phase: of } of views.toSorted((one, other) => one.at - other.at)) {
    const key = `${session_day} ${session}`
    if (of === phase && !seen.has(key) && !bots.has(key)) seen.set(key, { version, at, until: Infinity })
  }
  for (const { session_day, session, at, phase: of } of views) {
    const key = `${session_day} ${session}`
    const found = seen.get(key)
    if (found && of > phase && at < found.until) seen.set(key, { ...found, until: at })
  }
  return seen
}

function reachedBy(world: ContentWorld, phase: number, goal: WorldGoal): Set<string> {
  if ('clicked' in goal)
    return new Set(
      world.impressions
        .filter(
          ({ kind, is_bot, phase: of, cta_key }) =>
            kind === 'click' && is_bot === 0 && of === phase && (goal.clicked === null || cta_key === goal.clicked),
        )
        .map(({ session_day, session }) => `${session_day} ${session}`),
    )
  const seen = seenIn(world, phase)
  return new Set(
    goal.done(world).flatMap(({ day, session, at }) => {
      const found = seen.get(`${day} ${session}`)
      return found && at >= found.at && at < found.until ? [`${day} ${session}`] : []
    }),
  )
}

/** By version: sessions, goals, views, clicks, mean dwell; and the views and clicks of bots. */
export function countWorld(world: ContentWorld, phase: number, goal: WorldGoal) {
  const seen = seenIn(world, phase)
  const reached = reachedBy(world, phase, goal)
  const rows = world.impressions.filter((row) => row.phase === phase)
  const countIds = (kind: string, isBot: number, version?: string) =>
    new Set(
      rows
        .filter((row) => row.kind === kind && row.is_bot === isBot && (version ?? row.version) === row.version)
        .map(({ id }) => id),
    ).size
  const dwellOf = (version: string) => {
    const byId = new Map<string, number>()
    for (const row of rows)
      if (row.kind === 'view' && row.is_bot === 0 && row.version === version)
        byId.set(row.id, Math.max(row.dwell_ms ?? 0, byId.get(row.id) ?? 0))
    const told = [...byId.values()].filter((dwell) => dwell > 0)
    return told.length === 0 ? null : Math.round(told.reduce((sum, dwell) => sum + dwell, 0) / told.length)
  }
  const sessionsOf = (version: string) => [...seen].filter(([, of]) => of.version === version).map(([key]) => key)
  return {
    versions: VERSIONS.map((version) => ({
      version,
      n: sessionsOf(version).length,
      goals: sessionsOf(version).filter((key) => reached.has(key)).length,
      views: countIds('view', 0, version),
      clicks: countIds('click', 0, version),
      dwellMs: dwellOf(version),
    })),
    bots: { views: countIds('view', 1), clicks: countIds('click', 1) },
  }
}
