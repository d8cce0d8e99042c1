// What forms are made of: their parts with limits and words, and how they are answered. No rule is applied
// here.
import type { ContactFields } from './lead-fields.ts'
import type { LanguageSetting } from '../visitor-texts/visitor-texts.ts'

export const formKinds = ['open', 'managed'] as const
/** `open`: the page sends fields and rules at init; `managed`: the owner defines them here. */
export type FormKind = (typeof formKinds)[number]

// ---------------------------------------------------------------- limits

export const MAX_FORMS = 500
export const MAX_FORM_NAME = 120
/** More than anybody fills in; each one is validated and stored with each submission. */
export const MAX_FIELDS = 100
export const MAX_FIELD_NAME = 120
export const MAX_TYPE = 32
export const MAX_LABEL = 255
export const MAX_FIELD_TEXT = 1000
export const MAX_OPTIONS = 250
export const MAX_RULES = 12
export const MAX_PARAMETER = 500
export const MAX_MESSAGE = 500
export const MAX_SOURCE = 255
export const MAX_LIB = 64
/** A message of several pages; the body of a call holds 64 KiB in all. */
export const MAX_ANSWER = 20_000
export const MAX_CHOICES = 100
/** Success HTML of the owner, sanitised once when the form is saved. */
export const MAX_HTML = 20_000
/**
 * Success HTML that a page sends: it is sanitised while the visitor waits, up to 4 ms of the thread at this
 * length.
 */
export const MAX_PAGE_HTML = 4_000
export const MAX_DOMAINS = 50
/** What browsers and servers take as a URL everywhere. */
export const MAX_REDIRECT_URL = 2048
export const MAX_RETENTION_DAYS = 3650
/** For a form that keeps IP addresses without saying for how long. */
export const IP_RETENTION_DAYS = 30
/** The maximum of a 32-bit column. */
export const MAX_REVISION = 2_147_483_647
/**
 * Edits kept per form; the oldest are deleted. One may hold all fields and rules twice, a quarter of a
 * megabyte.
 */
export const MAX_EDITS = 200

/** See docs/api/forms.md: ten minutes. */
export const TOKEN_SECONDS = 600
/**
 * Open form sessions of one form that one address may have regardless of their size, so that a long form is
 * no problem for its visitors: more than the people of an office begin in ten minutes without sending.
 */
export const FREE_SESSIONS = 200
/**
 * Beyond these, the limit of what they have frozen in all: eight thousand of an ordinary form, of which the
 * public rate limit lets an address open 1,200 in ten minutes. Without it one caller could store 75 MiB, at
 * 64 KiB each.
 */
export const MAX_HELD_BYTES = 8 * 1024 * 1024
/** How long form sessions are kept after init, for what the spam score knows of an address. */
export const HISTORY_MS = 86_400_000
/**
 * Submissions kept per form; above it the oldest are deleted, those dropped as spam first. Otherwise one form
 * could fill a disk.
 */
export const MAX_KEPT = 500_000
/**
 * Of these, submissions dropped as spam: more tell an owner nothing, and a flood must not push out what
 * people wrote.
 */
export const MAX_KEPT_DROPPED = 10_000

// ---------------------------------------------------------------- fields and rules

/** Types with a meaning here. Any other is treated as `text`, as browsers do. */
export const fieldTypes = [
  'text',
  'email',
  'tel',
  'url',
  'number',
  'range',
  'search',
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
  'hidden',
  'textarea',
  'select',
  'select-one',
  'select-multiple',
  'radio',
  'checkbox',
  'file',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** Never collected: a form session with such a field is refused with the reason. */
export const refusedTypes = ['password'] as const

/** What files are recognised as, by their content (uploads/file-types.ts). */
export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'application/pdf',
] as const
export type FileType = (typeof fileTypes)[number]

/** Which files a field takes. */
export interface FileRule {
  readonly types: readonly FileType[]
  /** Of each file. */
  readonly max_bytes: number
  readonly max_count: number
}

export const defaultFileRule: FileRule = { types: fileTypes, max_bytes: 10 * 1024 * 1024, max_count: 1 }
export const MAX_FILE_BYTES = 50 * 1024 * 1024
export const MAX_FILES = 10

/**
 * {rule: message or null}; null: the default message. A rule with a parameter is written `rule[parameter]`.
 */
export type Rules = Readonly<Record<string, string | null>>
/** Rules by field. */
export type Validation = Readonly<Record<string, Rules>>

/** A field as a form session knows it, and as its answer is stored. */
export interface FrozenField {
  readonly name: string
  /** As the page wrote it. */
  readonly type: string
  /** In an open form the name of the field. */
  readonly label: string
  /** Of the type `file` alone. */
  readonly file?: FileRule
}

/** What a form session may send and its rules, frozen at init. Fields are in the order of the form. */
export interface Frozen {
  readonly fields: readonly FrozenField[]
  readonly validation: Validation
}

export interface FieldOption {
  readonly value: string
  readonly label: string
}

/** A field as the owner of a managed form defines it; the page draws it from this. */
export interface FormField {
  readonly name: string
  readonly type: FieldType
  readonly label: string
  readonly placeholder: string | null
  readonly help: string | null
  /** The initial value. */
  readonly value: string | null
  /** Of `select…`, `radio` and `checkbox`; empty in all others. A checkbox without options is one box. */
  readonly options: readonly FieldOption[]
  /** A token of the HTML standard (autocomplete attribute), or null. */
  readonly autocomplete: string | null
  /** Lines of a textarea; null: the default of the page. */
  readonly rows: number | null
  /** `half` fields are placed in pairs where there is room. */
  readonly width: 'full' | 'half'
  /** Of the type `file` alone. */
  readonly file?: FileRule
  /** A step of the form begins with this field; this is its title. Left out of all others. */
  readonly step?: string
}

// ---------------------------------------------------------------- presentation of managed forms

export const formTypes = ['inline', 'popup'] as const
export const websiteThemes = ['auto', 'light', 'dark'] as const
export const fonts = ['inherit', 'system', 'serif', 'mono'] as const
export const densities = ['regular', 'compact'] as const

export interface Presentation {
  readonly button: { readonly label: string; readonly busy_label: string }
  readonly header: { readonly title: string; readonly text: string | null } | null
  readonly footer: { readonly text: string } | null
  readonly theme: {
    /** #rrggbb; null: the default of the page. */
    readonly accent: string | null
    /** Of corners, in CSS pixels. */
    readonly radius_px: number
    readonly font: (typeof fonts)[number]
    readonly density: (typeof densities)[number]
  }
  /** `inline`: in its place on the page; `popup`: behind a button, in a dialog. */
  readonly form_type: (typeof formTypes)[number]
  /** Which of its two palettes the form uses; `auto`: by the visitor's preference. */
  readonly website_theme: (typeof websiteThemes)[number]
}

export const defaultPresentation: Presentation = {
  button: { label: 'Send', busy_label: 'Sending…' },
  header: null,
  footer: null,
  theme: { accent: null, radius_px: 6, font: 'inherit', density: 'regular' },
  form_type: 'inline',
  website_theme: 'auto',
}

// ---------------------------------------------------------------- forms and submissions

export interface Form {
  readonly id: string
  readonly property_id: string
  /** `fk_…`, public. */
  readonly key: string
  readonly name: string
  readonly kind: FormKind
  readonly domains: readonly string[]
  /** Empty in an open form, as `validation` is. */
  readonly fields: readonly FormField[]
  readonly validation: Validation
  readonly presentation: Presentation
  /** Sanitised. '': the default sentence. */
  readonly success_html: string
  /** Where visitors are sent after a submission: http or https, no user name; null: they stay. */
  readonly redirect_url: string | null
  /** Whether a `<form>` may be posted to it directly, without the browser library. */
  readonly is_plain_on: boolean
  /** Whether good submissions make contacts, and of which answers. */
  readonly creates_contacts: boolean
  readonly contact_fields: ContactFields
  /** Of what visitors read of the service itself; `auto`: the browser's. */
  readonly language: LanguageSetting
  readonly is_published: boolean
  readonly is_archived: boolean
  readonly branding: boolean
  readonly retention_days: number | null
  /** Whether the IP addresses of senders are stored, for as many days. */
  readonly is_ip_kept: boolean
  readonly ip_retention_days: number
  /**
   * Unix seconds: how long addresses stay that were stored before this setting existed; null: there are none,
   * or the owner has decided.
   */
  readonly stored_ips_until_ts: number | null
  /** From 1; each change increments it. */
  readonly revision: number
  /** Unix seconds. */
  readonly created_ts: number
  readonly updated_ts: number
}

export const isDraft = ({ is_published, is_archived }: Form): boolean => !is_published && !is_archived

export type Verdict = 'clean' | 'flagged' | 'dropped'
export type Mark = 'spam' | 'not_spam'

/** A reason for points; spam-score/reasons.ts lists all of them. */
export interface ScoreReason {
  readonly reason: string
  /** Below 0: evidence for a person. */
  readonly points: number
}

/** One text; the chosen texts of a control with several values. */
export type AnswerValue = string | readonly string[]

/** An answer as it is stored and delivered: `raw_fields` of docs/webhooks.md. */
export interface Answer {
  readonly type: string
  readonly name: string
  readonly label: string
  readonly value: AnswerValue
}

/** Answers by field name, without the honeypot. */
export type Answers = Readonly<Record<string, AnswerValue>>
