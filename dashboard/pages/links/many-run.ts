// Many links created at once: checked, then written, and what has come of it so far.
import { useState } from 'react'
import { type Domain, type ForeignFormat, type ImportPart, importLinks, type Link } from '../../api/links.ts'
import { number } from '../../format.ts'
import { announce } from '../../parts/announce.tsx'
import { useProperty } from '../../session.tsx'
import { bulk as words, common } from '../../texts/index.ts'
import { useRefresh } from './links.ts'
import { csvOf } from './rows.ts'

export type Fault = ImportPart['faults'][number]

export interface Sum {
  readonly rows: number
  readonly created: number
  readonly badRows: number
  readonly faults: readonly Fault[]
  readonly moreFaults: number
  readonly ignored: readonly string[]
  readonly withoutPassword: number
  readonly links: readonly Link[]
}

const sumOf = (answer: ImportPart, lineOffset: number): Sum => ({
  rows: answer.rows,
  created: answer.created,
  badRows: answer.bad_rows,
  faults: answer.faults.map((fault) => ({ ...fault, line: fault.line + lineOffset })),
  moreFaults: answer.more_faults,
  ignored: answer.ignored_columns,
  withoutPassword: answer.without_password,
  links: answer.links,
})

export interface Asked {
  /** The service that wrote the file; '' for columns of our own. */
  readonly from: ForeignFormat | ''
  readonly group: string
  readonly domain: Domain
  readonly createGroups: boolean
  readonly typed: string
  readonly file: { readonly name: string; readonly text: string } | null
}

/** What is sent, and what is added to its lines so that they are those of what was typed. */
interface Sent {
  readonly csv: string
  readonly lineOffset: number
}

/** Sent whole, so that all links are created or none. Undefined where there is nothing in it. */
function sentOf({ file, from, typed }: Asked): Sent | undefined {
  const text = file?.text ?? typed
  if (text.trim() === '') return undefined
  return file || from !== '' ? { csv: text, lineOffset: 0 } : csvOf(text)
}

type Stage =
  | { readonly is: 'asking'; readonly problem?: string }
  | { readonly is: 'checking' | 'writing' }
  | { readonly is: 'checked'; readonly sent: Sent; readonly sum: Sum }
  | { readonly is: 'done'; readonly sum: Sum }

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : common.errors.unknown)

export function useRun(asked: Asked) {
  const property = useProperty()
  const refresh = useRefresh()
  const [stage, setStage] = useState<Stage>({ is: 'asking' })
  const send = async ({ csv, lineOffset }: Sent, isTrial: boolean): Promise<Sum> => {
    const { group, domain, createGroups, from } = asked
    const file = { csv, group, domain, create_groups: createGroups, ...(from !== '' && { from }) }
    return sumOf(await importLinks(property.id, file, isTrial), lineOffset)
  }
  const orAsk = async (work: () => Promise<Stage>): Promise<void> =>
    setStage(await work().catch((error: unknown): Stage => ({ is: 'asking', problem: messageOf(error) })))
  return {
    stage,
    check: async () => {
      const sent = sentOf(asked)
      if (!sent) return setStage({ is: 'asking', problem: words.nothing })
      setStage({ is: 'checking' })
      return orAsk(async () => ({ is: 'checked', sent, sum: await send(sent, true) }))
    },
    write: async (sent: Sent) => {
      setStage({ is: 'writing' })
      await orAsk(async () => {
        const sum = await send(sent, false)
        // Somebody else may have taken a code since it was checked.
        if (sum.badRows > 0) return { is: 'checked', sent, sum }
        announce(words.done(number(sum.created), sum.created))
        return { is: 'done', sum }
      })
      await refresh()
    },
    ask: (problem?: string) => setStage({ is: 'asking', ...(problem !== undefined && { problem }) }),
  }
}
