// A page view as automations see it.
import type { SessionRef } from '../kernel/ids.ts'
import type { Trigger } from '../kernel/triggers.ts'
import type { ViewRow } from '../stores/tables.ts'

/** @param id of the view, as it was answered. */
export function pageViewTrigger({ path, url, at }: ViewRow, session: SessionRef, id: string): Trigger {
  return {
    event: {
      type: 'page_view',
      name: null,
      value: null,
      meta: [],
      page_path: path,
      page_url: url,
      form_id: null,
      form_submit_id: null,
      created_ts: Math.floor(at / 1000),
      id,
    },
    subjects: [path],
    session,
  }
}
