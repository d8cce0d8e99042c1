// Forms are stored by the day on which they are sent, which need not be that of their session.

/**
 * On which days forms of sessions of some days are sent. A form is sent on the session's day or, by who
 * carries on over midnight, on the next. The days are widened by one at either end for clocks that differ;
 * they only spare the store from looking at others.
 * @param from SQL of the first day of the sessions. @param to of the last one.
 */
export const formDays = (from: string, to: string): string => `day + 1 >= ${from} AND day <= ${to} + 2`
