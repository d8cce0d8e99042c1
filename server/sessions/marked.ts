// Sessions that are marked as invalid, as SQL for facts that are not folded into sessions: clicks, form
// steps, impressions, page views.

/**
 * The condition that a fact belongs to no session that is marked as invalid; `property` is bound. Without
 * marks nothing is looked up.
 * @param hasMarks whether the property has any (Facts.hasMarks).
 * @param day the column with the day of the session.
 * @param marks the table, or its part on each node.
 */
export const ofValidSession = (hasMarks: boolean, day: 'day' | 'session_day', marks = 'marks'): string =>
  hasMarks
    ? `(${day}, session) NOT IN (SELECT m.day, m.session FROM ${marks} AS m WHERE m.property = {property:String}
  GROUP BY m.day, m.session HAVING max(m.mark) % 2 = 1)`
    : '1'
