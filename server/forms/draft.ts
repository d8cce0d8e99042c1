// Validates what an owner wrote about a form; the management API and the command line use the same rules. A
// member that is not sent stays as it is; one that is sent is replaced as a whole.
import { invalid, Problem } from '../kernel/problem.ts'
import { readDomains, readName } from '../properties/properties.ts'
import { readFormFields } from './draft-fields.ts'
import {
  type Members,
  readBoolean,
  readList,
  readMaybeText,
  readNeededText,
  readObject,
  readText,
  readWhole,
  readWord,
} from '../kernel/draft-read.ts'
import {
  defaultPresentation,
  densities,
  fonts,
  type Form,
  formKinds,
  formTypes,
  IP_RETENTION_DAYS,
  MAX_DOMAINS,
  MAX_FIELD_TEXT,
  MAX_HTML,
  MAX_LABEL,
  MAX_RETENTION_DAYS,
  MAX_REVISION,
  type Presentation,
  websiteThemes,
} from './form-model.ts'
import { sanitiseHtml } from '../html/form-html.ts'
import { languageSettings } from '../visitor-texts/visitor-texts.ts'
import { readRedirectUrl } from './own-pages.ts'
import { hasEmailField, keptFields, readContactFields } from './lead-fields.ts'
import { readValidation } from './rules.ts'

/** What an owner sets. */
export type FormDraft = Omit<Form, 'id' | 'property_id' | 'key' | 'revision' | 'created_ts' | 'updated_ts'>

/**
 * Characters of all fields and rules as JSON: they are copied into each form session and sent to each page
 * that shows the form.
 */
const MAX_DEFINITION = 65_536
const MAX_RADIUS_PX = 40

const emptyDraft: Omit<FormDraft, 'name' | 'kind'> = {
  domains: [],
  fields: [],
  validation: {},
  presentation: defaultPresentation,
  success_html: '',
  redirect_url: null,
  is_plain_on: false,
  language: 'auto',
  creates_contacts: false,
  contact_fields: {},
  is_published: false,
  is_archived: false,
  branding: true,
  retention_days: null,
  is_ip_kept: false,
  ip_retention_days: IP_RETENTION_DAYS,
  stored_ips_until_ts: null,
}

function readTextList(path: string, value: unknown, max: number): string[] {
  return readList(path, value, max).map((text, index) => readNeededText(`${path}.${index}`, text, 1000))
}

// ---------------------------------------------------------------- presentation

function readButton(written: unknown): Presentation['button'] {
  const button = readObject('button', written)
  return {
    label: readText('button.label', button.label, MAX_LABEL) || defaultPresentation.button.label,
    busy_label: readText('button.busy_label', button.busy_label, MAX_LABEL) || defaultPresentation.button.busy_label,
  }
}

function readHeader(written: unknown): Presentation['header'] {
  if (written === null) return null
  const header = readObject('header', written)
  return {
    title: readNeededText('header.title', header.title, MAX_LABEL),
    text: readMaybeText('header.text', header.text, MAX_FIELD_TEXT),
  }
}

function readFooter(written: unknown): Presentation['footer'] {
  if (written === null) return null
  return { text: readNeededText('footer.text', readObject('footer', written).text, MAX_FIELD_TEXT) }
}

function readTheme(written: unknown): Presentation['theme'] {
  const theme = readObject('theme', written)
  const accent = readMaybeText('theme.accent', theme.accent, 7)?.toLowerCase() ?? null
  if (accent !== null && !/^#[0-9a-f]{6}$/.test(accent))
    throw invalid('theme.accent', 'theme.accent must be a color like #0a66c2, or null.')
  return {
    accent,
    radius_px: readWhole('theme.radius_px', theme.radius_px, 0, MAX_RADIUS_PX) ?? defaultPresentation.theme.radius_px,
    font: readWord('theme.font', theme.font, fonts),
    density: readWord('theme.density', theme.density, densities),
  }
}

function readPresentation(before: Presentation, body: Members): Presentation {
  return {
    button: body.button === undefined ? before.button : readButton(body.button),
    header: body.header === undefined ? before.header : readHeader(body.header),
    footer: body.footer === undefined ? before.footer : readFooter(body.footer),
    theme: body.theme === undefined ? before.theme : readTheme(body.theme),
    form_type: body.form_type === undefined ? before.form_type : readWord('form_type', body.form_type, formTypes),
    website_theme:
      body.website_theme === undefined
        ? before.website_theme
        : readWord('website_theme', body.website_theme, websiteThemes),
  }
}

// ---------------------------------------------------------------- the whole

/** Both are validated again when one of them is sent: rules refer to fields. */
function readDefinition(before: FormDraft, body: Members): Pick<FormDraft, 'fields' | 'validation'> {
  if (body.fields === undefined && body.validation === undefined)
    return { fields: before.fields, validation: before.validation }
  const fields = body.fields === undefined ? before.fields : readFormFields(body.fields)
  const written = body.validation === undefined ? before.validation : body.validation
  const validation = readValidation(written, new Set(fields.map(({ name }) => name)))
  if (before.kind === 'open' && fields.length + Object.keys(validation).length > 0)
    throw invalid('fields', 'fields and validation of an open form are said by the page that shows it.')
  if (JSON.stringify([fields, validation]).length > MAX_DEFINITION)
    throw invalid('fields', `fields and validation together may have at most ${MAX_DEFINITION} characters as JSON.`)
  return { fields, validation }
}

/** An archived form is not published; after restoring, it must be published again explicitly. */
function readState(before: FormDraft, body: Members): Pick<FormDraft, 'is_published' | 'is_archived'> {
  const is_archived = body.is_archived === undefined ? before.is_archived : readBoolean('is_archived', body.is_archived)
  const asked = body.is_published === undefined ? undefined : readBoolean('is_published', body.is_published)
  if (is_archived && asked === true)
    throw invalid('is_published', 'is_published: an archived form cannot be published.')
  return { is_archived, is_published: !is_archived && (asked ?? before.is_published) }
}

/**
 * Switching it on is also a decision about earlier addresses: from then on all are kept for the same time.
 */
function readIps(
  before: FormDraft,
  body: Members,
): Pick<FormDraft, 'is_ip_kept' | 'ip_retention_days' | 'stored_ips_until_ts'> {
  const is_ip_kept = body.is_ip_kept === undefined ? before.is_ip_kept : readBoolean('is_ip_kept', body.is_ip_kept)
  const days =
    body.ip_retention_days === undefined
      ? before.ip_retention_days
      : readWhole('ip_retention_days', body.ip_retention_days, 1, MAX_RETENTION_DAYS)
  return {
    is_ip_kept,
    ip_retention_days: days ?? IP_RETENTION_DAYS,
    stored_ips_until_ts: is_ip_kept ? null : before.stored_ips_until_ts,
  }
}

/**
 * Names are checked against the fields that the form has after the change; those of an open form are not
 * known.
 */
function readLeads(before: FormDraft, body: Members): Pick<FormDraft, 'creates_contacts' | 'contact_fields'> {
  const { fields } = readDefinition(before, body)
  return {
    creates_contacts:
      body.creates_contacts === undefined
        ? before.creates_contacts
        : readBoolean('creates_contacts', body.creates_contacts),
    contact_fields:
      body.contact_fields === undefined
        ? before.contact_fields
        : readContactFields(body.contact_fields, before.kind === 'managed' ? fields : null),
  }
}

function changed(before: FormDraft, body: Members): FormDraft {
  const draft: FormDraft = {
    name: body.name === undefined ? before.name : readName(readText('name', body.name, 1000)),
    kind: before.kind,
    domains:
      body.domains === undefined ? before.domains : readDomains(readTextList('domains', body.domains, MAX_DOMAINS)),
    ...readDefinition(before, body),
    presentation: readPresentation(before.presentation, body),
    success_html:
      body.success_html === undefined
        ? before.success_html
        : sanitiseHtml(readText('success_html', body.success_html, MAX_HTML)),
    redirect_url: body.redirect_url === undefined ? before.redirect_url : readRedirectUrl(body.redirect_url),
    is_plain_on: body.is_plain_on === undefined ? before.is_plain_on : readBoolean('is_plain_on', body.is_plain_on),
    language: body.language === undefined ? before.language : readWord('language', body.language, languageSettings),
    ...readLeads(before, body),
    ...readState(before, body),
    branding: body.branding === undefined ? before.branding : readBoolean('branding', body.branding),
    retention_days:
      body.retention_days === undefined
        ? before.retention_days
        : readWhole('retention_days', body.retention_days, 1, MAX_RETENTION_DAYS),
    ...readIps(before, body),
  }
  const { contact_fields } = draft
  if (draft.kind === 'managed') Object.assign(draft, { contact_fields: keptFields(contact_fields, draft.fields) })
  if (draft.is_published && draft.kind === 'managed' && draft.fields.length === 0)
    throw invalid('fields', 'fields: a managed form needs at least one field before it is published.')
  return draft
}

/**
 * @param body an object; from a file it may be anything. @throws Problem('validation_failed') naming the
 * member.
 */
export function readFormDraft(body: unknown): FormDraft {
  const members = readObject('body', body)
  if (members.name === undefined) throw invalid('name', 'name is required.')
  if (members.kind === undefined) throw invalid('kind', 'kind is required: open or managed.')
  const kind = readWord('kind', members.kind, formKinds)
  const draft = changed({ ...emptyDraft, name: '', kind }, members)
  // A new form that asks for an address does so to get to know people.
  return members.creates_contacts === undefined ? { ...draft, creates_contacts: hasEmailField(draft.fields) } : draft
}

/** Refuses a change that is based on an older revision, which would undo what came since. */
function assertRevision({ revision }: Form, asked: number | null): void {
  if (asked === null || asked === revision) return
  const sentence = `The form was changed meanwhile: it is at revision ${revision}, not ${asked}. Read it again.`
  throw new Problem('conflict', sentence, { errors: { if_revision: [sentence] } })
}

/** @throws Problem: validation_failed naming the member; conflict when `if_revision` is another one. */
export function readFormChange(form: Form, body: unknown): FormDraft {
  const members = readObject('body', body)
  assertRevision(form, readWhole('if_revision', members.if_revision, 1, MAX_REVISION))
  if (members.kind !== undefined && members.kind !== form.kind)
    throw invalid('kind', `kind: this form is ${form.kind} and stays so; make another one.`)
  return changed(form, members)
}
