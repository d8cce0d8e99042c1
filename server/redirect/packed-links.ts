// The texts of links by place and code, as bytes outside the heap: a million strings in a map are a million
// things for the garbage collector to copy while they are loaded, and take more memory than their characters.
import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '../links/link-model.ts'

/** Behind each link; nothing that a link is made of has a control character but line breaks. */
export const LINK_END = 0x1e
const LINE_END = 0x0a

/** Links lie in chunks of this size, at multiples of four bytes: that a place in them fits into 32 bits. */
const CHUNK_BYTES = 2 ** 20
const ALIGNED = 4
const PLACES_A_CHUNK = CHUNK_BYTES / ALIGNED
/** Slots that are looked through between two turns of others: a millisecond or two. */
const SWEEP_SLICE = 20_000

/** What is chosen here cannot be known: nobody makes codes that all fall on one slot. */
const seed = randomInt(2 ** 32)
const factor = randomInt(2 ** 31) * 2 + 1

const mixed = (hash: number, byte: number): number => {
  const product = Math.imul(hash ^ byte, factor)
  return product ^ (product >>> 15)
}

/** With the end of the link, and what fills it up. */
const alignedLength = (start: number, end: number): number => Math.ceil((end - start + 1) / ALIGNED) * ALIGNED

interface Chunk {
  readonly bytes: Buffer
  used: number
  /** Of links that were changed or removed since. */
  dead: number
}

const EMPTY = 0
const GONE = 0xff_ff_ff_ff
const FIRST_SLOTS = 16

/**
 * Where the links of one place are: open addressing, with the hashes beside so that growing reads no link.
 */
class CodeTable {
  slots = new Uint32Array(FIRST_SLOTS)
  #hashes = new Uint32Array(FIRST_SLOTS)
  /** Slots that are not empty, and those of them that hold a link. */
  #taken = 0
  size = 0

  /** The slot of the first link with this hash that is the right one, or the empty one behind all of them. */
  slotOf(hash: number, isRight: (at: number) => boolean): number {
    const mask = this.slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = this.slots[slot]!
      if (at === EMPTY || (at !== GONE && this.#hashes[slot] === hash >>> 0 && isRight(at - 1))) return slot
    }
  }

  fill(slot: number, hash: number, at: number): void {
    const isNew = this.slots[slot] === EMPTY
    this.slots[slot] = at + 1
    this.#hashes[slot] = hash
    if (!isNew) return
    this.size++
    if (++this.#taken > this.slots.length * 0.7) this.#grow()
  }

  empty(slot: number): void {
    this.slots[slot] = GONE
    this.size--
  }

  #grow(): void {
    const [slots, hashes] = [this.slots, this.#hashes]
    const length = this.size > slots.length * 0.35 ? slots.length * 2 : slots.length
    this.slots = new Uint32Array(length)
    this.#hashes = new Uint32Array(length)
    this.#taken = this.size
    for (let old = 0; old < slots.length; old++) {
      const at = slots[old]!
      if (at === EMPTY || at === GONE) continue
      let slot = hashes[old]! & (length - 1)
      while (this.slots[slot] !== EMPTY) slot = (slot + 1) & (length - 1)
      this.slots[slot] = at
      this.#hashes[slot] = hashes[old]!
    }
  }
}

/** In short lines quicker than to ask for it. */
function lineEnd(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] !== LINE_END) at++
  return at
}

/** A link among bytes: `place`, `code` and text, each but the last with a line break behind it. */
interface Line {
  readonly start: number
  readonly codeStart: number
  readonly codeEnd: number
  readonly end: number
}

export class PackedLinks {
  #tables = new Map<Place, CodeTable>()
  #chunks: (Chunk | undefined)[] = []
  #current = -1
  #latest: { readonly place: Place; readonly table: CodeTable } = { place: '', table: new CodeTable() }

  get size(): number {
    return [...this.#tables.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Of the chunks. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + (chunk?.bytes.length ?? 0), 0)
  }

  clear(): void {
    this.#tables = new Map()
    this.#chunks = []
    this.#current = -1
    this.#latest = { place: '', table: new CodeTable() }
  }

  find(place: Place, code: string): string | undefined {
    const table = this.#tables.get(place)
    if (!table) return undefined
    const at = table.slots[this.#slotOf(table, place, code)]!
    if (at === EMPTY) return undefined
    const [bytes, start] = this.#placeOf(at - 1)
    return bytes.toString('utf8', start + place.length + code.length + 2, bytes.indexOf(LINK_END, start))
  }

  put(place: Place, code: string, packed: string): void {
    this.putAll(Buffer.from(`${place}\n${code}\n${packed}`))
  }

  delete(place: Place, code: string): void {
    const table = this.#tables.get(place)
    if (table) this.#remove(table, this.#slotOf(table, place, code))
  }

  /** @param bytes links with LINK_END between them. */
  putAll(bytes: Buffer): void {
    for (let start = 0; start < bytes.length;) {
      const codeStart = lineEnd(bytes, start) + 1
      const codeEnd = lineEnd(bytes, codeStart)
      const next = bytes.indexOf(LINK_END, codeEnd)
      const end = next === -1 ? bytes.length : next
      this.#putLine(bytes, { start, codeStart, codeEnd, end })
      start = end + 1
    }
  }

  /** Removes slice by slice those of which the text says so, until it resolves. */
  async removeWhere(isGone: (packed: string) => boolean): Promise<void> {
    for (const table of this.#tables.values())
      for (let slot = 0; slot < table.slots.length; slot++) {
        const { slots } = table
        if (this.#isGoneAt(slots[slot]!, isGone)) this.#remove(table, slot)
        if (slot % SWEEP_SLICE !== SWEEP_SLICE - 1) continue
        await nextTurn()
        if (table.slots !== slots) slot = -1 // it has grown meanwhile, and others stand where these were
      }
  }

  #isGoneAt(at: number, isGone: (packed: string) => boolean): boolean {
    if (at === EMPTY || at === GONE) return false
    const [bytes, start] = this.#placeOf(at - 1)
    const codeStart = bytes.indexOf(LINE_END, start) + 1
    return isGone(bytes.toString('utf8', bytes.indexOf(LINE_END, codeStart) + 1, bytes.indexOf(LINK_END, start)))
  }

  #placeOf(at: number): readonly [Buffer, number] {
    return [this.#chunks[Math.floor(at / PLACES_A_CHUNK)]!.bytes, (at % PLACES_A_CHUNK) * ALIGNED]
  }

  #slotOf(table: CodeTable, place: Place, code: string): number {
    let hash = seed
    for (let index = 0; index < code.length; index++) hash = mixed(hash, code.charCodeAt(index))
    return table.slotOf(hash, (at) => {
      const [bytes, start] = this.#placeOf(at)
      const codeStart = start + place.length + 1
      if (bytes[codeStart + code.length] !== LINE_END) return false
      for (let index = 0; index < code.length; index++)
        if (bytes[codeStart + index] !== code.charCodeAt(index)) return false
      return true
    })
  }

  #tableOf(place: Place): CodeTable {
    const known = this.#tables.get(place)
    if (known) return known
    const table = new CodeTable()
    this.#tables.set(place, table)
    return table
  }

  /** Most links come after one of the same place. */
  #tableIn(bytes: Buffer, start: number, end: number): CodeTable {
    const { place } = this.#latest
    let index = 0
    while (index < end - start && bytes[start + index] === place.charCodeAt(index)) index++
    if (index < place.length || index < end - start || place === '') {
      const next = bytes.toString('latin1', start, end)
      this.#latest = { place: next, table: this.#tableOf(next) }
    }
    return this.#latest.table
  }

  #putLine(bytes: Buffer, { start, codeStart, codeEnd, end }: Line): void {
    const table = this.#tableIn(bytes, start, codeStart - 1)
    let hash = seed
    for (let index = codeStart; index < codeEnd; index++) hash = mixed(hash, bytes[index]!)
    const keyLength = codeEnd + 1 - start
    const isRight = (at: number): boolean => {
      const [own, ownStart] = this.#placeOf(at)
      for (let index = codeStart - start; index < keyLength; index++)
        if (own[ownStart + index] !== bytes[start + index]) return false
      return true
    }
    const slot = table.slotOf(hash, isRight)
    const before = table.slots[slot]!
    table.fill(slot, hash, this.#append(bytes, start, end))
    if (before !== EMPTY) this.#bury(before - 1)
  }

  #append(bytes: Buffer, start: number, end: number): number {
    const length = alignedLength(start, end)
    let chunk = this.#chunks[this.#current]
    while (!chunk || chunk.used + length > chunk.bytes.length) chunk = this.#newChunk(length)
    const { used } = chunk
    bytes.copy(chunk.bytes, used, start, end)
    for (let at = used + end - start; at < used + length; at++) chunk.bytes[at] = LINK_END
    chunk.used += length
    return this.#current * PLACES_A_CHUNK + used / ALIGNED
  }

  #newChunk(least: number): Chunk {
    const before = this.#current
    const free = this.#chunks.indexOf(undefined)
    this.#current = free === -1 ? this.#chunks.length : free
    this.#chunks[this.#current] = {
      bytes: Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, least)),
      used: 0,
      dead: 0,
    }
    this.#tidy(before)
    return this.#chunks[this.#current]!
  }

  #remove(table: CodeTable, slot: number): void {
    const at = table.slots[slot]!
    if (at === EMPTY || at === GONE) return
    table.empty(slot)
    this.#bury(at - 1)
  }

  /**
   * A chunk of which half is dead gives what lives to others: memory is as large as its links, twice at
   * most.
   */
  #bury(at: number): void {
    const index = Math.floor(at / PLACES_A_CHUNK)
    const chunk = this.#chunks[index]!
    const start = (at % PLACES_A_CHUNK) * ALIGNED
    const end = chunk.bytes.indexOf(LINK_END, start)
    chunk.dead += alignedLength(start, end)
    this.#tidy(index)
  }

  #tidy(index: number): void {
    const chunk = this.#chunks[index]
    if (!chunk || index === this.#current || chunk.dead * 2 < chunk.used) return
    this.#evacuate(index, chunk)
    this.#chunks[index] = undefined
  }

  #evacuate(index: number, { bytes, used }: Chunk): void {
    for (let start = 0; start < used;) {
      const end = bytes.indexOf(LINK_END, start)
      const codeStart = bytes.indexOf(LINE_END, start) + 1
      const place = bytes.toString('latin1', start, codeStart - 1)
      const code = bytes.toString('latin1', codeStart, bytes.indexOf(LINE_END, codeStart))
      const table = this.#tables.get(place)
      const slot = table ? this.#slotOf(table, place, code) : -1
      if (table && table.slots[slot] === index * PLACES_A_CHUNK + start / ALIGNED + 1)
        table.slots[slot] = this.#append(bytes, start, end) + 1
      start += alignedLength(start, end)
    }
  }
}
