// The table of jobs, and when each of them runs. What they do is shown beside the nouns that they are about.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startFootfall } from '../test/support/server.ts'
import { jobsOf, startJob } from './jobs.ts'

const { context } = await startFootfall({ after })
const jobs = jobsOf({ ...context, config: { ...context.config, retentionDays: 30 } })
const silent = pino({ level: 'silent' })
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('every job can run beside a service that is in use, and finds nothing to do in a new one', async () => {
  assert.ok(jobs.length >= 13)
  for (const { name, run } of jobs) assert.ok(!(await run()), name)
})

test('facts are dropped where RETENTION_DAYS says so, and nowhere else', () => {
  const namesFor = (retentionDays: number | null) =>
    jobsOf({ ...context, config: { ...context.config, retentionDays } }).map(({ name }) => name)
  assert.ok(namesFor(30).includes('drop old facts'))
  assert.ok(!namesFor(null).includes('drop old facts'))
})

test('a job runs at the start and every so often, whatever goes wrong, until it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  for (const { name, everyMs } of jobs) {
    let runs = 0
    const stop = startJob({ name, everyMs, run: async () => assert.fail(`run ${++runs}`) }, silent)
    assert.equal(runs, 1, name)
    for (let n = 0; n < 3; n++) {
      await settled()
      t.mock.timers.tick(everyMs)
    }
    assert.equal(runs, 4, name)
    stop()
    await settled()
    t.mock.timers.tick(3 * everyMs)
    assert.equal(runs, 4, name)
  }
})

test('a job that is still under way is not met by its next run', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ends: (() => void)[] = []
  const run = () => new Promise<void>((resolve) => ends.push(resolve))
  const stop = startJob({ name: 'a slow one', everyMs: 1000, run }, silent)
  t.after(stop)
  t.mock.timers.tick(5000)
  assert.equal(ends.length, 1)
  ends[0]?.()
  await settled()
  t.mock.timers.tick(1000)
  assert.equal(ends.length, 2)
  ends[1]?.()
})

test('what a job did is logged with how much it was, and what failed with its cause', async (t) => {
  const infos = t.mock.method(silent, 'info', () => {})
  const errors = t.mock.method(silent, 'error', () => {})
  const runs: (() => Promise<number>)[] = [async () => 0, async () => 2, () => Promise.reject(new Error('away'))]
  for (const run of runs) startJob({ name: 'count', everyMs: 1000, run }, silent)()
  await settled()
  assert.deepEqual(
    infos.mock.calls.map((call) => call.arguments),
    [[{ job: 'count', count: 2 }, 'job done']],
  )
  assert.equal(errors.mock.callCount(), 1)
})
