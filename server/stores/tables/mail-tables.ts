// The shape of the records of mail. The last interface names the tables.

/**
 * One mail to one address: the outbox and the log in one. A row that is `pending` is taken by moving
 * `claimed_until_ms` to the end of a lease; before that moment nobody sends it.
 */
export interface MailRow {
  /** `ml_…` */
  id: string
  /** null: about the installation or an account. */
  property_id: string | null
  /** server/mail/mail-model.ts */
  kind: string
  /** As it was written; empty once erased. */
  to_email: string
  /** What addresses are compared by. */
  to_key: string
  /** What limits count by: other spellings of the address lead there too. Empty once erased. */
  inbox_key: string
  /** Names what the owner made, never what was collected. */
  subject: string
  /** JSON of MailContent, encrypted under SECRET; null once it is sent, has failed or was erased. */
  content: string | null
  /** What it tells of. */
  submission_id: string | null
  /** What there is one mail of: a second one is not made. */
  once_key: string | null
  state: 'pending' | 'sent' | 'failed' | 'erased'
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  created_ms: number
  /** The end of a lease, or the time of the next attempt. */
  claimed_until_ms: number
  /** After it the mail is of no use to anybody. */
  expires_ms: number | null
  finished_ms: number | null
}

/**
 * Somebody who gets the mail of a list: of a property, or of one of its forms. Kept when they unsubscribe, so
 * that nobody subscribes them again by mistake.
 */
export interface SubscriptionRow {
  /** `sn_…`: only the links in their mail have it; whoever knows it may unsubscribe them. */
  id: string
  property_id: string
  /** Of a list that ends with a form. */
  form_id: string | null
  /** server/subscriptions/subscription-model.ts; of a form with its id. */
  list: string
  /** As it was written. */
  email: string
  /** What addresses are compared by. */
  email_key: string
  created_ms: number
  /** null: they get it. */
  unsubscribed_ms: number | null
}

/** What a property is watched for, and how often somebody was told. */
interface AlertTable {
  property_id: string
  /** More visitors now than this; null: not watched. */
  live_visitors: number | null
  has_sessions: number
  has_conversions: number
  /** The day by the property's clock on which somebody was told last, YYYY-MM-DD, and how often on it. */
  told_day: string
  told: number
  /** The end of the last hour that was looked at. */
  judged_ms: number
  /** When more visitors than wanted were there last. */
  above_ms: number
}

export interface MailTables {
  alerts: AlertTable
  mails: MailRow
  subscriptions: SubscriptionRow
}
