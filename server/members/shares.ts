// Share links: their bearers see the figures of one property, and nothing else, until the link is revoked.
import { dashboardUrl } from '../config.ts'
import type { Context } from '../context.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { codeOf, readName, getProperty, isOpenProperty } from '../properties/properties.ts'
import { newId, randomText, secretHash } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import { attemptShare, judge, tooManyAttempts } from '../accounts/attempts.ts'
import { readPassword } from '../accounts/draft.ts'
import { hashPassword, isPassword } from '../accounts/passwords.ts'
import { makeShareBearer } from './share-bearer.ts'
import { readOrigins } from './embed-origins.ts'
import {
  badgePath,
  countShares,
  deleteShare,
  findShareByHash,
  insertShare,
  listShareRows,
  type Share,
} from './share-records.ts'
import type { OpenShareInput, ShareDraft } from '../accounts/schema.ts'
import type { SharedWith } from '../accounts/user-model.ts'

/** 238 bits: cannot be guessed. */
const TOKEN_LENGTH = 40
const BADGE_LENGTH = 24
const tokenShape = /^[0-9A-Za-z]{40}$/
const idShape = /^sh_[0-9A-Za-z]{16,64}$/
const MAX_SHARES = 100

/**
 * @param byUserId the person who creates it; null for ADMIN_TOKEN. @returns the URL, of which only a hash is
 * stored.
 */
export async function createShare(
  deps: Pick<Context, 'config' | 'records' | 'now' | 'randomBytes' | 'passwordCost'>,
  propertyId: string,
  draft: ShareDraft,
  byUserId: string | null = null,
): Promise<{ share: Share; url: string }> {
  const name = readName(draft.name)
  const password = draft.password ? readPassword(draft.password, { email: '', name }) : undefined
  if ((await countShares(deps.records, propertyId)) >= MAX_SHARES)
    throw invalid('name', `A property may have at most ${MAX_SHARES} share links.`)
  const hash = password === undefined ? null : await hashPassword(deps, password)
  const token = randomText(deps.randomBytes, TOKEN_LENGTH)
  const row = {
    id: newId(deps, 'sh'),
    property_id: propertyId,
    name,
    segment_id: draft.segment_id ?? null,
    created_by: byUserId,
    created_ts: currentTs(deps),
  }
  const origins = readOrigins(draft.origins ?? [])
  const badge_key = draft.has_badge ? randomText(deps.randomBytes, BADGE_LENGTH) : null
  const secrets = { hash: secretHash(token), password_hash: hash }
  const stored = { ...row, ...secrets, origins: JSON.stringify(origins), badge_key }
  await orNotFound(insertShare(deps.records, stored), propertyNotFound)
  const badge_path = badge_key && badgePath(badge_key)
  return {
    share: { ...row, has_password: hash !== null, origins, badge_path },
    url: `${dashboardUrl(deps.config)}/share/${token}`,
  }
}

export async function listShares(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Share>> {
  return listShareRows(records, propertyId, query)
}

/** It is refused on every node within two seconds. */
export async function revokeShare(
  { records, accounts }: Pick<Context, 'records' | 'accounts'>,
  propertyId: string,
  id: string,
): Promise<void> {
  const removed = idShape.test(id) && (await deleteShare(records, propertyId, id))
  if (!removed) throw new Problem('not_found', 'Share not found.')
  accounts.forgetShare(id)
}

async function checkPassword(
  context: Context,
  { shareId, hash }: { readonly shareId: string; readonly hash: string },
  password: string | undefined,
  client: string,
): Promise<void> {
  if (!password) throw new Problem('share_password', 'This link needs a password.')
  const attempt = await attemptShare(context, shareId, client)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  if (!(await judge(attempt, () => isPassword(context, password, hash))))
    throw new Problem('share_password', 'The password is wrong.')
}

const nothingShared = () => new Problem('not_found', 'Nothing is shared at this URL.')

async function letIn(context: Context, shareId: string, propertyId: string) {
  const property = await getProperty(context, propertyId)
  if (!isOpenProperty(property)) throw nothingShared()
  const { id, name, timezone, week_start } = property
  return {
    ...makeShareBearer(context, shareId),
    property: { id, name, timezone, week_start, currency: codeOf(property) },
  }
}

/** The websites that may embed the page of a share link; none for what is no link. @param token of its URL */
export async function findEmbedding({ records }: Pick<Deps, 'records'>, token: string): Promise<readonly string[]> {
  const found = tokenShape.test(token) ? await findShareByHash(records, secretHash(token)) : undefined
  return found?.share.origins ?? []
}

/** @throws Problem('not_found' | 'share_password' | 'rate_limited') */
export async function openShare(context: Context, ask: OpenShareInput, client: string) {
  const found = tokenShape.test(ask.token) ? await findShareByHash(context.records, secretHash(ask.token)) : undefined
  if (!found) throw nothingShared()
  const { share, passwordHash } = found
  if (passwordHash !== null)
    await checkPassword(context, { shareId: share.id, hash: passwordHash }, ask.password, client)
  return letIn(context, share.id, share.property_id)
}

/** For a screen that shows the page for longer than one bearer lasts. @throws Problem('not_found') */
export async function renewShare(context: Context, { shareId, propertyId }: SharedWith) {
  return letIn(context, shareId, propertyId)
}
