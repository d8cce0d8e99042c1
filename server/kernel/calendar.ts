// When a day, a week, a month, a quarter or a year of a time zone begins, counted from an instant within
// another one.
import { DAY_MS, DAYS_A_WEEK, mondayOf } from './days.ts'
import { dayBegin, dayIn, instantOf } from './zones.ts'

/** The days with which weeks begin somewhere. */
export const weekStarts = ['monday', 'sunday', 'saturday'] as const
export type WeekStart = (typeof weekStarts)[number]

/** Days by which such a week begins before the Monday in it. */
const beforeMonday: Readonly<Record<WeekStart, number>> = { monday: 0, sunday: 1, saturday: 2 }

/** @param day as `dayOf` counts. */
export const weekStartOf = (day: number, weekStart: WeekStart): number =>
  mondayOf(day + beforeMonday[weekStart]) - beforeMonday[weekStart]

/**
 * The day is that of the query itself: in the last second before midnight the window's end is already
 * tomorrow.
 */
export const midnight = (zone: string, nowMs: number, daysAgo: number): number =>
  dayBegin(zone, dayIn(zone, nowMs) - daysAgo)

/** Of the week of an instant, or of one so many weeks before it. */
export const weekBegin = (zone: string, atMs: number, weekStart: WeekStart, weeksAgo: number): number =>
  dayBegin(zone, weekStartOf(dayIn(zone, atMs), weekStart) - weeksAgo * DAYS_A_WEEK)

/** Of the month of an instant, or of one so many months before it. */
export function monthBegin(zone: string, atMs: number, monthsAgo: number): number {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return instantOf(zone, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsAgo, 1))
}

const MONTHS_A_QUARTER = 3

/** Quarters begin with January, April, July and October. */
export function quarterBegin(zone: string, atMs: number, quartersAgo: number): number {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return monthBegin(zone, atMs, (date.getUTCMonth() % MONTHS_A_QUARTER) + quartersAgo * MONTHS_A_QUARTER)
}

export function yearBegin(zone: string, atMs: number, yearsAgo: number): number {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return instantOf(zone, Date.UTC(date.getUTCFullYear() - yearsAgo, 0, 1))
}
