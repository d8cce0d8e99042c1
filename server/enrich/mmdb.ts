// Look-ups in a MaxMind DB file (format 2.0, https://maxmind.github.io/MaxMind-DB/), read page by page. A
// broken file makes a look-up throw, but never run forever: every walk and every value is bounded.
import { bitAt, type AddressWords } from './address.ts'
import type { Pages } from './pages.ts'

export type MmdbValue = string | number | boolean | null | MmdbValue[] | MmdbMap
export interface MmdbMap {
  [key: string]: MmdbValue
}

export interface Mmdb {
  /** 4 or 6: the family of addresses that the file covers. */
  readonly ipVersion: number
  /** When it was put together, in milliseconds; undefined when it does not say. */
  readonly builtMs: number | undefined
  /**
   * Where the record of an address is, which many addresses share; undefined when there is none. @throws when
   * the file is broken.
   */
  locate(address: AddressWords): number | undefined
  /** @param place of a record. Undefined when it is no map. @throws when the file is broken. */
  recordAt(place: number): MmdbMap | undefined
}

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
/** The format puts the metadata within the last 128 kB. */
const METADATA_REACH = 131_072
/** Zero bytes between the tree and the data. */
const SEPARATOR = 16
/** A city record has about ten values, metadata about twenty. More: a broken or hostile file. */
const MAX_VALUES = 1000
const MAX_DEPTH = 16
const MAX_STRING = 8192

/** @throws when the file is no MaxMind DB. */
export function openMmdb(pages: Pages): Mmdb {
  const metadata = readMetadata(pages)
  const nodeCount = countIn(metadata, 'node_count')
  const recordSize = countIn(metadata, 'record_size')
  const ipVersion = countIn(metadata, 'ip_version')
  if (![24, 28, 32].includes(recordSize)) throw new Error(`unknown record size ${recordSize}`)
  const nodeSize = recordSize / 4
  const dataStart = nodeCount * nodeSize + SEPARATOR
  if (dataStart >= pages.size) throw new Error('the tree is longer than the file')

  function child(node: number, bit: number): number {
    const at = node * nodeSize
    if (recordSize !== 28) return numberAt(pages, at + bit * (nodeSize / 2), nodeSize / 2)
    const middle = pages.byteAt(at + 3)
    return numberAt(pages, at + bit * 4, 3) + (bit === 0 ? middle >>> 4 : middle & 15) * 0x100_0000
  }

  function locate(address: AddressWords): number | undefined {
    let node = 0
    for (let depth = 0; depth < address.length * 32 && node < nodeCount; depth++) {
      node = child(node, bitAt(address, depth))
    }
    return node <= nodeCount ? undefined : node - nodeCount - SEPARATOR + dataStart
  }

  function recordAt(place: number): MmdbMap | undefined {
    const value = decode(pages, dataStart, place)
    return isMap(value) ? value : undefined
  }

  const { build_epoch: epoch } = metadata
  return { ipVersion, builtMs: typeof epoch === 'number' ? epoch * 1000 : undefined, locate, recordAt }
}

function readMetadata(pages: Pages): MmdbMap {
  const from = Math.max(0, pages.size - METADATA_REACH)
  const found = pages.bytes(from, METADATA_REACH).lastIndexOf(MARKER)
  if (found === -1) throw new Error('no MaxMind DB metadata found')
  const start = from + found + MARKER.length
  const metadata = decode(pages, start, start)
  if (!isMap(metadata)) throw new Error('the metadata are no map')
  return metadata
}

function countIn(metadata: MmdbMap, key: string): number {
  const value = metadata[key]
  if (typeof value !== 'number') throw new Error(`the metadata have no ${key}`)
  return value
}

export function isMap(value: MmdbValue | undefined): value is MmdbMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numberAt(pages: Pages, offset: number, bytes: number): number {
  let value = 0
  for (let i = 0; i < bytes; i++) value = value * 256 + pages.byteAt(offset + i)
  return value
}

/** @param base the offset that pointers are relative to. */
function decode(pages: Pages, base: number, offset: number): MmdbValue {
  let at = offset
  let values = 0

  function next(depth: number): MmdbValue {
    if (++values > MAX_VALUES || depth > MAX_DEPTH || at >= pages.size) throw new Error('broken data')
    const control = pages.byteAt(at++)
    const short = control >>> 5
    if (short === 1) return follow(control, depth)
    const type = short === 0 ? pages.byteAt(at++) + 7 : short
    return valueOf(type, sizeOf(control & 31), depth)
  }

  function follow(control: number, depth: number): MmdbValue {
    const extra = (control >>> 3) & 3
    const high = extra === 3 ? 0 : control & 7
    const target = base + high * 256 ** (extra + 1) + numberAt(pages, at, extra + 1) + [0, 2048, 526_336, 0][extra]!
    const back = at + extra + 1
    at = target
    const value = next(depth + 1)
    at = back
    return value
  }

  function sizeOf(size: number): number {
    if (size < 29) return size
    const extra = size - 28
    const long = numberAt(pages, at, extra) + [29, 285, 65_821][extra - 1]!
    at += extra
    return long
  }

  function valueOf(type: number, size: number, depth: number): MmdbValue {
    if (type === 7) return mapOf(size, depth)
    if (type === 11) return Array.from({ length: Math.min(size, MAX_VALUES) }, () => next(depth + 1))
    if (type === 14) return size !== 0
    const start = at
    at += size
    if (type === 2) return pages.bytes(start, Math.min(size, MAX_STRING)).toString('utf8')
    if (type === 3 && size === 8) return pages.bytes(start, 8).readDoubleBE()
    if (type === 15 && size === 4) return pages.bytes(start, 4).readFloatBE()
    if ((type === 5 || type === 6 || type === 9) && size <= 8) return numberAt(pages, start, size)
    return null
  }

  function mapOf(size: number, depth: number): MmdbMap {
    const map: MmdbMap = Object.create(null) as MmdbMap
    for (let i = 0; i < size; i++) {
      const key = next(depth + 1)
      const value = next(depth + 1)
      if (typeof key === 'string') map[key] = value
    }
    return map
  }

  return next(0)
}
