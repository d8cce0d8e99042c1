// Which network announces an address: a binary search in the CSV file itself, which is sorted by first
// address. Nothing is loaded or converted; a look-up is about twenty-five short reads, nearly all from cached
// pages.
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

/**
 * Lines are `first,last,asn,name`, the name quoted when it contains a comma. Undefined when no network is
 * known.
 */
export function findNetwork(pages: Pages, address: AddressWords): Network | undefined {
  const line = lineAt(pages, findLine(pages, address))
  const match = /^([^,]*),([^,]*),(\d{1,10}),(.*)$/.exec(line)
  if (!match) return undefined
  const first = parseAddress(match[1]!)
  const last = parseAddress(match[2]!)
  if (first?.length !== address.length || last?.length !== address.length) return undefined
  if (compareAddresses(first, address) > 0 || compareAddresses(last, address) < 0) return undefined
  return { asn: Number(match[3]), as_name: unquote(match[4]!) }
}

/** Start of the last line whose first address is not above this one; the first line when there is none. */
function findLine(pages: Pages, address: AddressWords): number {
  let low = 0
  let high = pages.size // the line sought starts at `high` or before it
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const start = lineAfter(pages, middle)
    if (start <= high && startsAtOrBefore(pages, start, address)) low = start
    else high = middle
  }
  return low
}

function lineAfter(pages: Pages, offset: number): number {
  for (let at = offset; at < offset + MAX_LINE && at < pages.size; at++) {
    if (pages.byteAt(at) === NEWLINE) return at + 1
  }
  return pages.size
}

function startsAtOrBefore(pages: Pages, start: number, address: AddressWords): boolean {
  if (address.length === 1) return wordAt(pages, start) <= address[0]!
  const text = pages.bytes(start, 48).toString('latin1')
  const first = parseAddress(text.slice(0, Math.max(text.indexOf(','), 0)))
  return first?.length === address.length && compareAddresses(first, address) <= 0
}

/** The IPv4 address written at `start`, parsed in place: with strings the search took three times as long. */
function wordAt(pages: Pages, start: number): number {
  let word = 0
  let part = 0
  for (let at = start; at < start + 16; at++) {
    const byte = pages.byteAt(at)
    if (byte === COMMA) return word * 256 + part
    if (byte === DOT) {
      word = word * 256 + part
      part = 0
    } else part = part * 10 + byte - ZERO
  }
  return Number.POSITIVE_INFINITY // no address: the search goes on before it
}

function lineAt(pages: Pages, start: number): string {
  const bytes = pages.bytes(start, MAX_LINE)
  const end = bytes.indexOf(NEWLINE)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end).trimEnd()
}

function unquote(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
}
