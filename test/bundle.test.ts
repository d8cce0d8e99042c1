// The built service (docs/decisions/0081-bundle.md): no process and no thread of it runs a source, for which
// Node would have to load what removes its types.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mainFile } from './support/programs.ts'
import { newDataDir } from './support/records.ts'
import { createServiceProperty, loadPage, startService } from './support/service.ts'

const commandOf = (pid: string): string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')

const skip = process.platform !== 'linux' && 'what a process has started is read from /proc'

test('the built service makes its stores and serves, and nothing of it runs from sources', { skip }, async (t) => {
  const settings = { NODE_OPTIONS: '--no-strip-types' }
  const service = await startService(t, newDataDir(t), settings, [process.execPath, mainFile])
  const property = await createServiceProperty(service)
  assert.match(await loadPage(service, property, '203.0.113.1'), /^\w+$/)
  // The engine of the facts is started without the options of the service.
  const [engine, ...others] = childrenOf(service.pid).map(commandOf)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [engine?.some((word) => word.endsWith('/engine.js')), engine?.some((word) => word.endsWith('.ts'))],
    [true, false],
  )
})
