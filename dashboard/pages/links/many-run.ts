// Many links made at once: checked and written part by part, and what has come of it so far.
import { useState } from 'react'
import { type Domain, type ForeignFormat, type ImportPart, importLinks, type Link } from '../../api/links.ts'
import { type CsvPart, partsOf } from '../../csv.ts'
import { number } from '../../format.ts'
import { announce } from '../../parts/announce.tsx'
import { useProperty } from '../../session.tsx'
import { bulk as words, common } from '../../texts/index.ts'
import { useRefresh } from './links.ts'
import { csvOf } from './rows.ts'

/**
 * Other requests wait while a part is written, a fraction of a second. A part stays well below the limit of a
 * body.
 */
export const PART = { rows: 1_000, characters: 250_000 }
const SHOWN_FAULTS = 50

export type Fault = ImportPart['faults'][number]

export interface Sum {
  readonly rows: number
  readonly created: number
  readonly badRows: number
  readonly faults: readonly Fault[]
  readonly moreFaults: number
  readonly ignored: readonly string[]
  readonly links: readonly Link[]
}

const nothingYet: Sum = { rows: 0, created: 0, badRows: 0, faults: [], moreFaults: 0, ignored: [], links: [] }

function added(sum: Sum, part: ImportPart, lineOffset: number): Sum {
  const faults = [...sum.faults, ...part.faults.map((fault) => ({ ...fault, line: fault.line + lineOffset }))]
  return {
    rows: sum.rows + part.rows,
    created: sum.created + part.created,
    badRows: sum.badRows + part.bad_rows,
    faults: faults.slice(0, SHOWN_FAULTS),
    moreFaults: sum.moreFaults + part.more_faults + Math.max(0, faults.length - SHOWN_FAULTS),
    ignored: part.ignored_columns,
    links: [...sum.links, ...part.links],
  }
}

export interface Asked {
  /** The service that wrote the file; '' for columns of our own. */
  readonly from: ForeignFormat | ''
  readonly group: string
  readonly domain: Domain
  readonly createGroups: boolean
  readonly typed: string
  readonly file: { readonly name: string; readonly text: string } | null
}

/** A file of another service may be JSON, which is one whole. */
const isJson = (text: string): boolean => /^\s*[[{]/.test(text)

function partsAsked({ file, from, typed }: Asked): readonly CsvPart[] | undefined {
  const text = file?.text ?? typed
  if (from !== '') return isJson(text) ? [{ csv: text, rows: 1, lineOffset: 0 }] : partsOf(text, PART)
  const { csv, lineOffset } = file ? { csv: text, lineOffset: 0 } : csvOf(text)
  return partsOf(csv, PART)?.map((part) => ({ ...part, lineOffset: part.lineOffset + lineOffset }))
}

type Stage =
  | { readonly is: 'asking'; readonly problem?: string }
  | { readonly is: 'checking' | 'writing' | 'checked' | 'done'; readonly parts: readonly CsvPart[]; readonly sum: Sum }

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : common.errors.unknown)

export function useRun(asked: Asked) {
  const property = useProperty()
  const refresh = useRefresh()
  const [stage, setStage] = useState<Stage>({ is: 'asking' })
  const run = async (parts: readonly CsvPart[], is: 'checking' | 'writing'): Promise<void> => {
    let sum = nothingYet
    setStage({ is, parts, sum })
    const { group, domain, createGroups, from } = asked
    try {
      for (const { csv, lineOffset } of parts) {
        const file = { csv, group, domain, create_groups: createGroups, ...(from !== '' && { from }) }
        sum = added(sum, await importLinks(property.id, file, is === 'checking'), lineOffset)
        setStage({ is, parts, sum })
      }
      setStage({ is: is === 'checking' ? 'checked' : 'done', parts, sum })
      if (is === 'writing') announce(words.done(number(sum.created), sum.created))
    } catch (error) {
      const kept = is === 'writing' && sum.created > 0 ? ` ${words.stopped(number(sum.created))}` : ''
      setStage({ is: 'asking', problem: messageOf(error) + kept })
    }
    if (is === 'writing') await refresh()
  }
  return {
    stage,
    check: async () => {
      const parts = partsAsked(asked)
      if (parts) await run(parts, 'checking')
      else setStage({ is: 'asking', problem: words.nothing })
    },
    write: (parts: readonly CsvPart[]) => void run(parts, 'writing'),
    ask: (problem?: string) => setStage({ is: 'asking', ...(problem !== undefined && { problem }) }),
  }
}
