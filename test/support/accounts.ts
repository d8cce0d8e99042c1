// People who sign in, for tests: the first owner by the one-time link, others straight into the records, and
// calls with their cookie as a page makes them.
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../server/accounts/passwords.ts'
import type { Role } from '../../server/kernel/roles.ts'
import { setupUrl } from '../../server/accounts/setup.ts'
import { type CallOptions, cheapPasswords, type Footfall, type Reply } from './server.ts'

export const PASSWORD = 'a quiet stone by the river'

/** One hash for all people of a test file: their passwords are the same. */
let hash: Promise<string> | undefined

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  /** `name=value` */
  readonly cookie: string
  /** As the dashboard would: with the cookie, from a page of the same origin. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Reply>
}

/** What the browser sends back of an answer's Set-Cookie. */
export const cookieOf = (reply: Reply): string => reply.headers.get('set-cookie')?.split(';', 1)[0] ?? ''

/** Of a page of the service itself. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

export function withCookie(footfall: Footfall, cookie: string): Person['call'] {
  return (method, path, { headers, ...options } = {}) =>
    footfall.call(method, path, { token: null, ...options, headers: { cookie, ...SAME_ORIGIN, ...headers } })
}

export async function signIn(
  footfall: Footfall,
  email: string,
  { password = PASSWORD, ...more }: { password?: string; code?: string } & Pick<CallOptions, 'headers'> = {},
): Promise<Reply> {
  const { headers, ...rest } = more
  const body = { email, password, ...rest }
  return footfall.call('POST', '/manage/session', { token: null, body, headers: { ...SAME_ORIGIN, ...headers } })
}

function personOf(footfall: Footfall, id: string, email: string, cookie: string): Person {
  return { id, email, password: PASSWORD, cookie, call: withCookie(footfall, cookie) }
}

/** What stands behind # in the link that the start prints. */
export async function setupToken({ context }: Footfall): Promise<string> {
  return (await setupUrl(context))?.split('#')[1] ?? ''
}

/** The first owner of the installation, by the one-time link. */
export async function makeOwner(footfall: Footfall, email = 'owner@example.com'): Promise<Person> {
  const body = { token: await setupToken(footfall), email, name: 'Olive Owner', password: PASSWORD }
  const reply = await footfall.call('POST', '/manage/setup', { token: null, body, headers: SAME_ORIGIN })
  if (reply.status !== 200) throw new Error(`no owner: ${reply.text}`)
  return personOf(footfall, reply.json.data.user.id, email, cookieOf(reply))
}

export interface PersonOptions {
  readonly email?: string
  readonly isOwner?: boolean
  /** By the id of the property. */
  readonly roles?: Readonly<Record<string, Role>>
}

/** Straight into the records, and signed in by the front door. */
export async function addPerson(footfall: Footfall, options: PersonOptions = {}): Promise<Person> {
  const { records, now } = footfall.context
  const id = `us_${randomBytes(10).toString('hex')}`
  const { email = `${id}@example.com`, isOwner = false, roles = {} } = options
  hash ??= hashPassword({ randomBytes, passwordCost: cheapPasswords }, PASSWORD)
  const created_ts = Math.floor(now() / 1000)
  await records
    .insertInto('users')
    .values({
      id,
      email,
      email_key: email.toLowerCase(),
      name: 'Pat Person',
      password_hash: await hash,
      is_owner: isOwner ? 1 : 0,
      is_active: 1,
      totp_secret: null,
      totp_pending: null,
      totp_last_step: null,
      created_ts,
    })
    .execute()
  for (const [property_id, role] of Object.entries(roles))
    await records.insertInto('members').values({ property_id, user_id: id, role, created_ts }).execute()
  const reply = await signIn(footfall, email)
  if (reply.status !== 200) throw new Error(`nobody signed in: ${reply.text}`)
  return personOf(footfall, id, email, cookieOf(reply))
}
