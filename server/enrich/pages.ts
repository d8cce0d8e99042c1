// Random reads from a large file without loading it: a small, fixed set of pages in memory, the rest left to
// the system's page cache. 130 MB of location data take a few MB here, and no time to load.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface Pages {
  readonly size: number
  /** 0 beyond the end. */
  byteAt(offset: number): number
  /** A copy; shorter at the end of the file. */
  bytes(offset: number, length: number): Buffer
  close(): void
}

const PAGE_BITS = 12
const PAGE = 1 << PAGE_BITS
/** Offsets are 32-bit: the arithmetic of a read is then a few instructions. The files are some 70 MB. */
const MAX_SIZE = 0x7fff_ffff
/**
 * A power of two. 2 MB a file: the upper levels of a search, which every look-up reads, stay in. Four times
 * as many saved a fifth of the time.
 */
const SLOTS = 512

/** @throws when the file cannot be opened; reads throw when the disk fails. */
export function openPages(path: string): Pages {
  const fd = openSync(path, 'r')
  const size = sizeOf(fd)
  const slots = Buffer.allocUnsafeSlow(PAGE * SLOTS)
  const pageIn = new Int32Array(SLOTS).fill(-1)

  /**
   * Which page is in which slot. A page has one possible slot, so finding it is one comparison without
   * allocations.
   */
  function locate(page: number): number {
    const slot = page & (SLOTS - 1)
    if (pageIn[slot] !== page) fill(slot, page)
    return slot * PAGE
  }

  function fill(slot: number, page: number): void {
    pageIn[slot] = -1
    const got = readSync(fd, slots, slot * PAGE, PAGE, page * PAGE)
    slots.fill(0, slot * PAGE + got, (slot + 1) * PAGE)
    pageIn[slot] = page
  }

  function byteAt(offset: number): number {
    if (!(offset >= 0 && offset < size)) return 0
    return slots[locate(offset >>> PAGE_BITS) + (offset & (PAGE - 1))]!
  }

  function bytes(offset: number, length: number): Buffer {
    const end = offset >= 0 ? Math.min(offset + length, size) : offset
    const copy = Buffer.alloc(Math.max(end - offset, 0))
    for (let at = offset; at < end;) {
      const upTo = Math.min(end, ((at >>> PAGE_BITS) + 1) * PAGE)
      const from = locate(at >>> PAGE_BITS) + (at & (PAGE - 1))
      slots.copy(copy, at - offset, from, from + upTo - at)
      at = upTo
    }
    return copy
  }

  return { size, byteAt, bytes, close: () => closeSync(fd) }
}

function sizeOf(fd: number): number {
  try {
    const { size } = fstatSync(fd)
    if (size > MAX_SIZE) throw new Error('the file is over 2 GB')
    return size
  } catch (error) {
    closeSync(fd)
    throw error
  }
}
