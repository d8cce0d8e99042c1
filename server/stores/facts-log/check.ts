// Whether a write-ahead log of SQLite was damaged in its middle. SQLite takes the first frame that is not
// whole for the end, which is right for a write that a power cut broke off. But every commit is on disk
// before the next one begins: if two commits end behind that frame, at least one of them was acknowledged,
// and SQLite would leave it out without a word. The format:
// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
import { existsSync, readFileSync } from 'node:fs'

/** Of the databases that are looked at. */
export const LOG_PAGE_BYTES = 4096

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_BYTES = FRAME_HEADER_BYTES + LOG_PAGE_BYTES
/** The last bit of the magic number says in which order of bytes the checksums are counted. */
const MAGIC = 0x377f0682
const COMMITS = 2

type Sum = readonly [number, number]

/** A stretch of the file: the bytes from..to, a multiple of eight. */
type Stretch = readonly [from: number, to: number]

/** The sum over a stretch of bytes, following on from an earlier sum. */
const checksumOf =
  (words: DataView, isLittle: boolean) =>
  ([from, to]: Stretch, [first, second]: Sum): Sum => {
    let [a, b] = [first, second]
    for (let at = from; at < to; at += 8) {
      a = (a + words.getUint32(at, isLittle) + b) >>> 0
      b = (b + words.getUint32(at + 4, isLittle) + a) >>> 0
    }
    return [a, b]
  }

const sumAt = (words: DataView, at: number): Sum => [words.getUint32(at), words.getUint32(at + 4)]
const isSame = ([a, b]: Sum, [c, d]: Sum): boolean => a === c && b === d

/**
 * @returns true when the ends of two commits stand behind a frame that is not whole. False also for a file
 *   that is not there.
 */
export function isCutShort(file: string): boolean {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  if (bytes.length < HEADER_BYTES + FRAME_BYTES) return false
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return countBehindBreak(words) >= COMMITS
}

/** Whole frames that end a commit, behind the first frame that is not whole. */
function countBehindBreak(words: DataView): number {
  const checksum = checksumOf(words, (words.getUint32(0) & 1) === 0)
  let before = checksum([0, HEADER_BYTES - 8], [0, 0])
  let isBroken = (words.getUint32(0) & ~1) !== MAGIC || !isSame(before, sumAt(words, HEADER_BYTES - 8))
  // Frames with other salts are of an earlier round of the log, and not written over yet.
  const salts = sumAt(words, isBroken ? HEADER_BYTES + 8 : 16)
  let commits = 0
  for (let at = HEADER_BYTES; at + FRAME_BYTES <= words.byteLength; at += FRAME_BYTES) {
    const ofHeader = checksum([at, at + 8], before)
    const sum = checksum([at + FRAME_HEADER_BYTES, at + FRAME_BYTES], ofHeader)
    const written = sumAt(words, at + 16)
    const isWhole = isSame(sumAt(words, at + 8), salts) && isSame(sum, written)
    if (!isWhole) isBroken = true
    else if (isBroken && words.getUint32(at + 4) !== 0) commits++
    // Each sum follows on from the one before: what stands in a frame is where the next one begins.
    before = written
  }
  return commits
}
