// Sessions that an owner marks as invalid, one by one or many together, and takes back. What is marked is in
// no figure, as bots are.
import { dayFromText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { sessionId } from '../kernel/ids.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import type { Span } from '../kernel/window.ts'
import { readHost } from '../kernel/hosts.ts'
import { withoutPort } from '../kernel/ports.ts'
import { type Chosen, countChosen, listMarkedAlone } from './facts.ts'
import { beginUndo, countUnderWay, findMarking, insertMarking, listMarkingRows, type Marking } from './records.ts'
import type { MarkedSessionJson, MarkingJson, NewMarkingJson, TrialJson } from './schema.ts'
import { newMarking } from './work.ts'

export { findMarkable, isInvalid } from './facts.ts'

/** Of a property: more at once would only wait for each other. */
const MOST_UNDER_WAY = 10
/** Of a property, as they are listed. */
const LISTED = 200
/** Nothing else is looked up: PostgreSQL refuses some texts. */
const idShape = /^mk_[0-9A-Za-z]{20}$/
const MOST_SECONDS = 3_653 * 86_400

/** Which sessions, as an owner says it. */
export type MarkingDraft = Omit<NewMarkingJson, 'is_trial'>

// ---------------------------------------------------------------- many together

function readSpan({ from_ts, to_ts }: MarkingDraft, nowMs: number): Span {
  if (to_ts <= from_ts) throw invalid('to_ts', 'to_ts must be later than from_ts.')
  if (to_ts - from_ts > MOST_SECONDS) throw invalid('to_ts', 'One exclusion can cover at most ten years.')
  if (from_ts * 1000 > nowMs) throw invalid('from_ts', 'from_ts lies in the future.')
  // Later sessions are not meant: the owner has not seen them.
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
  if (network.includes('\0')) throw invalid('network', 'network contains an invalid character.')
  return { span: readSpan(draft, nowMs), network, host: readMarkedHost(draft.host ?? '') }
}

/**
 * Changes nothing: how many sessions would be marked, and where they come from.
 * @throws Problem('validation_failed')
 */
export async function tryMarking(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  propertyId: string,
  draft: MarkingDraft,
): Promise<TrialJson> {
  return countChosen(facts, propertyId, readChosen(draft, now()))
}

type QueueDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

async function queue(deps: QueueDeps, propertyId: string, chosen: Chosen, sessions: number): Promise<Marking> {
  if ((await countUnderWay(deps.records, propertyId)) >= MOST_UNDER_WAY)
    throw new Problem('validation_failed', `At most ${MOST_UNDER_WAY} markings can be under way at once.`)
  const marking = { ...newMarking(deps, propertyId, chosen), sessions }
  await insertMarking(deps.records, marking)
  return marking
}

/**
 * Without the facts: the work counts how many sessions there are.
 * @returns what is then done in the background. @throws Problem('validation_failed')
 */
export async function queueMarking(deps: QueueDeps, propertyId: string, draft: MarkingDraft): Promise<Marking> {
  return queue(deps, propertyId, readChosen(draft, deps.now()), 0)
}

/** @returns what is then done in the background. @throws Problem('validation_failed') */
export async function beginMarking(
  deps: QueueDeps & Pick<Deps, 'facts'>,
  propertyId: string,
  draft: MarkingDraft,
): Promise<Marking> {
  const chosen = readChosen(draft, deps.now())
  const { sessions } = await countChosen(deps.facts, propertyId, chosen)
  return queue(deps, propertyId, chosen, sessions)
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
  throw new Problem('validation_failed', state === 'undone' ? 'It has been undone.' : 'It is being undone.')
}

/** Newest first. */
export function listMarkings({ records }: Pick<Deps, 'records'>, propertyId: string): Promise<Marking[]> {
  return listMarkingRows(records, propertyId, LISTED)
}

export const shownMarking = ({
  id,
  network,
  host,
  from_ms,
  to_ms,
  state,
  sessions,
  done,
  ...times
}: Marking): MarkingJson => ({
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

// ---------------------------------------------------------------- one by one

/** Those whose last word was said of them alone, the latest word first. */
export async function listMarkedSessions(
  { facts, keys }: Pick<Deps, 'facts' | 'keys'>,
  propertyId: string,
): Promise<MarkedSessionJson[]> {
  const rows = await listMarkedAlone(facts, propertyId, LISTED)
  return rows.map(({ day, session, markedMs, entryMs, ...shown }) => ({
    session_id: sessionId(keys, propertyId, { day: dayFromText(day), hash: BigInt(session) }),
    marked_ts: Math.floor(markedMs / 1000),
    entry_ts: Math.floor(entryMs / 1000),
    ...shown,
  }))
}
