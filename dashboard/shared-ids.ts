// What a page that was opened by a share link can be filtered by. The service takes nothing else of a share link.
import type { ClauseId } from '../server/analytics/clauses.ts'

export const sharedClauseIds: readonly ClauseId[] = [
  'source',
  'channel',
  'referrer_domain',
  'entry_path_full',
  'exit_path_full',
  'country',
  'region',
  'city',
  'timezone',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]

export const isSharedClause = (id: string): boolean => sharedClauseIds.some((known) => known === id)
