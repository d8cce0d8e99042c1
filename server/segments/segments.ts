// Segments: filters saved under a name, for oneself or for everybody in the property. Read from the records
// each time: one that was changed counts at once.
import { type ClauseInput, parseClauses } from '../analytics/clauses.ts'
import { findGoals } from '../analytics/goals.ts'
import { userIdOf } from '../http/auth.ts'
import { ownerOf, type Saver } from '../http/savers.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { listSharesOfSegment } from '../members/members.ts'
import { readName } from '../properties/properties.ts'
import { checkSharedClauses } from '../shared-figures/shared.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { SEGMENT } from './expand.ts'
import {
  countSegments,
  deleteSegmentRow,
  findSegments,
  insertSegment,
  listSegmentRows,
  type Segment,
  updateSegmentRow,
} from './records.ts'

export const MAX_SEGMENT_NAME = 120
/** Of everybody in a property together: more cannot be told apart in a menu. */
const MAX_SEGMENTS = 500

type SegmentDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

interface SegmentInput {
  readonly name: string
  readonly clauses: readonly ClauseInput[]
  readonly is_personal?: boolean
}

export const segmentJson = ({ user_id, property_id: _property, ...segment }: Segment) => ({
  ...segment,
  clauses: [...segment.clauses],
  is_personal: user_id !== null,
})

/** @throws Problem('validation_failed') for filters that make no sense, and for segments among them. */
async function checkClauses(deps: Pick<Deps, 'records'>, propertyId: string, clauses: readonly ClauseInput[]) {
  const at = clauses.findIndex(({ id }) => id === SEGMENT)
  if (at !== -1) throw invalid(`clauses.${at}.id`, 'A segment cannot contain another segment.')
  const isNaming = clauses.some(({ id }) => id === 'conversion')
  parseClauses(clauses, isNaming ? await findGoals(deps, propertyId) : undefined)
}

const kept = (isPersonal: boolean) => ({
  isForAll: !isPersonal,
  field: 'is_personal',
  nouns: ['segment', 'Segments'] as const,
})

const notFound = () => new Problem('not_found', 'The segment is not in this property.')

/**
 * One that the caller sees.
 * @throws Problem: not_found; insufficient_scope for one that they cannot change.
 */
async function getOwn({ records }: Pick<Deps, 'records'>, saver: Saver, id: string): Promise<Segment> {
  const segment = (await findSegments(records, saver.propertyId, [id])).get(id)
  if (!segment || (segment.user_id !== null && segment.user_id !== userIdOf(saver.caller))) throw notFound()
  ownerOf(saver, kept(segment.user_id !== null))
  return segment
}

export async function listSegments({ records }: Pick<Deps, 'records'>, { propertyId, caller }: Saver) {
  return (await listSegmentRows(records, propertyId, userIdOf(caller))).map(segmentJson)
}

/** Everybody's in the property. */
export const listCommonSegments = async ({ records }: Pick<Deps, 'records'>, propertyId: string) =>
  (await listSegmentRows(records, propertyId, null)).map(segmentJson)

export async function createSegment(deps: SegmentDeps, saver: Saver, input: SegmentInput): Promise<Segment> {
  const { propertyId } = saver
  await checkClauses(deps, propertyId, input.clauses)
  const created_ts = currentTs(deps)
  const segment: Segment = {
    id: newId(deps, 'sg'),
    property_id: propertyId,
    user_id: ownerOf(saver, kept(input.is_personal ?? userIdOf(saver.caller) !== null)),
    name: readName(input.name),
    clauses: input.clauses,
    created_ts,
    updated_ts: created_ts,
  }
  const insert = deps.records.transaction().execute(async (tx) => {
    // Two at once may exceed it by one: it keeps a script that has gone wild from going on.
    if ((await countSegments(tx, propertyId)) >= MAX_SEGMENTS)
      throw invalid('name', `A property may have at most ${MAX_SEGMENTS} segments: delete one first.`)
    await insertSegment(tx, segment)
  })
  await orNotFound(insert, propertyNotFound)
  return segment
}

/** What a share link shows stays something that it may show. @throws Problem('conflict') */
async function checkShares(tx: Tx, segment: Segment): Promise<void> {
  const shares = await listSharesOfSegment(tx, segment.property_id, segment.id)
  if (shares.length === 0) return
  const names = shares.map(({ name }) => `“${name}”`).join(', ')
  if (segment.user_id !== null)
    throw new Problem('conflict', `The share link ${names} shows this segment: it cannot become personal.`)
  try {
    checkSharedClauses(parseClauses(segment.clauses))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('conflict', `The share link ${names} shows this segment. ${error.message}`)
  }
}

/** Only what is sent is changed. */
export async function updateSegment(
  deps: SegmentDeps,
  saver: Saver,
  id: string,
  change: Partial<SegmentInput>,
): Promise<Segment> {
  const before = await getOwn(deps, saver, id)
  if (change.clauses) await checkClauses(deps, saver.propertyId, change.clauses)
  const segment: Segment = {
    ...before,
    ...(change.name !== undefined && { name: readName(change.name) }),
    ...(change.clauses && { clauses: change.clauses }),
    ...(change.is_personal !== undefined && { user_id: ownerOf(saver, kept(change.is_personal)) }),
    updated_ts: currentTs(deps),
  }
  await deps.records.transaction().execute(async (tx) => {
    await checkShares(tx, segment)
    await updateSegmentRow(tx, segment)
  })
  return segment
}

/** @throws Problem: not_found; conflict while a share link shows it. */
export async function removeSegment(deps: SegmentDeps, saver: Saver, id: string): Promise<void> {
  const { property_id: propertyId } = await getOwn(deps, saver, id)
  const shown = () => new Problem('conflict', 'A share link is limited to this segment. Revoke the link first.')
  await orNotFound(
    deps.records.transaction().execute((tx) => deleteSegmentRow(tx, propertyId, id)),
    shown,
  )
}

/** One that a share link may show nothing but. @throws Problem('validation_failed') */
export async function checkSharedSegment({ records }: Pick<Deps, 'records'>, propertyId: string, id: string) {
  const segment = (await findSegments(records, propertyId, [id])).get(id)
  if (!segment || segment.user_id !== null)
    throw invalid('segment_id', 'segment_id must be a segment that is shared with everyone in the property.')
  try {
    checkSharedClauses(parseClauses(segment.clauses))
  } catch (error) {
    if (error instanceof Problem) throw invalid('segment_id', `A share link cannot show this segment. ${error.message}`)
    throw error
  }
}
