// Which network announces an address: a binary search in the CSV file itself, which is sorted by first
// address. Nothing is loaded or converted; a look-up is about twenty-five short reads, nearly all from cached
// pages.
import { lastUsed } from '../kernel/last-used.ts'
import { compareAddresses, parseAddress, type AddressWords } from './address.ts'
import type { Pages } from './pages.ts'

export interface Network {
  readonly asn: number
  readonly as_name: string
}

/** Longest line read; the longest in the data has 232 bytes. */
const MAX_LINE = 1024
const NEWLINE = 10
const COMMA = 44
const DOT = 46
const ZERO = 48
const NINE = 57

/** A line: the addresses from one to another, and their network. */
interface Range extends Network {
  readonly first: AddressWords
  readonly last: AddressWords
}

/** Lines that need not be read and parsed again; about 2 MB when full. */
const KNOWN_LINES = 5_000
/** A search begins with the same halves each time: the first twelve of some twenty-three stay in memory. */
const KNOWN_HALVES = 4_096

export interface Networks {
  /** Undefined when no network is known. */
  find(address: AddressWords): Network | undefined
}

/** Lines are `first,last,asn,name`, the name quoted when it contains a comma. */
export function openNetworks(pages: Pages): Networks {
  const ranges = lastUsed<number, Range | 'none'>(KNOWN_LINES)
  const search = openSearch(pages)
  return {
    find(address) {
      const start = search(address)
      const range = ranges.get(start) ?? rangeOf(lineAt(pages, start)) ?? 'none'
      ranges.set(start, range)
      return range !== 'none' && isWithin(range, address) ? { asn: range.asn, as_name: range.as_name } : undefined
    },
  }
}

function rangeOf(line: string): Range | undefined {
  const match = /^([^,]*),([^,]*),(\d{1,10}),(.*)$/.exec(line)
  if (!match) return undefined
  const first = parseAddress(match[1]!)
  const last = parseAddress(match[2]!)
  return first && last && { first, last, asn: Number(match[3]), as_name: unquote(match[4]!) }
}

function isWithin({ first, last }: Range, address: AddressWords): boolean {
  if (first.length !== address.length || last.length !== address.length) return false
  return compareAddresses(first, address) <= 0 && compareAddresses(last, address) >= 0
}

/** A place in the middle of what is left of the file. */
interface Half {
  /** Of the line behind it. */
  readonly start: number
  /** Undefined where the line begins with no address. */
  readonly first: AddressWords | undefined
}

/**
 * @returns the start of the last line whose first address is not above the one that is looked for; of the
 *   first line when there is none.
 */
function openSearch(pages: Pages): (address: AddressWords) => number {
  const halves = new Map<number, Half>()
  const halfAt = (middle: number, length: number): Half => {
    const known = halves.get(middle)
    if (known) return known
    const start = lineAfter(pages, middle)
    const half = { start, first: firstAt(pages, start) }
    if (length * KNOWN_HALVES > pages.size && halves.size < KNOWN_HALVES) halves.set(middle, half)
    return half
  }
  return (address) => {
    let low = 0
    let high = pages.size // the line sought starts at `high` or before it
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const { start, first } = halfAt(middle, high - low)
      if (start <= high && isAtOrBefore(first, address)) low = start
      else high = middle
    }
    return low
  }
}

function lineAfter(pages: Pages, offset: number): number {
  for (let at = offset; at < offset + MAX_LINE && at < pages.size; at++) {
    if (pages.byteAt(at) === NEWLINE) return at + 1
  }
  return pages.size
}

const isAtOrBefore = (first: AddressWords | undefined, address: AddressWords): boolean =>
  first?.length === address.length && compareAddresses(first, address) <= 0

/** The address with which the line at `start` begins. */
function firstAt(pages: Pages, start: number): AddressWords | undefined {
  const word = wordAt(pages, start)
  if (word !== undefined) return [word]
  const text = pages.bytes(start, 48).toString('latin1')
  return parseAddress(text.slice(0, Math.max(text.indexOf(','), 0)))
}

/**
 * The IPv4 address written at `start`, parsed in place: with strings the search took three times as long.
 * Undefined when there is none.
 */
function wordAt(pages: Pages, start: number): number | undefined {
  let word = 0
  let part = 0
  for (let at = start; at < start + 16; at++) {
    const byte = pages.byteAt(at)
    if (byte === COMMA) return word * 256 + part
    if (byte === DOT) {
      word = word * 256 + part
      part = 0
    } else if (byte >= ZERO && byte <= NINE) part = part * 10 + byte - ZERO
    else return undefined
  }
  return undefined
}

function lineAt(pages: Pages, start: number): string {
  const bytes = pages.bytes(start, MAX_LINE)
  const end = bytes.indexOf(NEWLINE)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end).trimEnd()
}

function unquote(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
}
