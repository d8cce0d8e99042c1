// What the endpoints of submissions take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeText, open, pageQuery } from '../http/shapes.ts'
import type { Mark, Verdict } from './form.ts'
import { type Show, shows } from './list-records.ts'

export const FormParams = Type.Object({ property: Type.String(), form: Type.String() })
export const SubmissionParams = Type.Object({ property: Type.String(), form: Type.String(), submission: Type.String() })

const verdicts: readonly Verdict[] = ['clean', 'flagged', 'dropped']

const filters = {
  show: Type.Optional(
    Type.Unsafe<Show | ''>({
      enum: [...shows, ''],
      description:
        '`kept`: clean, flagged, and what you marked as no spam; `spam`: dropped, or marked as spam. Default: kept, and all with a `verdict`.',
    }),
  ),
  verdict: Type.Optional(
    Type.Unsafe<Verdict | ''>({
      enum: [...verdicts, ''],
      description: 'What the spam score made of it, whatever its mark.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Words that are all somewhere in the answers or the names of their fields; capital letters do not count.',
    }),
  ),
  from_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
  to_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
}

/** Numbers come as text in a query string; kernel/page.ts reads them. */
export const ExportQuery = Type.Object(filters)
export const SubmissionsQuery = Type.Object({ ...filters, ...pageQuery })

export const MarkBody = Type.Object({
  mark: Type.Unsafe<Mark | null>({
    type: ['string', 'null'],
    enum: ['spam', 'not_spam', null],
    description: 'What you say it is, which counts more than the score; null: what the score says.',
  }),
})

// ---------------------------------------------------------------- answers

const MaybeDegrees = Type.Unsafe<number | null>({ type: ['number', 'null'] })

const ReasonShape = Type.Object(
  {
    reason: Type.String(),
    points: Type.Integer({ description: 'Below 0: speaks for a person.' }),
    sentence: MaybeText,
  },
  open,
)

const RawField = Type.Object(
  {
    type: Type.String(),
    name: Type.String(),
    label: Type.String(),
    value: Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } }),
  },
  open,
)

const SubmissionShape = Type.Object(
  {
    id: Type.String({ examples: ['sb_…'] }),
    form: Type.Object({ id: Type.String(), name: Type.String() }, open),
    submitted_ts: Type.Integer(),
    verdict: Type.Unsafe<Verdict>({ enum: [...verdicts] }),
    mark: Type.Unsafe<Mark | null>({ type: ['string', 'null'], enum: ['spam', 'not_spam', null] }),
    is_spam: Type.Boolean({ description: 'The mark, else whether it was dropped.' }),
    is_flagged: Type.Boolean(),
    score: Type.Integer({ description: '0 to 100; flagged from 50, dropped from 80.' }),
    reasons: Type.Array(ReasonShape),
    fields: Type.Object({}, { ...open, description: 'Answers by label; several values are joined with a comma.' }),
    raw_fields: Type.Array(RawField, { description: 'In the order of the form.' }),
    ip: Type.Unsafe<string | null>({
      ...MaybeText,
      description: 'The sender’s IP address, while the form keeps it (`is_ip_kept`); else null.',
    }),
    network: Type.Unsafe<string | null>({ ...MaybeText, description: 'Name of the network it belongs to.' }),
    country: MaybeText,
    country_code: MaybeText,
    region: MaybeText,
    city: MaybeText,
    geo: Type.Object({ lat: MaybeDegrees, lon: MaybeDegrees }, open),
    browser: MaybeText,
    os: MaybeText,
    device: MaybeText,
    language: MaybeText,
    is_bot: Type.Boolean(),
    bot_name: MaybeText,
    bot_reason: MaybeText,
    source: MaybeText,
    lib: MaybeText,
    session_id: MaybeText,
  },
  open,
)

export const SubmissionAnswer = answerOf({ submission: SubmissionShape })
export const SubmissionPage = answerOf({ data: Type.Array(SubmissionShape), ...linkedPageFields })
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })
