// The list of all sites (/manage/sites): callers see the properties that they have a role in.
import { signedIn } from '../http/access.ts'
import { propertiesOf } from '../http/auth.ts'
import { chapter, get } from '../http/endpoint.ts'
import * as schema from './schema.ts'
import { answerSites } from './sites.ts'

export const siteEndpoints = chapter('Dashboard', [
  get(
    '/manage/sites',
    signedIn,
    {
      summary: 'All sites side by side: sessions, views, live visitors, and which are silent',
      query: schema.SitesQuery,
      answer: schema.sitesFields,
    },
    async ({ context, caller, query }) => answerSites(context, propertiesOf(caller), query.period ?? 'last_30'),
  ),
])
