// What a removed person leaves behind: tokens and share links they created. Both belong to the property and
// still work; the remover is shown them, since the person may still have copies.
import { listTokensOfMaker } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import type { LeftBehind } from '../accounts/schema.ts'
import { listSharesOfMaker } from './share-records.ts'

/** @param propertyId left out: all properties. */
export async function listLeftBehind(tx: Tx, userId: string, propertyId?: string): Promise<LeftBehind> {
  return {
    tokens: await listTokensOfMaker(tx, userId, propertyId),
    shares: await listSharesOfMaker(tx, userId, propertyId),
  }
}
