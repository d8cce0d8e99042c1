// The work of marking sessions as invalid: one at once, many in steps that any node goes on with. The facts
// come first; then whoever counts sessions besides is told. What breaks off in the middle is begun again
// where it was, and a step that is done twice changes nothing.
import { DAY_MS, dayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import type { Span } from '../kernel/window.ts'
import { newId } from '../kernel/secrets.ts'
import { sessionKey, type SessionKey } from '../sessions/sessions.ts'
import {
  appendMarks,
  type Chosen,
  countChosen,
  countOfBatch,
  findMarkable,
  listChosen,
  listOfBatch,
  type Markable,
} from './facts.ts'
import { claimMarking, insertMarking, type Marking, noteStep, removeMarking } from './records.ts'

/** Sessions of one step: an insert of some kilobytes, and a question of some ten milliseconds. */
const STEP = 1_000
/** Who works at a marking says so with each step; after this long without one, another node goes on. */
const CLAIM_MS = 30_000

/** Contacts count sessions outside of the facts, and are notified once the facts have the mark. */
export interface SessionCounts {
  /** Of a few sessions. */
  takeIn(propertyId: string, keys: readonly SessionKey[]): Promise<unknown>
  /**
   * One step of all that they count up to this day, from a cursor that it gave or from YYYY-MM-DD.
   * @returns where the next one begins; undefined when there is none.
   */
  takeInFrom(
    propertyId: string,
    place: { readonly cursor: string; readonly lastDay: string },
  ): Promise<string | undefined>
}

export type MarkDeps = Pick<Deps, 'facts' | 'records' | 'now' | 'randomBytes'> & { readonly counts: SessionCounts }

type NewDeps = Pick<Deps, 'randomBytes' | 'now'>

export const newMarking = (deps: NewDeps, propertyId: string, { span, network, host }: Chosen): Marking => ({
  id: newId(deps, 'mk'),
  property_id: propertyId,
  network,
  host,
  from_ms: span.fromMs,
  to_ms: span.toMs,
  state: 'marking',
  sessions: 0,
  done: 0,
  cursor_day: storedDay(dayOf(span.fromMs)),
  claimed_until_ms: 0,
  created_ms: deps.now(),
  finished_ms: null,
  contact_cursor: null,
  is_listed: 1,
})

/** For the job, in case that nobody comes to tell the contact: those of the day are looked through. */
function reminderOf(deps: NewDeps, propertyId: string, { day }: SessionRef): Marking {
  const span = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS }
  return {
    ...newMarking(deps, propertyId, { span, network: '', host: '' }),
    contact_cursor: storedDay(day),
    claimed_until_ms: deps.now() + CLAIM_MS,
    is_listed: 0,
  }
}

/** In no list of markings: the facts know what was marked by itself. */
async function markSession(deps: MarkDeps, propertyId: string, session: SessionRef, isInvalid: boolean): Promise<void> {
  const { facts, records, now } = deps
  const key = sessionKey(session)
  const markable = await findMarkable(facts, propertyId, key)
  if (!markable) throw new Problem('not_found', 'The session is not in this property.')
  const reminder = reminderOf(deps, propertyId, session)
  await insertMarking(records, reminder)
  await appendMarks(facts, propertyId, [markable], { isInvalid, batch: '', nowMs: now() })
  await facts.marksShown()
  await deps.counts.takeIn(propertyId, [key])
  await removeMarking(records, reminder)
}

// ---------------------------------------------------------------- in the background

const spanOf = ({ from_ms, to_ms }: Marking): Span => ({ fromMs: from_ms, toMs: to_ms })

/** It may have been queued without the facts, and so without a count. */
async function countAll({ facts }: Pick<MarkDeps, 'facts'>, marking: Marking): Promise<{ sessions?: number }> {
  const { property_id, network, host, sessions, done, state } = marking
  if (state !== 'marking' || sessions > 0 || done > 0) return {}
  return { sessions: (await countChosen(facts, property_id, { span: spanOf(marking), network, host })).sessions }
}

function listStep({ facts }: Pick<MarkDeps, 'facts'>, marking: Marking): Promise<Markable[]> {
  const { property_id, id, network, host, cursor_day, state } = marking
  const span = spanOf(marking)
  if (state === 'undoing') return listOfBatch(facts, property_id, id, { span, limit: STEP })
  return listChosen(facts, property_id, { span, network, host }, { fromDay: cursor_day, limit: STEP })
}

/** A word of this node is good until then. */
const claimOf = ({ now }: Pick<Deps, 'now'>, { claimed_until_ms }: Marking): number =>
  Math.max(now(), claimed_until_ms - CLAIM_MS + 1) + CLAIM_MS

/** What was marked is chosen no more, so that a step that is done again after a crash marks the rest. */
async function markSome(deps: MarkDeps, marking: Marking): Promise<Marking | undefined> {
  const isInvalid = marking.state === 'marking'
  const counted = await countAll(deps, marking)
  const some = await listStep(deps, marking)
  const word = { isInvalid, batch: marking.id, nowMs: deps.now() }
  if (some.length > 0) await appendMarks(deps.facts, marking.property_id, some, word)
  const isLast = some.length < STEP
  if (isLast) await deps.facts.marksShown()
  return noteStep(deps.records, marking, {
    ...counted,
    untilMs: claimOf(deps, marking),
    done: isInvalid ? marking.done + some.length : Math.max(0, marking.done - some.length),
    ...(isInvalid && { cursor_day: some.at(-1)?.day ?? marking.cursor_day }),
    // A step that was broken off behind the facts was never added up.
    ...(isLast && {
      done: await countOfBatch(deps.facts, marking.property_id, marking.id, spanOf(marking)),
      contact_cursor: storedDay(dayOf(marking.from_ms)),
    }),
  })
}

/**
 * Once the facts know of all, whoever counts besides is told, a step at a time; done again, a step changes
 * nothing.
 */
async function tellSome(deps: MarkDeps, marking: Marking, cursor: string): Promise<Marking | undefined> {
  const lastDay = storedDay(dayOf(marking.to_ms - 1))
  const next = await deps.counts.takeInFrom(marking.property_id, { cursor, lastDay })
  if (next === undefined && marking.is_listed === 0) {
    await removeMarking(deps.records, marking)
    return undefined
  }
  return noteStep(deps.records, marking, {
    untilMs: next === undefined ? 0 : claimOf(deps, marking),
    ...(next === undefined
      ? { state: marking.state === 'marking' ? 'marked' : 'undone', finished_ms: deps.now() }
      : { contact_cursor: next }),
  })
}

const takeStep = (deps: MarkDeps, marking: Marking): Promise<Marking | undefined> =>
  marking.contact_cursor === null ? markSome(deps, marking) : tellSome(deps, marking, marking.contact_cursor)

const isUnderWay = ({ state }: Marking): boolean => state === 'marking' || state === 'undoing'

export interface Markings {
  /** Returns once every figure knows of it. @throws Problem('not_found'), also for a session of a bot. */
  markOne(propertyId: string, session: SessionRef, isInvalid: boolean): Promise<void>
  /** Works at whatever is there, unless this node does already; resolves when nothing is left. */
  work(): Promise<void>
  /** Resolves after the step that is under way; another node, or the next start, goes on. */
  close(): Promise<void>
}

export function openMarkings(deps: MarkDeps): Markings {
  let isClosed = false
  let run: Promise<void> | undefined

  async function workAll(): Promise<void> {
    while (!isClosed) {
      const nowMs = deps.now()
      let marking = await claimMarking(deps.records, { nowMs, untilMs: nowMs + CLAIM_MS })
      if (!marking) return
      while (marking && isUnderWay(marking) && !isClosed) marking = await takeStep(deps, marking)
      // The next worker need not wait for the end of the claim.
      if (marking && isUnderWay(marking)) await noteStep(deps.records, marking, { untilMs: 0 })
    }
  }

  const work = async (): Promise<void> => {
    // A call in between is seen by the look that follows.
    if (run) return run.then(work)
    run = workAll().finally(() => (run = undefined))
    return run
  }

  return {
    markOne: (propertyId, session, isInvalid) => markSession(deps, propertyId, session, isInvalid),
    work,
    async close() {
      isClosed = true
      await run?.catch(() => undefined)
    },
  }
}
