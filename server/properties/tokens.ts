// Bearer tokens: what a program may do with one property. Only hashes are stored; a token is shown once, when
// it is created.
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { openDirectory } from '../queues/directory.ts'
import type { PropertyDeps } from './properties.ts'
import {
  countTokens,
  deleteToken,
  findPropertyOfToken,
  insertToken,
  listTokenRows,
  selectTokensByHash,
} from './token-records.ts'
import type { TokenJson } from './schema.ts'
import { newId, randomText, secretHash } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'

export const scopes = [
  'signals:read',
  'signals:write',
  'contacts:read',
  'contacts:write',
  'shortlinks:read',
  'shortlinks:write',
] as const

export type Scope = (typeof scopes)[number]

export type Token = TokenJson

/** What the bearer of a token may do. */
export interface Access {
  readonly propertyId: string
  readonly tokenId: string
  readonly scopes: readonly Scope[]
}

export interface TokenDirectory {
  /** A promise only when the answer is not in memory. */
  find(token: string): Promise<Access | undefined> | Access | undefined
  /** After a revocation on this node; other nodes notice within two seconds. */
  forget(tokenId: string): void
  forgetProperty(propertyId: string): void
}

/** 238 bits: cannot be guessed. */
const TOKEN_LENGTH = 40
/** Anything else needs no hash and no look-up. */
const tokenShape = /^fft_[0-9A-Za-z]{40,64}$/
const idShape = /^tk_[0-9A-Za-z]{16,64}$/
/** More would be a runaway script. */
const MAX_TOKENS = 1_000

const toAccess = (token: Token): Access => ({
  propertyId: token.property_id,
  tokenId: token.id,
  scopes: token.scopes,
})

async function loadAccess(records: Deps['records'], hashes: readonly string[]): Promise<Map<string, Access>> {
  const tokens = await selectTokensByHash(records, hashes)
  return new Map([...tokens].map(([hash, token]) => [hash, toAccess(token)]))
}

/** Looked up by hash: no comparison with a stored token could leak its time. */
export function openTokenDirectory({ records, now }: Pick<Deps, 'records' | 'now'>): TokenDirectory {
  // Without the records no token is valid for longer than two seconds: it may have been revoked on a node
  // that can reach them.
  const directory = openDirectory<Access>({ now, staleMs: 0, load: (hashes) => loadAccess(records, hashes) })
  return {
    find: (token) => (tokenShape.test(token) ? directory.get(secretHash(token)) : undefined),
    forget: (tokenId) => directory.forget((access) => access.tokenId === tokenId),
    forgetProperty: (propertyId) => directory.forget((access) => access.propertyId === propertyId),
  }
}

export interface TokenDraft {
  readonly name: string
  readonly scopes: readonly Scope[]
}

/**
 * @param byUserId the person who creates it; null for ADMIN_TOKEN. @returns the access token, of which only a
 * hash is stored.
 */
export async function createToken(
  deps: PropertyDeps,
  propertyId: string,
  draft: TokenDraft,
  byUserId: string | null = null,
): Promise<{ token: Token; accessToken: string }> {
  if ((await countTokens(deps.records, propertyId)) >= MAX_TOKENS)
    throw new Problem('validation_failed', `A property may have at most ${MAX_TOKENS} tokens.`)
  const accessToken = `fft_${randomText(deps.randomBytes, TOKEN_LENGTH)}`
  const token: Token = {
    id: newId(deps, 'tk'),
    property_id: propertyId,
    name: draft.name,
    // In the order of the table and each once.
    scopes: scopes.filter((scope) => draft.scopes.includes(scope)),
    created_by: byUserId,
    created_ts: currentTs(deps),
  }
  await orNotFound(insertToken(deps.records, token, secretHash(accessToken)), propertyNotFound)
  return { token, accessToken }
}

/** Newest first. */
export async function listTokens(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Token>> {
  return { rows: await listTokenRows(records, propertyId, query), total: await countTokens(records, propertyId) }
}

export async function revokeToken(
  { records }: Pick<Deps, 'records'>,
  directory: Pick<TokenDirectory, 'forget'>,
  propertyId: string,
  tokenId: string,
): Promise<void> {
  const removed = idShape.test(tokenId) && (await deleteToken(records, propertyId, tokenId))
  if (!removed) throw new Problem('not_found', 'Token not found.')
  directory.forget(tokenId)
}

/** For the command line, which only has the token's id. Nodes notice within two seconds. */
export async function revokeTokenById({ records }: Pick<Deps, 'records'>, tokenId: string): Promise<void> {
  const propertyId = await findPropertyOfToken(records, tokenId)
  if (propertyId === undefined) throw new Problem('not_found', 'Token not found.')
  await revokeToken({ records }, { forget: () => undefined }, propertyId, tokenId)
}
