// `footfall export` as a shell sees it: files with what is stored, readable by their owner alone; and a
// server that runs is left alone.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Environment, runAll, tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { startFootfall } from '../test/support/server.ts'
import { newStores } from '../test/support/stores.ts'

const refused: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /KIND must be one of: sessions, events/],
  [['passwords'], /KIND must be one of/],
  [['links', 'contacts'], /one KIND/],
  [['facts', '--table', 'salts'], /--table must be one of: views/],
  [['links', '--colour'], /--colour/],
]

test('what cannot be exported is refused in one line, before a store is opened', async (t) => {
  const env: Environment = { DATA_DIR: join(newDataDir(t), 'none') }
  for (const [args, says] of refused) {
    const { code, err } = await tell(['export', ...args], env)
    assert.equal(code, 2, err)
    assert.match(err, says)
  }
})

test('lists, facts and records become files, with a name of their own or the one that was given', async (t) => {
  const dataDir = await newStores(t, true)
  const env: Environment = { DATA_DIR: dataDir }
  const fileOf = (words: readonly string[]) => join(dataDir, `out-${words.join('-')}`)
  const wanted = [['sessions'], ['facts', '--table', 'views'], ['records']]
  const [demo, wrong, ...ends] = await runAll(
    [
      ['demo', '--sessions', '50', '--days', '3', '--json'],
      ['export', 'sessions', '--from', '2026-02-30', '--to', '2026-03-01'],
      ...wanted.map((words) => ['export', ...words, '--file', fileOf(words), '--json']),
    ].map((args) => ({ args, env })),
  )
  assert.equal(demo?.code, 0, demo?.err)
  assert.equal(wrong?.code, 1)
  assert.match(wrong.err, /date_from must be a date/)
  const [sessions, views, records] = wanted.map((words, index) => {
    const { code, out, err } = ends[index]!
    assert.equal(code, 0, err)
    const { bytes } = JSON.parse(out)
    const { size, mode } = statSync(fileOf(words))
    assert.deepEqual([size, mode & 0o777], [bytes, 0o600])
    return readFileSync(fileOf(words))
  })
  assert.equal(sessions!.toString().trimEnd().split('\r\n').length, 51)
  assert.equal(views!.subarray(-4).toString(), 'PAR1')
  assert.equal(JSON.parse(records!.toString()).property.name, 'Demo')
  assert.deepEqual(readdirSync(join(dataDir, 'exports')), [], 'nothing is left where it was made')
})

test('beside a running server it says that the server makes exports itself', async () => {
  const footfall = await startFootfall({ after }, { ownsFacts: true })
  const { code, err } = await tell(['export', 'links'], { DATA_DIR: footfall.context.config.dataDir })
  assert.equal(code, 1)
  assert.match(err, /another process using it\? Export from the running server with POST \/manage/)
})
