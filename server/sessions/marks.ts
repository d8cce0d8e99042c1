// Sessions that an owner marks as invalid, one by one or many together, and takes back. What is marked is in no figure, as bots are.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import type { Span } from '../kernel/window.ts'
import { readHost } from '../properties/hosts.ts'
import { withoutPort } from '../properties/ports.ts'
import { randomText } from '../properties/secrets.ts'
import { sessionKey } from './facts.ts'
import {
  appendMarks,
  type Chosen,
  type ChosenCounts,
  countChosen,
  findMarkable,
  listChosen,
  listOfBatch,
  type Markable,
} from './mark-facts.ts'
import {
  beginUndo,
  claimMarking,
  countUnderWay,
  findMarking,
  insertMarking,
  listMarkingRows,
  type Marking,
  noteStep,
} from './mark-records.ts'

/** Sessions of one step: an insert of some kilobytes, and a question of some ten milliseconds. */
const STEP = 1_000
/** Who works at a marking says so with each step; after this long without one, another node goes on. */
const CLAIM_MS = 30_000
/** Of a property: more at once would only wait for each other. */
const MOST_UNDER_WAY = 10
/** Of a property, as they are listed. */
const LISTED = 200
const ID_LENGTH = 20
/** Nothing else is looked up: PostgreSQL refuses some texts. */
const idShape = /^mk_[0-9A-Za-z]{20}$/
const MOST_SECONDS = 3_653 * 86_400

export type MarkDeps = Pick<Deps, 'facts' | 'records' | 'now' | 'randomBytes'>

/** Which sessions, as an owner says it. */
export interface MarkingDraft {
  /** Unix seconds; `to` is not included. */
  readonly from_ts: number
  readonly to_ts: number
  readonly network?: string | null
  readonly host?: string | null
}

/** @throws Problem('not_found'), also for a session of a bot. */
export async function markSession(
  { facts, now }: Pick<MarkDeps, 'facts' | 'now'>,
  propertyId: string,
  session: SessionRef,
  isInvalid: boolean,
): Promise<void> {
  const markable = await findMarkable(facts, propertyId, sessionKey(session))
  if (!markable) throw new Problem('not_found', 'The session is not in this property.')
  await appendMarks(facts, propertyId, [markable], { isInvalid, batch: '', nowMs: now() })
}

// ---------------------------------------------------------------- many together

function readSpan({ from_ts, to_ts }: MarkingDraft, nowMs: number): Span {
  if (to_ts <= from_ts) throw invalid('to_ts', 'to_ts must be later than from_ts.')
  if (to_ts - from_ts > MOST_SECONDS) throw invalid('to_ts', 'A marking may be about ten years at most.')
  if (from_ts * 1000 > nowMs) throw invalid('from_ts', 'from_ts lies in the future.')
  // Those that come later are not meant: nobody has looked at them.
  return { fromMs: from_ts * 1000, toMs: Math.min(to_ts * 1000, nowMs + 1) }
}

function readMarkedHost(text: string): string {
  if (text.trim() === '') return ''
  const host = readHost(withoutPort(text))
  if (host === undefined) throw invalid('host', 'host must be a host like example.com, without scheme or path.')
  // As page views have it.
  return host.includes(':') ? `[${host}]` : host
}

/** @throws Problem('validation_failed') */
function readChosen(draft: MarkingDraft, nowMs: number): Chosen {
  const network = (draft.network ?? '').trim()
  if (network.includes('\0')) throw invalid('network', 'network holds a character that no network has.')
  return { span: readSpan(draft, nowMs), network, host: readMarkedHost(draft.host ?? '') }
}

/** Changes nothing: how many sessions would be marked, and where they come from. @throws Problem('validation_failed') */
export async function tryMarking(
  { facts, now }: Pick<MarkDeps, 'facts' | 'now'>,
  propertyId: string,
  draft: MarkingDraft,
): Promise<ChosenCounts> {
  return countChosen(facts, propertyId, readChosen(draft, now()))
}

/** @returns what is then done in the background. @throws Problem('validation_failed') */
export async function beginMarking(deps: MarkDeps, propertyId: string, draft: MarkingDraft): Promise<Marking> {
  const nowMs = deps.now()
  const chosen = readChosen(draft, nowMs)
  if ((await countUnderWay(deps.records, propertyId)) >= MOST_UNDER_WAY)
    throw new Problem('validation_failed', `At most ${MOST_UNDER_WAY} markings can be under way at once.`)
  const { sessions } = await countChosen(deps.facts, propertyId, chosen)
  const marking: Marking = {
    id: `mk_${randomText(deps.randomBytes, ID_LENGTH)}`,
    property_id: propertyId,
    network: chosen.network,
    host: chosen.host,
    from_ms: chosen.span.fromMs,
    to_ms: chosen.span.toMs,
    state: 'marking',
    sessions,
    done: 0,
    cursor_day: storedDay(dayOf(chosen.span.fromMs)),
    claimed_until_ms: 0,
    created_ms: nowMs,
    finished_ms: null,
  }
  await insertMarking(deps.records, marking)
  return marking
}

export async function getMarking({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Marking> {
  const found = idShape.test(id) ? await findMarking(records, propertyId, id) : undefined
  if (!found) throw new Problem('not_found', 'The marking is not in this property.')
  return found
}

/** @throws Problem('not_found'), Problem('validation_failed') when it is taken back already. */
export async function undoMarking(deps: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Marking> {
  const undone = idShape.test(id) ? await beginUndo(deps.records, propertyId, id) : undefined
  if (undone) return undone
  const { state } = await getMarking(deps, propertyId, id)
  throw new Problem('validation_failed', state === 'undone' ? 'It is taken back.' : 'It is being taken back.')
}

/** Newest first. */
export function listMarkings({ records }: Pick<Deps, 'records'>, propertyId: string): Promise<Marking[]> {
  return listMarkingRows(records, propertyId, LISTED)
}

export const shownMarking = ({ id, network, host, from_ms, to_ms, state, sessions, done, ...times }: Marking) => ({
  id,
  network: network === '' ? null : network,
  host: host === '' ? null : host,
  from_ts: Math.floor(from_ms / 1000),
  to_ts: Math.ceil(to_ms / 1000),
  state,
  sessions,
  done,
  created_ts: Math.floor(times.created_ms / 1000),
  finished_ts: times.finished_ms === null ? null : Math.floor(times.finished_ms / 1000),
})

// ---------------------------------------------------------------- in the background

const spanOf = ({ from_ms, to_ms }: Marking): Span => ({ fromMs: from_ms, toMs: to_ms })

function listStep({ facts }: Pick<MarkDeps, 'facts'>, marking: Marking): Promise<Markable[]> {
  const { property_id, id, network, host, cursor_day, state } = marking
  const span = spanOf(marking)
  if (state === 'undoing') return listOfBatch(facts, property_id, id, { span, limit: STEP })
  return listChosen(facts, property_id, { span, network, host }, { fromDay: cursor_day, limit: STEP })
}

/** What was marked is chosen no more, so that a step that is done again after a crash marks the rest. */
async function takeStep(deps: MarkDeps, marking: Marking): Promise<Marking | undefined> {
  const isInvalid = marking.state === 'marking'
  const some = await listStep(deps, marking)
  const nowMs = deps.now()
  const word = { isInvalid, batch: marking.id, nowMs }
  if (some.length > 0) await appendMarks(deps.facts, marking.property_id, some, word)
  const isLast = some.length < STEP
  return noteStep(deps.records, marking, {
    untilMs: isLast ? 0 : Math.max(deps.now(), marking.claimed_until_ms - CLAIM_MS + 1) + CLAIM_MS,
    done: isInvalid ? marking.done + some.length : Math.max(0, marking.done - some.length),
    ...(isInvalid && { cursor_day: some.at(-1)?.day ?? marking.cursor_day }),
    ...(isLast && { state: isInvalid ? 'marked' : 'undone', finished_ms: nowMs }),
  })
}

const isUnderWay = ({ state }: Marking): boolean => state === 'marking' || state === 'undoing'

export interface Markings {
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
    }
  }

  const work = async (): Promise<void> => {
    // Whoever comes in the middle is seen by the look that follows.
    if (run) return run.then(work)
    run = workAll().finally(() => (run = undefined))
    return run
  }

  return {
    work,
    async close() {
      isClosed = true
      await run?.catch(() => undefined)
    },
  }
}
