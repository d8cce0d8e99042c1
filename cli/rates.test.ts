// The command that refreshes exchange rates: from a file or a URL of its owner's choice, and only what is in
// the bank's format.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listRates } from '../server/rates/records.ts'
import { openRecords } from '../server/stores/records.ts'
import { run, tell } from '../test/support/cli.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-rates-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const ecb = (rate: number) =>
  `<Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='${rate}'/></Cube></Cube>`

const env = { DATA_DIR: dataDir }
const footfall = (...args: string[]) => tell(['rates', ...args], env)

async function savedYen(): Promise<number | undefined> {
  const records = await openRecords({ databaseUrl: null, dataDir })
  try {
    return (await listRates(records)).find((rate) => rate.currency === 'JPY')?.perUsd
  } finally {
    await records.destroy()
  }
}

test('rates of a file are saved, and a later refresh of the same day replaces them', async () => {
  const file = join(dataDir, 'rates.xml')
  writeFileSync(file, ecb(187.5))
  const { code, out } = await run(['rates', 'refresh', '--source', file, '--json'], env)
  assert.deepEqual([code, JSON.parse(out)], [0, { rates: 3, days: 1, from: '2026-11-20', to: '2026-11-20' }])
  assert.equal(await savedYen(), 150)
  writeFileSync(file, ecb(200))
  assert.equal((await footfall('refresh', '--source', file)).out, 'Saved 3 rates, 2026-11-20 to 2026-11-20.\n')
  assert.equal(await savedYen(), 160)
})

test('rates come from a URL when one is named', async (t) => {
  const server = createServer((request, reply) => reply.writeHead(request.url === '/rates' ? 200 : 500).end(ecb(125)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.equal((await footfall('refresh', '--source', `${url}/rates`)).code, 0)
  assert.equal(await savedYen(), 100)
  const failed = await footfall('refresh', '--source', `${url}/gone`)
  assert.deepEqual([failed.code, failed.out], [1, ''])
  assert.match(failed.err, /answered 500/)
})

test('a file without rates changes nothing and says why', async () => {
  const before = await savedYen()
  const file = join(dataDir, 'other.xml')
  writeFileSync(file, '<html>not rates</html>')
  const { code, err } = await footfall('refresh', '--source', file)
  assert.equal(code, 1)
  assert.match(err, /no exchange rates/)
  assert.equal((await footfall('refresh', '--source', join(dataDir, 'missing.xml'))).code, 1)
  assert.equal((await footfall('sell')).code, 2)
  assert.equal(await savedYen(), before)
})
