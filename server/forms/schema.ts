// What the endpoints of forms take and answer under /manage: documented by these. What a form may be is checked by draft.ts, which the command line
// uses too; here is only what a request must look like for that.
import { Type } from 'typebox'
import { answerOf, editFields, linkedPageFields, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import {
  densities,
  type FieldOption,
  fieldTypes,
  fonts,
  formKinds,
  type FormKind,
  formTypes,
  IP_RETENTION_DAYS,
  MAX_DOMAINS,
  MAX_FIELDS,
  MAX_FORM_NAME,
  MAX_HTML,
  MAX_OPTIONS,
  MAX_RETENTION_DAYS,
  MAX_REVISION,
  websiteThemes,
} from './form.ts'

const word = (words: readonly string[], description?: string) =>
  Type.Unsafe<string>({ enum: [...words], ...(description !== undefined && { description }) })

const OptionShape = Type.Object({ value: Type.String(), label: Type.String() })

const FieldShape = Type.Object(
  {
    name: Type.String({ description: 'Letters, digits, _ . - [ and ]; once in a form.' }),
    type: Type.Optional(word(fieldTypes, 'Default: text.')),
    label: Type.Optional(Type.Unsafe<string | null>({ ...MaybeText, description: 'Default: the name.' })),
    placeholder: Type.Optional(MaybeText),
    help: Type.Optional(MaybeText),
    value: Type.Optional(Type.Unsafe<string | null>({ ...MaybeText, description: 'What stands in it at first.' })),
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
    width: Type.Optional(word(['full', 'half'], 'Default: full.')),
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
const Header = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: { title: { type: 'string' }, text: { type: ['string', 'null'] } },
})
const Footer = Type.Unsafe<object | null>({ type: ['object', 'null'], properties: { text: { type: 'string' } } })
const Theme = Type.Object(
  {
    accent: Type.Optional(
      Type.Unsafe<string | null>({ ...MaybeText, description: '#rrggbb; null: that of the page.' }),
    ),
    radius_px: Type.Optional(Type.Integer({ description: 'Of corners: 0 to 40; default 6.' })),
    font: Type.Optional(word(fonts, 'Default: inherit.')),
    density: Type.Optional(word(densities, 'Default: regular.')),
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
  header: Type.Optional(Header),
  footer: Type.Optional(Footer),
  theme: Type.Optional(Theme),
  form_type: Type.Optional(word(formTypes, 'Default: inline.')),
  website_theme: Type.Optional(word(websiteThemes, 'Default: auto.')),
  success_html: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_HTML,
      description:
        'Shown after a submission, %field% replaced by the answer; stored without what a page must not run. null: a default sentence.',
    }),
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

const Kind = Type.Unsafe<FormKind>({
  enum: [...formKinds],
  description: 'open: the page says which fields there are; managed: you do, here. Stays as it is.',
})

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

export const PropertyParams = Type.Object({ property: Type.String() })
export const FormParams = Type.Object({ property: Type.String(), form: Type.String() })
export const EditParams = Type.Object({ property: Type.String(), form: Type.String(), edit: Type.String() })
export const PageQuery = Type.Object(pageQuery)
export const FormsQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Words that are all in the name or the key; capital letters do not count.',
    }),
  ),
  ...pageQuery,
})

// ---------------------------------------------------------------- answers

const formFields = {
  id: Type.String({ examples: ['fm_…'] }),
  key: Type.String({ description: 'Public: in the address of init.', examples: ['fk_…'] }),
  name: Type.String(),
  kind: Kind,
  domains: Type.Array(Type.String()),
  fields: Type.Array(FieldShape),
  validation: Type.Object({}, open),
  button: Button,
  header: Header,
  footer: Footer,
  theme: Theme,
  form_type: word(formTypes),
  website_theme: word(websiteThemes),
  success_html: Type.String({ description: 'Empty: the default sentence.' }),
  is_published: Type.Boolean(),
  is_archived: Type.Boolean(),
  branding: Type.Boolean(),
  retention_days: MaybeNumber,
  is_ip_kept: Type.Boolean(),
  ip_retention_days: Type.Integer(),
  stored_ips_until_ts: Type.Unsafe<number | null>({
    ...MaybeNumber,
    description:
      'Until then IP addresses stay that were stored by a version that did not ask; null: there are none, or the form keeps addresses.',
  }),
  revision: Type.Integer({ description: 'From 1; each change counts it up.' }),
  created_ts: Type.Integer(),
  updated_ts: Type.Integer(),
}

const counts = {
  views: Type.Unsafe<number | null>({
    ...MaybeNumber,
    description: 'Form sessions of people; null while they cannot be counted.',
  }),
  submitted: Type.Unsafe<number | null>({ ...MaybeNumber, description: 'Submissions of people that were kept.' }),
}

const Fullness = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    spam: Type.Integer({ description: 'Submissions removed for want of room, ever: dropped, or marked as spam.' }),
    flagged: Type.Integer(),
    clean: Type.Integer({ description: 'All others.' }),
    last_ts: MaybeNumber,
    stored: Type.Unsafe<number | null>({
      ...MaybeNumber,
      description: 'Submissions at the last look, once they are nine tenths of `most`; null below.',
    }),
    most: Type.Integer({ description: 'As many as a form may hold.' }),
  },
  description: 'Null while there is room, and none was ever removed for want of it.',
})

export const FormAnswer = answerOf({ form: Type.Object({ ...formFields, fullness: Fullness }, open) })
export const FormPage = answerOf({
  data: Type.Array(Type.Object({ ...formFields, ...counts }, open)),
  ...linkedPageFields,
})
export const EditPage = answerOf({ data: Type.Array(Type.Object(editFields('fe_…'), open)), ...linkedPageFields })
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })
