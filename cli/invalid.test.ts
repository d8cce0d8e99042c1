// Sessions that should not count, on the command line as a shell sees it, beside a running server and without
// one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, type Environment, runAll, tell } from '../test/support/cli.ts'
import { startFootfall } from '../test/support/server.ts'
import { newStores } from '../test/support/stores.ts'
import { untilEqual } from '../test/support/until.ts'

const NOW = Date.parse('2026-03-18T12:00:00Z')
const footfall = await startFootfall({ after }, { now: NOW, ownsFacts: true })
const env: Environment = { DATA_DIR: footfall.context.config.dataDir }
const { property, track, context } = footfall

const sessions = async (): Promise<number> =>
  (await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })).json.total

const days = ['--from', '2026-03-18', '--to', '2026-03-18']

test('sessions are marked and taken back beside a running server, which does it', async () => {
  for (const [address, page] of [
    ['198.51.100.1', 'https://example.com/'],
    ['198.51.100.2', 'https://evil.test/'],
    ['198.51.100.3', 'https://evil.test/'],
  ] as const)
    await track.load({ address, page })
  assert.deepEqual(await ask(['invalid', 'list'], env), { markings: [] })
  const { marking } = await ask(['invalid', 'mark', ...days, '--host', 'evil.test', '--yes'], env)
  assert.deepEqual([marking.state, marking.from_ts, marking.host], ['marking', 1_773_792_000, 'evil.test'])
  await context.markings.work()
  assert.equal(await sessions(), 1)
  const { markings } = await ask(['invalid', 'list'], env)
  const at = `/manage/properties/${property.id}/session-marks`
  assert.deepEqual(markings, (await footfall.call('GET', at)).json.data.data)
  assert.deepEqual([markings[0].state, markings[0].sessions, markings[0].done], ['marked', 2, 2])
  const { out } = await tell(['invalid', 'list'], env)
  assert.match(out, /^ID +STATE +MARKED.*\nmk_\w{20} +marked +2 +2026-03-18T00:00:00Z .*evil\.test\n$/)

  assert.equal((await ask(['invalid', 'undo', marking.id], env)).marking.state, 'undoing')
  await context.markings.work()
  await untilEqual(sessions, 3)
})

test('what cannot be marked is refused in one line, and nothing is marked by mistake', async () => {
  for (const [args, words] of [
    [['mark', ...days], /add --yes/],
    [['mark', '--from', '2026-02-30', '--to', '2026-03-18', '--yes'], /--from must be a day/],
    [['mark', '--from', '2026-03-18', '--yes'], /--to is missing/],
    [['undo'], /the ID is missing/],
    [['undo', 'mk_00000000000000000000'], /not in this property/],
    [['forget'], /invalid takes one of/],
  ] as const) {
    const { code, out, err } = await tell(['invalid', ...args], env)
    assert.ok(code !== 0 && out === '', args.join(' '))
    assert.match(err, words)
    assert.equal(err.trim().split('\n').length, 1)
  }
  const counted = await tell(['invalid', 'count', ...days], env)
  assert.match(counted.err, /another process.* A server that runs says so itself/)
})

test('without a server, how many there would be is counted', async () => {
  const own = { DATA_DIR: await newStores({ after: (work) => after(work as () => void) }, true) }
  const told = await runAll([
    { args: ['property', 'create', '--name', 'P'], env: own },
    { args: ['invalid', 'count', ...days], env: own },
    { args: ['invalid', 'count', ...days, '--json'], env: own },
  ])
  assert.match(told[1]!.out, /^0 sessions would be marked as invalid\.\n$/)
  assert.deepEqual(JSON.parse(told[2]!.out), { trial: { sessions: 0, networks: [], hosts: [] } })
})
