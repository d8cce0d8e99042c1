// When a backup is due, and what the setting accepts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupSchedule } from '../setting-values.ts'
import { intervalMs, lastDueMs, nextDueMs } from './schedule.ts'

test('the last time of a schedule is the newest one that is not ahead', () => {
  const at = '2026-11-25T10:30:00Z' // a Wednesday
  const rows: readonly (readonly [schedule: string, last: string])[] = [
    ['hourly', '2026-11-25T10:00:00Z'],
    ['daily 10:30', '2026-11-25T10:30:00Z'],
    ['daily 10:31', '2026-11-24T10:31:00Z'],
    ['weekly mon 00:00', '2026-11-23T00:00:00Z'],
    ['weekly wed 10:31', '2026-11-18T10:31:00Z'],
    ['Weekly SUN 03:05', '2026-11-22T03:05:00Z'],
  ]
  for (const [text, last] of rows) {
    const schedule = backupSchedule(text)
    assert.equal(lastDueMs(schedule, Date.parse(at)), Date.parse(last), text)
    assert.equal(nextDueMs(schedule, Date.parse(at)), Date.parse(last) + intervalMs(schedule), text)
  }
})

test('what is no schedule is refused', () => {
  for (const text of ['', 'daily', 'daily 24:00', 'daily 3:00', 'weekly 03:00', 'weekly xyz 03:00', '0 3 * * *'])
    assert.throws(() => backupSchedule(text), /must be `hourly`/, text)
})
