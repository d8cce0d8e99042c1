// Which properties have sessions that are marked as invalid (docs/decisions/0031-invalid-sessions.md):
// questions about any other leave marks out, and cost what they would if there were none. Whoever does not
// know for sure says that a property has some, which is right for every property.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FactsEngine } from './engine.ts'
import type { FactsLayout } from '../facts.ts'
import { isPartOf, partsOf, tableFolder } from './parts.ts'
import type { MarkRow } from '../tables.ts'

type MarkedRow = Partial<Pick<MarkRow, 'property' | 'mark'>>

/**
 * How the facts are shared: `none`: this process alone writes; `one`: all nodes see the same; `copies`: one
 * may lag behind another.
 */
export type Sharing = 'none' | 'one' | 'copies'

/**
 * Where others write too, what a node knows is good for so long, so a mark is acknowledged this long after it
 * was stored: by then everybody has looked again. Below, each question would wait for a look; above, whoever
 * marks a session would wait too long.
 */
const LEASE_MS = 1_000
/** Nor does the wait end early where two clocks do not run at the same speed. */
const SHOWN_MS = LEASE_MS + 100
/** Where this process alone writes: how often it is looked whether what was taken back was the last mark. */
const SHRINK_MS = 1_000

interface Known {
  /** With at least one session that is marked as invalid. Undefined: the store did not say. */
  readonly properties: Set<string> | undefined
  /** When the look began. */
  readonly sinceMs: number
  /** Of the table of marks at that time; '' where nobody asks for it. */
  readonly version: string
}

/** Streaming, in the order of the table: very many marks take time, but no memory. */
const listMarked = `/* facts.marked */ SELECT DISTINCT property FROM (
  SELECT property, max(mark) AS latest FROM marks GROUP BY property, day, session HAVING latest % 2 = 1
) SETTINGS optimize_aggregation_in_order = 1`

function versionSql(layout: FactsLayout): string {
  const [parts, node] = partsOf(layout.cluster)
  return `/* facts.markedVersion */ SELECT concat(toString(groupBitXor(cityHash64(node, folder, partition, first, last))), '.', toString(count())) AS version
FROM (SELECT ${node} AS node, partition, min(${tableFolder}) AS folder, min(min_block_number) AS first, max(max_block_number) AS last
  FROM ${parts} WHERE ${isPartOf('marks', layout)} GROUP BY node, partition)`
}

const nothingSaid = { properties: undefined, version: '' }

/** One look at the store. What it has is the same as before while its version is. */
async function look(engine: FactsEngine, layout: FactsLayout, before: Known | undefined, isShared: boolean) {
  const [row] = isShared ? ((await engine.read(versionSql(layout), {}, 'lookup')) as { version: string }[]) : []
  const version = row?.version ?? ''
  if (isShared && before?.properties && before.version === version) return { properties: before.properties, version }
  const rows = (await engine.read(listMarked, {}, 'lookup')) as { property: string }[]
  return { properties: new Set(rows.map(({ property }) => property)), version }
}

export class Marked {
  readonly #engine: FactsEngine
  readonly #layout: FactsLayout
  readonly #sharing: Sharing
  readonly #nowMs: () => number
  #known: Known | undefined
  #looking: { readonly sinceMs: number; readonly found: Promise<Known> } | undefined
  /** What this process has marked since a look began, for each look that is under way. */
  readonly #added = new Set<Set<string>>()
  #mayHaveShrunk = false
  /** Grows with whatever may have changed anything: the result of a look that was under way is of before. */
  #epoch = 0

  /** @param nowMs a clock that is never set, for tests. */
  constructor(
    engine: FactsEngine,
    layout: FactsLayout,
    sharing: Sharing,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#engine = engine
    this.#layout = layout
    this.#sharing = sharing
    this.#nowMs = nowMs
  }

  /** False when no session of the property is marked as invalid, as far as anybody has been told. */
  async has(propertyId: string): Promise<boolean> {
    if (this.#sharing === 'copies') return true
    const now = this.#known && !this.#isLate(this.#known.sinceMs) ? this.#known : await this.#refresh()
    const has = now.properties?.has(propertyId) ?? true
    if (has && this.#mayHaveShrunk && this.#nowMs() - now.sinceMs >= SHRINK_MS) void this.#refresh()
    return has
  }

  /** To be called when marks may have been stored, before anybody is told so. */
  touch(rows: readonly MarkedRow[]): void {
    for (const { property = '', mark = 0 } of rows) {
      if (mark % 2 === 0) {
        this.#mayHaveShrunk = true
        continue
      }
      for (const own of this.#added) own.add(property)
      this.#known?.properties?.add(property)
    }
  }

  /** To be called when anything may have changed. */
  touchAll(): void {
    this.#epoch++
    this.#known = undefined
  }

  /** Resolves once every node knows of the marks that were stored before the call. */
  async shown(): Promise<void> {
    if (this.#sharing === 'one') await sleep(SHOWN_MS)
  }

  get #isShared(): boolean {
    return this.#sharing !== 'none'
  }

  #isLate(sinceMs: number): boolean {
    return this.#isShared && this.#nowMs() - sinceMs >= LEASE_MS
  }

  async #lookNow(sinceMs: number): Promise<Known> {
    const [begun, own] = [this.#epoch, new Set<string>()]
    this.#added.add(own)
    this.#mayHaveShrunk = false
    const found = await look(this.#engine, this.#layout, this.#known, this.#isShared).catch(() => nothingSaid)
    this.#added.delete(own)
    for (const property of own) found.properties?.add(property)
    const seen = { ...found, sinceMs }
    const isLatest = !(this.#known && this.#known.sinceMs > sinceMs)
    if (this.#epoch === begun && isLatest) this.#known = found.properties && seen
    return seen
  }

  /**
   * A look that has just begun serves every question that comes now, however long it takes: what was
   * acknowledged by now was stored before it.
   */
  #refresh(): Promise<Known> {
    if (this.#looking && !this.#isLate(this.#looking.sinceMs)) return this.#looking.found
    const sinceMs = this.#nowMs()
    const own = { sinceMs, found: this.#lookNow(sinceMs) }
    const end = (): void => {
      if (this.#looking === own) this.#looking = undefined
    }
    own.found.then(end, end)
    this.#looking = own
    return own.found
  }
}
