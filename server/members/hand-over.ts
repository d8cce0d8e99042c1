// Properties whose last owner goes: an owner of the installation takes over. Nobody can be kept from shutting
// somebody out, and an owner of the installation may do everything in every property anyway, so this gives
// nobody a right that they did not have.
import { invalid, type Problem } from '../kernel/problem.ts'
import { getProperty } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { insertOwner, listOwnedAlone } from './records.ts'
import { findOtherOwner } from '../accounts/records.ts'

/** Somebody makes the change, or it is done with ADMIN_TOKEN. */
export interface HandOver {
  /** Who gives up every right: shut out, or about to be removed. */
  readonly userId: string
  /** Who sees to it. */
  readonly byUserId: string | undefined
  readonly nowTs: number
}

async function refusal(tx: Tx, [first = '', ...more]: readonly string[]): Promise<Problem> {
  const { name } = await getProperty({ records: tx }, first)
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const them = more.length === 0 ? 'it' : 'each'
  const sentence = `This person is the last owner of “${name}”${others}: make somebody else an owner of ${them} first.`
  return invalid('is_active', sentence)
}

/**
 * To be called with lockOwners held.
 * @returns who owns them now; undefined when there was nothing to hand over.
 * @throws Problem('validation_failed') when there is no owner of the installation to take over.
 */
export async function handOver(tx: Tx, { userId, byUserId, nowTs }: HandOver): Promise<string | undefined> {
  const propertyIds = await listOwnedAlone(tx, userId)
  if (propertyIds.length === 0) return undefined
  const heir = await findOtherOwner(tx, userId, byUserId)
  if (heir === undefined) throw await refusal(tx, propertyIds)
  await insertOwner(tx, propertyIds, { user_id: heir, created_ts: nowTs })
  return heir
}
