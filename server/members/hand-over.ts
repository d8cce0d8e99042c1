// Properties whose last owner leaves pass to an owner of the installation. Deactivating a person must always
// be possible, and an owner of the installation may do everything in every property anyway, so nobody gains
// rights by this.
import { invalid, type Problem } from '../kernel/problem.ts'
import { getProperty } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { insertOwner, listOwnedAlone } from './records.ts'
import { findOtherOwner } from '../accounts/records.ts'

/** The person who makes the change, or null for ADMIN_TOKEN. */
export interface HandOver {
  /** The person who loses all rights. */
  readonly userId: string
  /** The person who takes over. */
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
 * Needs lockOwners. @returns the new owner; undefined when there was nothing to hand over.
 * @throws Problem('validation_failed') when no other owner of the installation could take over.
 */
export async function handOver(tx: Tx, { userId, byUserId, nowTs }: HandOver): Promise<string | undefined> {
  const propertyIds = await listOwnedAlone(tx, userId)
  if (propertyIds.length === 0) return undefined
  const heir = await findOtherOwner(tx, userId, byUserId)
  if (heir === undefined) throw await refusal(tx, propertyIds)
  await insertOwner(tx, propertyIds, { user_id: heir, created_ts: nowTs })
  return heir
}
