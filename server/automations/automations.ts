// Automations as their owner manages them: create, update, switch on and off, rotate the secret, test,
// remove.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { MAX_AUTOMATIONS, nameOf } from './automation-model.ts'
import { keepConversion } from '../conversions/records.ts'
import { isConversionId } from '../conversions/conversions.ts'
import { isSameTrigger, readActions, readOptionalName, readTrigger } from './draft.ts'
import { holdDeliveries, releaseDeliveries } from '../deliveries/state-records.ts'
import { listenerOf } from './listener-records.ts'
import type { Outbox } from './outbox.ts'
import {
  type AutomationChange,
  countAutomations,
  deleteAutomationRow,
  deleteDeliveries,
  findAutomation,
  insertAutomation,
  listAutomationRows,
  replaceSecret,
  type StoredAutomation,
  updateAutomationRow,
} from './records.ts'
import type { AutomationInputJson, AutomationChangeJson, AutomationJson, WarningsJson } from './schema.ts'
import { newSecret } from './secrets.ts'

export { nameOf } from './automation-model.ts'
export { listDisabledSince } from './records.ts'

/** `triggers`: what this node knows of automations; it forgets it with each change. */
export interface AutomationDeps extends Pick<Deps, 'config' | 'records' | 'keys' | 'now' | 'randomBytes'> {
  readonly triggers: Pick<Outbox, 'forget' | 'wake' | 'enqueueTest'>
}

type Owner = Pick<Property, 'id' | 'plan'>

const idShape = /^au_[0-9A-Za-z]{16,64}$/
/** A week: by then the receiver's next release is out. */
export const MAX_OVERLAP_HOURS = 168
export const DEFAULT_OVERLAP_HOURS = 24

const notFound = () => new Problem('not_found', 'The automation is not in this property.')

/** As the management interface answers it. */
export function shownAutomation(automation: StoredAutomation, atTs: number): AutomationJson {
  const { id, name, event_type, event_value, conversion_id, actions, is_active } = automation
  const { disabled_reason, disabled_ts, failures, previous_until_ts, created_ts, updated_ts } = automation
  return {
    id,
    name,
    label: nameOf(automation),
    trigger: { event_type, event_value },
    conversion_id,
    actions,
    is_active,
    disabled_reason,
    disabled_ts,
    failures,
    has_previous_secret_until: previous_until_ts !== null && previous_until_ts > atTs ? previous_until_ts : null,
    created_ts,
    updated_ts,
  }
}

// ---------------------------------------------------------------- checks

function assertPaid({ plan }: Owner): void {
  if (plan === 'free') throw invalid('actions', 'actions: webhooks need the plan paid, and this property is on free.')
}

/** Saved with the automation or not at all: it cannot be deleted in between. */
async function assertConversion(tx: Tx, propertyId: string, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return
  if (!isConversionId(id) || !(await keepConversion(tx, propertyId, id)))
    throw invalid('conversion_id', 'conversion_id does not match a conversion of this property.')
}

// ---------------------------------------------------------------- create, list, get

/** Stored, and what its owner should know of it. */
export interface Saved {
  readonly automation: StoredAutomation
  /** Empty when there is nothing. */
  readonly warnings: WarningsJson
}

/**
 * @returns also the signing secret, which no other call answers.
 * @throws Problem: validation_failed; not_found when the property is gone.
 */
export async function createAutomation(
  deps: AutomationDeps,
  owner: Owner,
  input: AutomationInputJson,
): Promise<Saved & { signingSecret: string }> {
  const name = readOptionalName(input.name)
  const trigger = await readTrigger({ records: deps.records, propertyId: owner.id }, input.trigger, 'trigger.')
  assertPaid(owner)
  const { actions, warnings } = await readActions(deps, input.actions, [])
  const id = newId(deps, 'au')
  const { signingSecret, sealed } = newSecret(deps, id)
  const automation: StoredAutomation = {
    id,
    property_id: owner.id,
    name,
    ...trigger,
    conversion_id: input.conversion_id ?? null,
    actions,
    is_active: input.is_active ?? true,
    disabled_reason: null,
    disabled_ts: null,
    failures: 0,
    previous_until_ts: null,
    created_ts: currentTs(deps),
    updated_ts: currentTs(deps),
  }
  await insertChecked(deps, automation, sealed)
  return { automation, signingSecret, warnings }
}

async function insertChecked(deps: AutomationDeps, automation: StoredAutomation, sealed: string): Promise<void> {
  const propertyId = automation.property_id
  const insert = deps.records.transaction().execute(async (tx) => {
    await assertConversion(tx, propertyId, automation.conversion_id)
    // Two at once may exceed it by one: it keeps a script that has gone wild from going on.
    if ((await countAutomations(tx, propertyId)) >= MAX_AUTOMATIONS)
      throw new Problem('validation_failed', `A property may have at most ${MAX_AUTOMATIONS} automations.`)
    await insertAutomation(tx, automation, sealed)
  })
  await orNotFound(insert, propertyNotFound)
  deps.triggers.forget(propertyId)
}

/** Newest first. */
export async function listAutomations(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<StoredAutomation>> {
  return listAutomationRows(records, propertyId, query)
}

/** @throws Problem('not_found') */
export async function getAutomation(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
): Promise<StoredAutomation> {
  const automation = idShape.test(id) ? await findAutomation(records, propertyId, id) : undefined
  if (!automation) throw notFound()
  return automation
}

// ---------------------------------------------------------------- change

async function readChange(
  deps: AutomationDeps,
  owner: Owner,
  before: StoredAutomation,
  { name, trigger, conversion_id, actions }: AutomationChangeJson,
): Promise<{ change: AutomationChange; warnings: WarningsJson }> {
  const scope = { records: deps.records, propertyId: owner.id }
  const change = {
    ...(name !== undefined && { name: readOptionalName(name) }),
    // A trigger that stays as it is may name a form that has been deleted since, so it is not checked. It is
    // written all the same, because another call may change it meanwhile.
    ...(trigger &&
      (isSameTrigger(before, trigger)
        ? { event_type: before.event_type, event_value: before.event_value }
        : await readTrigger(scope, trigger, 'trigger.'))),
    ...(conversion_id !== undefined && { conversion_id }),
  }
  if (!actions) return { change, warnings: {} }
  assertPaid(owner)
  const read = await readActions(deps, actions, before.actions)
  return { change: { ...change, actions: read.actions }, warnings: read.warnings }
}

/** Switched on, it has no failures. @param automation locked by the transaction. */
async function switchTo(tx: Tx, automation: StoredAutomation, isActive: boolean): Promise<StoredAutomation> {
  const change: AutomationChange = isActive
    ? { is_active: true, failures: 0, disabled_reason: null, disabled_ts: null }
    : { is_active: false }
  return (await updateAutomationRow(tx, automation.property_id, automation.id, change)) ?? automation
}

/**
 * Holds or releases its deliveries, and makes this node notice the change. After the commit, because there
 * may be many.
 */
async function announce(deps: AutomationDeps, { id, property_id, is_active }: StoredAutomation): Promise<void> {
  deps.triggers.forget(property_id)
  if (is_active) await releaseDeliveries(deps.records, id)
  else await holdDeliveries(deps.records, id)
  deps.triggers.wake()
}

/** What was left out stays. @throws Problem: not_found, validation_failed */
export async function updateAutomation(
  deps: AutomationDeps,
  owner: Owner,
  id: string,
  input: AutomationChangeJson,
): Promise<Saved> {
  const before = await getAutomation(deps, owner.id, id)
  // Names are looked up here: no transaction waits for a name server.
  const { change, warnings } = await readChange(deps, owner, before, input)
  const isActive = input.is_active
  const automation = await deps.records.transaction().execute(async (tx) => {
    await assertConversion(tx, owner.id, change.conversion_id)
    const changed = await updateAutomationRow(tx, owner.id, id, { ...change, updated_ts: currentTs(deps) })
    if (!changed) throw notFound()
    if (isActive === undefined || isActive === changed.is_active) return changed
    if (isActive) assertPaid(owner)
    return switchTo(tx, changed, isActive)
  })
  await announce(deps, automation)
  return { automation, warnings }
}

/** Also when it is on: its count of failures begins anew. @throws Problem: not_found, validation_failed */
export async function enableAutomation(deps: AutomationDeps, owner: Owner, id: string): Promise<StoredAutomation> {
  await getAutomation(deps, owner.id, id)
  assertPaid(owner)
  const automation = await deps.records.transaction().execute(async (tx) => {
    const held = await updateAutomationRow(tx, owner.id, id, { updated_ts: currentTs(deps) })
    if (!held) throw notFound()
    return switchTo(tx, held, true)
  })
  await announce(deps, automation)
  return automation
}

/**
 * @param overlapHours how long the secret before signs as well; 0: no longer.
 * @throws Problem('not_found')
 */
export async function rotateSecret(
  deps: AutomationDeps,
  propertyId: string,
  id: string,
  overlapHours: number,
): Promise<{ automation: StoredAutomation; signingSecret: string }> {
  await getAutomation(deps, propertyId, id)
  const { signingSecret, sealed } = newSecret(deps, id)
  const at = currentTs(deps)
  const previousUntilTs = overlapHours === 0 ? null : at + overlapHours * 3600
  const automation = await deps.records
    .transaction()
    .execute((tx) => replaceSecret(tx, propertyId, id, { sealedSecret: sealed, previousUntilTs, nowTs: at }))
  if (!automation) throw notFound()
  return { automation, signingSecret }
}

/**
 * With its deliveries, a few at a time, because they may be many. It fires nothing from the first moment on,
 * and a call that is cut short may be repeated.
 * @throws Problem('not_found')
 */
export async function removeAutomation(deps: AutomationDeps, propertyId: string, id: string): Promise<void> {
  await getAutomation(deps, propertyId, id)
  await deps.records.transaction().execute((tx) => updateAutomationRow(tx, propertyId, id, { is_active: false }))
  deps.triggers.forget(propertyId)
  const { records } = deps
  await deleteDeliveries(records, propertyId, id)
  await deleteAutomationRow(records, propertyId, id)
  // Deliveries of nodes that did not know of the change yet.
  await deleteDeliveries(records, propertyId, id)
  // What deliveries held about people must not stay readable in the files.
  await scrubDeleted(records)
}

/**
 * One send for each action, also while it is switched off.
 * @returns the ids of the deliveries.
 * @throws Problem('not_found')
 */
export async function testAutomation(deps: AutomationDeps, propertyId: string, id: string): Promise<string[]> {
  return deps.triggers.enqueueTest(listenerOf(await getAutomation(deps, propertyId, id)))
}
