// What the endpoints of submissions take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import {
  described,
  type JsonOf,
  MaybeRate,
  MaybeText,
  MomentCell,
  oneOf,
  open,
  pageQuery,
  textCells,
} from '../http/shapes.ts'
import type { Mark, Verdict } from '../forms/form-model.ts'
import { REST_COLUMN, toldColumns } from './csv.ts'
import { shows } from './list-records.ts'

const verdicts: readonly Verdict[] = ['clean', 'flagged', 'dropped']

const filters = {
  show: Type.Optional(
    oneOf(
      [...shows, ''],
      '`kept`: clean, flagged, and what you marked as no spam; `unread`: those of them that nobody has opened; `spam`: dropped, or marked as spam. Default: kept, and all with a `verdict`.',
    ),
  ),
  verdict: Type.Optional(oneOf([...verdicts, ''], 'What the spam score made of it, whatever its mark.')),
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

const MarkShape = Type.Unsafe<Mark | null>({ type: ['string', 'null'], enum: ['spam', 'not_spam', null] })

export const MarkBody = Type.Object({
  mark: described(MarkShape, 'What you say it is, which counts more than the score; null: what the score says.'),
})

export const ReadBody = Type.Object({ is_read: Type.Boolean() })
export const readFields = { is_read: Type.Boolean() }
export const allReadFields = { read: Type.Integer({ description: 'How many were unread.' }) }

// ---------------------------------------------------------------- answers

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

const FileShape = Type.Object(
  {
    id: Type.String({ examples: ['up_…'] }),
    field: Type.String({ description: 'The name of its field.' }),
    name: Type.String({ description: 'As the sender’s browser named it.' }),
    type: Type.String({ description: 'By its content.' }),
    bytes: Type.Integer(),
    sha256: Type.String(),
  },
  open,
)

export const SubmissionShape = Type.Object(
  {
    id: Type.String({ examples: ['sb_…'] }),
    form: Type.Object({ id: Type.String(), name: Type.String() }, open),
    submitted_ts: Type.Integer(),
    verdict: oneOf(verdicts),
    mark: MarkShape,
    is_spam: Type.Boolean({ description: 'The mark, else whether it was dropped.' }),
    is_flagged: Type.Boolean(),
    is_read: Type.Boolean({ description: 'Whether somebody of the team has opened it.' }),
    score: Type.Integer({ description: '0 to 100; flagged from 50, dropped from 80.' }),
    reasons: Type.Array(ReasonShape),
    fields: Type.Record(Type.String(), Type.String(), {
      description: 'Answers by label; several values are joined with a comma.',
    }),
    raw_fields: Type.Array(RawField, { description: 'In the order of the form.' }),
    files: Type.Array(FileShape, { description: 'Sent with it, to be downloaded one by one.' }),
    ip: described(MaybeText, 'The sender’s IP address, while the form keeps it (`is_ip_kept`); else null.'),
    network: described(MaybeText, 'Name of the network it belongs to.'),
    country: MaybeText,
    country_code: MaybeText,
    region: MaybeText,
    city: MaybeText,
    geo: Type.Object({ lat: MaybeRate, lon: MaybeRate }, open),
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
    contact_id: described(MaybeText, 'Who sent it, where the form creates contacts.'),
  },
  open,
)

export type SubmissionJson = JsonOf<typeof SubmissionShape>

export const LatestSubmissions = Type.Array(SubmissionShape, {
  description: 'As in the list of a form, newest first; the latest twenty.',
})

/** Of a CSV file, with a column for each field before the last. */
export const SubmissionRow = Type.Object(
  {
    ...textCells(toldColumns),
    submitted_at: MomentCell,
    verdict: oneOf(verdicts),
    mark: oneOf(['spam', 'not_spam', '']),
    score: Type.Integer(),
    ...textCells([REST_COLUMN]),
  },
  { additionalProperties: Type.String() },
)

export const EarlierAnswer = {
  submissions: Type.Integer({ description: 'How many are looked at, in the background.' }),
}

export const PersonQuery = Type.Object({ format: Type.Optional(oneOf(['json', 'html', ''], 'Default: json.')) })
