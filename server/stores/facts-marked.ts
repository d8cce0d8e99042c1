// Which properties have sessions that are marked as invalid (docs/decisions/0031-invalid-sessions.md): questions about any other leave marks out,
// and cost what they would if there were none. Whoever does not know for sure says that a property has some, which is right for every property.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FactsEngine } from './facts-engine.ts'
import type { FactsLayout } from './facts.ts'
import { isPartOf, partsOf, tableFolder } from './facts-parts.ts'
import type { MarkRow } from './tables.ts'

export interface Marked {
  /** False when no session of the property is marked as invalid, as far as anybody has been told. */
  has(propertyId: string): Promise<boolean>
  /** To be called when marks may have been stored, before anybody is told so. */
  touch(rows: readonly MarkedRow[]): void
  /** To be called when anything may have changed. */
  touchAll(): void
  /** Resolves once every node knows of the marks that were stored before the call. */
  shown(): Promise<void>
}

type MarkedRow = Partial<Pick<MarkRow, 'property' | 'mark'>>

/** How the facts are shared: `none`: this process alone writes; `one`: all nodes see the same; `copies`: one may lag behind another. */
export type Sharing = 'none' | 'one' | 'copies'

/**
 * Where others write too, what a node knows is good for so long, so a mark is acknowledged this long after it was stored: by then everybody has
 * looked again. Below, each question would wait for a look; above, whoever marks a session would wait too long.
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

/** One look at the store. What it has is the same as before while its version is. */
async function look(engine: FactsEngine, layout: FactsLayout, before: Known | undefined, isShared: boolean) {
  const [row] = isShared ? ((await engine.read(versionSql(layout), {}, 'lookup')) as { version: string }[]) : []
  const version = row?.version ?? ''
  if (isShared && before?.properties && before.version === version) return { properties: before.properties, version }
  const rows = (await engine.read(listMarked, {}, 'lookup')) as { property: string }[]
  return { properties: new Set(rows.map(({ property }) => property)), version }
}

/** @param nowMs a clock that is never set, for tests. */
export function openMarked(
  engine: FactsEngine,
  layout: FactsLayout,
  sharing: Sharing,
  nowMs: () => number = () => performance.now(),
): Marked {
  const isShared = sharing !== 'none'
  let known: Known | undefined
  let looking: { readonly sinceMs: number; readonly found: Promise<Known> } | undefined
  /** What this process has marked since a look began, of each that is under way. */
  const added = new Set<Set<string>>()
  let mayHaveShrunk = false
  /** Counts what may have changed anything: a look that was under way tells of before. */
  let epoch = 0

  const isLate = (sinceMs: number): boolean => isShared && nowMs() - sinceMs >= LEASE_MS

  const lookNow = async (sinceMs: number): Promise<Known> => {
    const [begun, own] = [epoch, new Set<string>()]
    added.add(own)
    mayHaveShrunk = false
    const found = await look(engine, layout, known, isShared).catch(() => ({ properties: undefined, version: '' }))
    added.delete(own)
    for (const property of own) found.properties?.add(property)
    const seen = { ...found, sinceMs }
    if (epoch === begun && !(known && known.sinceMs > sinceMs)) known = found.properties && seen
    return seen
  }

  /**
   * A look that has just begun is good for everybody who comes now, however long it takes: what was acknowledged by now was stored before it.
   */
  const refresh = (): Promise<Known> => {
    if (looking && !isLate(looking.sinceMs)) return looking.found
    const sinceMs = nowMs()
    const own = { sinceMs, found: lookNow(sinceMs) }
    const end = (): void => {
      if (looking === own) looking = undefined
    }
    own.found.then(end, end)
    looking = own
    return own.found
  }

  return {
    has: async (propertyId) => {
      if (sharing === 'copies') return true
      const now = known && !isLate(known.sinceMs) ? known : await refresh()
      const has = now.properties?.has(propertyId) ?? true
      if (has && mayHaveShrunk && nowMs() - now.sinceMs >= SHRINK_MS) void refresh()
      return has
    },
    touch: (rows) => {
      for (const { property = '', mark = 0 } of rows) {
        if (mark % 2 === 0) mayHaveShrunk = true
        else {
          for (const own of added) own.add(property)
          known?.properties?.add(property)
        }
      }
    },
    touchAll: () => {
      epoch++
      known = undefined
    },
    shown: async () => {
      if (sharing === 'one') await sleep(SHOWN_MS)
    },
  }
}
