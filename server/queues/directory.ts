// A cache of rows by text key: cached rows are returned synchronously, without the database; a change on
// another node is seen within two seconds; invented keys can flood neither the database nor the memory.
import { openLoader } from './loader.ts'

/** An older entry is refreshed in the background, and still returned. */
const REFRESH_MS = 1_000
/**
 * For an older entry the caller waits for a fresh one, so what was revoked elsewhere is refused after this
 * long at the latest.
 */
const EXPIRE_MS = 2_000
/** Enough for every property that one node serves; further ones are read again when needed. */
const MAX_FOUND = 50_000
/**
 * Unknown keys that are remembered, so that one requested a thousand times is looked up once; few, since they
 * are worth little.
 */
const MAX_MISSING = 10_000

export interface DirectoryOptions<Row> {
  readonly now: () => number
  /** The rows of those texts that exist. */
  readonly load: (texts: readonly string[]) => Promise<ReadonlyMap<string, Row>>
  /** How long a row may be returned while the database does not answer. 0: such a look-up fails. */
  readonly staleMs: number
}

export interface Directory<Row> {
  /**
   * A promise only when the answer is not in memory. @throws Problem('unavailable') when it cannot be read.
   */
  get(text: string): Promise<Row | undefined> | Row | undefined
  /** Forgets rows that match, on this node at once; a running look-up does not bring them back. */
  forget(matches: (row: Row) => boolean): void
  /**
   * Forgets that the key is unknown: must be called after creating a row whose key may have been requested
   * before.
   */
  forgetText(text: string): void
  /** How many entries there are, and how many of them are unknown keys. */
  size(): { readonly found: number; readonly missing: number }
}

interface Entry<Row> {
  readonly row: Row | undefined
  /** When the database was queried for this row. */
  readonly readMs: number
  /** When it was last queried at all; later than readMs only while the database does not answer. */
  readonly askedMs: number
}

type Entries<Row> = Map<string, Entry<Row>>

/** Drops the oldest: a Map keeps the order of insertion, and every refresh inserts again. */
function remember<Row>(entries: Entries<Row>, text: string, entry: Entry<Row>, max: number): void {
  entries.delete(text)
  const oldest = entries.size >= max ? entries.keys().next().value : undefined
  if (oldest !== undefined) entries.delete(oldest)
  entries.set(text, entry)
}

interface Memory<Row> {
  readonly found: Entries<Row>
  /** Separate from the others, so that invented keys cannot push out real ones. */
  readonly missing: Entries<Row>
}

function store<Row>({ found, missing }: Memory<Row>, text: string, entry: Entry<Row>): void {
  const exists = entry.row !== undefined
  const other = exists ? missing : found
  other.delete(text)
  remember(exists ? found : missing, text, entry, exists ? MAX_FOUND : MAX_MISSING)
}

export function openDirectory<Row>({ now, load, staleMs }: DirectoryOptions<Row>): Directory<Row> {
  const memory: Memory<Row> = { found: new Map(), missing: new Map() }
  /** Incremented by every forget: a query that started before it may be out of date and is not cached. */
  let generation = 0
  let asked = 0

  const loader = openLoader<Row>({
    load,
    begin: () => {
      asked = generation
      return now()
    },
    loaded: (text, row, readMs) => {
      if (asked === generation) store(memory, text, { row, readMs, askedMs: readMs })
    },
    failed: (text) => {
      const entry = memory.found.get(text)
      if (!entry || now() - entry.readMs > staleMs) return undefined
      store(memory, text, { ...entry, askedMs: now() })
      return entry
    },
  })

  const startAnew = (): void => {
    generation++
    loader.restart()
  }

  return {
    get(text) {
      const entry = memory.found.get(text) ?? memory.missing.get(text)
      if (!entry) return loader.ask(text)
      // A clock that was set back must not extend the age of an entry.
      const ageMs = Math.abs(now() - entry.askedMs)
      if (ageMs <= REFRESH_MS) return entry.row
      const fresh = loader.ask(text)
      return ageMs <= EXPIRE_MS ? entry.row : fresh
    },
    forget(matches) {
      startAnew()
      for (const [text, { row }] of memory.found) if (row !== undefined && matches(row)) memory.found.delete(text)
    },
    forgetText(text) {
      startAnew()
      memory.missing.delete(text)
    },
    size: () => ({ found: memory.found.size, missing: memory.missing.size }),
  }
}
