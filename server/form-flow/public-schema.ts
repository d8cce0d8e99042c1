// Bodies, headers and answers of the form flow (docs/api/forms.md). The rules read fields and answers one by
// one.
import { Type } from 'typebox'
import { open } from '../http/shapes.ts'
import { MAX_PAGE_HTML } from '../forms/form-model.ts'

const Text = (description: string, maxLength?: number) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      ...(maxLength !== undefined && { maxLength }),
      description,
    }),
  )

/** An object; or an empty list, which PHP writes for an object without keys. */
const Keyed = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: ['object', 'array'], maxItems: 0, description })

/** Optional here: a missing signature is answered like a wrong one. */
export const InitHeaders = Type.Object({
  'x-svc-form': Type.Optional(Type.String({ description: 'Signature with the form key.' })),
  'x-svc-lib': Type.Optional(Type.String({ description: 'Library name and version.' })),
  'x-svc-sid': Type.Optional(
    Type.String({ description: "Id of the visitor's session, which the form is then tied to." }),
  ),
})

const signature = { 'x-svc-session': Type.Optional(Type.String({ description: 'Signature with the token.' })) }
export const ValidateHeaders = Type.Object(signature)
export const ProcessHeaders = Type.Object({
  ...signature,
  'x-svc-lib': Type.Optional(Type.String({ description: 'Library name and version; kept with the submission.' })),
})

const initFields = {
  fields: Type.Optional(
    Type.Unknown({ description: '{field: type} of all that will be sent. Managed forms have their own.' }),
  ),
  validation: Type.Optional(
    Type.Unknown({ description: '{field: {rule: message or null}}. Managed forms have their own.' }),
  ),
  source: Text('A label of where the form stands; kept with the submission.'),
  tried: Type.Optional(
    Type.Unknown({
      description: 'Set when the visitor sends a form that init has refused: tries of drafts are counted.',
    }),
  ),
  successContent: Text('HTML shown once the form is sent, with `%field%` for what was answered.', MAX_PAGE_HTML),
}

/** A managed form needs no body. */
export const InitBody = Type.Unsafe<{
  readonly fields?: unknown
  readonly validation?: unknown
  readonly source?: string | null
  readonly successContent?: string | null
  readonly tried?: unknown
} | null>({ type: ['object', 'null'], properties: initFields })

export const ValidateBody = Type.Object({
  map: Type.Optional(Keyed('{field: type} of what is sent; not looked at here.')),
  data: Keyed('{field: value}; lists for controls with several values.'),
})

export const ProcessBody = Type.Object({
  map: Keyed('{field: type}: every key of `data`.'),
  data: Keyed('{field: value}, and the honeypot, empty; lists for controls with several values.'),
  ty: Text('Success HTML in place of any other.', MAX_PAGE_HTML),
  _sig: Type.Optional(Type.Unknown({ description: 'Signals: dur, gt, k, f, m, s, t, w, p, l.' })),
})

const answer = (fields: Parameters<typeof Type.Object>[0]) => ({
  200: Type.Unsafe<object>(Type.Object(fields, open)),
})

const MaybeText = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }))

export const InitAnswer = answer({
  error_type: Type.Unsafe<false | 1 | 2>({ enum: [false, 1, 2] }),
  message: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  token: Type.Optional(Type.String()),
  hp: Type.Optional(Type.String({ description: 'Name of the honeypot: drawn hidden, sent empty.' })),
  ty: Type.Optional(Type.String()),
  branding: Type.Optional(Type.Unsafe<string | false>({ type: ['string', 'boolean'] })),
  branding_link: MaybeText,
  texts: Type.Optional(
    Type.Object(
      { sent: Type.String(), failed: Type.String(), too_long: Type.String(), next: Type.String(), back: Type.String() },
      { ...open, description: 'What the library itself tells visitors. Left out in English, which it has.' },
    ),
  ),
  form_blueprint: Type.Optional(Type.Object({}, { ...open, description: 'Managed forms alone.' })),
})

const errors = Type.Unsafe<Record<string, string[]> | null>({
  type: ['object', 'null'],
  additionalProperties: { type: 'array', items: { type: 'string' } },
})

export const ValidateAnswer = answer({ validated: Type.Boolean(), errors })

export const UploadAnswer = answer({
  validated: Type.Boolean(),
  errors,
  files: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Ids by field, to be sent as its value with process within an hour.',
    }),
  ),
})

export const ProcessAnswer = answer({
  validated: Type.Boolean(),
  ty: Type.Optional(Type.String({ description: 'Success HTML with the answers in it.' })),
  redirect_url: Type.Optional(
    Type.String({ description: 'Where the form sends its visitors; left out when they stay.' }),
  ),
  original: Type.Optional(Type.Object({}, { ...open, description: 'What was sent, without the honeypot.' })),
  errors: Type.Optional(errors),
})
