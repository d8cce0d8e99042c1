// The endpoints of clicks, and the preview of how a link's sessions are attributed.
import { token } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { pageFields } from '../http/shapes.ts'
import { linkedPage, readInteger } from '../kernel/page.ts'
import * as schema from './schema.ts'
import { getShownClick, listShownClicks } from './clicks.ts'
import type { ClickFilter } from './facts.ts'
import { readUtm } from '../links/links.ts'
import { previewAttribution } from '../links/preview.ts'

/** Ten digits: every possible time. */
const MAX_TS = 9_999_999_999

function readTs(field: string, text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : readInteger(field, text, { min: 0, max: MAX_TS, default: 0 })
}

interface FilterQuery {
  readonly link_id?: string
  readonly group_id?: string
  readonly from_ts?: string
  readonly to_ts?: string
  readonly type?: 'user' | 'bot' | ''
}

function readFilter(query: FilterQuery): ClickFilter {
  return {
    linkId: query.link_id || undefined,
    groupId: query.group_id || undefined,
    fromTs: readTs('from_ts', query.from_ts),
    toTs: readTs('to_ts', query.to_ts),
    type: query.type || undefined,
  }
}

const reading = token('shortlinks:read')

export const clickEndpoints = chapter('Short links', [
  get(
    '/v2/property/clicks',
    reading,
    {
      summary: 'List clicks, newest first',
      query: schema.ClicksQuery,
      answer: pageFields(schema.ClickShape),
    },
    async ({ context, property, query, address }) => {
      const filter = readFilter(query)
      return linkedPage(query, address, (ask) => listShownClicks(context, property.id, filter, ask))
    },
  ),
  get(
    '/v2/property/clicks/:click',
    reading,
    { summary: 'Get a click', answer: { click: schema.ClickShape } },
    async ({ context, property, params }) => ({ click: await getShownClick(context, property.id, params.click) }),
  ),
  post(
    '/v2/property/attribution/preview',
    reading,
    {
      isQuestion: true,
      summary: 'Preview how sessions that arrive through a link are attributed',
      body: schema.PreviewBody,
      answer: schema.previewFields,
    },
    async ({ context, property, body: { utm, destination_url, referrer } }) =>
      previewAttribution(context, property, {
        utm: readUtm({}, utm),
        destination_url: destination_url || undefined,
        referrer: referrer ?? '',
      }),
  ),
])
