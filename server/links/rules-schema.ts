// What the endpoints of a link's rules take and answer.
import { type Static, type TObject, Type } from 'typebox'
import { type JsonOf, oneOf, open } from '../http/shapes.ts'
import { MAX_DESTINATION } from './link-model.ts'
import {
  devices,
  MAX_CHOICES,
  MAX_CLICKS,
  MAX_LINK_PASSWORD,
  MAX_OS_NAME,
  MAX_RULES,
  MAX_VARIANTS,
  MAX_WEIGHT,
  MIN_LINK_PASSWORD,
} from './rules-model.ts'

/** The largest that a date of ten digits can say. */
export const MAX_TS = 9_999_999_999

const Ts = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: MAX_TS, description }))
const Url = Type.String({ maxLength: MAX_DESTINATION, description: 'By the rules of destination_url.' })
const Id = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 16, description: 'Of one that is there already.' }),
)
const list = (entry: ReturnType<typeof Type.String>, description: string) =>
  Type.Optional(Type.Array(entry, { maxItems: MAX_CHOICES, description }))

const When = Type.Object({
  device: Type.Optional(Type.Array(oneOf(devices), { maxItems: MAX_CHOICES })),
  os: list(
    Type.String({ minLength: 1, maxLength: MAX_OS_NAME }),
    'As sessions show them: iOS, Android, Windows, macOS.',
  ),
  country: list(Type.String({ minLength: 2, maxLength: 2 }), 'ISO 3166, two letters.'),
  language: list(Type.String({ minLength: 2, maxLength: 35 }), '`fr` is any French, `pt-BR` that of Brazil alone.'),
  from_ts: Ts('Unix seconds: from this moment on.'),
  until_ts: Ts('Unix seconds: before this moment.'),
})

const dates = {
  starts_ts: Ts('Unix seconds; before, the link answers 404.'),
  ends_ts: Ts('Unix seconds; from then on, the link has expired.'),
}

export const RulesBody = Type.Object({
  ...dates,
  max_clicks: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_CLICKS,
      description: 'That many people are led on, then the link has expired. Counted from when it is first set.',
    }),
  ),
  password: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_LINK_PASSWORD,
      description: `Asked of every visitor; ${MIN_LINK_PASSWORD} characters at least. null: none. Left out: as it is.`,
    }),
  ),
  expired_url: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_DESTINATION,
      description: 'Where an expired link leads; null or empty: to a page that says so.',
    }),
  ),
  rules: Type.Array(Type.Object({ id: Id, when: When, destination_url: Url }), {
    maxItems: MAX_RULES,
    description: 'The first whose conditions all hold decides.',
  }),
  split: Type.Array(
    Type.Object({ id: Id, destination_url: Url, weight: Type.Integer({ minimum: 1, maximum: MAX_WEIGHT }) }),
    { maxItems: MAX_VARIANTS, description: 'Of everybody whom no rule sends elsewhere: none, or at least two.' },
  ),
})
export type RulesInput = Static<typeof RulesBody>

const MaybeTs = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
const MaybeUrl = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const RulesShape = Type.Object(
  {
    starts_ts: MaybeTs,
    ends_ts: MaybeTs,
    max_clicks: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    used_clicks: Type.Integer({ description: 'People led on since there is a max_clicks; 0 without one.' }),
    has_password: Type.Boolean({ description: 'The password itself is never answered.' }),
    expired_url: MaybeUrl,
    rules: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          when: Type.Object(
            {
              device: Type.Optional(Type.Array(oneOf(devices))),
              os: Type.Optional(Type.Array(Type.String())),
              country: Type.Optional(Type.Array(Type.String())),
              language: Type.Optional(Type.Array(Type.String())),
              from_ts: Type.Optional(Type.Integer()),
              until_ts: Type.Optional(Type.Integer()),
            },
            open,
          ),
          destination_url: Type.String(),
        },
        open,
      ),
    ),
    split: Type.Array(Type.Object({ id: Type.String(), destination_url: Type.String(), weight: Type.Integer() }, open)),
  },
  open,
)
export type RulesJson = JsonOf<typeof RulesShape>

const text = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }))
const Visitor = Type.Object({
  device: Type.Optional(oneOf(devices)),
  os: text('As in a rule.'),
  country: text('Two letters.'),
  language: text('As in a rule.'),
  at_ts: Ts('Unix seconds; now when left out.'),
})
export type VisitorInput = Static<typeof Visitor>

export const TryBody = Type.Object({
  visitor: Visitor,
  rules: Type.Optional(RulesBody),
})

export const outcomeFields = {
  outcome: oneOf(['redirect', 'expired', 'not_started']),
  destination_url: MaybeUrl,
  rule_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Of the rule or the variant.' }),
  rule_number: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Which of the rules decides, counted from 1; null where none does.',
  }),
  others: Type.Array(Type.String(), { description: 'Further destinations of the split for such a visitor.' }),
}
export type OutcomeJson = JsonOf<TObject<typeof outcomeFields>>
