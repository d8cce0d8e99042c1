// What an owner excludes from counting: IP addresses (their own office), and pages (their back office). A
// property without any costs two checks of empty lists; patterns are compiled on first use, and match in
// linear time.
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { plainAddress } from '../kernel/addresses.ts'
import { collectedPattern, upperEscapes } from '../kernel/paths.ts'
import { invalid, type FieldErrors, Problem } from '../kernel/problem.ts'

/** Of each kind. Each is checked for every page view of the property. */
export const MAX_EXCLUSIONS = 100
export const MAX_PATH_PATTERN = 200
/** All patterns together: matching the longest path takes less than a millisecond. */
export const MAX_PATTERN_CHARACTERS = 4_000

/** As the property stores them: validated by the two functions below. */
export interface Exclusions {
  /** Addresses and CIDRs in the spelling of plainAddress. */
  readonly excluded_addresses: readonly string[]
  /** Globs over the path of a page. */
  readonly excluded_paths: readonly string[]
}

// ---------------------------------------------------------------- as they are typed

const IPV4_BITS = 32
const IPV6_BITS = 128
const MAPPED_BITS = IPV6_BITS - IPV4_BITS

/** `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`; IPv4 inside IPv6 is IPv4. Undefined for any other text. */
export function readRange(text: string): string | undefined {
  const [typed = '', bits, ...more] = text.trim().split('/')
  if (more.length > 0 || !(isIPv4(typed) || isIPv6(typed)) || typed.includes('%')) return undefined
  const address = plainAddress(typed)
  if (address === undefined) return undefined
  if (bits === undefined) return address
  if (!/^\d{1,3}$/.test(bits)) return undefined
  const isMapped = isIPv6(typed) && isIPv4(address)
  const most = isIPv4(address) ? IPV4_BITS : IPV6_BITS
  const length = Number(bits) - (isMapped ? MAPPED_BITS : 0)
  if (length < 0 || length > most) return undefined
  return length === most ? address : `${address}/${length}`
}

/** Stored like paths. Undefined for a text that is no glob of a path: globs contain no query. */
export function readPathGlob(text: string): string | undefined {
  const typed = text.trim()
  if (!typed.startsWith('/') || typed.includes('?') || /\p{Cc}/u.test(typed) || !typed.isWellFormed()) return undefined
  const glob = collectedPattern(typed)
    // Three stars mean the same as two.
    .replace(/\*{3,}/g, '**')
  return glob.length <= MAX_PATH_PATTERN ? glob : undefined
}

function readEach(
  field: keyof Exclusions,
  texts: readonly string[],
  read: (text: string) => string | undefined,
  sentence: string,
): string[] {
  if (texts.length > MAX_EXCLUSIONS) throw invalid(field, `${field} may have at most ${MAX_EXCLUSIONS} items.`)
  const errors: FieldErrors = {}
  const found = texts.flatMap((text, index) => {
    const one = read(text)
    if (one === undefined) errors[`${field}.${index}`] = [`${field}.${index} ${sentence}`]
    return one ?? []
  })
  const first = Object.values(errors)[0]?.[0]
  if (first !== undefined) throw new Problem('validation_failed', first, { errors })
  return [...new Set(found)]
}

/**
 * Each once, in the order given. @throws Problem('validation_failed') naming every text that is no address.
 */
export function readExcludedAddresses(texts: readonly string[]): string[] {
  return readEach('excluded_addresses', texts, readRange, 'must be an address or a range like 203.0.113.0/24.')
}

/** Each once, in the order given. @throws Problem('validation_failed') naming every text that is no glob. */
export function readExcludedPaths(texts: readonly string[]): string[] {
  const globs = readEach(
    'excluded_paths',
    texts,
    readPathGlob,
    `must be a path like /admin/**, without ? and what follows, with at most ${MAX_PATH_PATTERN} characters.`,
  )
  const characters = globs.reduce((sum, glob) => sum + glob.length, 0)
  if (characters > MAX_PATTERN_CHARACTERS)
    throw invalid('excluded_paths', `excluded_paths may have at most ${MAX_PATTERN_CHARACTERS} characters together.`)
  return globs
}

// ---------------------------------------------------------------- as they are asked

/**
 * Whether an address, in the spelling of plainAddress, is in one of the ranges, which are all of one family.
 */
export function openRanges(ranges: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) lists[family].addAddress(address, family)
    else lists[family].addSubnet(address, Number(bits), family)
  }
  return (address) => {
    if (isIPv4(address)) return lists.ipv4.check(address, 'ipv4')
    return isIPv6(address) && lists.ipv6.check(address, 'ipv6')
  }
}

/** 32 positions over all patterns. A position says how much of its pattern has been read. */
type Positions = Int32Array

interface Automaton {
  /** The start of every pattern. */
  readonly begin: Positions
  /** The ends: a path that reaches one matches. */
  readonly end: Positions
  /**
   * Positions at which any character may be read without advancing: those of `**`, and of `*` for all
   * characters except the slash.
   */
  readonly stayAny: Positions
  readonly staySegment: Positions
  /** By character: the positions that it advances from. */
  readonly onwards: ReadonlyMap<number, Positions>
}

const put = (positions: Positions, at: number): void => {
  positions[at >> 5]! |= 1 << (at & 31)
}

/** All patterns side by side, one bit per position. */
function automatonOf(globs: readonly string[]): Automaton {
  const tokens = globs.map((glob) => glob.match(/\*\*|\*|[^*]/gs) ?? [])
  const size = tokens.reduce((sum, own) => sum + own.length + 1, 0)
  const make = (): Positions => new Int32Array((size >> 5) + 1)
  const [begin, end, stayAny, staySegment] = [make(), make(), make(), make()]
  const onwards = new Map<number, Positions>()
  let at = 0
  for (const own of tokens) {
    put(begin, at)
    for (const token of own) {
      if (token === '**') put(stayAny, at)
      else if (token === '*') put(staySegment, at)
      else {
        const letter = token.charCodeAt(0)
        const from = onwards.get(letter) ?? make()
        put(from, at++)
        onwards.set(letter, from)
      }
    }
    put(end, at++)
  }
  return { begin, end, stayAny, staySegment, onwards }
}

const SLASH = '/'.charCodeAt(0)

/** Reads one character in all patterns at once. @returns whether any position is left. */
function step({ stayAny, staySegment, onwards }: Automaton, positions: Positions, letter: number): boolean {
  const from = onwards.get(letter)
  let carried = 0
  let left = 0
  for (let word = 0; word < positions.length; word++) {
    const now = positions[word]!
    const moving = from ? now & from[word]! : 0
    const staying = now & (letter === SLASH ? stayAny[word]! : stayAny[word]! | staySegment[word]!)
    const next = (moving << 1) | carried | staying
    carried = moving >>> 31
    positions[word] = next
    left |= next
  }
  return left !== 0
}

/**
 * Whether a path matches one of the globs: `*` stands for any characters of one segment, `**` for any
 * characters at all, everything else for itself. The time is proportional to the path's length times the
 * patterns' length, by 32, without backtracking.
 */
export function openGlobs(globs: readonly string[]): (path: string) => boolean {
  const automaton = automatonOf(globs)
  const { begin, end } = automaton
  return (path) => {
    const positions = begin.slice()
    for (let i = 0; i < path.length; i++) if (!step(automaton, positions, path.charCodeAt(i))) return false
    return positions.some((word, at) => (word & end[at]!) !== 0)
  }
}

/** Compiled once per list: the property directory returns the same list until it reads the property again. */
function memoised(open: (texts: readonly string[]) => (text: string) => boolean) {
  const opened = new WeakMap<readonly string[], (text: string) => boolean>()
  return (texts: readonly string[], text: string): boolean => {
    let matches = opened.get(texts)
    if (!matches) opened.set(texts, (matches = open(texts)))
    return matches(text)
  }
}

const isInRanges = memoised(openRanges)
/** Patterns that were stored before they were normalised are normalised here. */
const isMatched = memoised((globs) => {
  const matches = openGlobs(globs.map(collectedPattern))
  return (path) => matches(upperEscapes(path))
})

/** @param address in the spelling of plainAddress; '' when it is unknown. */
export function isExcludedAddress(
  { excluded_addresses: ranges }: Pick<Exclusions, 'excluded_addresses'>,
  address: string,
): boolean {
  return ranges.length > 0 && isInRanges(ranges, address)
}

/** @param path called only when there are patterns. */
export function isExcludedPath(
  { excluded_paths: globs }: Pick<Exclusions, 'excluded_paths'>,
  path: () => string,
): boolean {
  return globs.length > 0 && isMatched(globs, path())
}
