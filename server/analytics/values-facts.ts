// Values of the sessions of a scope whose days are all added up: of its top lists, and the links that
// sessions and later visits came through, from one statement. To plan one takes longer than to run it.
import { currentAsker, isCanceled } from '../queues/asker.ts'
import type { Sums } from '../sessions/sessions.ts'
import { countedColumns, countedLists } from '../stores/session-sums.ts'
import type { RowFacts, Scope } from './facts.ts'
import { compareTexts } from './merging.ts'
import { largestValues } from './summed.ts'
import { TOP_ROWS, type TopSet, type ValueCount } from './top-sets.ts'

/** The largest first, equal ones by name. */
export interface CountedValues {
  readonly rows: readonly ValueCount[]
  /** Whether there are no others. */
  readonly isWhole: boolean
}

/** By the name of a list. */
type ReadValues = (list: string) => CountedValues

/** When sessions began is asked of other windows, and has thousands of values. */
const lists = [...countedColumns, countedLists.arrivals, countedLists.returns]

interface Reading {
  /** Of which copies and days: those of a copy never change. */
  readonly key: string
  readonly values: Promise<ReadValues>
}

/** Of the scope of an answer, which lasts no longer than this is made. */
const readings = new WeakMap<Scope, Reading>()

async function queryValues(facts: Pick<RowFacts, 'query'>, sums: Sums): Promise<ReadValues> {
  const { sql, params } = largestValues(sums, lists, TOP_ROWS)
  const found = await facts.query<{ list: string; value: string; sessions: string }>(
    'analytics.readValues',
    sql,
    params,
  )
  const byList = Map.groupBy(found, ({ list }) => list)
  return (list) => {
    const rows = byList.get(list) ?? []
    return {
      rows: rows.map(({ value, sessions }) => ({ value, sessions: Number(sessions) })),
      isWhole: rows.length <= TOP_ROWS,
    }
  }
}

function begin(facts: Pick<RowFacts, 'query'>, scope: Scope, sums: Sums, key: string): Reading {
  const own = { key, values: queryValues(facts, sums) }
  readings.set(scope, own)
  own.values.catch(() => {
    if (readings.get(scope) === own) readings.delete(scope)
  })
  return own
}

/**
 * Of each list the TOP_ROWS largest and one more. Whoever asks with the same scope shares what is read.
 * @param sums of the scope.
 * @returns undefined when there may be other sessions besides.
 */
export async function readValues(
  facts: Pick<RowFacts, 'query'>,
  scope: Scope,
  sums: Sums,
): Promise<ReadValues | undefined> {
  if (sums.hasRows) return undefined
  const key = JSON.stringify(sums.params)
  const known = readings.get(scope)
  const isKnown = known?.key === key
  try {
    return await (isKnown ? known : begin(facts, scope, sums, key)).values
  } catch (error) {
    // Whoever asked first may have left.
    if (!isKnown || !isCanceled(error) || currentAsker()?.signal?.aborted) throw error
    return readValues(facts, scope, sums)
  }
}

/** As `primaryLanguage` says it (top-sets.ts): the store makes no other letters large. */
const primaryOf = (language: string): string =>
  language.split('-', 1)[0]!.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

function primaryLanguages(languages: readonly ValueCount[]): ValueCount[] {
  const counts = new Map<string, number>()
  for (const { value, sessions } of languages)
    counts.set(primaryOf(value), (counts.get(primaryOf(value)) ?? 0) + sessions)
  return [...counts]
    .map(([value, sessions]) => ({ value, sessions }))
    .toSorted((a, b) => b.sessions - a.sessions || compareTexts(a.value, b.value))
}

/**
 * Rows of each set, of a scope whose days are all added up.
 * @returns undefined when these do not say all of them.
 */
export async function readSets(
  facts: Pick<RowFacts, 'query'>,
  scope: Scope,
  sums: Sums,
): Promise<((set: TopSet) => readonly ValueCount[]) | undefined> {
  const values = await readValues(facts, scope, sums)
  const languages = values?.('language')
  if (!values || !languages?.isWhole) return undefined
  return ({ name, sql }) => (name === 'primary_language' ? primaryLanguages(languages.rows) : values(sql).rows)
}
