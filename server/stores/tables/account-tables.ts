// The shape of the records of accounts: people, where they are signed in, what they may do, and the links
// that let others in. The last interface names the tables.
import type { Generated } from 'kysely'

interface UserTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  /** As it was written. */
  email: string
  /** By which addresses are compared; unique. */
  email_key: string
  name: string
  /** argon2id with its parameters; null until the person has chosen a password. */
  password_hash: string | null
  /** Of the installation: owner of every property. */
  is_owner: number
  is_active: number
  /** Sealed under SECRET; null: no second factor. */
  totp_secret: string | null
  /** Sealed; shown once and not confirmed yet. */
  totp_pending: string | null
  /** The time step of the last code that was good: none is good twice. */
  totp_last_step: number | null
  created_ts: number
}

/** A browser in which somebody is signed in. */
interface UserSessionTable {
  seq: Generated<number>
  id: string
  user_id: string
  /** SHA-256 hex of the text in the cookie, which is kept nowhere. */
  hash: string
  created_ts: number
  last_seen_ts: number
  browser: string
  os: string
}

export interface SignInTable {
  seq: Generated<number>
  /** null: nobody has the e-mail address that was given; then nothing else is noted. */
  user_id: string | null
  ts: number
  outcome: 'ok' | 'wrong_password' | 'wrong_code' | 'locked'
  browser: string
  os: string
  country: string
  address: string
  /** The address as limits count it: an IPv6 one by its network. */
  client: string
}

interface RecoveryCodeTable {
  user_id: string
  /** SHA-256 hex. Used: deleted. */
  hash: string
}

interface MemberTable {
  property_id: string
  user_id: string
  role: 'viewer' | 'admin' | 'owner'
  created_ts: number
}

/** A link that works once: into a property, to a new account, or to a new password. */
interface InvitationTable {
  seq: Generated<number>
  id: string
  kind: 'member' | 'user' | 'reset'
  /** SHA-256 hex of the token in the link. Used: the row is deleted, which decides who was first. */
  hash: string
  /** Of a member. */
  property_id: string | null
  role: 'viewer' | 'admin' | 'owner' | null
  email: string
  email_key: string
  /** Whose account or password it is; null while there is no account. */
  user_id: string | null
  /** 1: the second factor goes when the link is used. */
  drops_totp: number
  created_ts: number
  expires_ts: number
}

/** A link that shows the figures of a property to whoever has it. */
interface ShareTable {
  seq: Generated<number>
  id: string
  property_id: string
  name: string
  /** SHA-256 hex of the token in the link. */
  hash: string
  password_hash: string | null
  /** Who made it (`us_…`): null from before that was kept, and for ADMIN_TOKEN. */
  created_by: string | null
  created_ts: number
  /** The segment that alone is shown; null: everything. */
  segment_id: string | null
  /** JSON array of the websites that may embed it. */
  origins: Generated<string>
  /** Public, in the URL of its badge; null: without one. */
  badge_key: string | null
}

/**
 * One row, `owner`: the making of the first one. Changes that need to see each other's outcome take it as
 * their lock.
 */
interface AccountSetupTable {
  name: string
  /** Goes into the one-time link, together with SECRET. */
  nonce: string
  /** null: nobody has used the link yet. */
  used_ts: number | null
}

export interface AccountTables {
  users: UserTable
  user_sessions: UserSessionTable
  sign_ins: SignInTable
  recovery_codes: RecoveryCodeTable
  members: MemberTable
  invitations: InvitationTable
  shares: ShareTable
  account_setup: AccountSetupTable
}
