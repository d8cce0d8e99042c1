// What each metric of the dashboard means, in a sentence for its owner; docs/definitions.md says it exactly.
import type { ShownMetricId } from './metrics.ts'

export const metricDefinitions: Readonly<Record<ShownMetricId, string>> = {
  sessions:
    'One visitor’s activity on one day (UTC). Coming back later on the same day is the same session. Bots are left out.',
  visits:
    'Sessions plus returns after more than 30 minutes without activity: the count that tools give which begin a new session then.',
  views: 'Pages that were loaded, each time they were.',
  views_session: 'Views divided by sessions.',
  bounce:
    'Share of sessions with one view at most, no event, nothing bought or sent by a form, and less than 10 seconds on the page. Lower is better.',
  duration: 'Mean time that a session’s pages were in view, over all sessions.',
  scroll:
    'How far down its pages a session got, as a mean over the sessions for which it is known. 100 is the end of the page.',
  cost: 'What was recorded as the cost of sessions.',
  value: 'What sessions brought in, in US dollars at the rate of the day.',
}
