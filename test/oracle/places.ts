// A small map for the oracle's visitors: more countries, regions and cities than a top list shows, and two
// cities of one name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geoFiles, mmdbOf } from '../fixtures/geo/make.ts'

type Row = readonly [address: string, code: string, region: string, city: string, latitude: number, longitude: number]

const rows: readonly Row[] = [
  ['81.2.1.7', 'FR', 'Île-de-France', 'Paris', 48.85, 2.35],
  ['81.2.2.7', 'US', 'Texas', 'Paris', 33.66, -95.55],
  ['81.2.3.7', 'US', 'California', 'Oakland', 37.8, -122.27],
  ['81.2.4.7', 'GB', 'England', 'London', 51.5, -0.12],
  ['81.2.5.7', 'DE', 'Land Berlin', 'Berlin', 52.52, 13.41],
  ['81.2.6.7', 'DE', 'Bavaria', 'Munich', 48.14, 11.57],
  ['81.2.7.7', 'JP', 'Tokyo', 'Tokyo', 35.69, 139.69],
  ['81.2.8.7', 'BR', 'São Paulo', 'São Paulo', -23.55, -46.63],
  ['81.2.9.7', 'AU', 'Victoria', 'Melbourne', -37.81, 144.96],
  ['81.2.10.7', 'IN', 'Maharashtra', 'Mumbai', 19.08, 72.88],
  ['81.2.11.7', 'NL', 'North Holland', 'Amsterdam', 52.37, 4.89],
  ['81.2.12.7', 'ES', 'Madrid', 'Madrid', 40.42, -3.7],
  ['81.2.13.7', 'IT', 'Lazio', 'Rome', 41.9, 12.5],
  ['81.2.14.7', 'SE', 'Stockholm', 'Stockholm', 59.33, 18.07],
  ['81.2.15.7', 'ZA', 'Western Cape', 'Cape Town', -33.93, 18.42],
]

/** Where visitors are; the last two are nowhere on the map. */
export const addresses: readonly string[] = [...rows.map(([address]) => address), '203.0.113.9', '192.168.7.7']

/** A folder with the map, removed when the test ends. */
export function writeMap(t: { after(work: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-oracle-geo-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const cities = rows.map(([address, code, region, city, latitude, longitude]) => ({
    network: [address.replace(/\d+$/, '0'), 24] as const,
    record: { city, country_code: code, latitude, longitude, postcode: '', state1: region, state2: '', timezone: '' },
  }))
  const files = new Map(geoFiles()).set('dbip-city-ipv4.mmdb', mmdbOf(4, cities))
  for (const [name, content] of files) writeFileSync(join(folder, name), content)
  return folder
}
