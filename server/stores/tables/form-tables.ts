// The shape of the records of forms: what is asked, who is filling in, what was sent. The last
// interface names the tables.
import type { Generated } from 'kysely'
import type { EditTable } from './edit-tables.ts'

export interface FormTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  property_id: string
  /** Public: in the page, and in the address of init. */
  key: string
  name: string
  /** `open`: the page says which fields there are; `managed`: the owner does, here. */
  kind: 'open' | 'managed'
  /** JSON array of hosts, beside those of the property. */
  domains: string
  /** JSON array of FormField (forms/form-model.ts); empty in an open form. */
  fields: string
  /** JSON object {field: {rule: message or null}}; empty in an open form. */
  validation: string
  /** JSON object: button, header, footer, theme, form_type, website_theme. */
  presentation: string
  /** Sanitised when it was stored. '' : the default sentence. */
  success_html: string
  /** Where visitors are sent after a submission; null: they stay. */
  redirect_url: string | null
  /** 1: a plain `<form>` may be posted to it. */
  is_plain_on: number
  /** Of what visitors read: a language of visitor-texts/, or `auto`. */
  language: 'auto' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl'
  /** 1: good submissions make contacts. */
  creates_contacts: Generated<number>
  /** JSON object: fields by what they say of a person (forms/lead-fields.ts). */
  contact_fields: Generated<string>
  is_published: number
  is_archived: number
  /** 1: the attribution is shown. */
  branding: number
  /** Submissions older than this go; null: kept. */
  retention_days: number | null
  /** 1: the IP addresses of senders are stored, for `ip_retention_days`; 0: they are not. */
  is_ip_kept: number
  ip_retention_days: number
  /**
   * Unix seconds: until then addresses stay that were stored before owners were asked. Null: there are none,
   * or the owner has decided.
   */
  stored_ips_until_ts: number | null
  /** From 1; each change counts it up. */
  revision: number
  created_ts: number
  updated_ts: number
}

/** Every change of a form by its owner: what it was and what it became. */
interface FormEditTable extends EditTable {
  form_id: string
}

/**
 * One visitor filling in one form: from init until its token is used or ten minutes are over. Kept a day
 * longer, for the spam score.
 */
export interface FormSessionTable {
  /** SHA-256 hex of the token; the token itself is kept nowhere. */
  token_hash: string
  property_id: string
  form_id: string
  /** Names the form session in the facts: an unsigned 64-bit integer in decimal. */
  fact_id: string
  /**
   * Keyed hash (hex) of the visitor's address: the pin, and the key by which the visits of an address to
   * forms are counted.
   */
  address_mac: string
  /** The same of the user agent. */
  agent_mac: string
  opened_ms: number
  expires_ms: number
  /**
   * When the token was used; null until then. Set in the transaction that stores the submission: of two at
   * once one finds it null.
   */
  consumed_ms: number | null
  /** 1 once something was validated or sent: the form was not only shown. */
  is_started: number
  /** How often the honeypot came back filled in. */
  traps: number
  honeypot: string
  /**
   * JSON array of {name, type, label}: what may be sent, in order. Frozen at init; empty soon after the form
   * session is over.
   */
  fields: string
  /**
   * JSON object {field: {rule: message or null}}. Frozen at init; empty soon after the form session is over.
   */
  validation: string
  /** '' without one. */
  source: string
  /**
   * The page's own success HTML as it was sent; null: the form's. Null, too, soon after the form session is
   * over.
   */
  success_html: string | null
  /** Of fields, validation and success_html together; 0 once they are let go. */
  frozen_bytes: number
  /** 1: a page named where it stands (Origin or Referer). */
  has_origin: number
  /** The visitor's session: its day (days since 1970-01-01) and hash in decimal; null when none is known. */
  session_day: number | null
  session: string | null
}

/** What somebody sent. All personal data of forms is in this one row and its keys. */
export interface SubmissionTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  property_id: string
  form_id: string
  /** That of the form session. */
  fact_id: string
  submitted_ms: number
  /** What the spam score made of it. */
  verdict: 'clean' | 'flagged' | 'dropped'
  /** The owner's word, which counts more than the verdict; null: none. */
  mark: 'spam' | 'not_spam' | null
  /** 0 to 100. */
  score: number
  /** JSON array of {reason, points}. */
  reasons: string
  /**
   * JSON array of {type, name, label, value}, in the order of the form; value is a text or an array of texts.
   */
  fields: string
  /** '' unless the form keeps it, and after its time. */
  ip: string
  /** Name of the network that the address belongs to. */
  network: string
  country: string
  country_code: string
  region: string
  city: string
  lat: number | null
  lon: number | null
  browser: string
  os: string
  device: string
  language: string
  is_bot: number
  bot_name: string
  bot_reason: string
  source: string
  /** X-SVC-LIB. */
  lib: string
  session_day: number | null
  session: string | null
  /** Keyed hash (hex) of the answers; null when they are too short to say anything. */
  body_mac: string | null
  /** Keyed hash (hex) of the signals; null when there were none or they hold too little to be told apart. */
  signals_mac: string | null
  /**
   * Names, labels and values of `fields` as searches spell them (submissions/search.ts); null: of before
   * there was the column.
   */
  search: string | null
  /**
   * `due`: a contact is to be made of it; `done`: it was; `private`: its sender asked not to be connected
   * (Sec-GPC). Partly indexed.
   */
  lead: Generated<'none' | 'due' | 'done' | 'private'>
  /** Who sent it. */
  contact_id: Generated<string | null>
  /**
   * Whether it is told by email: `due`: it is to be; `digest`: with others, when the hour is over; `done`: it
   * was. Partly indexed.
   */
  notice: Generated<'none' | 'due' | 'digest' | 'done'>
  /** 0 until somebody of the team opens it. Partly indexed. */
  is_read: Generated<number>
  /**
   * 1 once its form event is in the facts; 0 until then, for the job that makes up for a crash in between.
   */
  is_noted: number
}

/** Of a form that holds as many submissions as a form may, or nearly; others have no row. */
interface FormEvictionTable {
  form_id: string
  /** Removed for that reason, ever: dropped or marked as spam; flagged; all others. */
  spam: number
  flagged: number
  clean: number
  /** When that last happened; null: never. */
  last_ms: number | null
  /** Submissions at the last look, once they are nearly as many as a form may hold; null below. */
  stored: number | null
  /** While one node removes some of them; null: none does. */
  claimed_until_ms: number | null
}

/** People who tried a form while it was a draft. */
interface DraftTriesTable {
  form_id: string
  /** Days since 1970-01-01, UTC. */
  day: number
  people: number
}

/**
 * An e-mail address that is the whole of an answer of a submission, by which erasing a person finds it. Gone
 * with the submission.
 */
interface SubmissionKeyTable {
  property_id: string
  /** By what addresses are compared (kernel/email.ts). */
  email_key: string
  submission_id: string
}

/** What a form mails; forms that never did have no row. */
interface FormMailTable {
  form_id: string
  property_id: string
  /** 1: a good submission is to be mailed. */
  is_on: number
  /** Hours since 1970-01-01, and how many submissions were told one by one in it. */
  told_hour: number
  told: number
  /** Of the hour, those that are told one by one; the others come as one email. */
  most_an_hour: Generated<number>
  /** 1: whoever sends the form gets an email: its words, '' for none. */
  confirms: Generated<number>
  confirm_subject: Generated<string>
  confirm_text: Generated<string>
  confirm_reply_to: Generated<string>
  /** As `told`. */
  confirmed_hour: Generated<number>
  confirmed: Generated<number>
}

export interface FormTables {
  draft_tries: DraftTriesTable
  forms: FormTable
  form_mails: FormMailTable
  form_edits: FormEditTable
  form_evictions: FormEvictionTable
  form_sessions: FormSessionTable
  submissions: SubmissionTable
  submission_keys: SubmissionKeyTable
}
