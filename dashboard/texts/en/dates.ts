// What a calendar says.
export const text = {
  apply: 'Show this range',
  calendar: 'Choose the first and the last day',
  monthBefore: 'Previous month',
  monthAfter: 'Next month',
  month: 'Month',
  year: 'Year',
  today: (day: string) => `Today, ${day}`,
  chosen: (day: string) => `${day}, chosen`,
  clock: (zone: string) => `Days begin and end at midnight, ${zone} time.`,
} as const
