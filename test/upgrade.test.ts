// The present version, started on a store that an earlier one has filled: every figure is what it was. What
// `footfall upgrade --check` says of it before, it has only looked at.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { inspect, isDeepStrictEqual } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { run } from './support/cli.ts'
import { figuresOf } from './support/figures.ts'
import { newDataDir } from './support/records.ts'
import { callService, startService } from './support/service.ts'

const fixtures = new URL('fixtures/', import.meta.url)
/** The figures were told at that time, when every window was over. */
const later = new URL('support/clock-2027.mjs', import.meta.url).href
const versions = readdirSync(fixtures).filter((name) => name.startsWith('store-'))

async function unpack(t: TestContext, version: string): Promise<string> {
  const folder = newDataDir(t)
  const tar = spawn('tar', ['xf', '-', '--strip-components=1', '--no-same-owner', '-C', folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  tar.stdin.end(zstdDecompressSync(readFileSync(new URL(`${version}/store.tar.zst`, fixtures))))
  const [code] = await once(tar, 'close')
  assert.equal(code, 0)
  return folder
}

/** What can be asked may grow below /manage; the lists of /v2 are closed. */
const isOpenList = (path: string): boolean => /\/manage\/.*\.options\.\w+$/.test(path)

/** What is said of a figure to people may be said in other words. */
const isSentence = (path: string): boolean => /\/manage\/.*\.definition$/.test(path)

function assertHas(found: readonly unknown[], wanted: readonly unknown[], path: string): void {
  for (const one of wanted)
    assert.ok(
      found.some((other) => isDeepStrictEqual(other, one)),
      `${path} has ${inspect(one)}`,
    )
}

/** Fields that were not there yet may have come; none of those that were is another one. */
function assertHolds(found: unknown, wanted: unknown, path: string): void {
  if (isSentence(path)) return assert.equal(typeof found, 'string', path)
  if (typeof wanted !== 'object' || wanted === null) return assert.equal(found, wanted, path)
  assert.ok(typeof found === 'object' && found !== null, path)
  if (Array.isArray(wanted) && isOpenList(path)) return assertHas(found as unknown[], wanted, path)
  if (Array.isArray(wanted)) assert.equal((found as unknown[]).length, wanted.length, path)
  for (const [key, value] of Object.entries(wanted))
    assertHolds((found as Record<string, unknown>)[key], value, `${path}.${key}`)
}

for (const version of versions) {
  test(`a ${version} says what will be migrated, is migrated, and has every figure that it had`, async (t) => {
    const dataDir = await unpack(t, version)
    const env = { DATA_DIR: dataDir, PORT: '0', BACKUP_TO: join(newDataDir(t), 'kept') }
    const taken = await run(['backup'], env)
    assert.equal(taken.code, 0, taken.err)
    const check = async () => {
      const { code, out, err } = await run(['upgrade', '--check', '--json'], env)
      assert.equal(code, 0, err)
      return JSON.parse(out)
    }
    const before = await check()
    assert.ok(before.records.due.includes('036_backup_runs'))
    assert.deepEqual([before.records.basis, before.records.seconds > 0], ['tried', true])
    assert.match(before.backup.id, /^\d{8}T/)
    assert.deepEqual((await check()).records.due, before.records.due, 'nothing was changed')
    const { property, day, figures } = JSON.parse(readFileSync(new URL(`${version}/figures.json`, fixtures), 'utf8'))
    const service = await startService(t, dataDir, { WEBHOOK_ALLOW: '127.0.0.0/8', NODE_OPTIONS: `--import=${later}` })
    const found = await figuresOf(service, property, [day, day])
    assertHolds(found, figures, version)
    const session = found[Object.keys(found).find((name) => name.includes('/signals/sessions'))!] as {
      data: { id: string }[]
    }
    const body = { session_id: session.data[0]!.id, name: 'late' }
    const event = await callService(service, property, 'POST', '/v2/property/session/event', body)
    assert.equal(event.status, 200, 'ids that the earlier version gave out are good')
    await service.end('SIGTERM')
    const after = await check()
    assert.deepEqual([after.records.due, after.facts.due], [[], []])
  })
}

test('upgrade does nothing but check', async (t) => {
  const ended = await run(['upgrade'], { DATA_DIR: newDataDir(t) })
  assert.equal(ended.code, 2)
  assert.match(ended.err, /--check/)
})
