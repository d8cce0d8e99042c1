// What an overview has read of today before, and reads again only after something was written that could
// change it. Most of what is written are page views, of sessions without events and without later visits
// through links (docs/decisions/0080-running-day.md).
import type { Scope } from '../analytics/facts.ts'
import { type CachedDeps, movingAge } from '../analytics/window-parts.ts'
import { dayOf, storedDay } from '../kernel/days.ts'
import { triggerOf, type TriggerType } from '../kernel/trigger-table.ts'
import type { QuietKind } from '../stores/running-columns.ts'

/** Those whose rows are counted without their sessions, as long as there is no filter. */
const countedTables = ['clicks', 'form_events', 'impressions'] as const
type CountedTable = (typeof countedTables)[number]

type Read<Answer> = () => Promise<Answer>

export interface Kept {
  /** What follows from rows of the table alone. */
  ofTable<Answer extends object>(table: CountedTable, read: Read<Answer>): Promise<Answer>
  /**
   * What follows from events, sent forms, and the sessions that have some or a contact.
   * @param key tells one from another.
   */
  ofEvents<Answer extends object>(key: readonly unknown[], read: Read<Answer>): Promise<Answer>
  /** Later visits through links. */
  ofLinkedVisits<Answer extends object>(read: Read<Answer>): Promise<Answer>
}

/** A window of which both parts are asked for, and what is kept of the later one. */
export interface CutScope {
  readonly past: Scope
  readonly recent: Scope
  readonly kept: Kept
}

/** Whether only events and sent forms meet a goal, so that `Kept.ofEvents` may have what it comes to. */
export const isOfEvents = ({ event_type }: { readonly event_type: TriggerType }): boolean =>
  triggerOf(event_type).counted?.hasEvent ?? false

export const notKept: Kept = {
  ofTable: (_, read) => read(),
  ofEvents: (_, read) => read(),
  ofLinkedVisits: (read) => read(),
}

/** @param scope of today; to be asked for before anything else about it. */
export async function keptToday(deps: CachedDeps, { propertyId, span, clauses, money }: Scope): Promise<Kept> {
  const { facts, answers } = deps
  if (clauses.length > 0) return notKept
  const asked = countedTables.map((table) => facts.version(propertyId, undefined, [table, 'marks']))
  const versions = await Promise.all(asked)
  const versionOf = (table: CountedTable) => versions[countedTables.indexOf(table)]
  const keep = async <Answer extends object>(
    version: string | undefined,
    key: readonly unknown[],
    read: Read<Answer>,
  ) => {
    const ask = { propertyId, key: ['today', span.fromMs, money?.mark, ...key], maxAgeMs: movingAge(deps) }
    return (await answers.get(version, ask, read)).answer
  }
  const day = storedDay(dayOf(span.fromMs))
  const isOneDay = day === storedDay(dayOf(span.toMs - 1))
  const quiet = async (kind: QuietKind) =>
    isOneDay ? (await (await facts.runningDay(propertyId, day))?.quiet)?.[kind] : undefined
  return {
    ofTable: (table, read) => keep(versionOf(table), [table], read),
    ofEvents: async (key, read) => {
      const [sessions, forms] = [await quiet('eventful'), versionOf('form_events')]
      return keep(sessions && forms && `${sessions} ${forms}`, key, read)
    },
    ofLinkedVisits: async (read) => keep(await quiet('linked'), ['returns'], read),
  }
}
