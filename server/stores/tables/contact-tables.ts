// The shape of the records of contacts. The last interface names the tables.
import type { Generated } from 'kysely'
import type { TextField } from '../../kernel/contact-fields.ts'

/** A person behind sessions. All personal data of the program's contacts is in this one row. */
interface ContactTable extends Record<TextField, string | null> {
  /** Counts up: the order of the list, and the row number of the search index. */
  seq: Generated<number>
  id: string
  property_id: string
  /** Unique within the property. */
  external_id: string | null
  /** As it was written. */
  email: string | null
  /**
   * What addresses are compared by (kernel/email.ts); null in a deleted contact, so that nothing matches it.
   */
  email_key: string | null
  /** Who gave the address; null without one. What a visitor wrote may be anybody's. */
  email_by: 'token' | 'visitor' | null
  /**
   * The email_key of a contact made by its address alone, unique within the property: of two such calls at
   * once the second finds the first one's contact.
   */
  claimed_email: string | null
  lifecycle_stage: string
  state: 'active' | 'unsubscribed' | 'deleted'
  /** JSON array of {key, value}. */
  meta: string
  first_seen_ts: number
  identified_ts: number
  /** In milliseconds, so that of two calls in one second the later one is known. */
  last_seen_ms: number
  session_count: number
  /** Lower-case text of the fields that are searched, one a line; '' in a deleted contact. */
  search: string
}

/** Which contact a session belongs to. */
interface ContactSessionTable {
  property_id: string
  /**
   * Day and hash name a session within its property (kernel/ids.ts). The primary key with the property: a
   * session has one contact for good.
   */
  day: number
  /** The session hash, an unsigned 64-bit integer in decimal. */
  session: string
  contact_id: string
  /** When the session began. */
  entry_ts: number
  /**
   * 1 once the identify event of this link is in the facts; 0 until then, for the job that makes up for a
   * crash in between.
   */
  is_noted: number
  /**
   * The last word of an owner about the session that the contact's counts know of: odd when it is invalid, 0
   * without any.
   */
  mark: Generated<number>
}

/** To what somebody agreed at a form. */
export interface ConsentTable {
  property_id: string
  contact_id: string
  submission_id: string
  form_id: string
  /** As it was called then. */
  form_name: string
  /** The text as it was shown. */
  words: string
  given_ms: number
}

export type LabelKind = 'list' | 'tag'

/** A list or tag that a contact is in. */
interface LabelTable {
  property_id: string
  contact_id: string
  kind: LabelKind
  /** By what labels are the same (contacts/labels.ts). */
  label_key: string
  /** As it is shown. */
  label: string
  added_ms: number
}

/** What a member wrote about a contact. */
export interface NoteTable {
  id: string
  property_id: string
  contact_id: string
  text: string
  noted_ms: number
  /** A person, or one of the words of kernel/edits.ts. */
  edited_by: string
}

export interface ContactTables {
  contacts: ContactTable
  contact_sessions: ContactSessionTable
  contact_consents: ConsentTable
  contact_labels: LabelTable
  contact_notes: NoteTable
}
