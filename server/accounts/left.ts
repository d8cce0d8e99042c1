// What somebody leaves behind who is removed: tokens and share links that they made. Both belong to the property and go on to work; who
// removes the person is told of them, since the person may have them still.
import { listTokensOfMaker } from '../properties/records.ts'
import type { Token } from '../properties/tokens.ts'
import type { Tx } from '../stores/records.ts'
import { listSharesOfMaker, type Share } from './share-records.ts'

export interface LeftBehind {
  readonly tokens: readonly Token[]
  readonly shares: readonly Share[]
}

/** @param propertyId left out: of every property. */
export async function listLeftBehind(tx: Tx, userId: string, propertyId?: string): Promise<LeftBehind> {
  return {
    tokens: await listTokensOfMaker(tx, userId, propertyId),
    shares: await listSharesOfMaker(tx, userId, propertyId),
  }
}
