// What the management interface takes and answers for properties and tokens; checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { defaultPeriods, MAX_BROWSER_USD, MAX_DOMAINS, MAX_NAME } from './drafts.ts'
import { MAX_EXCLUSIONS } from './exclusions.ts'
import { type ContentPolicy, contentPolicies } from './properties.ts'
import { scopes } from './tokens.ts'

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME })

const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
  maxItems: MAX_DOMAINS,
  description: 'Hosts of the property, without scheme or path; a port is taken off. Referrers from them are internal.',
})

/** One schema with an enum instead of a union: a wrong value is then one error. */
const DefaultPeriod = Type.Optional(
  Type.Unsafe<string | null>({
    enum: [...defaultPeriods, null],
    description: 'The period of analytics requests that name none; null: last_7.',
  }),
)

const Plan = Type.Optional(
  Type.Unsafe<'free' | 'paid'>({ enum: ['free', 'paid'], description: 'Default: paid. Webhooks need paid.' }),
)

const Policy = Type.Optional(
  Type.Unsafe<ContentPolicy>({
    enum: [...contentPolicies],
    description:
      'How far the HTML of content blocks may go. Default: standard; wide also keeps styles, forms and frames.',
  }),
)

const excludable = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: MAX_EXCLUSIONS, description }))

const ExcludedAddresses = excludable('Addresses and CIDRs of visitors who are not counted.')

const ExcludedPaths = excludable(
  'Pages that are not counted: globs over the path, in which * stands for letters of one segment and ** for any letters.',
)

const guards = {
  is_token_only: Type.Optional(
    Type.Boolean({ description: 'Revenue and identification with an access token only. Default: false.' }),
  ),
  is_listed_only: Type.Optional(
    Type.Boolean({
      description:
        'Page views of the domains and of hosts below them only; without domains of any host. Default: false.',
    }),
  ),
  browser_max_usd: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_BROWSER_USD,
      description: 'The most that one call of a browser may report, in US dollars. Default: 1,000,000.',
    }),
  ),
}

export const NewProperty = Type.Object({
  name: Name,
  domains: Domains,
  default_period: DefaultPeriod,
  plan: Plan,
  content_policy: Policy,
  excluded_addresses: ExcludedAddresses,
  excluded_paths: ExcludedPaths,
  ...guards,
})

export const ChangedProperty = Type.Object({
  name: Type.Optional(Name),
  domains: Type.Optional(Domains),
  default_period: DefaultPeriod,
  plan: Plan,
  content_policy: Policy,
  excluded_addresses: ExcludedAddresses,
  excluded_paths: ExcludedPaths,
  ...guards,
})

export const NewToken = Type.Object({
  name: Name,
  scopes: Type.Array(Type.Unsafe<(typeof scopes)[number]>({ enum: [...scopes] }), {
    minItems: 1,
    maxItems: scopes.length,
  }),
})

export const PropertyParams = Type.Object({ property: Type.String() })
export const TokenParams = Type.Object({ property: Type.String(), token: Type.String() })

export const PageQuery = Type.Object(pageQuery)
export const PropertyQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({ maxLength: MAX_NAME, description: 'Words of the name, or parts of them, whatever their capitals.' }),
  ),
})

const PropertyShape = Type.Object(
  {
    id: Type.String({ examples: ['pr_…'] }),
    key: Type.String({ description: 'The public key of the tracker: X-SVC-ID.', examples: ['ff_…'] }),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    default_period: MaybeText,
    plan: Type.String(),
    content_policy: Type.String(),
    excluded_addresses: Type.Array(Type.String()),
    excluded_paths: Type.Array(Type.String()),
    is_token_only: Type.Boolean(),
    is_listed_only: Type.Boolean(),
    browser_max_usd: Type.Integer(),
    is_sample: Type.Boolean({ description: 'What it holds is made up, to look at.' }),
    has_proxy_key: Type.Boolean(),
    created_ts: Type.Integer(),
  },
  open,
)

export const TokenShape = Type.Object(
  {
    id: Type.String({ examples: ['tk_…'] }),
    property_id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    created_by: MaybeText,
    created_ts: Type.Integer(),
  },
  open,
)

const pageFields = {
  current_page: Type.Integer(),
  last_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
}

export const PropertyAnswer = answerOf({ property: PropertyShape }, 'The property.')
export const OnePropertyAnswer = answerOf(
  {
    property: PropertyShape,
    role: Type.String({ description: 'Of whoever asks: viewer, admin or owner.' }),
    kept_days: Type.Object(
      { facts: MaybeNumber, deliveries: Type.Integer() },
      { description: 'Of the whole installation: RETENTION_DAYS, null for good, and DELIVERY_DAYS.' },
    ),
  },
  'The property, the caller’s role in it, and for how many days what is collected is kept.',
)
export const PropertyPage = answerOf({ data: Type.Array(PropertyShape), ...pageFields }, 'A page, newest first.')
export const ProxyKeyAnswer = answerOf(
  { property: PropertyShape, proxy_key: Type.String() },
  'The key for X-PROXY-KEY, shown once. An earlier one stops working.',
)
export const NewTokenAnswer = answerOf(
  { token: TokenShape, access_token: Type.String() },
  'The access token is shown once; only a hash of it is kept.',
)
export const TokenPage = answerOf({ data: Type.Array(TokenShape), ...pageFields }, 'A page, newest first.')
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() }, 'Gone.')
