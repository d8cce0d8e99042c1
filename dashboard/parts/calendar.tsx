// A month to choose the first and the last day in, by pointer or arrow keys. Always a lazy import: dates can
// be typed without it. Its days are dates without a zone: those of the property's calendar.
import { type DateRange, DayPicker } from 'react-day-picker'
import type { WeekStart } from '../../server/kernel/calendar.ts'
import { DAY_MS, dayFromText, dayText } from '../../server/kernel/days.ts'
import { calendarWords } from '../calendar-words.ts'
import { useToday } from '../today.ts'
import { dates as text } from '../texts/index.ts'
import styles from './calendar.module.css'

/** As the picker counts the days of a week. */
const firstDay: Readonly<Record<WeekStart, 0 | 1 | 6>> = { sunday: 0, monday: 1, saturday: 6 }
const FIRST_YEAR = 2000

/** The browser's own midnight of a day, in which the picker thinks. */
function localOf(day: number): Date {
  const date = new Date(day * DAY_MS)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
}

const dayOfLocal = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS

function localOfText(written: string): Date | undefined {
  const day = dayFromText(written)
  return Number.isNaN(day) ? undefined : localOf(day)
}

export interface CalendarProps {
  /** YYYY-MM-DD, or empty. */
  readonly from: string
  readonly to: string
  readonly onRange: (from: string, to: string) => void
}

export function Calendar({ from, to, onRange }: CalendarProps) {
  const { day: today, weekStart } = useToday()
  const [first, last] = [localOfText(from), localOfText(to)]
  const words = (date: Date): string => calendarWords.day(date)
  const choose = (range: DateRange | undefined): void =>
    onRange(range?.from ? dayText(dayOfLocal(range.from)) : '', range?.to ? dayText(dayOfLocal(range.to)) : '')
  return (
    <DayPicker
      mode="range"
      resetOnSelect
      selected={first && { from: first, to: last }}
      onSelect={choose}
      defaultMonth={last ?? first ?? localOf(today)}
      startMonth={new Date(FIRST_YEAR, 0)}
      endMonth={localOf(today)}
      disabled={{ after: localOf(today) }}
      today={localOf(today)}
      weekStartsOn={firstDay[weekStart]}
      captionLayout="dropdown"
      navLayout="around"
      aria-label={text.calendar}
      classNames={classNames}
      formatters={{
        formatWeekdayName: calendarWords.weekday,
        formatMonthDropdown: calendarWords.month,
      }}
      labels={{
        labelPrevious: () => text.monthBefore,
        labelNext: () => text.monthAfter,
        labelMonthDropdown: () => text.month,
        labelYearDropdown: () => text.year,
        labelGrid: calendarWords.monthYear,
        labelWeekday: calendarWords.longWeekday,
        labelDayButton: (date, { today: isToday, selected }) => {
          const day = isToday ? text.today(words(date)) : words(date)
          return selected ? text.chosen(day) : day
        },
      }}
    />
  )
}

const of = (name: string): string => styles[name] ?? ''

const classNames = {
  root: of('root'),
  months: of('months'),
  month: of('month'),
  month_caption: of('caption'),
  dropdowns: of('dropdowns'),
  dropdown_root: of('dropdownRoot'),
  dropdown: of('dropdown'),
  caption_label: of('captionLabel'),
  chevron: of('chevron'),
  button_previous: of('turn'),
  button_next: of('turn'),
  month_grid: of('grid'),
  weekday: of('weekday'),
  day: of('day'),
  day_button: of('dayButton'),
  today: of('today'),
  outside: of('outside'),
  disabled: of('disabled'),
  range_start: of('start'),
  range_middle: of('middle'),
  range_end: of('end'),
  selected: of('selected'),
}
