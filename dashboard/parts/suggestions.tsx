// Values of a filter that there are in the window, the most frequent first; a press takes one over.
import { useQuery } from '@tanstack/react-query'
import { isolated, isPathId } from '../address.ts'
import { compactNumber } from '../format.ts'
import { type Suggestion, suggestionsOf } from '../named-values.ts'
import { useProperty } from '../session.tsx'
import { useSettled } from '../typed.ts'
import { common as text } from '../texts/index.ts'
import { askOf, type Clause, useWindow, withoutClause } from '../window.ts'
import styles from './filter-bar.module.css'

interface SuggestionsProps {
  readonly id: string
  /** One value a line; the last one is being typed. */
  readonly given: string
  /** The filter that is changed: what it leaves out is suggested as well. */
  readonly except: Clause | undefined
  readonly onChange: (given: string) => void
}

export function Suggestions({ id, given, except, onChange }: SuggestionsProps) {
  const property = useProperty()
  const [window] = useWindow()
  const lines = given.split('\n')
  const typed = lines.at(-1)?.trim() ?? ''
  const known = lines.slice(0, -1)
  const ask = askOf({ ...window, f: except ? withoutClause(window.f, except) : window.f })
  const asked = { id, search: useSettled(typed), window: ask }
  const { data } = useQuery({
    queryKey: ['suggestions', property.id, id, asked],
    queryFn: ({ signal }) => suggestionsOf(property.id, asked, signal),
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  })
  const valueOf = ({ value, label }: Suggestion): string => (isPathId(id) ? label : value)
  const shown = data?.filter((each) => !known.includes(valueOf(each)) && valueOf(each) !== typed) ?? []
  if (shown.length === 0) return null
  return (
    <ul className={styles.suggestions} aria-label={text.filters.suggestions}>
      {shown.map((each) => (
        <li key={each.value}>
          <button type="button" onClick={() => onChange([...known, valueOf(each)].join('\n'))}>
            <span>{isPathId(id) ? isolated(each.label) : each.label}</span>
            {each.count !== undefined && <span className={styles.count}>{compactNumber(each.count)}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
