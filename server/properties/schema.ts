// What the management endpoints of properties and tokens take and answer: for validation and documentation.
import { type TObject, Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, pageQuery, RoleShape } from '../http/shapes.ts'
import { weekStarts } from '../kernel/calendar.ts'
import { namedPeriods } from '../kernel/periods.ts'
import { MAX_BROWSER_USD, MAX_CLIENT, MAX_DEAD_LINK_URL, MAX_DOMAINS, MAX_KEPT_DAYS, MAX_NAME } from './drafts.ts'
import { MAX_EXCLUSIONS } from './exclusions.ts'
import { contentPolicies } from './property-model.ts'
import { scopes } from './tokens.ts'

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME })

const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
  maxItems: MAX_DOMAINS,
  description: 'Hosts of the property, without scheme or path; a port is taken off. Referrers from them are internal.',
})

const DefaultPeriod = Type.Optional(
  oneOf<string | null>(
    [...namedPeriods, null],
    'The period of analytics requests that name none; null: last_7. Below `/v2`, last_7 stands for those that it does not have.',
  ),
)

const Timezone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Name of an IANA time zone, by which days are told: `Europe/Berlin`. Default: `UTC`.',
  }),
)

const FirstDay = Type.Optional(oneOf(weekStarts, 'The day with which weeks begin. Default: monday.'))

const Client = Type.Optional(
  Type.String({
    maxLength: MAX_CLIENT,
    description: 'Whose site it is, for those who run several: the list of all sites is grouped by it. Default: empty.',
  }),
)

const plans = ['free', 'paid'] as const
const Plan = Type.Optional(oneOf(plans, 'Default: paid. Webhooks need paid.'))

const Policy = Type.Optional(
  oneOf(
    contentPolicies,
    'How far the HTML of content blocks may go. Default: standard; wide also keeps styles, forms and frames.',
  ),
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

const KeptDays = Type.Optional(
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MAX_KEPT_DAYS,
    description:
      'Facts older than this many days are removed, by whole weeks, in the background; null: as RETENTION_DAYS says, which holds as well.',
  }),
)

const Currency = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 3,
    description: 'ISO 4217: in which money is shown. Null (default): that of the first order, US dollars until then.',
  }),
)

const DeadLinkUrl = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: MAX_DEAD_LINK_URL,
    description:
      'Where people are sent whose short link leads nowhere, by the rules of destination_url. Null (default) or empty: a page says so.',
  }),
)

export const NewProperty = Type.Object({
  name: Name,
  domains: Domains,
  default_period: DefaultPeriod,
  timezone: Timezone,
  week_start: FirstDay,
  client: Client,
  currency: Currency,
  plan: Plan,
  content_policy: Policy,
  excluded_addresses: ExcludedAddresses,
  excluded_paths: ExcludedPaths,
  ...guards,
  kept_days: KeptDays,
  dead_link_url: DeadLinkUrl,
})

export const ChangedProperty = Type.Partial(NewProperty)
export type PropertyChangeJson = JsonOf<typeof ChangedProperty>

export const NewToken = Type.Object({
  name: Name,
  scopes: Type.Array(oneOf(scopes), {
    minItems: 1,
    maxItems: scopes.length,
  }),
})

export const PageQuery = Type.Object(pageQuery)
export const PropertyQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({ maxLength: MAX_NAME, description: 'Words of the name, or parts of them, whatever their capitals.' }),
  ),
})

// ---------------------------------------------------------------- answers

export const PropertyShape = Type.Object(
  {
    id: Type.String({ examples: ['pr_…'] }),
    key: Type.String({ description: 'The public key of the tracker: X-SVC-ID.', examples: ['ff_…'] }),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    default_period: MaybeText,
    timezone: Type.String(),
    week_start: oneOf(weekStarts),
    client: Type.String(),
    currency: described(MaybeText, 'Null: that of the first order, US dollars until then.'),
    plan: oneOf(plans),
    content_policy: oneOf(contentPolicies),
    excluded_addresses: Type.Array(Type.String()),
    excluded_paths: Type.Array(Type.String()),
    is_token_only: Type.Boolean(),
    is_listed_only: Type.Boolean(),
    browser_max_usd: Type.Integer(),
    kept_days: MaybeNumber,
    dead_link_url: described(MaybeText, 'Null: a page says that the link leads nowhere.'),
    is_sample: Type.Boolean({ description: 'It contains sample data.' }),
    has_proxy_key: Type.Boolean(),
    created_ts: Type.Integer(),
  },
  open,
)
export type PropertyJson = JsonOf<typeof PropertyShape>

export const detailFields = {
  property: PropertyShape,
  role: described(RoleShape, 'Of whoever asks.'),
  kept_days: Type.Object(
    { facts: MaybeNumber, deliveries: Type.Integer() },
    { description: 'Facts: the shorter of kept_days and RETENTION_DAYS, null for good; deliveries: DELIVERY_DAYS.' },
  ),
}
export type DetailsJson = JsonOf<TObject<typeof detailFields>>

export const TokenShape = Type.Object(
  {
    id: Type.String({ examples: ['tk_…'], description: 'The token itself is another text.' }),
    property_id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(oneOf(scopes)),
    created_by: described(
      MaybeText,
      'A person; null for the administrator, the command line, and before that was kept.',
    ),
    created_ts: Type.Integer(),
  },
  open,
)
export type TokenJson = JsonOf<typeof TokenShape>
