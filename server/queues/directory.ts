// A memory of rows looked up by a text: warm look-ups are answered at once, without the database; a change made on another
// node is seen within two seconds; made-up texts can flood neither the database nor the memory.
import { openLoader } from './loader.ts'

/** Older than this, an entry is read again in the background, and still answers. */
const REFRESH_MS = 1_000
/** Older than this, the caller waits for a fresh one. What was revoked elsewhere is refused after this long at the latest. */
const EXPIRE_MS = 2_000
/** Enough for every property that one node serves; more are read again when asked for. */
const MAX_FOUND = 50_000
/** Texts nobody has: remembered, so that one asked a thousand times is looked up once, but few, since they are worth nothing. */
const MAX_MISSING = 10_000

export interface DirectoryOptions<Row> {
  readonly now: () => number
  /** The rows of those texts that exist. */
  readonly load: (texts: readonly string[]) => Promise<ReadonlyMap<string, Row>>
  /** For how long a row may answer while the database does not. 0: such a look-up fails. */
  readonly staleMs: number
}

export interface Directory<Row> {
  /** A promise only when the answer is not in memory. @throws Problem('unavailable') when it cannot be had. */
  get(text: string): Promise<Row | undefined> | Row | undefined
  /** Forgets what `matches`, on this node at once; a look-up under way does not bring it back. */
  forget(matches: (row: Row) => boolean): void
  /**
   * Forgets that nobody has the text: to be called by who gives somebody a text that could have been asked
   * for before.
   */
  forgetText(text: string): void
  /** How many are remembered, and how many of those do not exist. */
  size(): { readonly found: number; readonly missing: number }
}

interface Entry<Row> {
  readonly row: Row | undefined
  /** When the database was asked for this row. */
  readonly readMs: number
  /** When it was last asked at all; later than readMs only while the database does not answer. */
  readonly askedMs: number
}

type Entries<Row> = Map<string, Entry<Row>>

/** The oldest goes first: a Map keeps the order of insertion, and every refresh inserts anew. */
function remember<Row>(entries: Entries<Row>, text: string, entry: Entry<Row>, max: number): void {
  entries.delete(text)
  const oldest = entries.size >= max ? entries.keys().next().value : undefined
  if (oldest !== undefined) entries.delete(oldest)
  entries.set(text, entry)
}

interface Memory<Row> {
  readonly found: Entries<Row>
  /** Apart from the others, so that made-up texts cannot push out the real ones. */
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
  /** Grows with every forget: what was asked before it may be out of date and is not remembered. */
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
      // A clock that was set back must not keep an entry young.
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
