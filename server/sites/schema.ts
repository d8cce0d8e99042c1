// What the list of all sites takes and answers.
import { type TObject, Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, oneOf, open, orNull } from '../http/shapes.ts'

/** So many fit on a page that people still read; of more the newest are listed. */
export const MOST_SITES = 1000

export const sitePeriods = ['last_7', 'last_30', 'last_90'] as const
export type SitePeriod = (typeof sitePeriods)[number]

export const SitesQuery = Type.Object({
  period: Type.Optional(oneOf(sitePeriods, 'By the days of each property’s own time zone. Default: last_30.')),
})

const FigureShape = Type.Object({ current: Type.Integer(), previous: Type.Integer() }, open)

const WarningShape = orNull(
  Type.Object(
    {
      code: oneOf(['no_data', 'quiet'], 'no_data: no page view has ever arrived. quiet: none since `since_ts`.'),
      since_ts: MaybeNumber,
    },
    open,
  ),
)

const SiteShape = Type.Object(
  {
    id: Type.String({ examples: ['pr_…'] }),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    client: Type.String(),
    timezone: Type.String(),
    is_sample: Type.Boolean(),
    sessions: described(FigureShape, 'Of the period, and of as long a time before it.'),
    views: FigureShape,
    days: Type.Array(Type.Integer(), { description: 'Sessions of each day of the period.' }),
    live: Type.Integer({ description: 'Sessions with a page view in the last five minutes.' }),
    warning: WarningShape,
  },
  open,
)
export type SiteJson = JsonOf<typeof SiteShape>

export const sitesFields = {
  period: oneOf(sitePeriods),
  total: Type.Integer({ description: `The caller’s properties; the newest ${MOST_SITES} are listed.` }),
  sites: Type.Array(SiteShape),
}
export type SitesJson = JsonOf<TObject<typeof sitesFields>>
