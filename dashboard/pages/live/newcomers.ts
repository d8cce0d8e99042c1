// Which rows of a list were not in the answer before: they may come in with a movement.
import { useState } from 'react'

interface Answer {
  readonly scope: string
  readonly joined: string
  readonly fresh: ReadonlySet<string>
}

const nobody: ReadonlySet<string> = new Set()

/** @param scope what was asked: in the answer to another question nobody is new. */
export function useNewcomers(ids: readonly string[] | undefined, scope: string): ReadonlySet<string> {
  const [shown, setShown] = useState<Answer>()
  const joined = ids?.join('\n')
  if (joined === undefined) return nobody
  if (shown?.joined === joined && shown.scope === scope) return shown.fresh
  const before = shown?.scope === scope ? new Set(shown.joined.split('\n')) : undefined
  const fresh = before ? new Set(joined.split('\n').filter((id) => id !== '' && !before.has(id))) : nobody
  setShown({ scope, joined, fresh })
  return fresh
}
