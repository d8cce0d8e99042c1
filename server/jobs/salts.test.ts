// The job alone; what it removes is shown with the visitors, and that it runs with the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startSaltRemoval } from './salts.ts'

test('old salts are removed at the start and at least daily, whatever goes wrong, until the job is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let removals = 0
  const remove = async (): Promise<void> => {
    removals++
    throw new Error('the records are away')
  }
  const job = startSaltRemoval(remove, pino({ level: 'silent' }))
  assert.equal(removals, 1)
  t.mock.timers.tick(86_400_000)
  const daily = removals
  assert.ok(daily >= 2)
  job.stop()
  t.mock.timers.tick(86_400_000)
  assert.equal(removals, daily)
})
