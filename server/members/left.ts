// What somebody leaves behind who is removed: tokens and share links that they made. Both belong to the property and go on to work; who
// removes the person is told of them, since the person may have them still.
import { listTokensOfMaker } from '../properties/records.ts'
import type { Tx } from '../stores/records.ts'
import type { LeftBehind } from '../accounts/schema.ts'
import { listSharesOfMaker } from './share-records.ts'

/** @param propertyId left out: of every property. */
export async function listLeftBehind(tx: Tx, userId: string, propertyId?: string): Promise<LeftBehind> {
  return {
    tokens: await listTokensOfMaker(tx, userId, propertyId),
    shares: await listSharesOfMaker(tx, userId, propertyId),
  }
}
