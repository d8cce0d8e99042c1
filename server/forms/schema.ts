// What the endpoints of forms under /manage take and answer, for the documentation. The rules for forms are
// in draft.ts, which the command line uses too; here is only the shape of a request.
import { Type } from 'typebox'
import {
  described,
  editFields,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  oneOf,
  open,
  orNull,
  pageQuery,
  sortQuery,
} from '../http/shapes.ts'
import {
  densities,
  type FieldOption,
  fieldTypes,
  fileTypes,
  fonts,
  formKinds,
  formTypes,
  IP_RETENTION_DAYS,
  MAX_DOMAINS,
  MAX_FIELDS,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_FORM_NAME,
  MAX_HTML,
  MAX_REDIRECT_URL,
  MAX_OPTIONS,
  MAX_RETENTION_DAYS,
  MAX_REVISION,
  websiteThemes,
} from './form-model.ts'
import type { ContactFields } from './lead-fields.ts'
import { leadParts } from './lead-parts.ts'
import { languageSettings } from '../visitor-texts/visitor-texts.ts'

const OptionShape = Type.Object({ value: Type.String(), label: Type.String() })

const FileRuleShape = Type.Object(
  {
    types: Type.Array(oneOf(fileTypes), { description: 'By content, not by name. Default: all of them.' }),
    max_bytes: Type.Integer({ description: `Of each file: up to ${MAX_FILE_BYTES}. Default: 10485760, 10 MB.` }),
    max_count: Type.Integer({ description: `1 to ${MAX_FILES}. Default: 1.` }),
  },
  { ...open, description: 'Which files a field of the type file takes.' },
)

const FieldShape = Type.Object(
  {
    name: Type.String({ description: 'Letters, digits, _ . - [ and ]; once in a form.' }),
    type: Type.Optional(oneOf(fieldTypes, 'Default: text.')),
    label: Type.Optional(described(MaybeText, 'Default: the name.')),
    placeholder: Type.Optional(MaybeText),
    help: Type.Optional(MaybeText),
    value: Type.Optional(described(MaybeText, 'What stands in it at first.')),
    options: Type.Optional(
      Type.Array(
        Type.Unsafe<FieldOption | string>({
          type: ['object', 'string'],
          properties: OptionShape.properties,
          description: 'A value with its label, or a text that is both.',
        }),
        { maxItems: MAX_OPTIONS, description: 'Of select, radio and checkbox.' },
      ),
    ),
    autocomplete: Type.Optional(MaybeText),
    rows: Type.Optional(MaybeNumber),
    width: Type.Optional(oneOf(['full', 'half'], 'Default: full.')),
    file: Type.Optional(Type.Partial(FileRuleShape)),
    step: Type.Optional(
      described(MaybeText, 'A step begins with this field: its title. Null: the field belongs to the step before.'),
    ),
  },
  open,
)

const Rules = Type.Unsafe<object>({
  type: ['object', 'array', 'null'],
  description: '{rule: message or null}; a rule with a parameter is written rule[parameter].',
})

const Validation = Type.Unsafe<object>({
  type: ['object', 'array', 'null'],
  additionalProperties: Rules,
  description: 'Rules by field, of a managed form.',
})

const Button = Type.Object({ label: Type.Optional(Type.String()), busy_label: Type.Optional(Type.String()) }, open)
const Header = Type.Object({ title: Type.String(), text: MaybeText })
const Footer = Type.Object({ text: Type.String() })
const Theme = Type.Object(
  {
    accent: Type.Optional(described(MaybeText, '#rrggbb; null: that of the page.')),
    radius_px: Type.Optional(Type.Integer({ description: 'Of corners: 0 to 40; default 6.' })),
    font: Type.Optional(oneOf(fonts, 'Default: inherit.')),
    density: Type.Optional(oneOf(densities, 'Default: regular.')),
  },
  open,
)

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_FORM_NAME,
  description: 'What you call the form; visitors never see it.',
})

const members = {
  domains: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_DOMAINS,
      description: 'Hosts where it may stand, beside those of the property.',
    }),
  ),
  fields: Type.Optional(Type.Array(FieldShape, { maxItems: MAX_FIELDS, description: 'Of a managed form, in order.' })),
  validation: Type.Optional(Validation),
  button: Type.Optional(Button),
  header: Type.Optional(orNull(Type.Partial(Header))),
  footer: Type.Optional(orNull(Type.Partial(Footer))),
  theme: Type.Optional(Theme),
  form_type: Type.Optional(oneOf(formTypes, 'Default: inline.')),
  website_theme: Type.Optional(oneOf(websiteThemes, 'Default: auto.')),
  success_html: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_HTML,
      description:
        'Shown after a submission, %field% replaced by the answer; stored without what a page must not run. null: a default sentence.',
    }),
  ),
  redirect_url: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_REDIRECT_URL,
      description:
        'Where visitors go after a submission: a page on a domain of the property or of the form. Default, and null: they stay.',
    }),
  ),
  is_plain_on: Type.Optional(
    Type.Boolean({ description: 'Whether plain HTML forms may be posted to /f/{key}. Default: false.' }),
  ),
  creates_contacts: Type.Optional(
    Type.Boolean({
      description: 'Whether good submissions create contacts. Default: whether a new form has a field for an address.',
    }),
  ),
  contact_fields: Type.Optional(
    Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: `Fields by ${leadParts.join(', ')}: a name; '' for none; null, or left out: found by type, autofill and name.`,
    }),
  ),
  language: Type.Optional(
    oneOf(
      languageSettings,
      "Of messages to visitors. Default: auto, the browser's language; English when it is not here.",
    ),
  ),
  is_published: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  is_archived: Type.Optional(Type.Boolean({ description: 'An archived form is not published. Default: false.' })),
  branding: Type.Optional(Type.Boolean({ description: 'Whether pages show the attribution. Default: true.' })),
  retention_days: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      description: 'Submissions are deleted after as many days; null: kept.',
    }),
  ),
  is_ip_kept: Type.Optional(
    Type.Boolean({ description: 'Whether the IP addresses of senders are stored. Default: false.' }),
  ),
  ip_retention_days: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      description: `For how many days, where they are. Default, and null: ${IP_RETENTION_DAYS}.`,
    }),
  ),
}

const Kind = oneOf(formKinds, 'open: the page says which fields there are; managed: you do, here. Stays as it is.')

export const NewForm = Type.Object({ name: Name, kind: Kind, ...members })
export const ChangedForm = Type.Object({
  name: Type.Optional(Name),
  kind: Type.Optional(Kind),
  ...members,
  if_revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_REVISION,
      description: 'The revision that was read: when the form is at another one, nothing is changed (409, conflict).',
    }),
  ),
})

export const PageQuery = Type.Object(pageQuery)
const formSorts = ['name', 'views', 'submitted', 'rate'] as const
export type FormSort = (typeof formSorts)[number]

export const FormsQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Words that are all in the name or the key; capital letters do not count.',
    }),
  ),
  ...sortQuery(formSorts, 'the newest first.'),
  ...pageQuery,
})

// ---------------------------------------------------------------- answers

const formFields = {
  id: Type.String({ examples: ['fm_…'] }),
  key: Type.String({ description: 'Public: in the address of init.', examples: ['fk_…'] }),
  name: Type.String(),
  kind: Kind,
  domains: Type.Array(Type.String()),
  fields: Type.Array(
    Type.Object(
      {
        ...Type.Required(FieldShape).properties,
        label: Type.String(),
        options: Type.Array(OptionShape, { description: 'Of select, radio and checkbox.' }),
        file: Type.Optional(FileRuleShape),
        step: Type.Optional(Type.String({ description: 'Of fields with which a step begins.' })),
      },
      open,
    ),
  ),
  validation: Type.Record(Type.String(), Type.Record(Type.String(), MaybeText), {
    description: 'By field: the message of each rule; null: the default one.',
  }),
  button: Type.Required(Button),
  header: orNull(Header),
  footer: orNull(Footer),
  theme: Type.Required(Theme),
  form_type: oneOf(formTypes),
  website_theme: oneOf(websiteThemes),
  success_html: Type.String({ description: 'Empty: the default sentence.' }),
  redirect_url: MaybeText,
  is_plain_on: Type.Boolean(),
  language: oneOf(languageSettings),
  creates_contacts: Type.Boolean(),
  contact_fields: Type.Unsafe<ContactFields>({ type: 'object', additionalProperties: { type: 'string' } }),
  is_published: Type.Boolean(),
  is_archived: Type.Boolean(),
  branding: Type.Boolean(),
  retention_days: MaybeNumber,
  is_ip_kept: Type.Boolean(),
  ip_retention_days: Type.Integer(),
  stored_ips_until_ts: described(
    MaybeNumber,
    'Until then IP addresses stay that were stored by a version that did not ask; null: there are none, or the form keeps addresses.',
  ),
  revision: Type.Integer({ description: 'From 1; each change counts it up.' }),
  created_ts: Type.Integer(),
  updated_ts: Type.Integer(),
}

const Fullness = described(
  orNull(
    Type.Object({
      spam: Type.Integer({ description: 'Submissions removed for want of room, ever: dropped, or marked as spam.' }),
      flagged: Type.Integer(),
      clean: Type.Integer({ description: 'All others.' }),
      last_ts: MaybeNumber,
      stored: described(MaybeNumber, 'Submissions at the last look, once they are nine tenths of `most`; null below.'),
      most: Type.Integer({ description: 'As many as a form may hold.' }),
    }),
  ),
  'Null while there is room, and none was ever removed for want of it.',
)

const Tried = Type.Integer({
  description: 'Of a draft: people who tried it in the last 30 days, each once a day; 0 of all others.',
})

export const FormShape = Type.Object({ ...formFields, fullness: Fullness, tried: Tried }, open)
export type FormJson = JsonOf<typeof FormShape>

export const ListedFormShape = Type.Object(
  {
    ...formFields,
    views: described(MaybeNumber, 'Form sessions of people; null while they cannot be counted.'),
    submitted: described(MaybeNumber, 'Submissions of people that were kept.'),
    unread: Type.Integer({ description: 'Kept submissions that nobody of the team has opened.' }),
    tried: Tried,
  },
  open,
)
export type ListedFormJson = JsonOf<typeof ListedFormShape>

export const EditShape = Type.Object(editFields('fe_…'), open)
