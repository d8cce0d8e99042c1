// The first owner: created once, with a one-time link that only the operator of the service gets
// (setup-link.ts).
import { timingSafeEqual } from 'node:crypto'
import { type Config, dashboardUrl } from '../config.ts'
import type { Context } from '../context.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { mac } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { readPassword, readUserEmail, readUserName } from './draft.ts'
import { hashPassword } from './passwords.ts'
import { findUser, insertUser, userJson } from './records.ts'
import { removeSetupLink } from './setup-link.ts'
import { findNonce, useUp } from './setup-records.ts'
import { type Opened, type Visitor, welcome } from './sign-in.ts'

/**
 * The same at every start and on every node until it is used. Creating it takes both the records and SECRET.
 */
const tokenOf = ({ keys }: Pick<Deps, 'keys'>, nonce: string): string =>
  mac(keys('account-setup'), nonce).toString('base64url')

/**
 * Undefined once there has been an owner. The token is in the fragment, which browsers do not send to
 * servers.
 */
export async function setupUrl(
  deps: Pick<Deps, 'records' | 'keys'> & { readonly config: Config },
): Promise<string | undefined> {
  const nonce = await findNonce(deps.records)
  return nonce === undefined ? undefined : `${dashboardUrl(deps.config)}/setup#${tokenOf(deps, nonce)}`
}

/** Whether the one-time link still waits to be used. */
export async function isSetupOpen({ records }: Pick<Deps, 'records'>): Promise<boolean> {
  return (await findNonce(records)) !== undefined
}

export interface FirstOwner {
  readonly token: string
  readonly email: string
  readonly name: string
  readonly password: string
}

const refused = () => new Problem('not_found', 'This link is wrong or was already used.')

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** @throws Problem('not_found' | 'validation_failed') */
export async function setUp(context: Context, given: FirstOwner, visitor: Visitor): Promise<Opened> {
  const nonce = await findNonce(context.records)
  if (nonce === undefined || !isSame(given.token, tokenOf(context, nonce))) throw refused()
  const [email, name] = [readUserEmail(given.email), readUserName(given.name)]
  const password = readPassword(given.password, { email: email.text, name })
  const passwordHash = await hashPassword(context, password)
  const id = newId(context, 'us')
  const opened = await context.records.transaction().execute(async (tx) => {
    const nowTs = currentTs(context)
    if (!(await useUp(tx, nowTs))) throw refused()
    await insertUser(tx, {
      id,
      email: email.text,
      emailKey: email.key,
      name,
      passwordHash,
      is_owner: true,
      created_ts: nowTs,
    })
    const secret = await welcome(context, tx, id, visitor)
    const user = await findUser(tx, 'id', id)
    if (!user) throw new Error('the first owner was not stored')
    return { user: userJson(user), secret }
  })
  removeSetupLink(context.config.dataDir)
  return opened
}
