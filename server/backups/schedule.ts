// When a backup is due.
import { DAY_MS } from '../kernel/days.ts'
import type { BackupSchedule } from '../setting-values.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const lengths = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const firstMs = { hour: 0, day: 0, week: 4 * DAY_MS } as const

/** From one to the next. */
export const intervalMs = ({ every }: BackupSchedule): number => lengths[every]

/** The next moment at which one is due, in milliseconds. */
export const nextDueMs = (schedule: BackupSchedule, nowMs: number): number =>
  lastDueMs(schedule, nowMs) + intervalMs(schedule)

/** The last moment at which one was due, in milliseconds. */
export function lastDueMs(schedule: BackupSchedule, nowMs: number): number {
  const [length, first] = [intervalMs(schedule), firstMs[schedule.every] + schedule.minute * MINUTE_MS]
  return first + Math.floor((nowMs - first) / length) * length
}
