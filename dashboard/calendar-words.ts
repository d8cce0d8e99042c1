// Dates of the browser's own calendar, as a calendar shows them.
import { locale } from './texts/index.ts'

function wordsOf(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, options)
  return (date) => format.format(date)
}

export const calendarWords = {
  day: wordsOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  weekday: wordsOf({ weekday: 'narrow' }),
  longWeekday: wordsOf({ weekday: 'long' }),
  month: wordsOf({ month: 'long' }),
  monthYear: wordsOf({ month: 'long', year: 'numeric' }),
}
