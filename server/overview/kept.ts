// What an overview has read of today before, and reads again only after something was written that could
// change it. Most of what is written are page views, of sessions without events and without later visits
// through links (docs/decisions/0080-running-day.md).
import type { Question } from '../analytics/question.ts'
import { ageOf, type CachedDeps } from '../analytics/window-parts.ts'
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { QuietKind } from '../stores/running-columns.ts'

/** Those whose rows are counted without their sessions, as long as there is no filter. */
const countedTables = ['clicks', 'form_events', 'impressions'] as const
type CountedTable = (typeof countedTables)[number]

type Read<Answer> = () => Promise<Answer>

export interface Kept {
  /** What follows from rows of the table alone. */
  ofTable<Answer extends object>(table: CountedTable, read: Read<Answer>): Promise<Answer>
  /**
   * What follows from events, sent forms, and the sessions that have some. @param key tells one from another.
   */
  ofEvents<Answer extends object>(key: readonly unknown[], read: Read<Answer>): Promise<Answer>
  /** Later visits through links. */
  ofLinkedVisits<Answer extends object>(read: Read<Answer>): Promise<Answer>
}

export const notKept: Kept = {
  ofTable: (_, read) => read(),
  ofEvents: (_, read) => read(),
  ofLinkedVisits: (read) => read(),
}

/** @param span the part of today; to be asked for before anything else about it. */
export async function keptToday(deps: CachedDeps, question: Question, { fromMs, toMs }: Span): Promise<Kept> {
  const { facts, answers } = deps
  const { propertyId, clauses, window, money } = question
  if (clauses.length > 0) return notKept
  const asked = countedTables.map((table) => facts.version(propertyId, undefined, [table, 'marks']))
  const versions = await Promise.all(asked)
  const versionOf = (table: CountedTable) => versions[countedTables.indexOf(table)]
  const keep = async <Answer extends object>(
    version: string | undefined,
    key: readonly unknown[],
    read: Read<Answer>,
  ) => {
    const ask = { propertyId, key: ['today', fromMs, money?.mark, ...key], maxAgeMs: ageOf(deps, window) }
    return (await answers.get(version, ask, read)).answer
  }
  const day = storedDay(dayOf(fromMs))
  const isOneDay = day === storedDay(dayOf(toMs - 1))
  const quiet = async (kind: QuietKind) =>
    isOneDay ? (await facts.runningDay(propertyId, day))?.quiet(kind) : undefined
  return {
    ofTable: (table, read) => keep(versionOf(table), [table], read),
    ofEvents: async (key, read) => {
      const [sessions, forms] = [await quiet('eventful'), versionOf('form_events')]
      return keep(sessions && forms && `${sessions} ${forms}`, key, read)
    },
    ofLinkedVisits: async (read) => keep(await quiet('linked'), ['returns'], read),
  }
}
