// Which rows of a list are chosen, over the pages of it.
import { useRef, useState } from 'react'

export interface RowChoice {
  readonly ids: ReadonlySet<string>
  readonly choose: (id: string, isRange: boolean) => void
  readonly all: () => void
  readonly clear: () => void
}

const without = (ids: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> =>
  new Set([...ids].filter((id) => !gone.includes(id)))

/** @param shown the ids of the rows of this page, in their order. */
export function useRowChoice(shown: readonly string[]): RowChoice {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const range = (id: string): readonly string[] => {
    const [from, to] = [shown.indexOf(last.current ?? ''), shown.indexOf(id)]
    return from < 0 || to < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  }
  return {
    ids,
    choose: (id, isRange) => {
      const meant = isRange ? range(id) : [id]
      const isTaken = !isRange && ids.has(id)
      last.current = id
      setIds(isTaken ? without(ids, meant) : new Set([...ids, ...meant]))
    },
    all: () => {
      setIds(shown.every((id) => ids.has(id)) ? without(ids, shown) : new Set([...ids, ...shown]))
    },
    clear: () => setIds(new Set()),
  }
}
