// Who is on the site now.
import { post } from '../api.ts'
import type { ListRowJson as ListRow, LiveJson as Live } from '../../server/lists/schema.ts'
import type { ClauseAsk } from '../window.ts'

export type { ListRow, Live }

export const readLive = (property: string, clauses: readonly ClauseAsk[], signal?: AbortSignal): Promise<Live> =>
  post(`/manage/properties/${encodeURIComponent(property)}/live`, { clauses }, { signal })
