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
  /** How often it has gone to another contact by a merge: the facts believe the largest. */
  moves: Generated<number>
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

/** By what else a contact is known, since others were merged into it. */
interface AliasTable {
  property_id: string
  contact_id: string
  kind: 'id' | 'external_id' | 'email'
  /** As it is compared: of an email its key. */
  alias: string
  /** As it was written. */
  shown: string
  /** Who gave the email; null for ids. */
  given_by: 'token' | 'visitor' | null
  /** The merge that it is of. */
  merge_id: string
}

/** One contact that was merged into another. */
interface MergeTable {
  /** `cm_…` */
  id: string
  property_id: string
  /** As it was at the merge: it may be merged itself by now. */
  kept_id: string
  other_id: string
  merged_ms: number
  /** A person, or one of the words of kernel/edits.ts. */
  edited_by: string
  /** JSON of MergeSnapshot (contact-merge/model.ts); null once it cannot be undone any more. */
  snapshot: string | null
}

/** What went from one contact to the other in a merge. */
interface MoveTable {
  merge_id: string
  kind: 'session' | 'note' | 'consent' | 'membership'
  /** Of a session: days since 1970-01-01; of others 0. */
  day: number
  /** The session hash, or the id of the note or submission. */
  key: string
}

/** A list of which an owner has decided something. */
interface ListRuleTable {
  property_id: string
  list_key: string
  /** As it is shown. */
  name: string
  /** 1: members confirm by email before they are in it. */
  is_confirmed: number
}

/** Whoever sends this form asks for this list. */
interface ListFormTable {
  property_id: string
  list_key: string
  form_id: string
}

/** An email that was asked to confirm a list. In the list is who has its label. */
interface MembershipTable {
  /** `lm_…`: in the link by which they leave. */
  id: string
  /** `lc_…`: in the link of the email that asks. Nobody else sees it. */
  confirm_id: string
  property_id: string
  contact_id: string
  list_key: string
  /** As the list was called. */
  name: string
  email: string
  email_key: string
  /** Of visitor-texts/. */
  language: string
  state: 'pending' | 'confirmed' | 'unsubscribed'
  /** Whose submission asked; null: a member did. */
  form_id: string | null
  requested_ms: number
  confirmed_ms: number | null
  unsubscribed_ms: number | null
  /** When it was asked by email for the last time. */
  mailed_ms: number | null
  mails: number
}

/** A search of contacts that was saved under a name. */
interface SearchTable {
  id: string
  property_id: string
  /** Whose it is; null: everybody's in the property. */
  user_id: string | null
  name: string
  /** JSON object, as the list of contacts takes it. */
  query: string
  created_ms: number
}

export interface ContactTables {
  contact_searches: SearchTable
  list_rules: ListRuleTable
  list_forms: ListFormTable
  list_memberships: MembershipTable
  contact_aliases: AliasTable
  contact_merges: MergeTable
  contact_merge_moves: MoveTable
  contacts: ContactTable
  contact_sessions: ContactSessionTable
  contact_consents: ConsentTable
  contact_labels: LabelTable
  contact_notes: NoteTable
}
