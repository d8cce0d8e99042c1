// Conversions: what an owner counts as a success. Only the definition is stored; facts.ts counts how often it
// was met.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { countedTypes, isCounted } from '../kernel/trigger-table.ts'
import { readName } from '../properties/properties.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { SummedGoal } from '../stores/goal-sums.ts'
import { nameOf } from '../automations/automation-model.ts'
import { type Conversion, MAX_CONVERSIONS } from './conversion-model.ts'
import {
  countConversions,
  deleteConversionRow,
  findConversion,
  insertConversion,
  listAllConversions,
  listConversionRows,
  updateConversionRow,
} from './records.ts'
import { summedGoal } from './facts.ts'
import { isSameTrigger, readTrigger } from '../automations/draft.ts'
import { findUserOf } from '../automations/records.ts'
import type { ConversionInputJson, ConversionChangeJson } from './schema.ts'

export { type Conversion, MAX_CONVERSIONS } from './conversion-model.ts'
export { type ConversionCount, countAllConversions, countedOf, sumConversions } from './top-facts.ts'
export { type Definition, type Matching, matching, matchingAs, pagesMetAs, summedGoal } from './facts.ts'
export { findConversion } from './records.ts'

export type ConversionDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

/** What has another shape is not even looked up. */
export const isConversionId = (id: string): boolean => /^cv_[0-9A-Za-z]{16,64}$/.test(id)

const notFound = () => new Problem('not_found', 'The conversion is not in this property.')

async function readDefinition(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  input: Pick<ConversionInputJson, 'event_type' | 'event_value'>,
): Promise<Pick<Conversion, 'event_type' | 'event_value'>> {
  const { event_type, event_value } = await readTrigger({ records, propertyId }, input)
  if (!isCounted(event_type))
    throw invalid('event_type', `event_type may not be ${event_type}: conversions count ${countedTypes.join(', ')}.`)
  return { event_type, event_value }
}

/** @throws Problem: validation_failed; not_found when the property is gone. */
export async function createConversion(
  deps: ConversionDeps,
  propertyId: string,
  input: ConversionInputJson,
): Promise<Conversion> {
  const conversion: Conversion = {
    id: newId(deps, 'cv'),
    property_id: propertyId,
    name: readName(input.name),
    ...(await readDefinition(deps, propertyId, input)),
    created_ts: currentTs(deps),
  }
  const insert = deps.records.transaction().execute(async (tx) => {
    // Two at once may exceed it by one: it keeps a script that has gone wild from going on.
    if ((await countConversions(tx, propertyId)) >= MAX_CONVERSIONS)
      throw new Problem('validation_failed', `A property may have at most ${MAX_CONVERSIONS} conversions.`)
    await insertConversion(tx, conversion)
  })
  await orNotFound(insert, propertyNotFound)
  return conversion
}

/** Newest first. */
export async function listConversions(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Conversion>> {
  return listConversionRows(records, propertyId, query)
}

/** What is added up on settled days, of all properties. */
export async function listSummedGoals({ records }: Pick<Deps, 'records'>): Promise<readonly SummedGoal[]> {
  const rows = await listAllConversions(records)
  return rows.flatMap((row) => summedGoal(row.property_id, row) ?? [])
}

/** @throws Problem('not_found') */
export async function getConversion(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
): Promise<Conversion> {
  const conversion = isConversionId(id) ? await findConversion(records, propertyId, id) : undefined
  if (!conversion) throw notFound()
  return conversion
}

/**
 * All facts count by the new definition from then on. A new type without a value counts all of the type.
 * @throws Problem
 */
export async function updateConversion(
  deps: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
  { name, event_type, event_value }: ConversionChangeJson,
): Promise<Conversion> {
  if (!isConversionId(id)) throw notFound()
  return deps.records.transaction().execute(async (records) => {
    // Locked first: a value that is sent alone belongs to the type as an earlier call has left it.
    const before = await updateConversionRow(records, propertyId, id, {})
    if (!before) throw notFound()
    const isNamed = event_type !== undefined || event_value !== undefined
    const definition = { event_type: event_type ?? before.event_type, event_value: event_value ?? null }
    // What stays as it is may name a form that has been deleted since.
    const isRedefined = isNamed && !isSameTrigger(before, definition)
    const change = {
      ...(name !== undefined && { name: readName(name) }),
      ...(isRedefined && (await readDefinition({ records }, propertyId, definition))),
    }
    return (await updateConversionRow(records, propertyId, id, change)) ?? before
  })
}

/** @throws Problem: not_found; validation_failed while an automation has it as its condition. */
export async function removeConversion(deps: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<void> {
  await getConversion(deps, propertyId, id)
  await deps.records.transaction().execute(async (tx) => {
    // Deleted before the check: an automation that is saved with it at once waits for this, or this for it
    // (keepConversion).
    if (!(await deleteConversionRow(tx, propertyId, id))) throw notFound()
    const user = await findUserOf(tx, propertyId, id)
    if (user)
      throw new Problem(
        'validation_failed',
        `The conversion is the condition of the automation ${user.id} (${nameOf(user)}).`,
      )
  })
}
