// What files say of a session, column by column: the CSV of its owner, and the raw rows. Columns keep their
// places; a new dimension comes last.
import { columnOf, dimensionOf, type SessionDimensionId, sessionDimensionIds } from '../analytics/analytics.ts'
import { byName } from '../kernel/by-name.ts'
import type { ListedColumn } from '../stores/session-columns.ts'

type FileColumns = Readonly<Record<string, ListedColumn>>

const asNamed = (...names: readonly ListedColumn[]): FileColumns => byName(names, (name) => name)

function withOthers(columns: FileColumns, ids: readonly SessionDimensionId[]): FileColumns {
  const known = Object.values(columns)
  return {
    ...columns,
    ...byName(
      ids.filter((id) => !known.includes(columnOf(id))),
      columnOf,
    ),
  }
}

/** Of the CSV: what a session document says. */
export const csvColumns = withOthers(
  {
    views: 'view_count',
    time_on_site: 'seconds_sum',
    bounced: 'bounced',
    avg_max_scroll: 'scroll',
    ...asNamed('re_entries', 'entry_url', 'entry_path', 'entry_title', 'exit_path'),
    referrer_domain: 'entry_referrer_domain',
    referrer_url: 'referrer_url',
    channel: 'entry_channel',
    channel_method: 'method',
    source: 'entry_source',
    ...asNamed('utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'),
    ...asNamed('country', 'country_code', 'region', 'city', 'timezone', 'language', 'device', 'browser', 'os'),
    value_usd_cents: 'value_usd_sum',
    currency: 'currency',
    tags: 'sorted_tags',
    contact_id: 'contact_id',
    link: 'entry_link',
  },
  sessionDimensionIds.filter((id) => dimensionOf(id).field !== undefined),
)

/** Of the raw rows: columns that fold a session are shown as what they mean. */
export const rawColumns = withOthers(
  {
    ...asNamed('day', 'session', 'entry_at', 'last_at', 'entry_url'),
    hostname: 'entry_hostname',
    ...asNamed('entry_path', 'entry_title', 'exit_path', 'referrer_url'),
    referrer_domain: 'entry_referrer_domain',
    channel: 'entry_channel',
    method: 'method',
    source: 'entry_source',
    ...asNamed('utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'click_id'),
    views: 'view_count',
    time_on_site: 'seconds_sum',
    ...asNamed('minutes', 'has_event'),
    value_usd: 'value_usd_sum',
    currency: 'currency',
    tags: 'sorted_tags',
    contact_id: 'contact_id',
    link: 'entry_link',
    link_group: 'entry_link_group',
    ...asNamed(
      'country_code',
      'country',
      'region',
      'city',
      'timezone',
      'network',
      'browser',
      'os',
      'device',
      'language',
    ),
    ...asNamed('is_bot', 'bot_name', 'bot_reason', 'is_invalid'),
  },
  sessionDimensionIds,
)
