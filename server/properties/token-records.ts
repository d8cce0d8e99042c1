// The statements about access tokens. Rows are parsed here: past this file scopes are lists.
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { Scope, Token } from './tokens.ts'

type TokenRow = RecordTables['tokens']

const toToken = ({ id, property_id, name, scopes, created_by, created_ts }: TokenRow): Token => ({
  id,
  property_id,
  name,
  scopes: JSON.parse(scopes) as Scope[],
  created_by,
  created_ts,
})

/** Every statement about tokens starts here or names the property itself: a token belongs to one. */
const tokensOf = (records: Records, propertyId: string) =>
  records.selectFrom('tokens').where('property_id', '=', propertyId)

export async function selectTokensByHash(records: Records, hashes: readonly string[]): Promise<Map<string, Token>> {
  const rows = await records.selectFrom('tokens').selectAll().where('hash', 'in', hashes).execute()
  return new Map(rows.map((row) => [row.hash, toToken(row)]))
}

/** Newest first. */
export async function listTokenRows(records: Records, propertyId: string, query: PageQuery): Promise<Token[]> {
  const rows = await tokensOf(records, propertyId)
    .selectAll()
    .orderBy('created_ts', 'desc')
    .orderBy('id')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return rows.map(toToken)
}

/** Newest first. @param propertyId left out: all properties. */
export async function listTokensOfMaker(tx: Tx, userId: string, propertyId?: string): Promise<Token[]> {
  const all = tx.selectFrom('tokens').selectAll().where('created_by', '=', userId)
  const theirs = propertyId === undefined ? all : all.where('property_id', '=', propertyId)
  return (await theirs.orderBy('created_ts', 'desc').orderBy('id').execute()).map(toToken)
}

export async function countTokens(records: Records, propertyId: string): Promise<number> {
  const row = await tokensOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** @throws a foreign key violation when the property is gone. */
export async function insertToken(records: Records, token: Token, hash: string): Promise<void> {
  await records
    .insertInto('tokens')
    .values({ ...token, hash, scopes: JSON.stringify(token.scopes) })
    .execute()
}

export async function deleteToken(records: Records, propertyId: string, tokenId: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('tokens')
    .where('property_id', '=', propertyId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * The only look-up of a token by its id without its property: for the operator, who has the whole database.
 */
export async function findPropertyOfToken(records: Records, tokenId: string): Promise<string | undefined> {
  const row = await records.selectFrom('tokens').select('property_id').where('id', '=', tokenId).executeTakeFirst()
  return row?.property_id
}
